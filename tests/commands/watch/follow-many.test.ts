/** Following many identifiers, and changes of what does not grow. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runFollowed, WALLET } from "../../support/follow.ts";
import { runInProcess } from "../../support/in-process.ts";
import { sendJson } from "../../support/server.ts";
import { createTempFolder } from "../../support/solx.ts";

const OTHER = "So11111111111111111111111111111111111111112";
/** A wallet with transfers in the sandbox. */
const BUSY = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const linesOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

describe("new rows of many identifiers", () => {
  /** Transfers of a wallet: one more after each wait. */
  const transfers = (wallet: string | null, count: number) =>
    Array.from({ length: count }, (_, at) => ({ trans_id: `${wallet?.slice(0, 2)}${count - at}`, amount: count - at }));

  test("are printed with their identifier, each once and in order", async () => {
    const { stdout, notes } = await runFollowed(
      {
        inputs: [WALLET, OTHER],
        answer: ({ searchParams }, waits, response) =>
          sendJson(
            response,
            JSON.stringify({ success: true, data: transfers(searchParams.get("address"), waits + 2) }),
          ),
      },
      { until: "60s" },
    );
    const rows = linesOf(stdout);
    for (const wallet of [WALLET, OTHER])
      expect(rows.filter(({ input }) => input === wallet).map(({ amount }) => amount)).toEqual([1, 2, 3, 4]);
    expect(notes[0]).toContain("Polling 2 subjects every 30 s");
    expect(notes[0]).toContain("240 requests");
  });

  test("an identifier that fails for good is reported once, the others continue, and the run ends as incomplete", async () => {
    const { stdout, error } = await runFollowed(
      {
        inputs: [WALLET, OTHER],
        answer: ({ searchParams }, waits, response) =>
          searchParams.get("address") === OTHER
            ? sendJson(response, '{"success":false,"errors":{"code":1,"message":"No."}}', 404)
            : sendJson(response, JSON.stringify({ success: true, data: transfers(WALLET, waits + 1) })),
      },
      { until: "60s" },
    );
    expect(linesOf(stdout).map(({ amount }) => amount)).toEqual([1, 2, 3]);
    expect(error?.exitCode).toBe(10);
  });

  test("polls are spread over the time that the compute units of a day allow", async () => {
    let requests = 0;
    const { notes, waits } = await runFollowed(
      {
        inputs: Array.from({ length: 20 }, (_, at) => `${WALLET.slice(0, -2)}${at + 21}`.replace("0", "z")),
        env: { SOLX_UNITS_PER_DAY: String(10 * 100 * 60 * 24) },
        answer: (_url, _waits, response) => {
          requests += 1;
          sendJson(response, '{"success":true,"data":[]}');
        },
      },
      { until: "10m" },
    );
    expect(notes[0]).toContain("every 2 min, those with recent news every 30 s");
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeCloseTo(600, 0);
    // One in two minutes, and the last one.
    expect(requests).toBeLessThanOrEqual(20 * 7);
  });
});

describe("changes", () => {
  const account = (lamports: number) => ({ account: WALLET, lamports, type: "system_account", rent_epoch: 1 });

  test("of an object are printed with old and new value, exact difference and percentage", async () => {
    const { stdout } = await runFollowed(
      {
        route: "v2-account-detail",
        params: { address: WALLET },
        answer: (_url, waits, response) =>
          sendJson(
            response,
            `{"success":true,"data":{"lamports":${waits < 2 ? "9007199254740993" : "9007199254740995"}}}`,
          ),
      },
      { until: "90s", output: "ndjson" },
    );
    expect(stdout.trim()).toBe(
      `{"key":"${WALLET}","change":"changed","field":"lamports","old":9007199254740993,"new":9007199254740995,"difference":2,"change_pct":0}`,
    );
  });

  test("can be selected by field and by a condition", async () => {
    const prices = [100, 101, 110];
    const { stdout, error } = await runFollowed(
      {
        route: "v2-token-meta",
        inputs: [WALLET, OTHER],
        answer: ({ searchParams, pathname }, waits, response) => {
          expect(pathname).toContain("/multi");
          const data = searchParams.getAll("address[]").map((address) => {
            return { address, price: prices[waits], holder: waits, name: `n${waits}` };
          });
          sendJson(response, JSON.stringify({ success: true, data }));
        },
      },
      { changes: "price", when: ".change_pct > 5", until: ".new > 109" },
    );
    expect(error).toBeUndefined();
    expect(linesOf(stdout)).toEqual([
      { key: WALLET, change: "changed", field: "price", old: 101, new: 110, difference: 9, change_pct: 8.910891 },
    ]);
  });

  test("of a ranked list include the rows that come and go", async () => {
    const rows = [
      ["a", "b"],
      ["b", "a"],
      ["a", "c"],
    ];
    const { stdout } = await runFollowed(
      {
        route: "v2-token-holders",
        params: { address: OTHER },
        answer: (_url, waits, response) => {
          const items = (rows[waits] ?? []).map((owner, at) => ({ address: owner, rank: at + 1, amount: 5 }));
          sendJson(response, JSON.stringify({ success: true, data: { total: 2, items } }));
        },
      },
      { until: "60s" },
    );
    expect(linesOf(stdout).map(({ key, change, field, new: now }) => [key, change, field, now])).toEqual([
      ["b", "changed", "rank", 1],
      ["a", "changed", "rank", 2],
      ["a", "changed", "rank", 1],
      ["c", "added", null, null],
      ["b", "removed", null, null],
    ]);
  });

  test("are a table with headings on a terminal", async () => {
    const { stdout } = await runFollowed(
      {
        route: "v2-account-detail",
        inputs: [WALLET],
        answer: (_url, waits, response) => sendJson(response, JSON.stringify({ success: true, data: account(waits) })),
      },
      { until: "30s" },
      120,
    );
    expect(stdout).toMatch(/FIELD\s+OLD\s+NEW\s+DIFFERENCE/i);
    expect(stdout).toMatch(/lamports\s+0\s+1\s+1/);
  });
});

test("identifiers of a file are followed until Ctrl-C, which exits with 130", async () => {
  const file = join(createTempFolder(), "wallets.txt");
  writeFileSync(file, `${BUSY} # one\n${OTHER}\n`);
  const stop = new AbortController();
  const { code, stdout } = await runInProcess(["account", "transfer", `@${file}`, "--follow", "-o", "ndjson"], {
    env: { SOLX_SANDBOX: "1", SOLX_SANDBOX_SIZE: "0.02" },
    signal: stop.signal,
    onOutput: (text) => {
      if (text.includes(BUSY)) stop.abort();
    },
  });
  expect(code).toBe(130);
  expect(linesOf(stdout).length).toBeGreaterThan(2);
  expect(linesOf(stdout)[0]).toHaveProperty("input", BUSY);
});
