import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type InProcessOptions, runInProcess } from "../support/in-process.ts";
import { sendJson, serve, type TestServer } from "../support/server.ts";
import { createTempFolder, type RunResult, solx } from "../support/solx.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const BODY = `{"success":true,"data":{"address":"${USDC}","symbol":"USDC","decimals":6,"supply":"7521286762876240","price":0.99980000000000001}}`;

let server: TestServer;
let home: string;

beforeEach(async () => {
  server = await serve((request, response) =>
    request.url?.includes("/account/transfer")
      ? sendJson(response, '{"success":true,"data":[{"trans_id":"abc","amount":1}]}')
      : sendJson(
          response,
          BODY.replace(USDC, new URL(request.url ?? "", "http://local").searchParams.get("address") ?? ""),
        ),
  );
  home = createTempFolder();
  onTestFinished(() => server.close());
});

/** Runs with the cache enabled, even for a server on this machine. */
const cached = (args: readonly string[], options: InProcessOptions = {}): Promise<RunResult> =>
  runInProcess([...args, `SOLX_BASE_URL=${server.url}`], {
    ...options,
    env: { SOLX_HOME: home, SOLX_CACHE: "on", ...options.env },
  });
const meta = (...more: string[]) => cached(["token", "meta", USDC, ...more]);
const stats = async () => JSON.parse((await cached(["cache", "stats", "-o", "json"])).stdout);

describe("a second run", () => {
  it.each(["json", "ndjson", "csv", "tsv", "yaml", "table"])(
    "prints the same bytes as %s, without a request",
    async (format) => {
      const first = await meta("-o", format);
      const second = await meta("-o", format);
      expect([first.code, server.requests.length]).toEqual([0, 1]);
      expect(second).toEqual(first);
    },
  );

  it("prints the same with --envelope, --jq and --fields, from one cached answer", async () => {
    await meta();
    expect((await meta("--envelope", "-o", "ndjson")).stdout.trim()).toBe(BODY);
    expect((await meta("--jq", ".price")).stdout.trim()).toBe("0.99980000000000001");
    expect(JSON.parse((await meta("--fields", "symbol")).stdout)).toEqual({ symbol: "USDC" });
    expect(server.requests).toHaveLength(1);
  });

  it("reports the age of the answer on a terminal, and in scripts only with -v", async () => {
    await meta();
    const watched = await cached(["token", "meta", USDC], { isStderrTTY: true });
    expect(watched.stderr).toMatch(/From the cache, \d+ seconds? old; --cache fresh bypasses it\.\n/);
    expect((await cached(["token", "meta", USDC, "-q"], { isStderrTTY: true })).stderr).toBe("");
    expect((await meta()).stderr).toBe("");
    expect((await meta("-v")).stderr).toMatch(
      /^= http.*\/token\/meta\?address=\w+, from the cache, \d+ seconds? old$/m,
    );
    expect(server.requests).toHaveLength(1);
  });

  it("repeats requests for data that changes constantly", async () => {
    await cached(["account", "transfer", WALLET]);
    await cached(["account", "transfer", WALLET]);
    expect(server.requests).toHaveLength(2);
  });

  it("does not cache answers of a server on this machine, unless the cache is enabled explicitly", async () => {
    const env = { SOLX_CACHE: undefined };
    await cached(["token", "meta", USDC], { env });
    await cached(["token", "meta", USDC], { env });
    expect(server.requests).toHaveLength(2);
    await cached(["config", "set", "cache", "on"], { env });
    await cached(["token", "meta", USDC], { env });
    expect(server.requests).toHaveLength(2);
  });

  it("with another key does not use the answer, and the file contains no key", async () => {
    await meta();
    await meta("SOLX_API_KEY=another-key-0123456789");
    expect(server.requests).toHaveLength(2);
    const bytes = readFileSync(join(home, "cache", "answers.sqlite"), "latin1");
    expect(bytes).toContain("7521286762876240");
    expect(bytes).not.toMatch(/another-key|test-key/);
  });
});

