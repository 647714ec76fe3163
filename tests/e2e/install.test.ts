/** Installations from a tarball and a registry on loopback, and the smoke script on what they install. */
import { execFile } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { IS_OLDEST } from "../support/oldest-node.ts";
import { describeWith } from "../support/programs.ts";
import { type PackedProject, packProject, type RunNpm, startRegistry } from "../support/registry.ts";
import { cleanEnv, createTempFolder } from "../support/solx.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SMOKE = join(ROOT, "scripts/smoke.sh");
const MANIFEST = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const run = promisify(execFile);

/** What the README installs. */
const SOURCES = readFileSync(join(ROOT, "README.md"), "utf8").match(/(?<=^ {4}npm install -g )\S+$/gm) ?? [];

describeWith("tar")("npm install -g", () => {
  let project: PackedProject;
  let npm: RunNpm;
  let installed: { program: string; output: string };
  beforeAll(async () => {
    project = await packProject();
    npm = await startRegistry(project);
    installed = await install(project.tarball);
  });

  /** Installs the project into an empty prefix. Returns the path of the program and what npm printed. */
  async function install(source: string) {
    const prefix = createTempFolder();
    const output = await npm(["install", "-g", "--prefix", prefix, source]);
    return { program: join(prefix, "bin/solx"), output };
  }

  test("prints no warning: no script runs", () => {
    expect(installed.output).toMatch(/^\s*added \d+ packages? in \S+\s*$/);
  });

  test("of the tarball passes the smoke script", async () => {
    const { stdout } = await run("sh", [SMOKE, process.execPath, installed.program], { env: cleanEnv() }).catch(
      ({ stdout }) => expect.fail(stdout),
    );
    expect(stdout).toMatch(/^ok {4}version\n(?:.*\n)*\d\d passed, 0 failed, [01] skipped\n$/);
  });

  test.skipIf(IS_OLDEST)("works in every form; the README has those that exist", async () => {
    expect(SOURCES).toEqual([`./solx-${MANIFEST.version}.tgz`]);
    for (const { program } of [installed, await install("solx")]) {
      const { stdout } = await run(process.execPath, [program, "chaininfo", "--dry-run"]);
      expect(stdout).toContain("/chaininfo");
    }
  });
});

test("npm ci on an unsupported Node prints no warnings", async () => {
  const folder = createTempFolder();
  for (const name of [".npmrc", "package.json", "package-lock.json"])
    copyFileSync(join(ROOT, name), join(folder, name));
  writeFileSync(join(folder, "node20.cjs"), 'Object.defineProperty(process, "version", { value: "v20.20.2" });');
  const env = { PATH: process.env.PATH, HOME: folder, NODE_OPTIONS: `--require=${join(folder, "node20.cjs")}` };
  const ci = ["ci", "--dry-run", "--cache", "only", "--ignore-scripts"];
  expect((await run("npm", ci, { cwd: folder, env })).stderr).toBe("");
  // What the file changes: npm would warn.
  expect((await run("npm", [...ci, "--loglevel=warn"], { cwd: folder, env })).stderr).toContain("EBADENGINE");
});

test("the smoke script fails with a program that does nothing", async () => {
  const failure = run("sh", [SMOKE, "false"], { env: cleanEnv() });
  await expect(failure).rejects.toMatchObject({ code: 1, stdout: expect.stringMatching(/\n0 passed, \d\d failed/) });
});
