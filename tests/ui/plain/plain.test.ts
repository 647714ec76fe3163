/** The plain explorer: lines in, lines out. */
import { PassThrough, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { RateLimitError } from "../../../src/base/errors.ts";
import { SIGNATURE, USDC, WALLET } from "../../../src/catalogue/samples.ts";
import { explorePlain } from "../../../src/commands/explore/explore.ts";
import type { Io } from "../../../src/commands/run/context.ts";
import { PipeClosed } from "../../../src/output/index.ts";
import { HOME, type Route } from "../../../src/ui/navigation/route.ts";
import type { Bookmark } from "../../../src/ui/navigation/view.ts";
import { runPlainExplorer } from "../../../src/ui/plain/session.ts";
import { type FakeAnswer, type FakeData, fakeData, fakeServices } from "../support.tsx";

const TRANSFERS: Route = { kind: "endpoint", endpointRoute: "v2-account-transfer", params: { address: WALLET } };
const ROWS = [1, 2, 3].map((amount) => ({
  block_time: 1_720_000_000 + amount,
  trans_id: SIGNATURE,
  from_address: WALLET,
  to_address: USDC,
  token_address: USDC,
  amount,
  token_decimals: 0,
  flow: amount === 2 ? "out" : "in",
}));

const CHAIN = {
  chaininfo: { absoluteSlot: 286_244_072, currentEpoch: 662 },
  "v2-block-last": [{ current_slot: 5, block_time: 1 }],
  "v2-token-top": { total: 1, items: [{ address: USDC, symbol: "USDC", price: 1 }] },
};

/** Runs the plain explorer with these lines; returns its output, also split at the prompts. */
async function runPlain(
  start: Route,
  lines: readonly string[],
  answers: Readonly<Record<string, FakeAnswer>> | FakeData,
  more = {},
) {
  let output = "";
  const data =
    "requests" in answers
      ? (answers as unknown as FakeData)
      : fakeData(answers as Readonly<Record<string, FakeAnswer>>);
  const feed = async function* () {
    yield* lines;
  };
  const { signal } = new AbortController();
  const write = (text: string) => {
    output += text;
  };
  await runPlainExplorer({ services: fakeServices(more), data, initialRoute: start, lines: feed(), write, signal });
  return { pieces: output.split("> "), said: output, data };
}

describe("plain mode", () => {
  test("prints rows as sentences, follows links, goes back, and sends no escape sequences", async () => {
    const { pieces, said: output } = await runPlain(TRANSFERS, ["3", "1", "b", "q", "never"], {
      "v2-account-transfer": ROWS,
      "v2-transaction-detail": { status: 1 },
    });
    expect(pieces).toHaveLength(5);
    expect(pieces[0]).toMatch(/account transfer 5Q54…e4j1:\nRows 1 to 3 of 3\.\n1\. /);
    expect(pieces[0]).toMatch(/3\. .*flow: in; .*amount: 3/);
    expect(pieces[1]).toMatch(/Links of row 3:\n1\. signature: transaction/);
    expect(pieces[2]).toMatch(/^transaction /);
    expect(pieces[3]).toMatch(/Rows 1 to 3 of 3/);
    expect(output).not.toMatch(/[\u001B\r│─╭⠋]/);
  });

  test("filters, sorts, sets API filters, and prints all fields of a row", async () => {
    const { pieces, data } = await runPlain(
      TRANSFERS,
      ["/out", "/", "s amount", "s nothing", "F", "F flow up", "F flow in", "i 1", "i 9"],
      {
        "v2-account-transfer": ROWS,
      },
    );
    expect(pieces[1]).toMatch(/1 match out\.\n1\. .*amount: 2/);
    expect(pieces[2]).not.toMatch(/match/);
    expect(pieces[3]).toMatch(/sorted by amount in descending order, this page only\.[\s\S]*1\. .*amount: 3/);
    expect(pieces[4]).toMatch(/Unknown column nothing\. Columns: .*amount/);
    expect(pieces[5]).toMatch(/flow: .*one of in, out/);
    expect(pieces[6]).toMatch(/must be one of|in.*out/);
    expect(data.requests.at(-1)?.params).toMatchObject({ address: WALLET, flow: "in" });
    expect(pieces[8]).toMatch(new RegExp(`trans id: ${SIGNATURE} \\[`));
    expect(pieces[9]).toMatch(/No row 9 here/);
  });

  test("turns pages, and reports the first and the last one", async () => {
    const page = (from: number) => Array.from({ length: 10 }, (_, at) => ({ ...ROWS[0], amount: from + at }));
    const rows = ({ page: number = 1 }) => (Number(number) === 1 ? page(1) : ROWS);
    const { pieces } = await runPlain(TRANSFERS, ["p", "n", "n", "p"], { "v2-account-transfer": rows });
    expect(pieces[1]).toMatch(/This is the first page/);
    expect(pieces[2]).toMatch(/Rows 11 to 13 of 13/);
    expect(pieces[3]).toMatch(/This is the last page/);
    expect(pieces[4]).toMatch(/Rows 1 to 10\./);
  });

  test("opens typed identifiers, finds commands by name and prompts for required values", async () => {
    const lines = [USDC, ":token holders", "1", "nonsense", USDC, "H", "U", "?", "zzqqxxw"];
    const { pieces } = await runPlain(HOME, lines, {
      "v2-token-meta": { symbol: "USDC" },
      "v2-account-detail": { account: USDC, type: "pool" },
      "v2-account-metadata": { account_label: "A mint" },
      "v2-account-portfolio": {},
      "v2-token-holders": { total: 0, items: [] },
      "v2-monitor-usage": { remaining_cus: 5 },
      ...CHAIN,
    });
    expect(pieces[0]).toMatch(
      /home:\nepoch 662: 60%; slot: 286,244,072.*\nlatest blocks:\n1\. slot: 5[\s\S]*top tokens:\n2\. symbol: USDC[\s\S]*Links:\n3\. /,
    );
    expect(pieces[1]).toMatch(/account USDC:\nA mint EPjF\w+Dt1v\n[\s\S]*kind: pool\n[\s\S]*Tabs:\n1\. portfolio\n/);
    expect(pieces[2]).toMatch(/Results:\n1\. token holders/);
    expect(pieces[3]).toMatch(/\? Type it/);
    expect(pieces[4]).toMatch(/nonsense|Base58|base58|address/i);
    expect(pieces[5]).toMatch(/^token holders USDC:/);
    expect(pieces[8]).toMatch(/all fields of row 3/);
    expect(pieces[9]).toMatch(/No results for zzqqxxw/);
  });

  test("rejects unavailable commands, finds lines of a detail, and prints scalar items as one sentence each", async () => {
    const tokens = [1, 2].map((balance) => ({ token_address: USDC, balance, token_icon: "https://x.example/i.png" }));
    const lines = ["c", "1 2", "i", "x 3", "n", "/entry 2", "/nowhere"];
    const { pieces } = await runPlain(
      { kind: "endpoint", endpointRoute: "v2-account-portfolio", params: { address: WALLET } },
      lines,
      {
        "v2-account-portfolio": { total_value: 5, tokens },
      },
    );
    expect(pieces[0]).toMatch(/entry 1: token address: EPj\S+ \[1\]; balance: 1\n.*entry 2: /);
    expect(pieces[1]).toMatch(/^c is not available in plain mode\. Type \? for help\./);
    expect(pieces[2]).toMatch(/^Enter one number at a time/);
    expect(pieces[3]).toMatch(/^i requires a row number/);
    expect(pieces[4]).toMatch(/^x is not available/);
    expect(pieces[5]).toMatch(/^Not a list/);
    expect(pieces[6]).toMatch(/^entry 2: /m);
    expect(pieces[7]).toMatch(/^No lines match nowhere\./);
  });

  test("prints failures and waits", async () => {
    const data = fakeData({ "v2-account-transfer": new RateLimitError("Too many requests.") });
    const { said: output } = await runPlain(TRANSFERS, ["!", "j"], data);
    expect(output).toMatch(/Too many requests/);
    expect(output).toMatch(/solx --sandbox account transfer/);
    expect(output).toMatch(/No data here/);
  });

  test.each([
    ["EPIPE", PipeClosed],
    ["ENOSPC", "The output cannot be written: the disk is full."],
  ])("ends when output cannot be written: %s", async (code, failure) => {
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
    });
    const stdin = new PassThrough();
    const io = { stdin, stdout, signal: new AbortController().signal } as unknown as Io;
    const talking = explorePlain(fakeServices(), { kind: "page", page: "bookmarks" }, io);
    stdin.write("b\n");
    await expect(talking).rejects.toThrow(failure);
  });

  test("prints progress now and then, not at each step", async () => {
    const onNote = (listener: (text: string) => void) => {
      for (const note of ["Making it: 1 %", "Making it: 2 %", "Done."]) listener(note);
      return () => {};
    };
    const { said: output } = await runPlain(HOME, [], CHAIN, { onNote });
    expect(output.match(/Making it/g)).toHaveLength(1);
    expect(output).toMatch(/Done\./);
  });

  test("stores bookmarks, and lists them", async () => {
    let bookmarks: readonly Bookmark[] = [];
    const memory = {
      ...fakeServices().memory,
      bookmarks: () => bookmarks,
      setBookmarks: async (now: readonly Bookmark[]) => {
        bookmarks = now;
      },
    };
    const { pieces } = await runPlain(TRANSFERS, ["+", "B", "1"], { "v2-account-transfer": ROWS }, { memory });
    expect(pieces[1]).toMatch(/Bookmarked account transfer/);
    expect(pieces[2]).toMatch(/bookmarks:\nLinks:\n1\. bookmark: account transfer 5Q54…e4j1/);
    expect(pieces[3]).toMatch(/^account transfer/);
  });

  test("never prints control characters from the chain", async () => {
    const rows = [{ ...ROWS[0], flow: "\u001B[2Jin", extra: "\u202Eevil" }];
    const { said: output } = await runPlain(TRANSFERS, ["i 1", "j"], { "v2-account-transfer": rows });
    expect(output).not.toMatch(/[\u001B\u202E]/);
  });
});
