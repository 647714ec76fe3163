/** `--out`: the file appears only when it is complete, and a resumed run yields the same bytes as a complete one. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "../../src/base/sqlite.ts";
import { type InProcessOptions, runInProcess } from "../support/in-process.ts";
import { createOutputFolder } from "../support/output-files.ts";
import { testWith } from "../support/programs.ts";
import { sendJson } from "../support/server.ts";
import { BIN, cleanEnv, createTempFolder, splitAssignments, startSolx } from "../support/solx.ts";
import { waitFor } from "../support/wait-for.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const FORMATS = ["ndjson", "csv", "tsv", "json"] as const;
const TOTAL = 530;
const SIZE = 100;
const { folder, fresh, left, open } = createOutputFolder();
const text = (file: string) => readFileSync(file, "utf8");
const failure = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) ?? "").errors;

type Trouble = (response: ServerResponse) => void;

/** A list of rows with faults on some pages. */
async function list({ total = TOTAL, filler = "", newest = 1_720_000_000 } = {}) {
  const trouble = new Map<number, Trouble>();
  const requestedPages: number[] = [];
  const rows = Array.from({ length: total }, (_, n) => ({
    trans_id: `t${n}`,
    address: `a${n}`,
    block_time: newest - n,
    amount: 10 ** 15 + n,
    text: `=${n},"x" ${filler}`,
    ...(n < 30 ? { early: n } : {}),
    ...(n > 150 ? { later: n } : {}),
  }));
  const server = await open((request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    const page = Number(url.searchParams.get("page") ?? 1);
    const size = Number(url.searchParams.get("page_size") ?? 10);
    requestedPages.push(page);
    const items = rows.slice((page - 1) * size, page * size);
    const list = url.pathname.endsWith("/holders") ? { total, items, more: "18446744073709551615" } : items;
    const data = url.pathname.endsWith("/token/meta") ? { ...items[0], address: USDC } : list;
    const body = JSON.stringify({ success: true, data, metadata: {} }).replace(
      '"18446744073709551615"',
      "18446744073709551615",
    );
    const act = trouble.get(page);
    if (act) act(response);
    else sendJson(response, body);
  });
  return { url: server.url, trouble, requestedPages };
}

type List = Awaited<ReturnType<typeof list>>;

const words = ({ url }: List, args: readonly string[], command = ["account", "transfer"]) => [
  ...command,
  USDC,
  ...[`SOLX_BASE_URL=${url}`, "SOLX_RETRIES=0", "SOLX_RATE=off", "--cache", "off"],
  ...args,
];
const run = (source: List, args: readonly string[], options?: InProcessOptions) =>
  runInProcess(words(source, args), options);

const refuse: Trouble = (response) =>
  sendJson(response, '{"success":false,"errors":{"code":1100,"message":"no"}}', 500);

/** Returns the output of a complete run. */
async function whole(source: List, ending: string, args: readonly string[] = ["--all"]): Promise<string> {
  const file = fresh(ending);
  const { code, stdout } = await run(source, [...args, "--out", file]);
  expect({ code, stdout, left: left(file) }).toEqual({ code: 0, stdout: "", left: [] });
  return text(file);
}

/** A run that fails at a page. */
async function unfinished(source: List, file: string, args: readonly string[] = ["--all"], page = 3) {
  source.trouble.set(page, refuse);
  const result = await run(source, [...args, "--out", file]);
  source.trouble.clear();
  expect(result.code).toBe(8);
  expect(existsSync(file)).toBe(false);
  return result;
}