describe("options", () => {
  it("--cache fresh sends a request and caches its answer", async () => {
    await meta();
    await meta("--cache", "fresh");
    await meta();
    expect(server.requests).toHaveLength(2);
  });

  it("--cache off and the setting off neither read nor write the cache", async () => {
    await meta("--cache", "off");
    await cached(["token", "meta", USDC], { env: { SOLX_CACHE: "off" } });
    expect(await stats()).toMatchObject({ bytes: 0 });
    await meta();
    await meta("--cache", "off");
    expect(server.requests).toHaveLength(4);
  });

  it("--cache only prints cached answers with their age and sends no request", async () => {
    const online = await cached(["account", "transfer", WALLET]);
    await server.close();
    const offline = await cached(["account", "transfer", WALLET, "--cache", "only"]);
    expect(offline).toMatchObject({ code: 0, stdout: online.stdout });
    expect(JSON.parse(offline.stderr)).toEqual({ note: expect.stringMatching(/^From the cache, \d+ seconds? old\.$/) });
    const missing = await meta("--cache", "only");
    expect(missing).toMatchObject({ code: 9, stdout: "" });
    expect(JSON.parse(missing.stderr).errors).toMatchObject({ code: "OFFLINE", retryable: false });
    expect(server.requests).toHaveLength(1);
  });

  it("a network error suggests --cache only if there is a cached answer", async () => {
    await cached(["account", "transfer", WALLET]);
    await server.close();
    const failed = await cached(["account", "transfer", WALLET, "SOLX_RETRIES=0"]);
    expect(failed).toMatchObject({ code: 9, stdout: "" });
    expect(JSON.parse(failed.stderr).errors.hint).toMatch(/--cache only prints the answer cached \d+ seconds? ago\.$/);
    expect((await meta("SOLX_RETRIES=0")).stderr).not.toContain("--cache only");
  });
});

describe("solx cache", () => {
  it("stats prints the cached answers of each kind and the file; clear removes them", async () => {
    await meta();
    await cached(["account", "transfer", WALLET]);
    const { file, bytes, kinds } = await stats();
    expect([file, bytes > 0]).toEqual([join(home, "cache", "answers.sqlite"), true]);
    expect(kinds.map((row: Record<string, unknown>) => [row.kind, row.answers])).toEqual([
      ["final", 0],
      ["metadata", 1],
      ["prices", 0],
      ["live", 1],
    ]);
    expect(kinds[1]).toMatchObject({ bytes: BODY.length, fresh: 300 });
    const rows = await cached(["cache", "stats", "-o", "csv", "--fields", "kind,answers"]);
    expect(rows.stdout).toBe(
      "kind,answers\r\nfinal,0\r\nmetadata,1\r\nprices,0\r\nlive,1\r\nnames,0\r\n".replaceAll(
        "\r",
        rows.stdout.includes("\r") ? "\r" : "",
      ),
    );
    const one = JSON.parse((await cached(["cache", "clear", "--kind", "metadata", "-o", "json"])).stdout);
    expect(one).toMatchObject({ removed: 1, kind: "metadata", file });
    const rest = JSON.parse((await cached(["cache", "clear", "-o", "json"])).stdout);
    expect(rest).toMatchObject({ removed: 1, kind: null });
    await meta();
    expect(server.requests).toHaveLength(3);
  });

  it("refuses an unknown kind and lists the known ones", async () => {
    const { code, stderr } = await cached(["cache", "clear", "--kind", "metdata"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Did you mean metadata?")]);
  });

  it("reports a file that cannot be read, and clear removes it", async () => {
    await meta();
    const file = join(home, "cache", "answers.sqlite");
    writeFileSync(file, "no database at all, and long enough for one ".repeat(200));
    expect(await cached(["cache", "stats"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("solx cache clear"),
    });
    expect((await cached(["cache", "clear"])).code).toBe(0);
    expect(await stats()).toMatchObject({ bytes: 0 });
  });
});

it("concurrent processes all answer and cache their answers", async () => {
  const tokens = [
    USDC,
    WALLET,
    "So11111111111111111111111111111111111111112",
    "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263",
  ];
  const env = { SOLX_HOME: home, SOLX_CACHE: "on" };
  const run = (token: string) => solx(["token", "meta", token, `SOLX_BASE_URL=${server.url}`], { env });
  const first = await Promise.all(tokens.map(run));
  expect(first.map(({ code, stderr }) => [code, stderr])).toEqual(tokens.map(() => [0, ""]));
  expect((await stats()).kinds[1]).toMatchObject({ answers: tokens.length });
  const second = await Promise.all(tokens.map(run));
  expect(second).toEqual(first);
  expect(server.requests).toHaveLength(tokens.length);
});
