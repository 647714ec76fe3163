/** Folders and files of solx that do not exist, or are something else: commands run without them and say so. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { describeWith, testWith } from "../support/programs.ts";
import { sendJson, serve } from "../support/server.ts";
import { BIN, cleanEnv, createTempFolder, solx } from "../support/solx.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const LIST = '{"success":true,"data":[{"trans_id":"a"}],"metadata":{}}';

async function startServer(body = '{"success":true,"data":{"symbol":"USDC"}}') {
  const server = await serve((_, response) => sendJson(response, body));
  onTestFinished(server.close);
  return server;
}

/** Whether the permissions of a file and of the folders above it let other users read it. */
const isReadableByOthers = (path: string): boolean =>
  (statSync(path).mode & 0o005) !== 0 && (dirname(path) === path || isReadableByOthers(dirname(path)));

describe("without a home folder", () => {
  const NO_HOME = { SOLX_HOME: undefined, HOME: undefined, XDG_CACHE_HOME: undefined };

  test("a command runs without a cache, with notes", async () => {
    const { url } = await startServer();
    const args = ["token", "meta", USDC, `SOLX_BASE_URL=${url}`];
    const { code, stdout, stderr } = await solx(args, { env: { ...NO_HOME, SOLX_CACHE: "on" } });
    expect([code, JSON.parse(stdout)]).toEqual([0, { symbol: "USDC" }]);
    expect(stderr).toContain("Answers are not cached: there is no home folder.");
    expect(stderr).toContain("The rate limit is not shared with other processes: there is no home folder.");
  });

  testWith("setpriv")("a user without an entry in the user database is served too", async () => {
    // A checkout that other users may not read cannot be run by them; neither can root's rights be dropped by others.
    if (process.getuid?.() !== 0 || !isReadableByOthers(BIN)) return;
    const run = (args: readonly string[]) =>
      new Promise<string>((resolve) => {
        const words = ["--reuid", "54321", "--regid", "54321", "--clear-groups", process.execPath, BIN, ...args];
        const child = spawn("setpriv", words, { env: cleanEnv(NO_HOME), cwd: "/" });
        let text = "";
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding("utf8").on("data", (part) => {
            text += part;
          });
        }
        child.on("close", (code) => resolve(`${text}exit ${code}`));
      });
    const output = await run(["config", "path", "-o", "json"]);
    expect(output).toContain('"cache": null');
    expect(output).toContain("exit 0");
  });

  test("~ cannot be expanded: no folder of that name is created", async () => {
    const cwd = createTempFolder();
    const { url } = await startServer();
    const run = (...args: string[]) =>
      solx(["token", "meta", USDC, `SOLX_BASE_URL=${url}`, ...args], { cwd, env: { ...NO_HOME, SOLX_HOME: "~/solx" } });
    expect((await run()).code).toBe(0);
    const { code, stderr } = await run("--out=~/token.json");
    expect(code).toBe(2);
    expect(stderr).toContain("cannot expand ~ in ~/token.json: there is no home folder");
    expect(readdirSync(cwd)).toEqual([]);
  });
});

test("~ is the home folder wherever a path is typed", async () => {
  const [home, cwd] = [createTempFolder(), createTempFolder()];
  const env = { HOME: home, SOLX_HOME: "~/solx", SOLX_CA_CERT: undefined };
  const { url } = await startServer(LIST);
  const list = ["account", "transfer", USDC, `SOLX_BASE_URL=${url}`];
  expect(await solx([...list, "--out=~/rows.json"], { cwd, env })).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(join(home, "rows.json"), "utf8"))).toEqual([{ trans_id: "a" }]);
  expect(existsSync(join(home, "solx", "state"))).toBe(true);
  expect(existsSync(join(home, "solx", "cache", "compiled"))).toBe(true);
  await solx(["skill", "--install", "~/skills"], { cwd, env });
  expect(readdirSync(join(home, "skills"))).toHaveLength(1);
  const { stdout } = await solx(["config", "get", "ca-cert"], { cwd, env: { ...env, SOLX_CA_CERT: "~/ca.pem" } });
  expect(stdout.trim()).toBe(join(home, "ca.pem"));
  expect(readdirSync(cwd)).toEqual([]);
});

describeWith("mkfifo")("a path of solx that is not what it should be", () => {
  const FILES = ["state/budget.sqlite", "state/usage.sqlite", "cache/answers.sqlite", "cache/names.sqlite"];
  const FOLDERS = ["", "state", "cache", "cache/compiled"];
  const CASES = [
    ...[...FILES, ...FOLDERS].map((path) => [path, "named pipe"] as const),
    ...FILES.map((path) => [path, "folder"] as const),
  ];

  test.for(CASES)("%s is a %s", async ([path, kind]) => {
    const { url } = await startServer();
    const home = join(createTempFolder(), "home");
    const target = join(home, path);
    mkdirSync(dirname(target), { recursive: true });
    if (kind === "folder") mkdirSync(target);
    else await new Promise((done) => spawn("mkfifo", [target]).on("close", done));
    const args = ["token", "meta", USDC, `SOLX_BASE_URL=${url}`, "-o", "table"];
    const { code, stdout, stderr } = await solx(args, { env: { SOLX_HOME: home, SOLX_CACHE: "on" } });
    expect(code).toBe(0);
    expect(stdout).toContain("USDC");
    const isNoted = ["state/budget.sqlite", "cache/answers.sqlite", "cache", "state", ""].includes(path);
    expect(stderr).toMatch(isNoted ? target : /^$/);
  });

  test("a checkpoint that is a named pipe is an error", async () => {
    const { url } = await startServer(LIST);
    const out = join(createTempFolder(), "rows.csv");
    await new Promise((done) => spawn("mkfifo", [`${out}.checkpoint`]).on("close", done));
    const { code, stderr } = await solx(["account", "transfer", USDC, `SOLX_BASE_URL=${url}`, "--out", out, "--force"]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${out}.checkpoint is not a regular file`);
  });
});