describe("a file", () => {
  test.each([...FORMATS, "yaml"])("contains what standard output would: %s", async (format) => {
    const source = await list();
    const piped = await run(source, ["--all", "-o", format]);
    expect(await whole(source, format)).toBe(piped.stdout);
    expect(piped.stdout.length).toBeGreaterThan(10_000);
  });

  test("has the requested format, or else that of its extension, or else JSON", async () => {
    const source = await list({ total: 2 });
    expect(JSON.parse(await whole(source, "everything"))).toHaveLength(2);
    expect((await whole(source, "jsonl")).trim().split("\n")).toHaveLength(2);
    expect(await whole(source, "csv", ["-o", "ndjson"])).toContain('{"trans_id":"t0"');
    // A terminal on standard output makes no difference.
    const file = fresh("everything");
    await run(source, ["--out", file], { terminal: 60, env: { SOLX_FORCE_TTY: "60" } });
    expect(JSON.parse(text(file))).toHaveLength(2);
  });

  test("can contain one object", async () => {
    const source = await list();
    const file = fresh("json");
    const args = words(source, [], ["token", "meta"]);
    const piped = await runInProcess(args);
    expect((await runInProcess([...args, "--out", file])).code).toBe(0);
    expect(text(file)).toBe(piped.stdout);
    expect(left(file)).toEqual([]);
  });

  test("can contain the answer to any request, also unchanged", async () => {
    const source = await list({ total: 3 });
    for (const extra of [[], ["--raw"], ["--all"]]) {
      const file = fresh("json");
      const args = [
        "api",
        "/account/other",
        `SOLX_BASE_URL=${source.url}`,
        "SOLX_RATE=off",
        "--cache",
        "off",
        ...extra,
      ];
      const piped = await runInProcess(args);
      expect((await runInProcess([...args, "--out", file])).code).toBe(0);
      expect(text(file)).toBe(piped.stdout);
    }
  });

  test("is not created without an answer", async () => {
    const source = await list();
    source.trouble.set(1, refuse);
    const file = fresh("csv");
    const { code, stderr } = await run(source, ["--all", "--out", file]);
    expect(code).toBe(8);
    expect(stderr).not.toContain("--resume");
    expect([existsSync(file), left(file)]).toEqual([false, []]);
  });

  test("is reported on a terminal with its size", async () => {
    const source = await list();
    const file = fresh("csv");
    const { stderr } = await run(source, ["--all", "--out", file], { isStderrTTY: true });
    expect(stderr).toContain(`530 rows in ${file} (`);
    expect(stderr).toMatch(/\(\d+(\.\d)? kB\)\./);
  });

  test("is created without rows, too", async () => {
    const source = await list({ total: 0 });
    const file = fresh("json");
    const { code } = await run(source, ["--all", "--fail-on", "empty", "--out", file]);
    expect([code, text(file), left(file)]).toEqual([11, "[]\n", []]);
  });
});

describe("before the first request", () => {
  const source = list();
  const refused = async (args: readonly string[], options?: InProcessOptions) => {
    const { requestedPages } = await source;
    const before = requestedPages.length;
    const { code, stderr, stdout } = await run(await source, args, options);
    expect({ code, stdout, sent: requestedPages.length - before }).toEqual({ code: 2, stdout: "", sent: 0 });
    return failure(stderr);
  };

  test("an existing file is refused and preserved", async () => {
    const file = fresh("csv");
    writeFileSync(file, "mine");
    expect((await refused(["--out", file])).hint).toContain("--force");
    expect([text(file), left(file)]).toEqual(["mine", []]);
  });

  test.each([
    ["a folder", () => folder, "is a folder"],
    ["a folder to be", () => `${join(folder, "new")}/`, "is a folder"],
    ["no folder", () => join(folder, "none", "x.csv"), "its folder does not exist"],
    ["a file for a folder", () => join(BIN, "x.csv"), "its folder is a file"],
    ["a device", () => "/dev/null", "is not a regular file"],
    ["standard output", () => "/dev/stdout", "is not a regular file"],
    ["-", () => "-", "expected a file name"],
    ["nothing", () => "", "expected a file name"],
    ["an unknown extension", () => fresh("rows"), "unknown format"],
    ["a long name", () => join(folder, "x".repeat(300)), "the name is too long"],
  ])("%s is refused", async (_, name, message) => {
    const path = name();
    // In a pipe, standard output is not a file; in a test it may be.
    if (path === "/dev/stdout" && statSync(path, { throwIfNoEntry: false })?.isFile() !== false) return;
    expect((await refused(["--out", path])).message).toContain(message);
  });

  test("a named pipe is refused without waiting for its reader", async () => {
    const pipe = fresh("named-pipe");
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    expect((await refused(["--out", pipe])).message).toContain("is not a regular file");
  });

  test("conflicting options are refused", async () => {
    const file = fresh("csv");
    expect((await refused(["--resume"])).hint).toContain("--out");
    expect((await refused(["--force"])).hint).toContain("--out");
    expect((await refused(["--out", file, "--resume", "--force"])).message).toContain("cannot be used together");
    expect((await refused(["--out", file, "--resume", "-o", "yaml"])).message).toContain("-o yaml");
    expect((await refused(["--out", file, "--resume", "-o", "json", "--jq", "."])).message).toContain("--jq");
    expect(left(file)).toEqual([]);
  });

  test("commands without an endpoint do not support --out", async () => {
    for (const command of [["config", "list"], ["docs"], ["show", USDC]]) {
      const { code, stderr } = await runInProcess([...command, "--out", fresh("json")]);
      expect([code, failure(stderr).message]).toEqual([2, expect.stringContaining("--out")]);
    }
  });
});

