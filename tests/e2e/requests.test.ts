/** Commands against a real server: requests, output and exit codes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runInProcess } from "../support/in-process.ts";
import { sendJson, serve } from "../support/server.ts";
import { createTempFolder, solx, startSolx } from "../support/solx.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SOL = "So11111111111111111111111111111111111111112";
const JUP = "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN";
const TX = "4AU5ShM99Db1yXr72jukaUNSJTnJtp76zt6CdL9ghatA3N4HYU9jaHre2HsHqWcKipKCD3MenvdShPsRrAU6CC4f";

const row = (n: number) => ({ block_id: n, trans_id: TX, block_time: 1720000000 + n, amount: n, token_decimals: 0 });

/** Serves a list of `total` rows by page and page_size. */
function paged(total: number) {
  return serve((request, response) => {
    const query = new URL(request.url ?? "", "http://x").searchParams;
    const [page, size] = [Number(query.get("page") ?? 1), Number(query.get("page_size") ?? 10)];
    const rows = Array.from({ length: total }, (_, n) => row(n)).slice((page - 1) * size, page * size);
    sendJson(response, JSON.stringify({ success: true, data: rows }));
  });
}

const ids = (text: string) => JSON.parse(text).map(({ block_id }: { block_id: number }) => block_id);
const upTo = (n: number) => Array.from({ length: n }, (_, at) => at);

describe("rows and pages", () => {
  test("without --limit one request with the API's own page size", async () => {
    const server = await paged(55);
    const { code, stdout } = await solx(["account", "transfer", USDC, `SOLX_BASE_URL=${server.url}`]);
    expect(code).toBe(0);
    expect(ids(stdout)).toEqual(upTo(10));
    expect(server.requests.map(({ url }) => url)).toEqual([`/v2.0/account/transfer?address=${USDC}`]);
  });

  test("--limit counts rows: the smallest legal page that holds them, trimmed", async () => {
    const server = await paged(500);
    const { stdout } = await runInProcess([
      "account",
      "transfer",
      USDC,
      "--limit",
      "25",
      `SOLX_BASE_URL=${server.url}`,
    ]);
    expect(ids(stdout)).toEqual(upTo(25));
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.url).toContain("page_size=30");
  });

  test("--limit beyond a page, and --all, read page after page in order", async () => {
    const server = await paged(250);
    const limited = await runInProcess(["account", "transfer", USDC, "--limit", "130", `SOLX_BASE_URL=${server.url}`]);
    expect(ids(limited.stdout)).toEqual(upTo(130));
    expect(server.requests).toHaveLength(2);
    const all = await runInProcess(["account", "transfer", USDC, "--all", `SOLX_BASE_URL=${server.url}`]);
    expect(ids(all.stdout)).toEqual(upTo(250));
    const lines = await runInProcess([
      "account",
      "transfer",
      USDC,
      "--all",
      "-o",
      "ndjson",
      `SOLX_BASE_URL=${server.url}`,
    ]);
    expect(lines.stdout.trimEnd().split("\n")).toHaveLength(250);
  });

  test("an empty list is success, and csv still has its header", async () => {
    const server = await paged(0);
    const empty = await runInProcess(["account", "transfer", USDC, `SOLX_BASE_URL=${server.url}`]);
    expect(empty).toMatchObject({ code: 0, stdout: "[]\n", stderr: "" });
    const csv = await runInProcess(["account", "transfer", USDC, "-o", "csv", `SOLX_BASE_URL=${server.url}`]);
    expect(csv.code).toBe(0);
    expect(csv.stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(csv.stdout).toMatch(/^block_id,trans_id,block_time/);
    const failed = await runInProcess([
      "account",
      "transfer",
      USDC,
      "--fail-on",
      "empty",
      `SOLX_BASE_URL=${server.url}`,
    ]);
    expect(failed.code).toBe(11);
  });

  test("invalid values are refused, with the API's sentence beside the message in JSON, and nothing is sent", async () => {
    const server = await paged(1);
    for (const [args, message] of [
      [["--page-size", "7"], '"page_size" must be one of [10, 20, 30, 40, 60, 100]'],
      [["--limit", "0"], '"limit" must be greater than or equal to 1'],
      [["--limit", "abc"], "limit must be a number"],
      [["--limit", "10.5"], '"limit" must be an integer'],
      [["--page", "NaN"], "page must be a number"],
      [["--sort-order", "up"], '"sort_order" must be one of [asc, desc]'],
      [["--amount", "1..2"], '"amount" needs "token"'],
      [["--from-time", "2024-02-30"], "from_time"],
      [["--from-time", "2024"], "from_time"],
    ] as const) {
      const { code, stderr } = await runInProcess([
        "account",
        "transfer",
        USDC,
        ...args,
        `SOLX_BASE_URL=${server.url}`,
      ]);
      expect(code, args.join(" ")).toBe(2);
      const { errors } = JSON.parse(stderr);
      expect(errors.api_message).toContain(message);
      expect(errors.message).toContain(args[0]);
    }
    expect(server.requests).toEqual([]);
  });
});

