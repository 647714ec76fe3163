import type { ServerResponse } from "node:http";
import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { SolxError } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { endpoints } from "../../src/catalogue/index.ts";
import { follow } from "../../src/commands/endpoint/follow.ts";
import { detachFollowArgument, parseDuration } from "../../src/commands/endpoint/follow-argument.ts";
import { isNewestFirst, parseInterval, parseUntil } from "../../src/commands/endpoint/follow-options.ts";
import type { GlobalOptions } from "../../src/commands/options/global-options.ts";
import { RunContext } from "../../src/commands/run/context.ts";
import { here } from "../support/here.ts";
import { json, serve } from "../support/server.ts";
import { cleanEnv } from "../support/solx.ts";

const WALLET = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const TRANSFER = endpoints.find(({ route }) => route === "v2-account-transfer");
const START = Date.parse("2026-01-01T00:00:00Z");

/** What the server has at a look: rows from the newest on, or a status that it answers with instead. */
type Look = readonly number[] | { readonly status: number; readonly retryAfter?: number };

const rowOf = (id: number): JsonObject => ({ trans_id: `t${id}`, block_time: 1_767_225_600 + id, amount: id });

interface Followed {
  readonly stdout: string;
  /** What had been written at each wait. */
  readonly written: readonly string[];
  readonly notes: readonly string[];
  /** Seconds. */
  readonly waits: readonly number[];
  readonly error: SolxError | undefined;
}

/** Follows a list as it is at one look after the other; after the last one it stays as it is. */
async function followed(looks: readonly Look[], globals: GlobalOptions, width?: number): Promise<Followed> {
  const waits: number[] = [];
  const { url, close } = await serve((request, response) => {
    const page = Number(new URL(request.url ?? "", "http://x").searchParams.get("page") ?? 1);
    answer(response, looks[Math.min(waits.length, looks.length - 1)] ?? [], page);
  });
  const [stdout, stderr] = [collector(width), collector()];
  const abort = new AbortController();
  let now = START;
  const context = new RunContext({
    argv: [],
    env: cleanEnv({ SOLX_RETRIES: "0", SOLX_BASE_URL: url, SOLX_RATE: "off", SOLX_BUDGET: "process" }),
    version: "0.0.0",
    stdin: process.stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    now: () => now,
    signal: abort.signal,
  });
  context.globals = { follow: true, ...globals };
  const written: string[] = [];
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds / 1000);
    written.push(stdout.text());
    now += milliseconds;
    if (waits.length > 200) throw new Error("It does not end.");
  };
  const limit = globals.limit === undefined ? {} : { limit: Number(globals.limit) };
  const error = await follow(context, TRANSFER as never, { address: WALLET }, limit, { now: () => now, sleep }).then(
    () => undefined,
    (failure: SolxError) => failure,
  );
  await context.close();
  await close();
  const notes = stderr
    .text()
    .trimEnd()
    .split("\n")
    .map((line) => String(JSON.parse(line).note));
  return { stdout: stdout.text(), written, notes, waits, error };
}

function answer(response: ServerResponse, look: Look, page: number): void {
  if ("status" in look) {
    const headers = look.retryAfter === undefined ? {} : { "retry-after": String(look.retryAfter) };
    json(response, '{"success":false,"errors":{"code":1,"message":"Not now."}}', look.status, headers);
    return;
  }
  const data = look.slice((page - 1) * 100, page * 100).map(rowOf);
  json(response, JSON.stringify({ success: true, data }));
}

function collector(width?: number) {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const isTTY = width === undefined ? {} : { isTTY: true, columns: width };
  return { stream: Object.assign(stream, isTTY) as unknown as NodeJS.WriteStream, text: () => text };
}

const amounts = (stdout: string) =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Number(JSON.parse(line).amount));

