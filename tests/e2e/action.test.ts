/** The GitHub Action: its shell steps, run as a runner would, with the built program in place of an installation. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { describeWith } from "../support/programs.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { BIN, cleanEnv, createTempFolder, solx } from "../support/solx.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MANIFEST = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

interface Step {
  readonly id?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const action = parse(readFileSync(join(ROOT, "action.yml"), "utf8")) as Action;

/** In place of npm: links the built program, and records the package. */
const NPM = `#!/bin/bash
while [ $# -gt 1 ]; do [ "$1" = --prefix ] && prefix=$2; shift; done
mkdir -p "$prefix/bin" && echo "$1" > "$prefix/package" && ln -s ${BIN} "$prefix/bin/solx"
`;

/** Parses the lines of a file that steps append to: \`name=value\`. */
function readVariables(path: string): Record<string, string> {
  const lines = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

/** Runs the shell steps of the action with inputs. Returns the last step that ran and what the steps set. */
function runAction(inputs: Readonly<Record<string, string>>) {
  const temp = createTempFolder();
  const programs = join(temp, "programs");
  mkdirSync(programs);
  writeFileSync(join(programs, "npm"), NPM, { mode: 0o755 });
  const files = { GITHUB_ENV: join(temp, "env"), GITHUB_OUTPUT: join(temp, "output"), GITHUB_PATH: join(temp, "path") };
  const evaluate = (text: string) =>
    text.replace(
      /\$\{\{ inputs\.([\w-]+) \}\}/g,
      (_, name: string) => inputs[name] ?? action.inputs[name]?.default ?? "",
    );
  onTestFinished(() => {
    const pid = join(temp, "solx-sandbox.pid");
    if (existsSync(pid)) spawnSync("kill", [readFileSync(pid, "utf8").trim()]);
  });
  let result: SpawnSyncReturns<string> | undefined;
  for (const { shell, env = {}, run } of action.runs.steps) {
    if (run === undefined || (result !== undefined && result.status !== 0)) continue;
    expect(shell).toBe("bash");
    const added = existsSync(files.GITHUB_PATH) ? readFileSync(files.GITHUB_PATH, "utf8").trim().split("\n") : [];
    const variables = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, evaluate(text)]));
    result = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
      encoding: "utf8",
      env: cleanEnv({
        ...sandboxEnv(),
        ...variables,
        ...files,
        PATH: [...added, programs, join(process.execPath, ".."), process.env.PATH].join(":"),
        RUNNER_TEMP: temp,
        GITHUB_ACTION_PATH: ROOT,
      }),
    });
  }
  return {
    result,
    env: readVariables(files.GITHUB_ENV),
    outputs: readVariables(files.GITHUB_OUTPUT),
    installed: readFileSync(join(temp, "solx/package"), "utf8").trim(),
  };
}

describeWith("bash")("the action", () => {
  test("starts the sandbox and exports its URL and key to the following steps", async () => {
    const { result, env, outputs, installed } = runAction({ now: "2024-07-05", args: "--seed ci\n--size 0.05" });
    expect({ status: result?.status, stderr: result?.stderr }).toEqual({ status: 0, stderr: "" });
    expect(installed).toBe(`solx@${MANIFEST.version}`);
    expect(outputs).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), key: "sandbox-key-ci" });
    expect(env).toEqual({ SOLX_SANDBOX_NOW: "2024-07-05", SOLX_BASE_URL: outputs.url, SOLX_API_KEY: outputs.key });
    for (const [name, { value }] of Object.entries(action.outputs)) {
      expect([name, value]).toEqual([name, `\${{ steps.start.outputs.${name} }}`]);
      expect(outputs).toHaveProperty(name);
    }
    const { code, stdout } = await solx(["transaction", "last", "--limit", "1"], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)[0].block_time).toBeLessThanOrEqual(Date.UTC(2024, 6, 5) / 1000);
  });

  test("fails with the message of the sandbox", () => {
    const { result, env, installed } = runAction({ version: "0.9.1", args: "--size none" });
    expect([result?.status, installed, env]).toEqual([1, "solx@0.9.1", {}]);
    expect(result?.stderr).toContain("none");
  });

  test("sets no variable that an input contains", () => {
    const { result, env } = runAction({ now: "2024-07-05\nLD_PRELOAD=/tmp/x.so", args: "--size 0.05" });
    expect([result?.status, env]).toEqual([1, {}]);
    expect(result?.stderr).toContain("SOLX_SANDBOX_NOW");
  });
});