describe("requests", () => {
  test("lists, ranges, times, booleans and short names in their wire forms", async () => {
    const server = await paged(0);
    const args = [
      "--activity-type",
      "transfer,burn",
      "--token",
      `${USDC},${SOL}`,
      "--amount",
      "1..100",
      "--from-time",
      "2024-07-05",
    ];
    const { code, stderr } = await runInProcess([
      "account",
      "transfer",
      USDC,
      ...args,
      "--exclude-amount-zero",
      `SOLX_BASE_URL=${server.url}`,
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const query = new URL(server.requests[0]?.url ?? "", "http://x").searchParams;
    expect(query.getAll("activity_type[]")).toEqual(["ACTIVITY_SPL_TRANSFER", "ACTIVITY_SPL_BURN"]);
    expect(query.get("token")).toBe(`${USDC},${SOL}`);
    expect(query.getAll("amount[]")).toEqual(["1", "100"]);
    expect(query.get("from_time")).toBe("1720137600");
    expect(query.get("exclude_amount_zero")).toBe("true");
  });

  test("the key is sent in its header and nowhere else", async () => {
    const server = await paged(0);
    const key = "secret-key-abcdefghijkl";
    const run = await solx(["account", "transfer", USDC, "-v", `SOLX_BASE_URL=${server.url}`], {
      env: { SOLX_API_KEY: key },
    });
    expect(server.requests[0]?.headers.token).toBe(key);
    expect(server.requests[0]?.url).not.toContain(key);
    expect(run.stdout + run.stderr).not.toContain(key);
    expect(run.stderr).toContain("GET");
  });

  test("--time of market volume is a range of dates, elsewhere a time format", async () => {
    const server = await serve((_, response) => sendJson(response, '{"success":true,"data":{"days":[]}}'));
    await runInProcess(["market", "volume", USDC, "--time", "20240701..20240715", `SOLX_BASE_URL=${server.url}`]);
    expect(decodeURIComponent(server.requests[0]?.url ?? "")).toContain("time[]=20240701&time[]=20240715");
  });

  test("--dry-run and --curl send nothing and print no key", async () => {
    const server = await paged(1);
    const dry = await runInProcess([
      "account",
      "transfer",
      USDC,
      "--flow",
      "in",
      "--dry-run",
      `SOLX_BASE_URL=${server.url}`,
    ]);
    expect(dry.code).toBe(0);
    expect(dry.stdout).toContain(`/v2.0/account/transfer?address=${USDC}&flow=in`);
    const curl = await runInProcess(["account", "transfer", USDC, "--curl", `SOLX_BASE_URL=${server.url}`]);
    expect(curl.stdout).toMatch(/^curl .*\$SOLX_API_KEY/);
    expect(dry.stdout + curl.stdout).not.toContain("test-key");
    expect(server.requests).toEqual([]);
  });
});

describe("dry runs", () => {
  test("a dry run prints the first page of a list and the requests of a batch", async () => {
    const server = await paged(1);
    const list = await runInProcess([
      "account",
      "transfer",
      USDC,
      "--limit",
      "250",
      "--curl",
      `SOLX_BASE_URL=${server.url}`,
    ]);
    expect(list.stdout).toContain("page_size=100");
    expect(list.stderr).toContain("Further pages");
    const batch = await runInProcess(["token", "meta", USDC, SOL, "--dry-run", `SOLX_BASE_URL=${server.url}`]);
    expect(JSON.parse(batch.stdout)).toMatchObject({ cost: 200 });
    expect(batch.stdout).toContain("/token/meta/multi");
    expect(server.requests).toEqual([]);
  });

  test("a dry run of a local command is refused", async () => {
    for (const args of [
      ["auth", "logout"],
      ["config", "set", "max-wait", "retries=1"],
    ]) {
      expect((await runInProcess([...args, "--dry-run"])).code).toBe(2);
    }
  });
});

describe("batches of identifiers", () => {
  const metas = () =>
    serve((request, response) => {
      const query = new URL(request.url ?? "", "http://x").searchParams;
      const requested = [...query.getAll("address[]"), ...query.getAll("address")];
      const rows = requested
        .filter((address) => address !== JUP)
        .map((address) => ({ address, symbol: address.slice(0, 3) }));
      sendJson(
        response,
        JSON.stringify({ success: true, data: (request.url ?? "").includes("/meta?") ? rows[0] : rows.reverse() }),
      );
    });

  test("are packed, in input order, requested once, and repeated in the output", async () => {
    const server = await metas();
    const { code, stdout } = await runInProcess(["token", "meta", USDC, SOL, USDC, `SOLX_BASE_URL=${server.url}`]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).map(({ address }: { address: string }) => address)).toEqual([USDC, SOL, USDC]);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.url).toContain("/token/meta/multi");
  });

  test("invalid and unknown identifiers are reported, the others printed", async () => {
    const server = await metas();
    const { code, stdout, stderr } = await runInProcess([
      "token",
      "meta",
      USDC,
      "0xabc",
      JUP,
      SOL,
      `SOLX_BASE_URL=${server.url}`,
    ]);
    expect(code).toBe(10);
    expect(JSON.parse(stdout).map(({ address }: { address: string }) => address)).toEqual([USDC, SOL]);
    expect(stderr).toContain("0xabc");
    expect(stderr).toContain(JUP);
  });

  test("are read from files and standard input, with comments", async () => {
    const server = await metas();
    const file = join(createTempFolder(), "mints.txt");
    writeFileSync(file, `# my tokens\n${USDC} # stable\r\n\n${SOL}\n`);
    const fromFile = await runInProcess(["token", "meta", `@${file}`, `SOLX_BASE_URL=${server.url}`]);
    expect(JSON.parse(fromFile.stdout)).toHaveLength(2);
    const piped = await runInProcess(["token", "meta", "-", `SOLX_BASE_URL=${server.url}`], {
      input: `${USDC}\n${SOL}\n`,
    });
    expect(piped.stdout).toBe(fromFile.stdout);
    const one = await runInProcess(["token", "meta", "-", `SOLX_BASE_URL=${server.url}`], { input: `${USDC}\n` });
    expect(JSON.parse(one.stdout)).toHaveLength(1);
    const none = await runInProcess(["token", "meta", "-", `SOLX_BASE_URL=${server.url}`], { input: "\n" });
    expect(none.code).toBe(2);
    const missing = await runInProcess(["token", "meta", "@/no/such/file", `SOLX_BASE_URL=${server.url}`]);
    expect(missing.code).toBe(2);
  });

  test("rows of lists name their identifier", async () => {
    const server = await paged(1);
    const args = ["account", "transfer", USDC, SOL, `SOLX_BASE_URL=${server.url}`];
    const { stdout } = await runInProcess([...args]);
    expect(JSON.parse(stdout).map(({ input }: { input: string }) => input)).toEqual([USDC, SOL]);
    const table = await runInProcess([...args, "-o", "table"]);
    expect(table.stdout).toMatch(/^INPUT/);
  });

  test("are requested in groups of twenty", async () => {
    const server = await metas();
    const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    const many = Array.from({ length: 45 }, (_, n) => USDC.slice(0, -1) + alphabet[n]);
    const { code, stdout } = await runInProcess(["token", "meta", "-", `SOLX_BASE_URL=${server.url}`], {
      input: many.join("\n"),
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).map(({ address }: { address: string }) => address)).toEqual(many);
    expect(server.requests).toHaveLength(3);
  });
});

