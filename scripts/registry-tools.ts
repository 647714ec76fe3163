/** Programs of the package registry that check what is published, in a folder of their own, and what failed of them. */
import { type ExecFileException, execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs, promisify } from "node:util";

/** The time as of which packages that the tools need are chosen, so that new versions of these do not change a result. */
const INSTALLED_AS_OF = "2026-11-28";

/** How long a program may take: many times what it takes, so that one that hangs does not hold up CI. */
const MAX_MILLISECONDS = 300_000;

const run = promisify(execFile);

/** Opens the folder of `--folder`, by default a temporary one. @param name what is checked, as a part of file names */
export function openTools(name: string) {
  const { values } = parseArgs({ options: { folder: { type: "string" } } });
  const folder = resolve(values.folder ?? mkdtempSync(join(tmpdir(), `solx-${name}-`)));
  const failures: string[] = [];

  /** Runs a program in the folder and returns its output, which is also the reason of a failure. */
  async function runProgram(file: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
    const options = { cwd: folder, maxBuffer: 2 ** 26, shell: process.platform === "win32", timeout: MAX_MILLISECONDS };
    return run(file, args, options).catch(({ stdout, stderr, message, killed }: ExecFileException) => {
      const reason = killed ? `${message}: stopped after ${MAX_MILLISECONDS / 1000} s` : message;
      throw new Error([reason, stdout, stderr].filter(Boolean).join("\n").slice(0, 5000));
    });
  }

  return {
    folder,
    runProgram,
    runTool: (tool: string, ...args: readonly string[]) => runProgram(join(folder, "node_modules", ".bin", tool), args),
    /** Installs packages without running their scripts. */
    async install(packages: readonly string[]): Promise<void> {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
      const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
      // A registry out of reach is reported soon.
      const retries = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];
      await runProgram("npm", ["install", ...options, `--before=${INSTALLED_AS_OF}`, ...retries, ...packages]);
    },
    /** Runs a check, and remembers why it failed. */
    async check(title: string, action: () => Promise<unknown>): Promise<boolean> {
      const start = performance.now();
      const reason = await action().then(
        () => undefined,
        (error: Error) => error.message,
      );
      if (reason !== undefined) failures.push(`${title}: ${reason}`);
      const seconds = Math.round((performance.now() - start) / 1000);
      console.log(`${reason === undefined ? "ok" : "FAILED"} ${title} (${seconds} s)`);
      return reason === undefined;
    },
    /** Removes a temporary folder, and ends with what every failed check says. */
    close(): void {
      if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
      if (failures.length > 0) console.error(`\n${failures.join("\n\n")}`);
      process.exitCode = failures.length > 0 ? 1 : 0;
    },
  };
}