describe("--force", () => {
  test("replaces a file once the new one is complete, with the same permissions", async () => {
    const source = await list();
    const file = fresh("csv");
    writeFileSync(file, "mine");
    chmodSync(file, 0o640);
    source.trouble.set(2, refuse);
    expect((await run(source, ["--all", "--out", file, "--force"])).code).toBe(8);
    expect(text(file)).toBe("mine");
    source.trouble.clear();
    // The resumed run knows that it may replace the file.
    expect((await run(source, ["--all", "--out", file, "--resume"])).code).toBe(0);
    expect(text(file)).toBe(await whole(source, "csv"));
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  test("starts over if there is an unfinished run", async () => {
    const source = await list();
    const file = fresh("csv");
    await unfinished(source, file);
    expect((await run(source, ["--limit", "5", "--out", file, "--force"])).code).toBe(0);
    expect(text(file).trim().split("\n")).toHaveLength(6);
    expect(left(file)).toEqual([]);
  });

  test("a symbolic link is preserved and its target is replaced", async () => {
    const source = await list({ total: 2 });
    const [file, link] = [fresh("json"), fresh("json")];
    writeFileSync(file, "mine");
    symlinkSync(file, link);
    expect((await run(source, ["--out", link, "--force"])).code).toBe(0);
    expect(JSON.parse(text(file))).toHaveLength(2);
  });
});

describe("--resume", () => {
  test.each(FORMATS)("after a failure at any page yields the bytes of one run: %s", async (format) => {
    const source = await list();
    const expected = await whole(source, format);
    for (const page of [2, 4, 6]) {
      const file = fresh(format);
      const { stderr } = await unfinished(source, file, ["--all"], page);
      expect(failure(stderr).message).toContain(`${(page - 1) * SIZE} rows saved in ${file}.partial.`);
      expect(failure(stderr).hint).toMatch(/^To continue: solx account transfer .* --resume$/m);
      source.requestedPages.length = 0;
      const { code } = await run(source, ["--all", "--out", file, "--resume"]);
      expect(code).toBe(0);
      // The first page is requested again at the end, to detect rows that disappeared.
      expect(source.requestedPages.pop()).toBe(1);
      expect(Math.min(...source.requestedPages)).toBeGreaterThanOrEqual(page - 1);
      expect(text(file) === expected).toBe(true);
      expect(left(file)).toEqual([]);
    }
  });

  test.each([
    ["the envelope", ["--all", "--envelope"], "json"],
    ["what the API puts around rows", ["--all"], "json"],
    ["chosen fields", ["--all", "--fields", "address,amount"], "ndjson"],
    ["fields with headings", ["--all", "--fields", "A:address,E:amount"], "csv"],
    ["a number of rows", ["--limit", "333"], "json"],
  ])("preserves %s", async (_, args, format) => {
    const source = await list();
    const holders = (more: readonly string[]) => runInProcess(words(source, [...args, ...more], ["token", "holders"]));
    const [one, two] = [fresh(format), fresh(format)];
    await holders(["--out", one]);
    source.trouble.set(3, refuse);
    expect((await holders(["--out", two])).code).toBe(8);
    source.trouble.clear();
    expect((await holders(["--out", two, "--resume"])).code).toBe(0);
    expect(text(two)).toBe(text(one));
    expect(text(two).length).toBeGreaterThan(3000);
  });

  test("prints the same notes as one run", async () => {
    const source = await list();
    const file = fresh("csv");
    const one = await run(source, ["--all", "--out", fresh("csv")]);
    expect(one.stderr).toContain("later");
    await unfinished(source, file, ["--all"], 4);
    const { stderr } = await run(source, ["--all", "--out", file, "--resume"]);
    expect(stderr).toBe(one.stderr);
  });

  test("starts without an unfinished run, and reports when the file is complete, for loops in cron", async () => {
    const source = await list();
    const file = fresh("csv");
    source.trouble.set(3, refuse);
    const once = () => run(source, ["--all", "--out", file, "--resume"]);
    expect((await once()).code).toBe(8);
    source.trouble.clear();
    expect((await once()).code).toBe(0);
    const sent = source.requestedPages.length;
    const { code, stderr } = await once();
    expect([code, source.requestedPages.length - sent]).toEqual([0, 0]);
    expect(JSON.parse(stderr).note).toBe(`${file} is complete; there is nothing to resume.`);
  });

  test("without it, an unfinished run is not changed", async () => {
    const source = await list();
    const file = fresh("csv");
    await unfinished(source, file);
    const { code, stderr } = await run(source, ["--all", "--out", file]);
    expect([code, failure(stderr).code]).toEqual([2, "UNFINISHED"]);
    expect(failure(stderr).hint).toContain("--resume");
    expect((await run(source, ["--all", "--out", file, "--resume"])).code).toBe(0);
  });

  test("the same relative time is the same run tomorrow; it counts from the start of the run", async () => {
    const now = Date.now();
    const source = await list({ newest: Math.floor(now / 1000) - 2 * 86_400 - 60 });
    const file = fresh("csv");
    const args = ["--all", "--from-time", "7d", "--time", "relative"];
    await unfinished(source, file, args);
    const tomorrow = vi.spyOn(Date, "now").mockReturnValue(now + 86_400_000);
    try {
      expect((await run(source, [...args, "--out", file, "--resume"])).code).toBe(0);
    } finally {
      tomorrow.mockRestore();
    }
    expect(text(file).match(/\d+d ago/g)).toEqual(new Array(TOTAL).fill("2d ago"));
  });

  test("yaml cannot be resumed: nothing is saved, and the error says so", async () => {
    const source = await list();
    const file = fresh("yaml");
    const { stderr } = await unfinished(source, file);
    expect(failure(stderr).message).toContain("Nothing was saved");
    expect(left(file)).toEqual([]);
  });

  test("an export with a gap is otherwise complete: the file exists, and the exit code is 10", async () => {
    const header = "Signature,Block Time,Human Time,Action,From,To,Amount,Flow,Value,Token Address,Token Decimals";
    const row = (n: number) => `s${n},1720000000,2024-07-03T09:46:40.000Z,TRANSFER,a,b,${n},in,1,${USDC},6`;
    const csv = [header, ...Array.from({ length: 5000 }, (_, n) => row(n))].join("\n");
    const server = await open((_, response) => response.writeHead(200, { "content-type": "text/csv" }).end(csv));
    const file = fresh("csv");
    const args = [
      ...["account", "transfer-export", USDC, "--from-time", "1720000000", "--to-time", "1720000000", "--all"],
      ...[`SOLX_BASE_URL=${server.url}`, "SOLX_RATE=off", "--cache", "off", "--out", file],
    ];
    const { code, stderr } = await runInProcess(args);
    expect([code, failure(stderr).code]).toEqual([10, "INCOMPLETE_EXPORT"]);
    expect(text(file).trim().split("\n")).toHaveLength(5001);
    expect(left(file)).toEqual([]);
    // It cannot be completed further: the same error is reported without any request.
    const sent = server.requests.length;
    const again = await runInProcess([...args, "--resume"]);
    expect([again.code, failure(again.stderr)]).toEqual([10, failure(stderr)]);
    expect(server.requests).toHaveLength(sent);
  });
});

describe("--resume with an existing file", () => {
  /** Tries to resume; nothing is sent, and the file does not change. */
  async function refused(source: List, file: string, args: readonly string[] = ["--all"], options?: InProcessOptions) {
    const [before, sent] = [text(file), source.requestedPages.length];
    const { code, stderr } = await run(source, [...args, "--out", file, "--resume"], options);
    expect({ code, sent: source.requestedPages.length - sent }).toEqual({ code: 2, sent: 0 });
    expect([text(file), left(file)]).toEqual([before, []]);
    expect(failure(stderr).hint).toContain("--force");
    return failure(stderr);
  }
  const UNKNOWN = expect.stringContaining("already exists, and it is unknown whether this command wrote it.");

  test.each(["mine", ""])("of another program is refused, even if it is empty: '%s'", async (content) => {
    const source = await list();
    const file = fresh("csv");
    writeFileSync(file, content);
    expect((await refused(source, file)).message).toEqual(UNKNOWN);
    expect((await run(source, ["--all", "--out", file, "--force"])).code).toBe(0);
    expect((await run(source, ["--all", "--out", file, "--resume"])).code).toBe(0);
  });

  test("of another command is refused with the differences", async () => {
    const source = await list({ total: 5 });
    const file = fresh("csv");
    expect((await run(source, ["--all", "--out", file])).code).toBe(0);
    const { code, hint } = await refused(source, file, ["--limit", "3"]);
    expect(code).toBe("OTHER_RUN");
    expect(hint).toMatch(/^--limit: was not set, now 3$/m);
    expect((await refused(source, file, ["--all"], { version: "9.9.9" })).hint).toContain("version of solx");
  });

  test("whose size has changed is refused", async () => {
    const source = await list();
    const file = fresh("csv");
    expect((await run(source, ["--all", "--out", file])).code).toBe(0);
    truncateSync(file, 1000);
    expect((await refused(source, file)).message).toEqual(UNKNOWN);
  });

  test("that a run with --force did not replace before it failed is refused", async () => {
    const source = await list();
    const file = fresh("csv");
    expect((await run(source, ["--all", "--out", file])).code).toBe(0);
    source.trouble.set(1, refuse);
    expect((await run(source, ["--all", "--out", file, "--force"])).code).toBe(8);
    source.trouble.clear();
    expect((await refused(source, file)).message).toEqual(UNKNOWN);
  });

  test("that a run with --force did not replace before it was killed is refused", async () => {
    const source = await list();
    const file = fresh("csv");
    expect((await run(source, ["--all", "--out", file])).code).toBe(0);
    for (const ending of ["partial", "checkpoint"]) writeFileSync(`${file}.${ending}`, "");
    expect((await refused(source, file)).message).toEqual(UNKNOWN);
    expect((await refused(source, file)).message).toEqual(UNKNOWN);
  });

  test("whose run was interrupted right after the rename is complete", async () => {
    const source = await list();
    const file = fresh("csv");
    expect((await run(source, ["--all", "--out", file])).code).toBe(0);
    writeFileSync(`${file}.checkpoint`, "");
    const { code, stderr } = await run(source, ["--all", "--out", file, "--resume"]);
    expect([code, JSON.parse(stderr).note, left(file)]).toEqual([
      0,
      `${file} is complete; there is nothing to resume.`,
      [],
    ]);
  });

  test("is recognised by another path", async () => {
    const source = await list();
    const [file, link] = [fresh("csv"), fresh("csv")];
    expect((await run(source, ["--all", "--out", file])).code).toBe(0);
    symlinkSync(file, link);
    expect((await run(source, ["--all", "--out", link, "--resume"])).code).toBe(0);
  });

  test.each([
    ["no state folder", { SOLX_HOME: undefined, HOME: undefined }],
    ["a state folder that cannot be written", { SOLX_HOME: undefined, HOME: folder, XDG_STATE_HOME: BIN }],
  ])("and %s for its record: the run succeeds, and a later one reports an unknown file", async (_, env) => {
    const source = await list();
    const file = fresh("csv");
    const { code, stderr } = await run(source, ["--all", "--out", file], { env });
    expect(code).toBe(0);
    expect(stderr).not.toContain("state");
    expect((await refused(source, file, ["--all"], { env })).message).toEqual(UNKNOWN);
  });

  test("records are private, and limited to a thousand files", async () => {
    const source = await list({ total: 3 });
    const env = { SOLX_HOME: createTempFolder() };
    const file = fresh("csv");
    expect((await run(source, ["--all", "--out", fresh("csv")], { env })).code).toBe(0);
    const records = join(env.SOLX_HOME, "state", "files.sqlite");
    expect(statSync(records).mode & 0o777).toBe(0o600);
    const database = openDatabase(records);
    onTestFinished(() => database.close());
    const insert = database.prepare("INSERT INTO files (path, size, record) VALUES (?, 0, '{}')");
    database.exec("BEGIN");
    for (let n = 0; n < 1000; n += 1) insert.run(String(n));
    database.exec("COMMIT");
    expect((await run(source, ["--all", "--out", file], { env })).code).toBe(0);
    expect(database.prepare("SELECT COUNT(*) AS count FROM files").get()?.count).toBe(1000);
    expect((await run(source, ["--all", "--out", file, "--resume"], { env })).code).toBe(0);
  });
});

describe("a run that differs from the unfinished one is refused without losing anything:", () => {
  test.each<readonly [string, readonly string[], InProcessOptions, RegExp]>([
    ["filter", ["--flow", "in"], {}, /^--flow: was not set, now in$/m],
    ["rows", ["--limit", "7"], {}, /^--limit: was not set, now 7$/m],
    ["fields", ["--fields", "amount"], {}, /^--fields: was not set, now amount$/m],
    ["format", ["-o", "ndjson"], {}, /^format: was csv, now ndjson$/m],
    ["times", ["--time", "unix"], {}, /^--time: was not set, now unix$/m],
    ["key", [], { env: { SOLX_API_KEY: "another-key-0123456789" } }, /^key: was [0-9a-f]{16}, now [0-9a-f]{16}$/m],
    ["version", [], { version: "9.9.9" }, /^version of solx: was 0\.0\.0, now 9\.9\.9$/m],
  ])("%s", async (what, args, options, line) => {
    const source = await list();
    const file = fresh("csv");
    await unfinished(source, file);
    const sent = source.requestedPages.length;
    const all = what === "rows" ? [] : ["--all"];
    const { code, stderr } = await run(source, [...all, ...args, "--out", file, "--resume"], options);
    expect({ code, sent: source.requestedPages.length - sent, at: failure(stderr).code }).toEqual({
      code: 2,
      sent: 0,
      at: "OTHER_RUN",
    });
    expect(failure(stderr).hint).toMatch(line);
    expect(stderr).not.toContain("another-key");
    expect((await run(source, ["--all", "--out", file, "--resume"])).code).toBe(0);
    expect(text(file)).toBe(await whole(source, "csv"));
  });

  test("identifier and server", async () => {
    const [source, elsewhere] = [await list(), await list()];
    const file = fresh("csv");
    await unfinished(source, file);
    const args = words(elsewhere, ["--all", "--out", file, "--resume"]).map((word) =>
      word === USDC ? "So11111111111111111111111111111111111111112" : word,
    );
    const { hint } = failure((await runInProcess(args)).stderr);
    expect(hint).toContain(`address: was ${USDC}, now So11111111111111111111111111111111111111112`);
    expect(hint).toContain(`server: was ${source.url}/v2.0, now ${elsewhere.url}/v2.0`);
  });
});

describe("a mismatch is refused:", () => {
  const damaged = async (damage: (file: string) => void) => {
    const source = await list();
    const file = fresh("csv");
    await unfinished(source, file);
    damage(file);
    const { code, stderr } = await run(source, ["--all", "--out", file, "--resume"]);
    expect(code).toBe(2);
    expect(failure(stderr).hint).toContain("--force");
    expect(existsSync(file)).toBe(false);
    // Starting over is possible.
    expect((await run(source, ["--all", "--out", file, "--force"])).code).toBe(0);
    expect([text(file), left(file)]).toEqual([await whole(source, "csv"), []]);
    return failure(stderr).message;
  };

  test("an edited checkpoint", async () => {
    const edit = (file: string) => {
      const database = openDatabase(`${file}.checkpoint`);
      database.exec(`UPDATE run SET record = replace(record, '"rows":200', '"rows":100')`);
      database.close();
    };
    expect(await damaged(edit)).toContain("it was modified after solx wrote it");
  });

  test("a file that is not a checkpoint", async () => {
    expect(await damaged((file) => writeFileSync(`${file}.checkpoint`, "x".repeat(5000)))).toContain(
      "not a checkpoint",
    );
  });

  test("a partial file without a checkpoint", async () => {
    const message = await damaged((file) => rmSync(`${file}.checkpoint`));
    expect(message).toContain("its checkpoint is missing");
  });

  test("an edited partial file", async () => {
    const edit = (file: string) => {
      const bytes = readFileSync(`${file}.partial`);
      bytes[bytes.length - 5] = 65;
      writeFileSync(`${file}.partial`, bytes);
    };
    expect(await damaged(edit)).toContain("was modified");
  });

  test("a truncated or missing partial file", async () => {
    expect(await damaged((file) => truncateSync(`${file}.partial`, 100))).toContain("is too short");
    expect(await damaged((file) => rmSync(`${file}.partial`))).toContain("is missing");
  });

  test("a file that was created in the meantime", async () => {
    const source = await list();
    const file = fresh("csv");
    await unfinished(source, file);
    writeFileSync(file, "mine");
    const sent = source.requestedPages.length;
    const { code, stderr } = await run(source, ["--all", "--out", file, "--resume"]);
    expect([code, failure(stderr).code, text(file)]).toEqual([2, "EXISTS", "mine"]);
    expect(source.requestedPages.length).toBe(sent);
  });

  test("but a run that was interrupted after the rename is complete", async () => {
    const source = await list();
    const file = fresh("csv");
    await unfinished(source, file);
    renameSync(`${file}.partial`, file);
    const { code, stderr } = await run(source, ["--all", "--out", file, "--resume"]);
    expect([code, JSON.parse(stderr).note]).toEqual([0, `${file} is complete; there is nothing to resume.`]);
    expect(left(file)).toEqual([]);
  });

  test("a file that was created during the run: the rows are saved", async () => {
    const source = await list();
    const [file, moved] = [fresh("csv"), fresh("csv")];
    source.trouble.set(4, (response) => {
      writeFileSync(file, "mine");
      source.trouble.clear();
      sendJson(response, '{"success":true,"data":[]}');
    });
    const { code, stderr } = await run(source, ["--all", "--out", file]);
    expect([code, text(file)]).toEqual([2, "mine"]);
    expect(failure(stderr).hint).toContain("--resume");
    renameSync(file, moved);
    expect((await run(source, ["--all", "--out", file, "--resume"])).code).toBe(0);
    expect(text(file).length).toBeGreaterThan(1000);
  });
});

/** The built program, stopped while a page is withheld. */
describe.concurrent("a process", () => {
  /** Starts it and waits until it requests the withheld page. */
  async function startWithheld(page: number, ending: string, { args = ["--all"], filler = "" } = {}) {
    const source = await list({ filler });
    const file = fresh(ending);
    let release = () => {};
    const requestedPages = new Promise<void>((resolve) => {
      source.trouble.set(page, (response) => {
        release = () => {
          source.trouble.clear();
          refuse(response);
        };
        resolve();
      });
    });
    const child = startSolx(words(source, [...args, "--out", file]));
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (chunk) => {
      stderr += chunk;
    });
    const ended = once(child, "close");
    await Promise.race([requestedPages, ended.then(() => expect.fail(`It ended: ${stderr}`))]);
    return { source, file, child, ended, release: () => release(), stderr: () => stderr };
  }

  /** Waits until a checkpoint is on disk. */
  const saved = (file: string) =>
    waitFor(() => {
      expect(readFileSync(`${file}.checkpoint`).includes('"tail"')).toBe(true);
      const journal = openSync(`${file}.checkpoint-journal`, "r");
      const head = Buffer.alloc(8);
      readSync(journal, head, 0, 8, 0);
      closeSync(journal);
      expect(head.every((byte) => byte === 0)).toBe(true);
    });

  test.each([
    ["ndjson", 3],
    ["csv", 4],
    ["tsv", 6],
    ["json", 5],
  ] as const)("that is killed leaves a checkpoint: %s, page %i", async (format, page) => {
    const { source, file, child, ended } = await startWithheld(page, format);
    await saved(file);
    child.kill("SIGKILL");
    await ended;
    source.trouble.clear();
    source.requestedPages.length = 0;
    const again = startSolx(words(source, ["--all", "--out", file, "--resume"]));
    expect((await once(again, "close"))[0]).toBe(0);
    // The first page is requested again at the end, to detect rows that disappeared.
    expect(source.requestedPages.pop()).toBe(1);
    expect(source.requestedPages).not.toContain(1);
    expect(text(file) === (await whole(source, format))).toBe(true);
    expect(left(file)).toEqual([]);
  });

  test("that is killed at once leaves nothing that blocks a later run", async () => {
    const { source, file, child, ended } = await startWithheld(1, "csv");
    child.kill("SIGKILL");
    await ended;
    source.trouble.clear();
    const again = startSolx(words(source, ["--all", "--out", file]));
    expect((await once(again, "close"))[0]).toBe(0);
    expect(text(file) === (await whole(source, "csv"))).toBe(true);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 143],
  ] as const)("on %s prints the command to continue", async (signal, code) => {
    const { source, file, child, ended, stderr } = await startWithheld(4, "json", {
      args: ["--all", "SOLX_API_KEY=secret-key-000111222"],
    });
    await saved(file);
    child.kill(signal);
    expect((await ended)[0]).toBe(code);
    const { message, hint } = failure(stderr());
    expect(message).toMatch(/^(Interrupted|Stopped)\. [123]00 rows saved in /);
    expect(stderr()).not.toContain("secret-key");
    source.trouble.clear();
    const bin = join(folder, `bin-${signal}`);
    mkdirSync(bin);
    writeFileSync(join(bin, "solx"), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, { mode: 0o755 });
    const line = /^To continue: (.*)$/m.exec(hint)?.[1] ?? "";
    const env = {
      ...cleanEnv({ SOLX_API_KEY: "secret-key-000111222", SOLX_BASE_URL: source.url }),
      PATH: `${bin}:${process.env.PATH}`,
    };
    const pasted = spawn("sh", ["-c", line], { env, stdio: "ignore" });
    expect((await once(pasted, "close"))[0]).toBe(0);
    expect(text(file) === (await whole(source, "json"))).toBe(true);
  });

  test("locks its file: a second run is refused, and the first continues", async () => {
    const { source, file, child, ended } = await startWithheld(3, "csv");
    await saved(file);
    for (const more of [[], ["--resume"], ["--force"]]) {
      const second = startSolx(words(source, ["--all", "--out", file, ...more]));
      const chunks: Buffer[] = [];
      second.stderr.on("data", (chunk) => chunks.push(chunk));
      expect((await once(second, "close"))[0]).toBe(2);
      expect(failure(Buffer.concat(chunks).toString()).message).toContain("Another solx process is writing");
    }
    child.kill("SIGTERM");
    expect((await ended)[0]).toBe(143);
    source.trouble.clear();
    const again = startSolx(words(source, ["--all", "--out", file, "--resume"]));
    expect((await once(again, "close"))[0]).toBe(0);
    expect(text(file) === (await whole(source, "csv"))).toBe(true);
  });

  test.each<readonly [string, number, Trouble]>([
    ["the network is gone", 9, (response) => response.socket?.destroy()],
    ["the units are spent", 7, (response) => sendJson(response, '{"success":false,"errors":{"message":"quota"}}', 402)],
    ["too many requests", 6, (response) => sendJson(response, "{}", 429, { "retry-after": "86400" })],
  ])("%s: saves its rows and exits with %i", async (_, code, trouble) => {
    const source = await list();
    const file = fresh("csv");
    source.trouble.set(4, trouble);
    const result = await run(source, ["--all", "--out", file]);
    expect(result.code).toBe(code);
    expect(failure(result.stderr).hint).toContain("--resume");
    source.trouble.clear();
    expect((await run(source, ["--all", "--out", file, "--resume"])).code).toBe(0);
    expect(text(file) === (await whole(source, "csv"))).toBe(true);
  });

  testWith("bash")("saves every complete page when the disk is full", async () => {
    const source = await list({ filler: "y".repeat(2000) });
    const file = fresh("ndjson");
    const full = async (blocks: number) => {
      const { args, env } = splitAssignments(words(source, ["--all", "--out", file]));
      const line = [process.execPath, BIN, ...args];
      const child = spawn("bash", ["--norc", "-c", `ulimit -f ${blocks}; exec "$@"`, "bash", ...line], {
        env: cleanEnv(env),
      });
      const chunks: Buffer[] = [];
      child.stderr.on("data", (chunk) => chunks.push(chunk));
      expect((await once(child, "close"))[0]).toBe(1);
      const { message } = failure(Buffer.concat(chunks).toString());
      expect(message).toContain("cannot be written: the file is too large.");
      return message;
    };
    // Not even the first page was written.
    expect(await full(100)).toMatch(/large\. Nothing was saved\.$/);
    expect(left(file)).toEqual([]);
    expect(await full(700)).toContain(" 300 rows saved in ");
    const again = await run(source, ["--all", "--out", file, "--resume"], {
      version: JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version,
    });
    expect(again.code).toBe(0);
    expect(text(file) === (await whole(source, "ndjson"))).toBe(true);
  });
});