describe("following a list", () => {
  test("prints each row once, the oldest first, as soon as it is there", async () => {
    const { written, notes, waits, error } = await followed(
      [
        [2, 1],
        [2, 1],
        [5, 4, 3, 2, 1],
        [6, 5, 4, 3],
      ],
      {
        limit: "7",
        follow: "5m",
      },
    ).then((run) => ({ ...run, written: run.written.map(amounts) }));
    expect(error?.message).toBe("It does not end.");
    expect(written[0]).toEqual([1, 2]);
    expect(written[1]).toEqual([1, 2]);
    expect(written[2]).toEqual([1, 2, 3, 4, 5]);
    expect(written[3]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(written.at(-1)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(waits[0]).toBe(300);
    expect(notes).toEqual(["Asking every 5 min: an hour costs 12 requests and 1,200 compute units."]);
  });

  test("begins with the newest rows of a page, and looks at the greatest page", async () => {
    const all = Array.from({ length: 90 }, (_, at) => 90 - at);
    const { stdout, waits } = await followed([all, [...Array.from({ length: 80 }, (_, at) => 170 - at), ...all]], {
      limit: "90",
    });
    expect(amounts(stdout)).toEqual(Array.from({ length: 90 }, (_, at) => 81 + at));
    expect(waits).toEqual([30]);
  });

  test("--limit ends it in the middle of a look", async () => {
    const { stdout, error } = await followed([[1], [5, 4, 3, 2, 1]], { limit: "3" });
    expect(amounts(stdout)).toEqual([1, 2, 3]);
    expect(error).toBeUndefined();
  });

  test("outlives failures that may pass, with longer and longer waits, and tells twice", async () => {
    const down: Look = { status: 500 };
    const looks: Look[] = [[1], ...Array.from({ length: 7 }, () => down), [2, 1], { status: 503 }, [3, 2, 1]];
    const { stdout, waits, notes } = await followed(looks, { limit: "3" });
    expect(amounts(stdout)).toEqual([1, 2, 3]);
    expect(waits).toEqual([30, 60, 120, 240, 480, 600, 600, 600, 30, 60]);
    expect(notes).toHaveLength(5);
    expect(notes[1]).toMatch(/Not now\..* Following goes on when that has passed\.$/);
    expect(notes[2]).toBe("It works again, after 45 min.");
    expect(notes[4]).toBe("It works again, after 1 min.");
  });

  test("waits as long as the server says", async () => {
    const { waits } = await followed([[1], { status: 503, retryAfter: 900 }, [2, 1]], { limit: "2" });
    expect(waits).toEqual([30, 900]);
  });

  test("ends with what will not pass, and with any failure of the first look", async () => {
    const { stdout, error } = await followed([[1], { status: 401 }], {});
    expect(amounts(stdout)).toEqual([1]);
    expect(error?.exit).toBe("auth");
    expect((await followed([{ status: 500 }], {})).error?.exit).toBe("server");
  });

  test("--until a span ends after a last look at that moment", async () => {
    const looks: Look[] = [[1], [1], [2, 1], [2, 1], [3, 2, 1]];
    const { stdout, waits, notes, error } = await followed(looks, { follow: "30m", until: "100m" });
    expect(waits).toEqual([1800, 1800, 1800, 600]);
    expect(amounts(stdout)).toEqual([1, 2, 3]);
    expect(notes[0]).toContain("until 2026-01-01T01:40:00Z");
    expect(error).toBeUndefined();
  });

  test("--until a moment ends it also while the server fails", async () => {
    const { waits, error } = await followed([[1], { status: 500 }], { until: "2026-01-01T00:01:10Z" });
    expect(waits).toEqual([30, 40]);
    expect(error).toBeUndefined();
  });

  test("--until a condition ends with the row that fulfils it", async () => {
    const { stdout, error } = await followed([[9], [3, 2, 9], [6, 5, 4, 3, 2]], { until: ".amount > 3 # large" });
    expect(amounts(stdout)).toEqual([9, 2, 3, 4]);
    expect(error).toBeUndefined();
  });

  test("a row that a condition cannot judge counts as no, and that is told once", async () => {
    const until = 'if .amount < 3 then error("odd") else true end';
    const { stdout, notes } = await followed([[1], [2, 1], [3, 2]], { until });
    expect(amounts(stdout)).toEqual([1, 2, 3]);
    expect(notes.slice(1)).toEqual(["--until could not judge a row, which counts as no: odd"]);
  });

  test("says so when more came than can be read", async () => {
    const many = Array.from({ length: 1500 }, (_, at) => 1500 - at);
    const { stdout, notes } = await followed([[1], many], { limit: "1001" });
    expect(amounts(stdout).slice(0, 3)).toEqual([1, 501, 502]);
    expect(notes[1]).toMatch(/More rows came than 10 pages hold/);
  });

  test("csv has one header", async () => {
    const { stdout } = await followed([[1], [2, 1]], { limit: "2", output: "csv", fields: "trans_id,amount" });
    expect(stdout).toBe("trans_id,amount\nt1,1\nt2,2\n");
  });

  test("a table has one header and times that stay true", async () => {
    const { stdout } = await followed([[1], [2, 1]], { limit: "2", columns: "ID:trans_id,WHEN:block_time" }, 100);
    expect(stdout.match(/WHEN/g)).toHaveLength(1);
    expect(stdout).toContain("2026-01-01T00:00:01Z");
    expect(stdout).toContain("2026-01-01T00:00:02Z");
  });

  test("--jq runs on the rows of each look", async () => {
    const { stdout } = await followed(
      [
        [2, 1],
        [2, 1],
        [5, 4, 3, 2],
      ],
      { limit: "5", jq: "map(.amount)" },
    );
    expect(stdout).toBe("[1,2]\n[3,4,5]\n");
  });

  test("--fail-empty tells that nothing came", async () => {
    const { error } = await followed([[]], { until: "1m", failEmpty: true });
    expect(error?.exit).toBe("check");
  });
});

describe("what is refused before anything is sent", () => {
  const transfer = ["account", "transfer", WALLET];
  test.each([
    [[...transfer, "--follow", "--all"], /--follow and --all contradict each other/],
    [[...transfer, "--follow", "-o", "json"], /A JSON document has an end.*-o ndjson/],
    [[...transfer, "--follow", "--out", "rows.csv"], /--follow and --out contradict each other/],
    [[...transfer, "--follow", "--offline"], /--follow and --offline contradict each other/],
    [[...transfer, "--follow", "--sort-order", "asc"], /with --sort-order asc the newest rows come last/],
    [[...transfer, "--follow", "--to-time", "1d"], /--to-time ends the list/],
    [[...transfer, "--follow", "--page", "2"], /--page begins below the newest rows/],
    [[...transfer, "--follow", "1s"], /the interval must be 2s to 24h/],
    [[...transfer, "--follow=soon"], /that is no interval.*30s, 2m or 1h/],
    [[...transfer, "--until", "2h"], /--until is only for --follow/],
    [[...transfer, "--follow", "--until", "2024-01-01"], /is in the past/],
    [[...transfer, "--follow", "--until", ".amount >"], /jq: .*syntax error/],
    [[...transfer, "--follow", "--until", "tomorrow"], /no time to end at, and no jq condition/],
    [[...transfer, "So11111111111111111111111111111111111111112", "--follow"], /follows one list; several identifiers/],
    [["token", "holders", WALLET, "--follow"], /do not come newest first/],
    [["token", "list", "--follow"], /do not come newest first; they are sorted by market_cap/],
    [["token", "meta", WALLET, "--follow"], /gives no list that grows/],
    [["show", WALLET, "--follow"], /are for the lists of the API/],
  ])("%j", async (words, message) => {
    const { code, stderr, stdout } = await here(words, { env: { SOLX_BASE_URL: "http://127.0.0.1:1" } });
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(stdout).toBe("");
  });

  test("with the newest created first, a list that is ranked otherwise can be followed", () => {
    const list = endpoints.find(({ route }) => route === "v2-token-list");
    expect(isNewestFirst(list as never, { sort_by: "created_time" })).toBe(true);
  });
});

test("the lists that can be followed", () => {
  expect(endpoints.filter((endpoint) => isNewestFirst(endpoint)).map(({ command }) => command)).toEqual([
    "legacy block last",
    "legacy transaction last",
    "legacy account transactions",
    "legacy account spl-transfers",
    "legacy account sol-transfers",
    "legacy token transfer",
    "account transfer",
    "account defi-activities",
    "account balance-change",
    "account transactions",
    "token transfer",
    "token defi-activities",
    "token latest",
    "nft news",
    "nft activities",
    "transaction last",
    "block last",
  ]);
});

describe("words", () => {
  test("what is no interval after --follow is an argument", () => {
    expect(detachFollowArgument(["a", "--follow", WALLET])).toEqual(["a", "--follow=", WALLET]);
    expect(detachFollowArgument(["a", "--follow", "30s", WALLET])).toEqual(["a", "--follow", "30s", WALLET]);
    expect(detachFollowArgument(["a", WALLET, "--follow"])).toEqual(["a", WALLET, "--follow"]);
    expect(detachFollowArgument(["a", "--", "--follow", WALLET])).toEqual(["a", "--", "--follow", WALLET]);
  });

  test("intervals", () => {
    expect(["30s", "2m", "1h", "45", "2.5s", "1 h", "1y", "x", "", "-1s"].map(parseDuration)).toEqual([
      ...[30, 120, 3600, 45, 2.5, 3600, 31_536_000],
      ...[undefined, undefined, undefined],
    ]);
    expect([true as const, "", "1h"].map(parseInterval)).toEqual([30, 30, 3600]);
  });

  test("ends", async () => {
    expect(await parseUntil("2h", START)).toEqual({ at: START + 7_200_000 });
    expect(await parseUntil("2026-01-02", START)).toEqual({ at: START + 86_400_000 });
    expect(await parseUntil(String(START / 1000 + 60), START)).toEqual({ at: START + 60_000 });
    expect(await parseUntil(".amount > 1", START)).toEqual({ condition: ".amount > 1" });
    const { at } = (await parseUntil("18:00", START)) as { at: number };
    expect([new Date(at).getHours(), new Date(at).getMinutes()]).toEqual([18, 0]);
    expect(at - START).toBeGreaterThan(0);
    expect(at - START).toBeLessThanOrEqual(90_000_000);
  });
});
