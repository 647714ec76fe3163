/** What people type and files contain by mistake, and servers that answer something else. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { testWith } from "../support/programs.ts";
import { sendJson, serve } from "../support/server.ts";
import { BIN, cleanEnv, createTempFolder, solx } from "../support/solx.ts";
import { closeTerminals, Terminal } from "../support/terminal.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SOL = "So11111111111111111111111111111111111111112";
const KEY = "sk-7Hq2Lr9XvTz4Nw8Pc3Yb";

async function startServer(body: string) {
  const server = await serve((_, response) => sendJson(response, body));
  onTestFinished(server.close);
  return server;
}

describe("the key", () => {
  test.each([
    ["as an identifier", ["token", "meta", KEY]],
    ["as a command", [KEY]],
    ["as a file", ["token", "meta", `@${KEY}`]],
  ])("typed %s is not printed", async (_, args) => {
    const { code, stdout, stderr } = await solx(args, { env: { SOLX_API_KEY: KEY } });
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain("***");
    expect(stderr).not.toContain(KEY.slice(0, 12));
  });

  test("that a server repeats in another form is not printed", async () => {
    const forms = [KEY.toUpperCase(), Buffer.from(KEY).toString("base64"), KEY.slice(3)];
    const body = JSON.stringify({ success: false, errors: { code: 401, message: `bad: ${forms.join(" ")}` } });
    const server = await serve((_, response) => sendJson(response, body, 401));
    onTestFinished(server.close);
    const { code, stderr } = await solx(["token", "meta", USDC, `SOLX_BASE_URL=${server.url}`, "-v"], {
      env: { SOLX_API_KEY: KEY },
    });
    expect(code).toBe(3);
    expect(stderr).toContain("bad: ***");
    for (const form of forms) expect(stderr).not.toContain(form.slice(0, 16));
  });

  test("is not sent to another machine whose certificate is not verified", async () => {
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    const refused = await solx(["token", "meta", USDC, "SOLX_BASE_URL=https://api.example.test"], { env });
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.stderr.split("\n").find((line) => line.includes("errors")) ?? "").errors).toMatchObject({
      code: "INSECURE",
      message: expect.stringContaining("the API key is not sent to api.example.test"),
      hint: expect.stringContaining("SOLX_INSECURE=1"),
    });
    const { url } = await startServer('{"success":true,"data":{"symbol":"USDC"}}');
    const local = await solx(["token", "meta", USDC, `SOLX_BASE_URL=${url}`], { env });
    expect(local).toMatchObject({ code: 0, stderr: expect.stringContaining("sent unprotected") });
  });
});

test("an answer about another address is an error", async () => {
  const { url } = await startServer(JSON.stringify({ success: true, data: { address: SOL, symbol: "SOL" } }));
  const other = await solx(["token", "meta", USDC, `SOLX_BASE_URL=${url}`]);
  expect([other.code, other.stdout]).toEqual([8, ""]);
  expect(other.stderr).toContain(`Expected what was requested, got an answer about ${SOL}`);
  expect((await solx(["token", "meta", SOL, `SOLX_BASE_URL=${url}`])).stderr).toBe("");
});

describe("the name of a file", () => {
  test.each([
    ["--out", "--resume"],
    ["--fields", "-v"],
  ])("an option is no value: %s %s", async (name, value) => {
    const cwd = createTempFolder();
    const { url } = await startServer('{"success":true,"data":[]}');
    const { code, stderr } = await solx(["account", "transfer", USDC, `SOLX_BASE_URL=${url}`, name, value], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(`flag needs a value: ${name}`);
    expect(stderr).toContain(`attach it: ${name}=${value}`);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test.each([236, 237, 246, 300])("of %d bytes is written completely or not at all", async (length) => {
    const cwd = createTempFolder();
    const { url } = await startServer('{"success":true,"data":[{"trans_id":"a"}]}');
    const name = "x".repeat(length);
    const { code, stderr } = await solx(["account", "transfer", USDC, `SOLX_BASE_URL=${url}`, "--out", name], { cwd });
    expect(code).toBe(length <= 236 ? 0 : 2);
    expect(stderr).toContain(length <= 236 ? "" : "the name is too long");
    expect(readdirSync(cwd)).toEqual(length <= 236 ? [name] : []);
  });
});

describe("a file of identifiers", () => {
  test.each(["utf-16le", "utf-16be"])("may be in %s", async (encoding) => {
    const file = join(createTempFolder(), "mints.txt");
    const bytes = Buffer.from(`\ufeff${USDC}\r\n${SOL}\r\n`, "utf16le");
    writeFileSync(file, encoding === "utf-16le" ? bytes : bytes.swap16());
    const { code, stdout } = await solx(["token", "meta", `@${file}`, "--dry-run", "-o", "ndjson"]);
    expect(code).toBe(0);
    for (const mint of [USDC, SOL]) expect(stdout).toContain(mint);
  });

  test("that is binary is an error with its name", async () => {
    const file = join(createTempFolder(), "mints.bin");
    writeFileSync(file, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 0]));
    const { code, stderr } = await solx(["token", "meta", `@${file}`]);
    expect(code).toBe(2);
    expect(stderr).toContain(`cannot read identifiers from ${file}: it is not a text file`);
  });
});

test("mcp onto a full disk is an error", async () => {
  if (!existsSync("/dev/full")) return;
  const child = spawn("sh", ["-c", `'${process.execPath}' '${BIN}' mcp > /dev/full`], { env: cleanEnv() });
  const request = { jsonrpc: "2.0", id: 1, method: "ping" };
  child.stdin.end(`${JSON.stringify(request)}\n`);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const [code] = await once(child, "close");
  expect(code).toBe(1);
  expect(stderr).toContain("the disk is full");
});

describe("a terminal without Unicode", () => {
  afterAll(closeTerminals);

  const SYMBOLS = /[^\x00-\x7f]/;
  for (const args of [["docs"], ["docs", "settings"], ["doctor", "--offline"], ["overview", "--sandbox"], ["--help"]]) {
    testWith("tmux")(`gets ASCII from ${args.join(" ")}`, async () => {
      const terminal = new Terminal(args, { height: 300, env: { LC_ALL: "C", SOLX_SANDBOX_SIZE: "0.02" } });
      expect(await terminal.waitFor(/exit \d+/)).not.toMatch(SYMBOLS);
    });
  }
});
