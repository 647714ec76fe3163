/** Following a list of a sandbox with a growing chain. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.ts";
import { testWith } from "../support/programs.ts";
import { sendJson, serve } from "../support/server.ts";
import { BIN, cleanEnv, createTempFolder, startSolx } from "../support/solx.ts";

const WALLET = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  sandbox = await startSandbox({ live: 150, size: 0.02, port: 0, folder: createTempFolder(), faults: ["503:10%"] });
});
afterAll(() => sandbox.close());

const env = () => ({ SOLX_BASE_URL: sandbox.url, SOLX_API_KEY: sandbox.key, SOLX_BUDGET: "process" });

/** Runs solx to its end. */
async function ended(args: readonly string[]) {
  const child = startSolx(args, { env: env() });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const [code] = await once(child, "close");
  return { code, rows: stdout.split("\n").filter((line) => line !== ""), stderr };
}

test("prints each row of a growing chain once and in order, despite failures in between", async () => {
  const list = ["block", "last", "-o", "ndjson"];
  const { code, rows, stderr } = await ended([...list, "--follow", "2s", "--limit", "45"]);
  expect(stderr).toContain("1,800 requests and 180,000 compute units per hour");
  expect(code).toBe(0);
  expect(rows).toHaveLength(45);
  const later = (await ended([...list, "--limit", "100"])).rows.toReversed();
  const first = later.indexOf(rows[0] ?? "");
  expect(first).toBeGreaterThanOrEqual(0);
  expect(later.slice(first, first + 45)).toEqual(rows);
});

test("Ctrl-C ends with exit code 130 after complete lines", async () => {
  const child = startSolx(["block", "last", "--follow"], { env: env() });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    if (stdout === "") child.kill("SIGINT");
    stdout += String(chunk);
  });
  const [code] = await once(child, "close");
  expect(code).toBe(130);
  expect(stdout.endsWith("\n")).toBe(true);
  for (const line of stdout.trimEnd().split("\n")) expect(JSON.parse(line)).toHaveProperty("current_slot");
});

testWith("bash")("ends with the next row when piped to head", async () => {
  const line = `'${process.execPath}' '${BIN}' block last --follow=2s | head -12 | wc -l; echo "\${PIPESTATUS[0]}"`;
  const child = spawn("bash", ["-c", line], { env: cleanEnv(env()) });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  await once(child, "close");
  expect(stdout.trim().split(/\s+/)).toEqual(["12", "0"]);
});

/** A list without new rows. */
async function quiet() {
  const data = [{ trans_id: "t1", block_time: 1_720_000_000 }];
  const { url } = await serve((_, response) => sendJson(response, JSON.stringify({ success: true, data })));
  return { ...env(), SOLX_BASE_URL: url };
}

test("detects that the reader has gone while there are no new rows", async () => {
  const child = startSolx(["account", "transfer", WALLET, "--follow", "2s"], { env: await quiet() });
  child.stdout.once("data", () => child.stdout.destroy());
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
});
