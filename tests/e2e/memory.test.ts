/** The memory of a process whose servers and files are bombs: parallel calls share one budget, whoever makes them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { serve } from "../support/server.ts";
import { cleanEnv, createTempFolder, startSolx } from "../support/solx.ts";

const MIB = 1_048_576;
/** Far above what is needed; without the budget and the limits, these take between 1.5 and 4 GB. */
const MAX_MIB = 800;

/** Serves JSON of a size in MiB, whose filling repeats. */
async function serveBomb(mebibytes: number, [head, filling, tail]: readonly [string, string, string], isPlain = false) {
  const json = head + filling.repeat((mebibytes * MIB) / filling.length) + tail;
  const body = isPlain ? Buffer.from(json) : gzipSync(json, { level: 1 });
  const server = await serve((_, response) => {
    response.setHeader("content-type", "application/json");
    if (!isPlain) response.setHeader("content-encoding", "gzip");
    response.end(body);
  });
  onTestFinished(server.close);
  return server.url;
}

/** Waits for the end of a process; returns its peak of memory in MiB, and what it printed about errors. */
async function observe(child: ReturnType<typeof startSolx>) {
  let peak = 0;
  const sample = () => {
    // The process may have ended.
    const status = child.exitCode === null ? readFileSync(`/proc/${child.pid}/status`, "utf8") : "";
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  };
  const timer = setInterval(sample, 20);
  child.stdout.resume();
  child.stdin.end();
  const [errors] = await Promise.all([text(child.stderr), once(child, "close")]);
  clearInterval(timer);
  return { peak, errors };
}

const addresses = (count: number) => Array.from("123456789ABC".slice(0, count), (end) => `${"1".repeat(31)}${end}`);

/** Starts a program that uses the library: all calls at once, of whose answers it keeps nothing. */
function callInParallel(options: object, count: number) {
  const script = `
    import { createClient } from ${JSON.stringify(join(import.meta.dirname, "../../src/index.ts"))};
    const client = createClient(${JSON.stringify(options)});
    const outcomes = await Promise.allSettled(${JSON.stringify(addresses(count))}.map(async (address) => {
      const { data } = await client.account.detail({ address }).answer();
      return JSON.stringify(data).length;
    }));
    for (const { reason } of outcomes) if (reason) console.error(reason.message);
    await client.close();`;
  return spawn(process.execPath, ["--input-type=module", "-e", script], { env: cleanEnv() });
}

describe.skipIf(process.platform !== "linux")("the memory of a process", () => {
  const LONG_TEXT = ['{"success":true,"data":{"a":"', "a".repeat(1024), '"}}'] as const;
  const BOMBS: Readonly<Record<string, readonly [number, readonly [string, string, string], RegExp, boolean?]>> = {
    "a long text": [19, LONG_TEXT, /^$/],
    "a long text without compression": [19, LONG_TEXT, /^$/, true],
    "more than an answer may have": [400, ['{"success":true,"data":"', "a".repeat(1024), '"}'], /larger than 20 MiB/],
    "many small values": [19, ['{"success":true,"data":[0', ",{}", "]}"], /more than a million values/],
    "deep nesting": [19, ['{"success":true,"data":', "[", ""], /more than a million values/],
  };

  test.for(Object.entries(BOMBS))("%s, in parallel", async ([, [size, parts, message, isPlain]]) => {
    const url = await serveBomb(size, parts, isPlain);
    const { peak, errors } = await observe(callInParallel({ baseUrl: url, rate: "off", retries: 0 }, 8));
    expect(errors).toMatch(message);
    expect(peak).toBeLessThan(MAX_MIB);
  });

  test("a batch of a command", async () => {
    const url = await serveBomb(400, ['{"success":true,"data":"', "a".repeat(1024), '"}']);
    const args = ["account", "detail", ...addresses(6), "SOLX_RATE=off", `SOLX_BASE_URL=${url}`];
    const { peak, errors } = await observe(startSolx(args));
    expect(errors).toContain("larger than 20 MiB");
    expect(peak).toBeLessThan(MAX_MIB);
  });

  test("calls of a node", async () => {
    const url = await serveBomb(400, ['{"jsonrpc":"2.0","id":1,"result":"', "a".repeat(1024), '"}']);
    const { peak, errors } = await observe(startSolx(["account", "detail", ...addresses(6), "--rpc", url]));
    expect(errors).toContain("larger than 20 MiB");
    expect(peak).toBeLessThan(MAX_MIB);
  });

  test("large answers of a node", async () => {
    const data = "A".repeat(19 * MIB);
    const account = { lamports: 1, owner: "1".repeat(32), executable: false, rentEpoch: 0, space: 14 * MIB };
    const server = await serve(async (request, response) => {
      const calls = JSON.parse(await text(request)) as { id: number; method: string } | readonly object[];
      if (Array.isArray(calls)) return void response.writeHead(400).end();
      const { id, method } = calls as { id: number; method: string };
      const value = { ...account, data: [method === "getAccountInfo" ? data : "", "base64"] };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { context: { slot: 1 }, value } }));
    });
    onTestFinished(server.close);
    const { peak, errors } = await observe(startSolx(["account", "detail", ...addresses(8), "--rpc", server.url]));
    expect(errors).not.toContain("larger than");
    expect(peak).toBeLessThan(MAX_MIB);
  });

  test("recordings", async () => {
    const folder = createTempFolder();
    const body = `{"success":true,"data":{"a":"${"a".repeat(60 * MIB)}"}}`;
    const response = { status: 200, headers: {}, text: body };
    for (const [at, address] of addresses(4).entries()) {
      const request = { method: "GET", path: "/v2.0/account/detail", query: { address } };
      const recording = { format: 1, time: "2026-01-01T00:00:00Z", request, response };
      writeFileSync(join(folder, `entry-${at}.json`), JSON.stringify(recording));
    }
    const { peak, errors } = await observe(callInParallel({ replay: folder }, 4));
    expect(errors).toBe("");
    expect(peak).toBeLessThan(MAX_MIB);
  });
});
