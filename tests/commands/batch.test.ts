/** Commands with many identifiers: files, streams, failures, order and resumed files. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { base58 } from "@scure/base";
import { parse } from "csv-parse/sync";
import { describe, expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.ts";
import { type InProcessOptions, runInProcess } from "../support/in-process.ts";
import { worldsFolder } from "../support/ledger.ts";
import { sendJson, serve } from "../support/server.ts";
import { createTempFolder } from "../support/solx.ts";

const idOf = (at: number) =>
  base58.encode(
    new Uint8Array(32)
      .fill(9)
      .with(0, 1 + (at >> 8))
      .with(1, at),
  );
const idsOf = (count: number) => Array.from({ length: count }, (_, at) => idOf(at));
const folder = createTempFolder();
/** The beginning of the message about a word that is no address, in JSON. */
const invalidAddress = (word: string) => `invalid value \\"${word}\\" for <address>: expected a Solana address`;

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** How the server answers a request. */
interface Outcome {
  readonly status?: number;
  readonly message?: string;
  /** Whether it closes the connection without an answer. */
  readonly breaks?: boolean;
}

/** A server of metadata, details and transfers (three pages of two rows); `outcome` decides how a request is answered. */
async function serveAll(
  outcome: (ids: readonly string[], path: string, page: string | null) => Outcome | undefined = () => undefined,
) {
  const server = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
    const ids = [...searchParams.getAll("address[]"), ...searchParams.getAll("address")];
    const { status = 200, message = "No.", breaks } = outcome(ids, pathname, searchParams.get("page")) ?? {};
    if (breaks) return request.socket.destroy();
    const send = (data: unknown) => sendJson(response, JSON.stringify({ success: true, data }));
    if (status !== 200) {
      return sendJson(response, JSON.stringify({ success: false, errors: { code: status, message } }), status);
    }
    const known = ids.filter((id) => id !== UNKNOWN);
    if (pathname.endsWith("/transfer")) {
      const page = Number(searchParams.get("page") ?? 1);
      const size = Number(searchParams.get("page_size") ?? 10);
      const rows = Array.from({ length: known.length * 250 }, (_, at) => ({
        trans_id: `${ids[0]}-${at}`,
        block_time: 1000 - at,
      }));
      return send(rows.slice((page - 1) * size, page * size));
    }
    const rows = known.map((id) => ({ account_address: id, account_label: `label of ${id}` }));
    if (pathname.endsWith("/multi")) return send(rows.toReversed());
    return send(pathname.endsWith("/detail") ? { account: ids[0], lamports: 1 } : rows[0]);
  });
  onTestFinished(server.close);
  const run = (args: readonly string[], options: InProcessOptions = {}) =>
    runInProcess(
      [...args, `SOLX_BASE_URL=${server.url}`, "SOLX_RETRIES=0", "SOLX_RATE=off", "--cache", "off"],
      options,
    );
  return { server, run };
}

const UNKNOWN = idOf(999);
const lines = (text: string) => text.split("\n").filter((line) => line !== "");
const rowsOf = (text: string) => lines(text).map((line) => JSON.parse(line));
const inputsOf = (text: string) => rowsOf(text).map(({ account_address, input }) => input ?? account_address);
const METADATA = ["account", "metadata"] as const;
const DETAIL = ["account", "detail"] as const;

/** Returns a promise of the output once it meets a condition. */
function outputWhen(condition: (text: string) => boolean) {
  let onOutput: (text: string) => void = () => {};
  const output = new Promise<string>((resolve) => {
    onOutput = (text) => condition(text) && resolve(text);
  });
  return { output, onOutput };
}

