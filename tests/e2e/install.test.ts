/** The installation forms of the README, from a registry on loopback, and the smoke script on what they install. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { IS_OLDEST } from "../support/oldest-node.ts";
import { type PackedProject, packProject, type RunNpm, startRegistry } from "../support/registry.ts";
import { cleanEnv, createTempFolder } from "../support/solx.ts";

const SMOKE = fileURLToPath(new URL("../../scripts/smoke.sh", import.meta.url));
const run = promisify(execFile);

describe("npm install -g", () => {
  let project: PackedProject;
  let npm: RunNpm;
  beforeAll(async () => {
    project = await packProject();
    npm = await startRegistry(project);
  });

  /** Installs the project into an empty prefix and returns the path of the program. */
  async function install(source: string): Promise<string> {
    const prefix = createTempFolder();
    await npm(["install", "-g", "--prefix", prefix, source]);
    return join(prefix, "bin/solx");
  }

  test("of the tarball passes the smoke script", async () => {
    const solx = await install(project.tarball);
    const { stdout } = await run("sh", [SMOKE, process.execPath, solx], { env: cleanEnv() }).catch(({ stdout }) =>
      expect.fail(stdout),
    );
    expect(stdout).toMatch(/^ok {4}version\n(?:.*\n)*\d\d passed, 0 failed, [01] skipped\n$/);
  });

  test.skipIf(IS_OLDEST)("of the name installs the program from the registry", async () => {
    const solx = await install("solx");
    const { stdout } = await run(process.execPath, [solx, "--version"]);
    expect(stdout.trim()).toBe(project.manifest.version);
  });
});

test("the smoke script fails with a program that does nothing", async () => {
  const failure = run("sh", [SMOKE, "false"], { env: cleanEnv() });
  await expect(failure).rejects.toMatchObject({ code: 1, stdout: expect.stringMatching(/\n0 passed, \d\d failed/) });
});
