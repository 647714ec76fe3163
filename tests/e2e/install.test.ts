/** Installations from a tarball, a Git URL and a registry on loopback, and the smoke script on what they install. */
import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
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

/** A build that needs a development dependency, as the real one does, but takes an instant. */
const BUILD = `import { VERSION } from "rolldown";
import { cpSync } from "node:fs";
if (VERSION) cpSync("built", "dist", { recursive: true });`;

/** Creates a git repository of the project, with the light build and its dependency alone. Returns its URL. */
async function createRemote(npm: RunNpm): Promise<string> {
  const folder = createTempFolder();
  mkdirSync(join(folder, "scripts"));
  for (const name of [".npmrc", "LICENSE", "README.md", "CHANGELOG.md", "scripts/prepare.js"])
    copyFileSync(join(ROOT, name), join(folder, name));
  cpSync(join(ROOT, "bin"), join(folder, "bin"), { recursive: true });
  cpSync(join(ROOT, "dist"), join(folder, "built"), { recursive: true });
  const devDependencies = { rolldown: MANIFEST.devDependencies.rolldown };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...MANIFEST, devDependencies, overrides: {} }));
  writeFileSync(join(folder, "scripts/build.ts"), BUILD);
  await npm(["install", "--package-lock-only", "--ignore-scripts"], { cwd: folder });
  const author = ["-c", "user.name=test", "-c", "user.email=test@localhost"];
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...author, "commit", "-qm", "release"],
  ])
    execFileSync("git", args, { cwd: folder });
  return `git+file://${folder}`;
}

// Each installs several times: minutes on a busy machine.
describeWith("tar", "git")("npm install -g", () => {
  let project: PackedProject;
  let npm: RunNpm;
  let installed: string;
  beforeAll(async () => {
    project = await packProject();
    npm = await startRegistry(project);
    installed = await install(project.tarball);
  });

  /** Installs the project into an empty prefix and returns the path of the program. */
  async function install(source: string): Promise<string> {
    const prefix = createTempFolder();
    await npm(["install", "-g", "--prefix", prefix, source]);
    return join(prefix, "bin/solx");
  }

  test("of the tarball passes the smoke script", async () => {
    const { stdout } = await run("sh", [SMOKE, process.execPath, installed], { env: cleanEnv() }).catch(({ stdout }) =>
      expect.fail(stdout),
    );
    expect(stdout).toMatch(/^ok {4}version\n(?:.*\n)*\d\d passed, 0 failed, [01] skipped\n$/);
  });

  test.skipIf(IS_OLDEST)("works in every form; the README has those that exist", async () => {
    const { version, repository } = MANIFEST;
    const programs = new Map([
      [`./solx-${version}.tgz`, installed],
      [repository.url, await install(await createRemote(npm))],
      ["solx", await install("solx")],
    ]);
    expect(SOURCES).toEqual([`./solx-${version}.tgz`]);
    for (const program of programs.values()) {
      const { stdout } = await run(process.execPath, [program, "chaininfo", "--dry-run"]);
      expect(stdout).toContain("/chaininfo");
    }
  });
});

test("the packed clone of a git repository contains every dependency", () => {
  const { bundleDependencies, dependencies, optionalDependencies } = MANIFEST;
  expect(bundleDependencies.toSorted()).toEqual(Object.keys({ ...dependencies, ...optionalDependencies }).toSorted());
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