describe("identifiers from files and standard input", () => {
  test("a file may contain comments, commas, a byte order mark and any line endings", async () => {
    const { server, run } = await serveAll();
    const [a, b, c, d, e] = idsOf(5) as [string, string, string, string, string];
    const text = `\uFEFF# five #\r\n${a}, ${b}\t${c} # not ${idOf(7)}\r\n\r\n,,\n  #${idOf(8)}\n${d}\n${e}`;
    const { code, stdout, stderr } = await run([...METADATA, `@${fileOf("a.txt", text)}`, "-o", "ndjson"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(inputsOf(stdout)).toEqual([a, b, c, d, e]);
    expect(server.requests).toHaveLength(1);
  });

  test("input may arrive in chunks of any size", async () => {
    const { run } = await serveAll();
    const stdin = new PassThrough();
    const text = `# α comment\n${idOf(1)},${idOf(2)} #no ${idOf(3)}\n${idOf(4)}#5\n${idOf(6)}`;
    for (const byte of Buffer.from(text)) stdin.write(Buffer.from([byte]));
    stdin.end();
    const { stdout, stderr } = await run([...METADATA, "-", "-o", "ndjson"], { stdin });
    expect(inputsOf(stdout)).toEqual([1, 2, 6].map(idOf));
    expect(stderr).toContain(`${idOf(4)}#5`);
  });

  test("a path may start with ~, which shells do not expand after @", async () => {
    const { run } = await serveAll();
    fileOf("wallets.txt", idOf(1));
    const { stdout } = await run([...METADATA, "@~/wallets.txt", "-o", "ndjson"], { env: { HOME: folder } });
    expect(inputsOf(stdout)).toEqual([idOf(1)]);
  });

  test.each([
    ["a missing file", "@/no/such/file", "no such file"],
    ["a folder", `@${folder}`, "it is a directory"],
    ["a file without identifiers", `@${fileOf("empty.txt", "# nothing\n")}`, "no identifiers in"],
    ["an empty input", "-", "no identifiers in standard input"],
  ])("%s is refused before the first request", async (_, arg, message) => {
    const { server, run } = await serveAll();
    const { code, stdout, stderr } = await run([...METADATA, arg, "-o", "ndjson"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(server.requests).toHaveLength(0);
  });

  describe.each([
    ["a file", (text: string) => ({ arg: `@${fileOf("lines.txt", text)}`, source: join(folder, "lines.txt") })],
    ["a pipe", (input: string) => ({ arg: "-", source: "standard input", input })],
  ])("an invalid one in %s has its line in the error", (_, open) => {
    const text = `# wallets\r\n${idOf(1)}\r\n\r\n${idOf(2)}, no-address\r\nUSDX\r\n`;

    test.each([
      ["of a batch", METADATA, 10],
      ["of lists", ["account", "transfer"], 10],
      ["inline", [...DETAIL, "--batch", "inline"], 10],
    ])("%s", async (_kind, command, exit) => {
      const { run } = await serveAll();
      const { arg, source, ...options } = open(text);
      const { code, stdout, stderr } = await run([...command, arg, "-o", "ndjson"], options);
      expect(code).toBe(exit);
      for (const [line, word] of ["no-address", "USDX"].entries())
        expect(`${stdout}${stderr}`).toContain(`"message":"${source}:${line + 4}: ${invalidAddress(word)}`);
    });

    test.each([["--batch", "fail-fast"], ["--dry-run"], ["--web"]])("with %s", async (...options) => {
      const { run } = await serveAll();
      const { arg, source, ...input } = open(text);
      const { code, stderr } = await run([...DETAIL, arg, ...options], input);
      expect(code).toBe(2);
      expect(stderr).toContain(`"message":"${source}:4: ${invalidAddress("no-address")}`);
    });
  });

  test("an argument has no line", async () => {
    const { run } = await serveAll();
    const { stderr } = await run([...METADATA, idOf(1), "no-address", "-o", "ndjson"]);
    expect(stderr).toContain(`"message":"${invalidAddress("no-address")}`);
  });

  test("a very long line is an invalid identifier, and the others are requested", async () => {
    const { run } = await serveAll();
    const input = `${idOf(1)}\n${"x".repeat(200_000)}\n${idOf(2)}`;
    const { code, stdout, stderr } = await run([...METADATA, "-", "-o", "ndjson"], { input });
    expect([code, inputsOf(stdout)]).toEqual([10, [idOf(1), idOf(2)]]);
    expect(stderr).toContain("xxx…");
    expect(stderr).toContain("1 of 3 identifiers failed: ");
    expect(stderr.length).toBeLessThan(2000);
    const alone = await run([...METADATA, "-"], { input: "x".repeat(200_000) });
    expect(alone.code).toBe(2);
    expect(alone.stderr).toContain("The only identifier failed: xxx");
  });
});

describe("an input that stays open", () => {
  test("prints the rows of available identifiers, and ends when it is interrupted", async () => {
    const { run } = await serveAll();
    const stdin = new PassThrough();
    const stop = new AbortController();
    const { output, onOutput } = outputWhen((text) => lines(text).length === 3);
    const running = run([...METADATA, "-", "-o", "ndjson"], { stdin, onOutput, signal: stop.signal });
    stdin.write(`${idOf(1)}\n${idOf(2)}\n${idOf(3)}\n${idOf(4).slice(0, 10)}`);
    expect(inputsOf(await output)).toEqual([1, 2, 3].map(idOf));
    stop.abort();
    expect((await running).code).toBe(130);
    expect(stdin.destroyed).toBe(true);
  });

  test("prints the rows of lists, too", async () => {
    const { run } = await serveAll();
    const stdin = new PassThrough();
    const { output, onOutput } = outputWhen((text) => lines(text).length === 250);
    const running = run(["account", "transfer", "-", "--all", "-o", "ndjson"], { stdin, onOutput });
    stdin.write(`${idOf(1)}\n`);
    expect(new Set(inputsOf(await output))).toEqual(new Set([idOf(1)]));
    stdin.end(`${idOf(2)}\n`);
    const { code, stdout } = await running;
    expect(code).toBe(0);
    expect(lines(stdout)).toHaveLength(500);
  });

  test("is closed when the request fails for all identifiers", async () => {
    const { run } = await serveAll(() => ({ status: 401, message: "Token is invalid" }));
    const stdin = new PassThrough();
    stdin.write(`${idOf(1)}\n`);
    expect((await run([...METADATA, "-"], { stdin })).code).toBe(3);
    expect(stdin.destroyed).toBe(true);
  });
});

describe("requests", () => {
  test("ten thousand addresses take five hundred requests; rows are in order, each with its address", async () => {
    let requests = 0;
    const sandbox = await startSandbox({
      seed: "test",
      size: 0.05,
      port: 0,
      folder: worldsFolder(),
      onRequest: () => {
        requests += 1;
      },
    });
    onTestFinished(() => sandbox.close());
    const ids = idsOf(10_000);
    const { code, stdout } = await runInProcess(
      [...METADATA, "-", "-o", "ndjson", `SOLX_BASE_URL=${sandbox.url}`, "SOLX_RATE=off", "--cache", "off"],
      { env: { SOLX_API_KEY: sandbox.key }, input: ids.join("\n") },
    );
    expect(code).toBe(0);
    expect(inputsOf(stdout)).toEqual(ids);
    expect(requests).toBe(500);
  });

  test("the columns of a table are as wide as the rows of all identifiers need", async () => {
    const sandbox = await startSandbox({ seed: "test", size: 0.05, port: 0, folder: worldsFolder() });
    onTestFinished(() => sandbox.close());
    const { stdout } = await runInProcess(
      [
        "token",
        "meta",
        "USDC",
        "JUP",
        "--fields",
        "address,symbol,price",
        "-o",
        "table",
        `SOLX_BASE_URL=${sandbox.url}`,
      ],
      { env: { SOLX_API_KEY: sandbox.key } },
    );
    // The price of the second token has more digits than that of the first.
    expect(stdout).toMatch(/USDC +\$1\.\d\d\n\w+ +JUP +\$0\.\d{3,}\n/);
  });

  test("identifiers are requested one by one when the plan does not include the multi endpoint", async () => {
    const { server, run } = await serveAll((_, path) => (path.endsWith("/multi") ? { status: 403 } : undefined));
    const { code, stdout, stderr } = await run([...METADATA, ...idsOf(60), "-o", "ndjson"]);
    expect(code).toBe(0);
    expect(inputsOf(stdout)).toEqual(idsOf(60));
    expect(
      stderr
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([{ note: expect.any(String) }]);
    expect(server.requests.filter(({ url }) => url.includes("/multi")).length).toBeLessThanOrEqual(4);
  });

  test("a multi endpoint accepts more identifiers than its limit, repeats duplicates, and reports missing ones", async () => {
    const { server, run } = await serveAll();
    const ids = [...idsOf(45), UNKNOWN, "nonsense", idOf(3)];
    const { code, stdout, stderr } = await run(["account", "metadata-multi", ...ids, "-o", "ndjson"]);
    expect(code).toBe(10);
    expect(inputsOf(stdout)).toEqual([...idsOf(45), idOf(3)]);
    const failures = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(failures.map(({ input }) => input)).toEqual([UNKNOWN, "nonsense", undefined]);
    expect(server.requests).toHaveLength(3);
  });

  test("an invalid option is reported once, before the first request", async () => {
    const { server, run } = await serveAll();
    const { code, stderr } = await run(["account", "transfer", ...idsOf(30), "--page-size", "7"]);
    expect(code).toBe(2);
    expect(lines(stderr)).toHaveLength(1);
    expect(server.requests).toHaveLength(0);
  });
});

describe("lists", () => {
  const TRANSFER = ["account", "transfer"] as const;
  const expected = (ids: readonly string[], count: number) =>
    ids.flatMap((id) => Array.from({ length: count }, (_, at) => [id, `${id}-${at}`]));
  const pairs = (text: string) => rowsOf(text).map(({ input, trans_id }) => [input, trans_id]);

  test("are read concurrently, and printed in input order", async () => {
    let running = 0;
    let most = 0;
    const { server, run } = await serveAll();
    void server;
    const watched = await serve((request, response) => {
      running += 1;
      most = Math.max(most, running);
      setImmediate(() => {
        running -= 1;
        const id = new URL(request.url ?? "", "http://x").searchParams.get("address");
        sendJson(response, JSON.stringify({ success: true, data: [{ trans_id: `${id}-0` }] }));
      });
    });
    onTestFinished(watched.close);
    const { stdout } = await runInProcess([...TRANSFER, ...idsOf(30), "-o", "ndjson", `SOLX_BASE_URL=${watched.url}`]);
    expect(pairs(stdout)).toEqual(expected(idsOf(30), 1));
    expect(most).toBeGreaterThan(1);
    const all = await run([...TRANSFER, ...idsOf(12), "--all", "-o", "ndjson"]);
    expect(pairs(all.stdout)).toEqual(expected(idsOf(12), 250));
    const some = await run([...TRANSFER, ...idsOf(3), "--limit", "150", "-o", "ndjson"]);
    expect(pairs(some.stdout)).toEqual(expected(idsOf(3), 150));
  });

  test("have the same rows with --batch unordered", async () => {
    const { run } = await serveAll();
    const { code, stdout } = await run([...TRANSFER, ...idsOf(12), "--all", "--batch", "unordered", "-o", "ndjson"]);
    expect(code).toBe(0);
    expect(pairs(stdout).toSorted()).toEqual(expected(idsOf(12), 250).toSorted());
  });

  test("that fail do not stop the others, except with --batch fail-fast", async () => {
    const { run } = await serveAll(([id]) => (id === idOf(4) ? { status: 404, message: "Unknown" } : undefined));
    const { code, stdout, stderr } = await run([...TRANSFER, ...idsOf(10), "--all", "-o", "ndjson"]);
    expect(code).toBe(10);
    expect(pairs(stdout)).toEqual(expected(idsOf(10).toSpliced(4, 1), 250));
    expect(stderr).toContain(`${idOf(4)}: `);
    const fast = await run([...TRANSFER, ...idsOf(10), "--all", "--batch", "fail-fast", "-o", "ndjson"]);
    expect(fast.code).toBe(5);
    expect(pairs(fast.stdout)).toEqual(expected(idsOf(4), 250));
    expect(fast.stderr).toContain(`${idOf(4)}: `);
    expect(fast.stderr).toContain("4 identifiers were completed before that.");
  });
});

describe("identifiers without rows", () => {
  const EMPTY = [UNKNOWN, ...Array.from({ length: 6 }, () => UNKNOWN)];

  test.each([["--all"], ["--limit", "3"], []])("are named at the end, with %j", async (...words) => {
    const { run } = await serveAll();
    const run1 = await run(["account", "transfer", idOf(1), UNKNOWN, idOf(2), ...words, "-o", "ndjson"]);
    expect(run1.code).toBe(0);
    expect(new Set(rowsOf(run1.stdout).map(({ input }) => input))).toEqual(new Set([idOf(1), idOf(2)]));
    expect(run1.stderr).toContain(`1 of 3 identifiers had no rows: ${UNKNOWN}`);
  });

  test("are counted beyond the first five, and with -q not mentioned", async () => {
    const { run } = await serveAll();
    const args = ["account", "transfer", idOf(1), ...EMPTY, "-o", "ndjson"];
    const names = new Array(5).fill(UNKNOWN).join(", ");
    expect((await run(args)).stderr).toContain(`7 of 8 identifiers had no rows: ${names} and 2 more`);
    expect(await run([...args, "-q"])).toMatchObject({ code: 0, stderr: "" });
  });

  test("of an earlier run are part of the summary of a resumed one", async () => {
    let isFailing = true;
    const { run } = await serveAll(([id]) => (isFailing && id === idOf(3) ? { status: 503 } : undefined));
    const out = join(folder, "empty.ndjson");
    const args = ["account", "transfer", UNKNOWN, idOf(3), UNKNOWN, "-o", "ndjson", "--out", out];
    expect((await run(args)).code).not.toBe(0);
    isFailing = false;
    const { code, stderr } = await run([...args, "--resume"]);
    expect(code).toBe(0);
    expect(stderr).toContain(`2 of 3 identifiers had no rows: ${UNKNOWN}, ${UNKNOWN}`);
  });
});

describe("failures", () => {
  test("a run ends at once when the units are exhausted, after printing the rows before", async () => {
    const { server, run } = await serveAll(([id]) =>
      id === idOf(30) ? { status: 402, message: "Compute units exceeded" } : undefined,
    );
    const { code, stdout, stderr } = await run([...DETAIL, ...idsOf(2000), "-o", "ndjson"]);
    expect(code).toBe(7);
    expect(rowsOf(stdout).map(({ account }) => account)).toEqual(idsOf(30));
    expect(lines(stderr)).toHaveLength(1);
    expect(stderr).toContain("30 identifiers were completed before that.");
    expect(server.requests.length).toBeLessThan(100);
  });

  test("of the same kind for all identifiers determine the exit code", async () => {
    const { run } = await serveAll(() => ({ status: 404, message: "Unknown" }));
    expect((await run([...DETAIL, ...idsOf(3), "-o", "ndjson"])).code).toBe(5);
  });

  const KNOWN_AND_UNKNOWN = [idOf(1), UNKNOWN, "nonsense", idOf(2)] as const;

  test("are rows in their place with --batch inline", async () => {
    const { run } = await serveAll();
    const { code, stdout, stderr } = await run([
      ...METADATA,
      ...KNOWN_AND_UNKNOWN,
      "--batch",
      "inline",
      "-o",
      "ndjson",
    ]);
    expect(code).toBe(10);
    expect(lines(stderr)).toHaveLength(1);
    expect(stderr).toContain("2 of 4 identifiers failed: ");
    const rows = rowsOf(stdout);
    expect(rows.map(({ input }) => input)).toEqual(KNOWN_AND_UNKNOWN);
    expect(rows[1]).toEqual({
      input: UNKNOWN,
      error: { code: "NOT_FOUND", message: expect.any(String), status: null, retryable: false },
    });
    expect(rows[2].error).toMatchObject({ code: 1100 });
    expect(rows[3]).not.toHaveProperty("error");
  });

  test.each([KNOWN_AND_UNKNOWN, KNOWN_AND_UNKNOWN.toReversed(), [UNKNOWN, ...KNOWN_AND_UNKNOWN]])(
    "have a separate column in CSV",
    async (...inputs) => {
      const { run } = await serveAll();
      const { code, stdout, stderr } = await run([...METADATA, ...inputs, "--batch", "inline", "-o", "csv"]);
      expect(code).toBe(10);
      expect(stderr).not.toContain("header");
      const rows = parse<Record<string, string>>(stdout, { columns: true });
      expect(rows.map(({ input }) => input)).toEqual(inputs);
      for (const { input = "", account_address, error = "" } of rows) {
        if (input === UNKNOWN || input === "nonsense") expect(JSON.parse(error)).toHaveProperty("message");
        else expect({ account_address, error }).toEqual({ account_address: input, error: "" });
      }
    },
  );

  test("do not repeat an API key that was typed in place of an identifier", async () => {
    const { run } = await serveAll();
    const key = "typed-by-mistake-0123456789";
    const args = [...METADATA, idOf(1), key, "--batch", "inline", "-o", "ndjson"];
    const { code, stdout, stderr } = await run(args, { env: { SOLX_API_KEY: key } });
    expect(code).toBe(10);
    expect(rowsOf(stdout)[1]).toMatchObject({ input: "***", error: { message: expect.stringContaining("***") } });
    expect(stdout + stderr).not.toContain(key);
  });

  test("can be selected as a field, and appear in tables", async () => {
    const { run } = await serveAll();
    const args = [...METADATA, ...KNOWN_AND_UNKNOWN, "--batch", "inline"];
    const fields = await run([...args, "-o", "csv", "--fields", "input,error.code"]);
    expect(fields.stdout).toBe(`input,error.code\n${idOf(1)},\n${UNKNOWN},NOT_FOUND\nnonsense,1100\n${idOf(2)},\n`);
    const table = await run([...args, "-o", "table"]);
    expect(table.stdout).toMatch(/^INPUT.*ERROR/);
  });

  test("end the run with --batch fail-fast", async () => {
    const { run } = await serveAll();
    const { code, stdout, stderr } = await run([
      ...METADATA,
      ...KNOWN_AND_UNKNOWN,
      "--batch",
      "fail-fast",
      "-o",
      "ndjson",
    ]);
    expect(code).toBe(5);
    expect(inputsOf(stdout)).toEqual([idOf(1)]);
    expect(stderr).toContain(UNKNOWN);
  });

  test("go to stderr or into the rows; other values of --errors are refused", async () => {
    const { server, run } = await serveAll();
    expect((await run([...METADATA, idOf(1), "--errors", "nowhere"])).code).toBe(2);
    expect(server.requests).toHaveLength(0);
  });
});

describe("--fields with many identifiers", () => {
  const [a, b] = idsOf(2) as [string, string];
  const label = (id: string) => `label of ${id}`;

  test.each([
    ["json", JSON.stringify([a, b].map((input) => ({ input, account_label: label(input) })))],
    ["ndjson", [a, b].map((input) => JSON.stringify({ input, account_label: label(input) })).join("")],
    ["csv", `input,account_label${a},${label(a)}${b},${label(b)}`],
    ["tsv", `input\taccount_label${a}\t${label(a)}${b}\t${label(b)}`],
    ["yaml", [a, b].map((input) => `-input:"${input}"account_label:"${label(input)}"`).join("")],
  ])("prints the identifier of each row: %s", async (format, expected) => {
    const { run } = await serveAll();
    const { stdout } = await run([...METADATA, a, b, "--fields", "account_label", "-o", format]);
    const withoutSpace = (text: string) => text.replace(/[ \n]/g, "");
    expect(withoutSpace(stdout)).toBe(withoutSpace(expected));
  });

  test("also in tables, of lists, and in one request of many identifiers", async () => {
    const { run } = await serveAll();
    const table = await run([...METADATA, a, b, "--fields", "account_label", "-o", "table"]);
    expect(lines(table.stdout).map((line) => line.split(" ")[0])).toEqual(["INPUT", a, b]);
    const list = ["account", "transfer", a, b, "--page-size", "10", "--fields", "block_time", "-o", "csv"];
    expect(lines((await run(list)).stdout).map((line) => line.split(",")[0])).toEqual([
      "input",
      ...new Array<string>(10).fill(a),
      ...new Array<string>(10).fill(b),
    ]);
    const multi = await run(["account", "metadata-multi", a, b, "--fields", "account_label", "-o", "ndjson"]);
    expect(rowsOf(multi.stdout)).toEqual([a, b].map((input) => ({ input, account_label: label(input) })));
  });

  test("adds nothing where the fields name the identifier, or for one identifier", async () => {
    const { run } = await serveAll();
    const fields = ["--fields", "account_label,account_address", "-o", "csv"];
    expect(lines((await run([...METADATA, a, b, ...fields])).stdout)[0]).toBe("account_label,account_address");
    expect(lines((await run([...METADATA, a, ...fields])).stdout)[0]).toBe("account_label,account_address");
    for (const who of ["WHO:input", "WHO:account_address"]) {
      const headed = await run([...METADATA, a, b, "--fields", `${who},LABEL:account_label`, "-o", "csv"]);
      expect(lines(headed.stdout).slice(0, 2)).toEqual(["WHO,LABEL", `${a},${label(a)}`]);
    }
  });

  test("prints the errors of --batch inline too", async () => {
    const { run } = await serveAll();
    const args = [...METADATA, a, UNKNOWN, "--batch", "inline", "--fields", "account_label"];
    const [first, second] = rowsOf((await run([...args, "-o", "ndjson"])).stdout);
    expect(first).toEqual({ input: a, account_label: label(a), error: null });
    expect(second).toMatchObject({ input: UNKNOWN, account_label: null, error: { code: "NOT_FOUND" } });
    const [head, , last] = lines((await run([...args, "-o", "csv"])).stdout);
    expect(head).toBe("input,account_label,error");
    expect(last).toContain("NOT_FOUND");
    const table = await run([...args, "-o", "table"], { terminal: 160 });
    expect(table.stdout).toContain("has no data for");
  });
});

describe("a file", () => {
  /** Writes a file in several runs, with a server that runs out of units after some requests each time. */
  async function runInParts(args: readonly string[], name: string, change: (text: string) => string = (text) => text) {
    const input = fileOf(`${name}.txt`, idsOf(60).join("\n"));
    const out = join(folder, name);
    const complete = await serveAll();
    const command = [...args.slice(0, 2), `@${input}`, ...args.slice(2)];
    expect((await complete.run([...command, "--out", `${out}.complete`])).code).toBe(0);
    let remaining = 7;
    const { run } = await serveAll(() =>
      remaining-- <= 0 ? { status: 402, message: "Compute units exceeded" } : undefined,
    );
    const codes: number[] = [];
    for (let runs = 0; runs < 60; runs += 1) {
      remaining = 17;
      const { code, stderr } = await run([...command, "--out", out, ...(runs > 0 ? ["--resume"] : [])]);
      codes.push(code ?? -1);
      if (code !== 7) return { codes, stderr, out, complete: `${out}.complete`, code };
      if (runs === 0) writeFileSync(input, change(readFileSync(input, "utf8")));
    }
    throw new Error("The run does not end.");
  }

  test.each([
    ["rows of one each", ["account", "detail", "-o", "ndjson"]],
    ["rows of one each as CSV", ["account", "detail", "-o", "csv", "--batch", "inline"]],
    ["lists", ["account", "transfer", "--limit", "210", "-o", "ndjson"]],
    ["lists as JSON", ["account", "transfer", "--all", "-o", "json"]],
  ])("of %s is the same after any number of interruptions", async (name, args) => {
    const { codes, code, out, complete } = await runInParts(args, `${name}.out`);
    expect(code).toBe(0);
    expect(codes.length).toBeGreaterThan(2);
    expect(readFileSync(out, "utf8")).toBe(readFileSync(complete, "utf8"));
  });

  test("is not resumed with other identifiers", async () => {
    const other = await runInParts(["account", "detail", "-o", "ndjson"], "other.out", (text) =>
      text.replace(idOf(2), idOf(500)),
    );
    expect(other.code).toBe(2);
    expect(other.stderr).toContain("The identifiers differ from those of the first run.");
  });

  const command = (name: string, words: readonly string[], ids: readonly string[]) => {
    const [family = "", action = "", ...options] = words;
    return [family, action, `@${fileOf(`${name}.txt`, ids.join("\n"))}`, ...options];
  };
  const problemOf = (stderr: string) => rowsOf(stderr).at(-1).errors;

  const noAnswer = ["gets no answer", { breaks: true }, 9] as const;
  const gatewayError = ["gets a gateway error", { status: 503 }, 8] as const;
  const tooMany = ["gets too many requests", { status: 429 }, 6] as const;
  // Each kind of row with one failure, and one of them with all.
  describe.each([
    ["rows of one each", ["account", "detail", "-o", "ndjson"], "1", "25", [noAnswer, gatewayError, tooMany]],
    ["rows of one each as CSV", ["account", "detail", "-o", "csv"], "1", "25", [gatewayError]],
    ["packed rows as JSON", ["account", "metadata", "-o", "json"], "1", "20", [tooMany]],
    ["lists", ["account", "transfer", "--all", "-o", "ndjson"], "2", "6,350", [noAnswer]],
    ["lists as JSON", ["account", "transfer", "--limit", "210", "-o", "json"], "1", "5,250", [gatewayError]],
  ])("of %s where an identifier", (kind, words, part, savedRows, failures) => {
    test.each(failures)("%s is resumed there, without missing rows", async (what, outcome, exit) => {
      let isFailing = false;
      const { run } = await serveAll((ids, _, page) =>
        isFailing && ids.includes(idOf(25)) && (page ?? "1") === part ? outcome : undefined,
      );
      const args = command(`${kind} ${what}`, words, [...idsOf(12), "nonsense", ...idsOf(40).slice(12)]);
      const [complete, out] = [join(folder, `${kind} ${what}.complete`), join(folder, `${kind} ${what}.parts`)];
      expect((await run([...args, "--out", complete])).code).toBe(10);
      isFailing = true;
      const { code, stderr } = await run([...args, "--out", out]);
      expect(code).toBe(exit);
      expect(problemOf(stderr).message).toContain(` ${savedRows} rows saved in `);
      expect(problemOf(stderr).hint).toContain("--resume");
      isFailing = false;
      const again = await run([...args, "--out", out, "--resume"]);
      expect([again.code, problemOf(again.stderr).message]).toEqual([
        10,
        expect.stringContaining("1 of 41 identifiers failed: "),
      ]);
      expect(readFileSync(out, "utf8")).toBe(readFileSync(complete, "utf8"));
    });
  });

  test("is complete except for permanent failures, which --resume reports again", async () => {
    const { server, run } = await serveAll(([id]) =>
      id === idOf(3) ? { status: 404 } : id === idOf(5) ? { status: 500 } : undefined,
    );
    const ids = [...idsOf(8), "nonsense"];
    const out = join(folder, "good.ndjson");
    const first = await run([...command("good", DETAIL, ids), "--out", out]);
    expect([first.code, problemOf(first.stderr).message]).toEqual([
      10,
      expect.stringContaining("3 of 9 identifiers failed: "),
    ]);
    expect(readFileSync(out, "utf8").trimEnd().split("\n")).toHaveLength(6);
    const sent = server.requests.length;
    const again = await run([...command("good", DETAIL, ids), "--out", out, "--resume"]);
    expect([again.code, problemOf(again.stderr)]).toEqual([10, problemOf(first.stderr)]);
    expect(server.requests).toHaveLength(sent);
  });

  test("is complete only for the same identifiers", async () => {
    const { server, run } = await serveAll();
    const out = join(folder, "same.ndjson");
    const resume = (ids: readonly string[]) => run([...command("same", DETAIL, ids), "--out", out, "--resume"]);
    expect((await resume(idsOf(8))).code).toBe(0);
    expect((await resume(idsOf(8))).stderr).toContain("is complete; there is nothing to resume.");
    for (const others of [idsOf(9), idsOf(7), idsOf(8).toReversed()]) {
      const { code, stderr } = await resume(others);
      expect([code, problemOf(stderr).code]).toEqual([2, "OTHER_INPUT"]);
    }
    expect(server.requests).toHaveLength(8);
  });

  test.each([
    ["has its failures as rows", ["--batch", "inline", "-o", "ndjson"]],
    ["has no order", ["--batch", "unordered", "-o", "ndjson"]],
    ["cannot be written in parts", ["-o", "yaml"]],
  ])("that %s is written to its end, whatever fails", async (name, words) => {
    const { run } = await serveAll(([id]) => (id === idOf(5) ? { status: 503 } : undefined));
    const out = join(folder, `${name}.out`);
    const { code, stderr } = await run([...command(name, [...DETAIL, ...words], idsOf(8)), "--out", out]);
    expect([code, problemOf(stderr).message]).toEqual([10, expect.stringContaining("1 of 8 identifiers failed: ")]);
    expect(readFileSync(out, "utf8")).toContain(idOf(7));
  });

  test("of unordered rows is not resumed", async () => {
    const { run } = await serveAll();
    const { code, stderr } = await run([
      ...DETAIL,
      ...idsOf(2),
      "--batch",
      "unordered",
      "--out",
      join(folder, "x"),
      "--resume",
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain("--resume and --batch unordered cannot be used together");
  });
});

describe("the cost of many identifiers", () => {
  test("is confirmed before the first request if their number is known", async () => {
    const { server, run } = await serveAll();
    const many = [...METADATA, ...idsOf(45), "SOLX_CONFIRM_UNITS=4000", "-o", "ndjson"];
    const { code, stderr } = await run(many);
    expect(code).toBe(2);
    expect(stderr).toContain("account metadata for 45 identifiers: 3 requests, 4,500 compute units");
    expect(server.requests).toHaveLength(0);
    expect((await run([...many, "--yes"])).code).toBe(0);
    expect((await run([...METADATA, ...idsOf(40), "SOLX_CONFIRM_UNITS=4000"])).code).toBe(0);
  });

  test("is confirmed once the limit is reached if their number is unknown", async () => {
    const { run } = await serveAll();
    const input = idsOf(3000).join("\n");
    const { code, stdout, stderr } = await run([...METADATA, "-", "SOLX_CONFIRM_UNITS=20000", "-o", "ndjson"], {
      input,
    });
    expect(code).toBe(10);
    expect(stderr).toContain("need a confirmation");
    const rows = inputsOf(stdout);
    expect(rows).toEqual(idsOf(rows.length));
    expect(rows.length).toBeGreaterThanOrEqual(200);
    expect(rows.length).toBeLessThan(500);
    const few = await run([...METADATA, "-", "SOLX_CONFIRM_UNITS=20000", "-o", "ndjson"], {
      input: idsOf(200).join("\n"),
    });
    expect(few.code).toBe(0);
  });
});