describe("output options", () => {
  const META = `{"success":true,"data":{"address":"${USDC}","supply":"18446744073709551615","price":1e-19,"rank":9007199254740993,"metadata":{"name":"a"}},"metadata":{}}`;
  const meta = () => serve((_, response) => sendJson(response, META));

  test("--fields, --jq and --envelope", async () => {
    const { url } = await meta();
    const run = async (...args: string[]) =>
      (await runInProcess(["token", "meta", USDC, `SOLX_BASE_URL=${url}`, ...args])).stdout;
    expect(JSON.parse(await run("--fields", "address,metadata.name"))).toEqual({
      address: USDC,
      metadata: { name: "a" },
    });
    expect(await run("--jq", ".rank")).toBe("9007199254740993\n");
    expect(await run("--jq", ".price")).toBe("1e-19\n");
    expect(JSON.parse(await run("--envelope"))).toHaveProperty("success", true);
    expect(await run("--fields", "MINT:address,SUPPLY:supply", "-o", "csv")).toBe(
      `MINT,SUPPLY\n${USDC},18446744073709551615\n`,
    );
  });

  test("an invalid jq program sends no request", async () => {
    const server = await meta();
    for (const program of ["bad(", ""]) {
      expect((await runInProcess(["token", "meta", USDC, `SOLX_BASE_URL=${server.url}`, "--jq", program])).code).toBe(
        2,
      );
    }
    expect(server.requests).toEqual([]);
  });

  test("contradicting options and unknown fields are refused", async () => {
    const { url } = await meta();
    for (const args of [
      ["--fields", "adress"],
      ["--jq", ".", "-o", "csv"],
      ["--jq", "bad("],
      ["-o", "json", "-o", "csv"],
    ]) {
      const { code, stdout, stderr } = await runInProcess(["token", "meta", USDC, `SOLX_BASE_URL=${url}`, ...args]);
      expect(code, args.join(" ")).toBe(2);
      expect(stdout).toBe("");
      expect(JSON.parse(stderr).errors.message).not.toBe("");
    }
  });

  test("global options are accepted anywhere on the command line", async () => {
    const { url } = await meta();
    const first = await runInProcess([`SOLX_BASE_URL=${url}`, "-o", "json", "token", "meta", USDC]);
    const middle = await runInProcess(["token", "-o", "json", "meta", `SOLX_BASE_URL=${url}`, USDC]);
    const last = await runInProcess(["token", "meta", USDC, `SOLX_BASE_URL=${url}`, "-o", "json"]);
    expect(first.code).toBe(0);
    expect([middle.stdout, last.stdout]).toEqual([first.stdout, first.stdout]);
  });
});

