import { describe, expect, test } from "vitest";
import { endpoints } from "../../src/catalogue/index.ts";
import { parseUntil } from "../../src/commands/follow/follow-end.ts";
import { isNewestFirst } from "../../src/commands/follow/followable.ts";
import { parseInterval } from "../../src/commands/number-option.ts";
import { detachFollowArgument, parseDuration } from "../../src/commands/run/arguments.ts";
import { type PollAnswer, runFollow, START, WALLET } from "../support/follow.ts";
import { runInProcess } from "../support/in-process.ts";

const amounts = (stdout: string) =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Number(JSON.parse(line).amount));

describe("following a list", () => {
  test("prints each row once, oldest first, as soon as it is available", async () => {
    const { written, notes, waits, error } = await runFollow(
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
    expect(error?.message).toBe("Following does not stop.");
    expect(written[0]).toEqual([1, 2]);
    expect(written[1]).toEqual([1, 2]);
    expect(written[2]).toEqual([1, 2, 3, 4, 5]);
    expect(written[3]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(written.at(-1)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(waits[0]).toBe(300);
    // The last note has the totals, since a log shows no rows.
    expect(notes).toEqual([
      "Polling every 5 min: 12 requests and 1,200 compute units per hour.",
      expect.stringMatching(/^6 rows, \d+ requests\.$/),
    ]);
  });

  test("that lost rows ends as incomplete, after the rows", async () => {
    const many = Array.from({ length: 12_000 }, (_, at) => 20_000 - at);
    const { stdout, notes, error } = await runFollow([[2, 1], many], { until: "60s", follow: "30s" });
    expect(error).toMatchObject({ code: "LOST_ROWS", exitCode: 10 });
    expect(error?.message).toContain("once");
    expect(notes.join()).toContain("some rows before the next ones are missing");
    expect(amounts(stdout)).toHaveLength(2 + 10_000);
  });

  test("starts with the newest rows of a default page, and reads pages of the maximum size", async () => {
    const all = Array.from({ length: 90 }, (_, at) => 90 - at);
    const { stdout, waits } = await runFollow([all, [...Array.from({ length: 80 }, (_, at) => 170 - at), ...all]], {
      limit: "90",
    });
    expect(amounts(stdout)).toEqual(Array.from({ length: 90 }, (_, at) => 81 + at));
    expect(waits).toEqual([30]);
  });

  test("--limit ends it within a poll", async () => {
    const { stdout, error } = await runFollow([[1], [5, 4, 3, 2, 1]], { limit: "3" });
    expect(amounts(stdout)).toEqual([1, 2, 3]);
    expect(error).toBeUndefined();
  });

  test("retries after temporary failures with increasing delays, and reports start and end", async () => {
    const down: PollAnswer = { status: 500 };
    const answers: PollAnswer[] = [[1], ...Array.from({ length: 7 }, () => down), [2, 1], { status: 503 }, [3, 2, 1]];
    const { stdout, waits, notes } = await runFollow(answers, { limit: "3" });
    expect(amounts(stdout)).toEqual([1, 2, 3]);
    expect(waits).toEqual([30, 60, 120, 240, 480, 600, 600, 600, 30, 60]);
    expect(notes).toHaveLength(6);
    expect(notes[1]).toMatch(/Not now\..* Following continues when the problem is resolved\.$/);
    expect(notes[2]).toBe("Recovered after 45 min.");
    expect(notes[4]).toBe("Recovered after 1 min.");
  });

  test("waits as long as the server requests", async () => {
    const { waits } = await runFollow([[1], { status: 503, retryAfter: 900 }, [2, 1]], { limit: "2" });
    expect(waits).toEqual([30, 900]);
  });

  test("ends after a permanent failure, and after any failure of the first poll", async () => {
    const { stdout, error } = await runFollow([[1], { status: 401 }], {});
    expect(amounts(stdout)).toEqual([1]);
    expect(error?.exit).toBe("auth");
    expect((await runFollow([{ status: 500 }], {})).error?.exit).toBe("server");
  });

  test("--until with a duration ends after a last poll at that time", async () => {
    const answers: PollAnswer[] = [[1], [1], [2, 1], [2, 1], [3, 2, 1]];
    const { stdout, waits, notes, error } = await runFollow(answers, { follow: "30m", until: "100m" });
    expect(waits).toEqual([1800, 1800, 1800, 600]);
    expect(amounts(stdout)).toEqual([1, 2, 3]);
    expect(notes[0]).toContain("until 2026-01-01T01:40:00Z");
    expect(error).toBeUndefined();
  });

  test("--until with a time also ends it while the server fails", async () => {
    const { waits, error } = await runFollow([[1], { status: 500 }], { until: "2026-01-01T00:01:10Z" });
    expect(waits).toEqual([30, 40]);
    expect(error).toBeUndefined();
  });

  test("--until with a condition ends with the row that matches", async () => {
    const { stdout, error } = await runFollow([[1], [3, 2, 1], [6, 5, 4, 3, 2]], { until: ".amount > 3 # large" });
    expect(amounts(stdout)).toEqual([1, 2, 3, 4]);
    expect(error).toBeUndefined();
  });

  test("a row that a condition cannot evaluate counts as no match, which is reported once", async () => {
    const until = 'if .amount < 3 then error("odd") else true end';
    const { stdout, notes } = await runFollow([[1], [2, 1], [3, 2]], { until });
    expect(amounts(stdout)).toEqual([1, 2, 3]);
    expect(notes.slice(1, -1)).toEqual(["--until could not evaluate a row, which counts as no match: odd"]);
  });

  test("reports when more rows arrived than can be read", async () => {
    const many = Array.from({ length: 10_500 }, (_, at) => 10_500 - at);
    const { stdout, notes } = await runFollow([[1], many], { limit: "10001" });
    expect(amounts(stdout).slice(0, 3)).toEqual([1, 501, 502]);
    expect(notes[1]).toMatch(/Too many new rows: some rows before the next ones are missing/);
  });

  test("prints one CSV header", async () => {
    const { stdout } = await runFollow([[1], [2, 1]], { limit: "2", output: "csv", fields: "trans_id,amount" });
    expect(stdout).toBe("trans_id,amount\nt1,1\nt2,2\n");
  });

  test("prints one table header, and absolute times", async () => {
    const { stdout } = await runFollow([[1], [2, 1]], { limit: "2", fields: "ID:trans_id,WHEN:block_time" }, 100);
    expect(stdout.match(/WHEN/g)).toHaveLength(1);
    expect(stdout).toContain("2026-01-01T00:00:01Z");
    expect(stdout).toContain("2026-01-01T00:00:02Z");
  });

  test("--jq runs on the rows of each poll", async () => {
    const { stdout } = await runFollow(
      [
        [2, 1],
        [2, 1],
        [5, 4, 3, 2],
      ],
      { limit: "5", jq: "map(.amount)" },
    );
    expect(stdout).toBe("[1,2]\n[3,4,5]\n");
  });

  test("--fail-on empty fails when there are no rows", async () => {
    const { error } = await runFollow([[]], { until: "1m", failOn: "empty" });
    expect(error?.exit).toBe("check");
  });
});

describe("options refused before the first request", () => {
  const transfer = ["account", "transfer", WALLET];
  test.each([
    [[...transfer, "--follow", "--all"], /--follow and --all cannot be used together/],
    [[...transfer, "--follow", "-o", "json"], /cannot print a JSON document.*-o ndjson/],
    [[...transfer, "--follow", "--out", "rows.csv"], /--follow and --out cannot be used together/],
    [[...transfer, "--follow", "--cache", "only"], /--follow and --cache only cannot be used together/],
    [[...transfer, "--follow", "--sort-order", "asc"], /with --sort-order asc, the newest rows come last/],
    [[...transfer, "--follow", "--to-time", "1d"], /--to-time ends the list/],
    [[...transfer, "--follow", "--page", "2"], /--page starts below the newest rows/],
    [[...transfer, "--follow", "1s"], /expected an interval from 2s to 24h/],
    [[...transfer, "--follow=soon"], /expected an interval from 2s to 24h/],
    [[...transfer, "--until", "2h"], /--until requires --follow/],
    [[...transfer, "--follow", "--until", "2024-01-01"], /is in the past/],
    [[...transfer, "--follow", "--until", ".amount >"], /jq: .*syntax error/],
    [[...transfer, "--follow", "--until", "tomorrow"], /expected a duration, a time or a jq condition/],
    [[...transfer, "--follow", "--changes", "amount"], /--changes cannot be used with account transfer/],
    [[...transfer, "--follow", "--when", ".amount >"], /jq: .*syntax error/],
    [["token", "meta", WALLET, "--changes", "price"], /--changes requires --follow/],
    [
      ["token", "meta", WALLET, "--follow", "--changes", "pric"],
      /invalid value for --changes: .*Did you mean price\?/s,
    ],
    [["token", "meta", WALLET, "--follow", "--exec", "x {y}", "-o", "csv"], /^[^\n]*invalid placeholder \{y\}/],
    [[...transfer, "--follow", "--when", ".["], /syntax error(?!.*--jq)/s],
    [["account", "transfer-export", WALLET, "--follow"], /--follow: account transfer-export returns a file/],
    [["show", WALLET, "--follow"], /--follow has no effect on show/],
  ])("%j", async (words, message) => {
    const { code, stderr, stdout } = await runInProcess(words, { env: { SOLX_BASE_URL: "http://127.0.0.1:1" } });
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(stdout).toBe("");
  });

  test("a ranked list can be followed when sorted by creation time", () => {
    const list = endpoints.find(({ route }) => route === "v2-token-list");
    expect(isNewestFirst(list as never, { sort_by: "created_time" })).toBe(true);
  });
});

test("the lists whose rows are followed; others are followed for their changes", () => {
  expect(endpoints.filter((endpoint) => isNewestFirst(endpoint)).map(({ command }) => command)).toEqual([
    "legacy block last",
    "legacy transaction last",
    "legacy account transactions",
    "legacy account spl-transfers",
    "legacy account sol-transfers",
    "legacy token transfer",
    "account stake-reward",
    "account transfer",
    "account defi-activities",
    "account balance-change",
    "account transactions",
    "account transactions-enhanced",
    "token latest",
    "token transfer",
    "token defi-activities",
    "nft news",
    "nft activities",
    "transaction last",
    "block last",
  ]);
});

describe("parsing", () => {
  test("a word after --follow that is not an interval is an argument", () => {
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
    expect([true as const, "", "1h"].map((input) => parseInterval("--follow", input, { min: 2, default: 30 }))).toEqual(
      [30, 30, 3600],
    );
  });

  test("end conditions", async () => {
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