describe("show and api", () => {
  test("show refuses what is not on this chain", async () => {
    for (const input of [
      "toly.sol",
      "0x52908400098527886E0F7030069857D2E4169EE7",
      "nonsense!",
      `https://x.example/tx/${TX}?cluster=devnet`,
    ]) {
      expect((await runInProcess(["show", input, "SOLX_BASE_URL=http://127.0.0.1:1"])).code).toBe(2);
    }
  });

  test("api --raw prints the bytes of the body unchanged", async () => {
    const server = await serve((_, response) =>
      response.writeHead(200).end(Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x0a])),
    );
    const child = startSolx(["api", "/token/search", "--raw", `SOLX_BASE_URL=${server.url}`]);
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout) chunks.push(chunk);
    expect([...Buffer.concat(chunks)]).toEqual([0x7b, 0xff, 0xfe, 0x00, 0x0a]);
  });

  test("api sends requests to any path of any family", async () => {
    const server = await serve((_, response) =>
      sendJson(response, '{"success":true,"data":[{"a":18446744073709551615}]}'),
    );
    const run = await runInProcess([
      "api",
      "/token/search",
      "--query",
      "keyword=jup",
      "--query",
      "x[]=1",
      `SOLX_BASE_URL=${server.url}`,
    ]);
    expect(run.stdout).toContain("18446744073709551615");
    await runInProcess(["api", "/block/last", "--family", "legacy", `SOLX_BASE_URL=${server.url}`]);
    await runInProcess(["api", "/chaininfo", `SOLX_BASE_URL=${server.url}`]);
    const raw = await runInProcess(["api", "/token/search", "--raw", `SOLX_BASE_URL=${server.url}`]);
    expect(raw.stdout).toBe('{"success":true,"data":[{"a":18446744073709551615}]}');
    expect(server.requests.map(({ url }) => decodeURIComponent(url))).toEqual([
      "/v2.0/token/search?keyword=jup&x[]=1",
      "/v1.0/block/last",
      "/chaininfo",
      "/v2.0/token/search",
    ]);
    for (const path of ["../x", "/a/%2e%2e/b", "https://evil.example/x", "/a#b"]) {
      expect((await runInProcess(["api", path, `SOLX_BASE_URL=${server.url}`])).code).toBe(2);
    }
  });
});
