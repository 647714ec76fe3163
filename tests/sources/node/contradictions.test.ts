/** Answers of nodes that contradict what was asked, or another answer: errors, never rows of something else. */
import { describe, expect, test } from "vitest";
import { isArray, type Json, type JsonObject } from "../../../src/base/index.ts";
import { PROGRAM, WRAPPED_SOL } from "../../../src/catalogue/index.ts";
import { createClient } from "../../../src/sources/index.ts";
import type { AnswerContext } from "../../../src/sources/node/answer.ts";
import { SignatureReader } from "../../../src/sources/node/calls/signatures.ts";
import { createSession } from "../../../src/sources/node/index.ts";
import { SignatureFeed } from "../../../src/sources/node/walk/signatures.ts";
import { useScenario } from "../../support/node/use-test-node.ts";
import { answer, connect } from "./answers.ts";

const shared = useScenario();
const MALFORMED = { code: "MALFORMED_ANSWER", exit: "server" };
const MISSING = { code: "MISSING_HISTORY", exit: "incomplete" };

type Change = (result: Json, params: readonly Json[], ask: (params: readonly Json[]) => Promise<Json>) => unknown;
type Name = keyof typeof shared.scenario.addresses | keyof typeof shared.scenario.signatures;
/** The endpoint, its one parameter with the name of its value in the story, the method, and what happens to its results. */
type Case = readonly [
  what: string,
  route: string,
  params: Readonly<Record<string, Name | number>>,
  method: string,
  change: Change,
];

/** Answers a request from the story, in which the results of one method are changed. */
async function answerWith([, route, params, method, change]: Case, report?: AnswerContext["report"]) {
  await using client = createClient({ rpc: shared.node.url });
  const real = client.node();
  const node = connect(async (called, sent) => {
    const result = await real.call(called, sent);
    if (called !== method) return result;
    return (await change(result, sent, (other) => real.call(method, other))) as Json;
  });
  const { addresses, signatures } = shared.scenario;
  const values: Readonly<Record<string, unknown>> = { ...addresses, ...signatures };
  const named = Object.entries(params).map(([name, value]) => [name, String(values[value] ?? value)]);
  const result = await answer(node, route, Object.fromEntries(named), report);
  return "data" in result ? result.data : result.csv;
}

const rows = (value: Json | undefined): readonly JsonObject[] =>
  isArray(value ?? null) ? (value as JsonObject[]) : [];
const each = (change: (row: JsonObject) => unknown) => (result: Json) => rows(result).map(change);
/** Changes the rows in the `value` of a result, and other members of the rows. */
const inValue = (change: (value: Json) => unknown) => (result: Json) => ({
  ...(result as JsonObject),
  value: change((result as JsonObject).value as Json),
});
const ofMember = (name: string, change: (member: JsonObject) => unknown) => (row: JsonObject) => ({
  ...row,
  [name]: change(row[name] as JsonObject),
});
const withMember = (name: string, value: unknown) => (row: Json) => ({ ...(row as JsonObject), [name]: value });
const quoted = (_: string, value: unknown) => (typeof value === "number" ? String(value) : value);
/** Leaves out an option of a call, as nodes do that ignore it. */
const without =
  (...options: readonly string[]): Change =>
  (_, [subject, given], ask) =>
    ask([
      subject as Json,
      Object.fromEntries(Object.entries(given as JsonObject).filter(([name]) => !options.includes(name))),
    ]);
/** Asks for another subject. */
const ofOther =
  (name: Name): Change =>
  (_, [, ...rest], ask) =>
    ask([(shared.scenario.addresses as Readonly<Record<string, unknown>>)[name] as Json, ...rest]);
const blocks =
  (change: (slots: number[]) => unknown): Change =>
  (result) =>
    change([...(result as number[])]);

/** Changes the parsed mint among accounts. */
const inMint = (change: (info: JsonObject) => unknown): Change =>
  inValue((list) => {
    const text = JSON.stringify(list);
    return JSON.parse(text, (name, value) => (name === "info" && "decimals" in value ? change(value) : value));
  });

const MANY = { page_size: 40, page: 1 } as const;
const HOLDERS = { address: "mint", ...MANY } as const;

const CONTRADICTIONS: readonly Case[] = [
  ["filters are ignored", "v2-token-holders", HOLDERS, "getProgramAccounts", without("filters")],
  [
    "another program is listed",
    "v2-token-holders",
    HOLDERS,
    "getProgramAccounts",
    each(ofMember("account", withMember("owner", "11111111111111111111111111111111") as never)),
  ],
  [
    "accounts are too short",
    "v2-token-holders",
    HOLDERS,
    "getProgramAccounts",
    each(ofMember("account", withMember("data", ["AAAA", "base64"]) as never)),
  ],
  ["filters are ignored", "v2-account-stake", { address: "bob" }, "getProgramAccounts", without("filters")],
  [
    "a stake has no authorities",
    "v2-account-stake",
    { address: "alice" },
    "getProgramAccounts",
    each(
      ofMember("account", (account) =>
        ofMember("data", (data) => ofMember("parsed", (parsed) => ({ ...parsed, info: {} }))(data))(account),
      ),
    ),
  ],
  [
    "the list is that of another address",
    "v2-account-transactions",
    { address: "bob" },
    "getSignaturesForAddress",
    ofOther("validator"),
  ],
  [
    "the list is that of another address",
    "v2-account-transactions-enhanced",
    { address: "bob", encoding: "json" as never },
    "getSignaturesForAddress",
    ofOther("validator"),
  ],
  [
    "the list says that a transaction failed",
    "v2-account-transactions",
    { address: "bob" },
    "getSignaturesForAddress",
    each(withMember("err", "AccountInUse")),
  ],
  [
    "the list has other slots",
    "v2-account-transactions",
    { address: "bob" },
    "getSignaturesForAddress",
    each((row) => ({ ...row, slot: Number(row.slot) - 1 })),
  ],
  [
    "an error is no error",
    "v2-transaction-detail",
    { tx: "failedSolTransfer" },
    "getTransaction",
    (result) => ofMember("meta", (meta) => ({ ...meta, err: {} }))(result as JsonObject),
  ],
  [
    "called instructions belong to none",
    "v2-transaction-actions",
    { tx: "tokenTransfer" },
    "getTransaction",
    (result) =>
      ofMember("meta", (meta) => ({ ...meta, innerInstructions: [{ index: 77, instructions: [] }] }))(
        result as JsonObject,
      ),
  ],
  [
    "a balance is negative",
    "v2-account-detail",
    { address: "bob" },
    "getMultipleAccounts",
    inValue(each((row) => row && { ...row, lamports: -5 })),
  ],
  ...[null, undefined, -6, 6.5, 6000].map(
    (decimals): Case => [
      `decimals are ${decimals}`,
      "token-meta",
      { tokenAddress: "mint" },
      "getMultipleAccounts",
      inMint(withMember("decimals", decimals) as never),
    ],
  ),
  [
    "nothing is said about who may mint",
    "v2-token-meta",
    { address: "mint" },
    "getMultipleAccounts",
    inMint(({ mintAuthority: _, ...info }) => info),
  ],
  [
    "an account has no address",
    "v2-token-holders",
    HOLDERS,
    "getProgramAccounts",
    each(withMember("pubkey", "") as never),
  ],
  [
    "a rent epoch is negative",
    "v2-account-detail",
    { address: "bob" },
    "getMultipleAccounts",
    inValue(each((row) => row && { ...row, rentEpoch: -5 })),
  ],
  [
    "a balance is a text",
    "v2-account-detail",
    { address: "bob" },
    "getMultipleAccounts",
    inValue(each((row) => row && { ...row, lamports: String(row.lamports) })),
  ],
  ...["fee", "preBalances", "postBalances"].map(
    (name): Case => [
      `${name} are texts`,
      "v2-transaction-detail",
      { tx: "solTransfer" },
      "getTransaction",
      (result) =>
        ofMember("meta", (meta) => ({ ...meta, [name]: JSON.parse(JSON.stringify(meta[name]), quoted) }))(
          result as JsonObject,
        ),
    ],
  ),
  [
    "stake is a text",
    "node-validators",
    {},
    "getVoteAccounts",
    (result) => ofMember("current", each(withMember("activatedStake", "5")) as never)(result as JsonObject),
  ],
  [
    "bytes are missing",
    "v2-token-meta",
    { address: "mint" },
    "getMultipleAccounts",
    inValue(each((row) => row && { ...row, space: 82, data: ["AAAA", "base64"] })),
  ],
  ...(["v2-block-transactions", "block-transactions"] as const).map(
    (route): Case => [
      "the leader was paid by transactions that are not listed",
      route,
      { block: 1020 },
      "getBlock",
      withMember("transactions", []),
    ],
  ),
  ...(
    ["v2-block-detail", "v2-block-transactions", "block-detail", "block-transactions", "node-block-programs"] as const
  ).map(
    (route): Case => [
      "the block is that of another slot",
      route,
      { block: 1020 },
      "getBlock",
      (_, [, options], ask) => ask([1003, options as Json]),
    ],
  ),
  [
    "the leader was paid by transactions that are not counted",
    "v2-block-detail",
    { block: 1020 },
    "getBlock",
    withMember("signatures", []),
  ],
  [
    "the leader was paid twice",
    "v2-block-detail",
    { block: 1020 },
    "getBlock",
    (result) => ofMember("rewards", (list) => [...rows(list), ...rows(list)])(result as JsonObject),
  ],
  [
    "the leader paid",
    "v2-block-detail",
    { block: 1020 },
    "getBlock",
    (result) => ofMember("rewards", each(withMember("lamports", -1)) as never)(result as JsonObject),
  ],
  ["the parent is later", "v2-block-detail", { block: 1020 }, "getBlock", withMember("parentSlot", 1025)],
  ["the time is negative", "v2-block-detail", { block: 1020 }, "getBlock", withMember("blockTime", -5)],
  [
    "transactions are repeated",
    "v2-block-transactions",
    { block: 1020 },
    "getBlock",
    (result) => ({
      ...(result as JsonObject),
      transactions: rows((result as JsonObject).transactions).flatMap((one) => [one, one]),
    }),
  ],
  [
    "transactions are repeated",
    "block-transactions",
    { block: 1020 },
    "getBlock",
    (result) => ({
      ...(result as JsonObject),
      transactions: rows((result as JsonObject).transactions).flatMap((one) => [one, one]),
    }),
  ],
  [
    "metadata is that of another mint",
    "v2-token-meta",
    { address: "mint" },
    "getMultipleAccounts",
    inValue((list) => (rows(list).length > 1 ? rows(list).toReversed() : list)),
  ],
  [
    "accounts are those of the other program",
    "v2-account-portfolio",
    { address: "bob" },
    "getTokenAccountsByOwner",
    (_, [owner, , options], ask) => ask([owner as Json, { programId: PROGRAM.token }, options as Json]),
  ],
  [
    "accounts are those of the other program",
    "v2-account-transfer",
    { address: "bob" },
    "getTokenAccountsByOwner",
    (_, [owner, , options], ask) => ask([owner as Json, { programId: PROGRAM.token }, options as Json]),
  ],
  [
    "all lists are that of one token account",
    "v2-account-transfer",
    { address: "bob", ...MANY },
    "getSignaturesForAddress",
    ofOther("bobToken"),
  ],
  [
    "rewards are of another epoch",
    "v2-account-stake-reward",
    { address: "stake", from_time: 1_600_000_000 },
    "getInflationReward",
    each((row) => row && { ...row, epoch: Number(row.epoch) + 1 }),
  ],
  [
    "the commission is no percentage",
    "v2-account-stake-reward",
    { address: "stake", from_time: 1 },
    "getInflationReward",
    each((row) => row && { ...row, commission: -1 }),
  ],
  ...(
    [
      ["v2-account-stake-reward", { address: "stake", from_time: 1 }, "getBlockTime", () => 1_720_180_800_000],
      ["v2-transaction-detail", { tx: "solTransfer" }, "getTransaction", withMember("blockTime", 1_720_180_800_000)],
      ["v2-block-detail", { block: 1020 }, "getBlock", withMember("blockTime", 1_720_180_800_000)],
    ] as const
  ).map((request): Case => ["times are milliseconds", ...request]),
  [
    "a delegated stake has no delegation",
    "v2-account-stake",
    { address: "alice" },
    "getProgramAccounts",
    each(
      ofMember("account", (account) =>
        ofMember("data", (data) =>
          ofMember("parsed", (parsed) => ofMember("info", (info) => ({ ...info, stake: null }))(parsed))(data),
        )(account),
      ),
    ),
  ],
  [
    "an account has no address",
    "v2-account-leaderboard",
    {},
    "getLargestAccounts",
    inValue(each(withMember("address", "") as never)),
  ],
  ["no account has SOL", "v2-account-leaderboard", {}, "getLargestAccounts", inValue(() => [])],
  [
    "slots are outside the range",
    "v2-block-last",
    {},
    "getBlocks",
    blocks((slots) => slots.map((slot) => slot + 1_000_000)),
  ],
  [
    "a block is that of several slots",
    "v2-block-last",
    {},
    "getBlock",
    (_, [, options], ask) => ask([1003, options as Json]),
  ],
  [
    "validators are repeated",
    "node-validators",
    {},
    "getVoteAccounts",
    (result) => ({ ...(result as JsonObject), delinquent: (result as JsonObject).current }),
  ],
  [
    "stake is negative",
    "node-validators",
    {},
    "getVoteAccounts",
    (result) => ofMember("current", each(withMember("activatedStake", -1)) as never)(result as JsonObject),
  ],
];

test.each(CONTRADICTIONS)("%s: %s %j", async (...request) => {
  await expect(answerWith(request)).rejects.toMatchObject(MALFORMED);
});

test("a slot of more transactions than fit ends a list", async () => {
  let listed = 0;
  const node = connect(() => Array.from({ length: 50_000 }, () => ({ signature: String(++listed), slot: 7 })));
  const reader = new SignatureReader({ node, session: createSession(), sending: {} }, "one");
  await expect(reader.take(1_000_000)).rejects.toMatchObject({ code: "STUCK", exit: "incomplete" });
  expect(listed).toBe(150_000);
});

const LATEST = ["v2-block-last", "v2-transaction-last", "transaction-last"];
const ABSENT: readonly Case[] = [
  ["listed blocks are not returned", "v2-block-last", {}, "getBlock", () => null],
  ["listed blocks are not returned", "v2-transaction-last", {}, "getBlock", () => null],
  ["no block is listed", "v2-block-last", {}, "getBlocks", () => []],
  ...LATEST.map(
    (route): Case => [
      "no block is listed near the newest slot",
      route,
      {},
      "getBlocks",
      (result, [, end]) => (rows(result).length > 0 && Number(end) >= shared.node.chain.tip.slot ? [] : result),
    ],
  ),
  ...LATEST.map(
    (route): Case => [
      "a block is not listed",
      route,
      { limit: 40 },
      "getBlocks",
      blocks((slots) => slots.toSpliced(-2, 1)),
    ],
  ),
  ...LATEST.map(
    (route): Case => [
      "a block is of another fork",
      route,
      { limit: 40 },
      "getBlock",
      (result, [slot]) => (Number(slot) % 2 === 0 ? withMember("blockhash", `fork ${slot}`)(result) : result),
    ],
  ),
  ...["v2-block-detail", "v2-block-transactions", "block-detail", "block-transactions", "node-block-programs"].map(
    (route): Case => ["a block is nothing", route, { block: 1020 }, "getBlock", () => null],
  ),
];

test.each(ABSENT)("%s: %s %j", async (...request) => {
  await expect(answerWith(request)).rejects.toMatchObject(MISSING);
});

const same: Change = (result) => result;

/** What is right of these answers may be a part, and they say so. */
const NOTED: readonly (readonly [note: RegExp, ...Case])[] = [
  [/no block in slot 1009/, "a slot was skipped", "v2-block-transactions", { block: 1009 }, "getBlock", same],
  [/no block in slot 1009/, "a slot was skipped", "block-transactions", { block: 1009 }, "getBlock", same],
  ...[HOLDERS, { ...HOLDERS, page_size: 10 } as const].map((params, at): (typeof NOTED)[number] => [
    /add up to \d+, the supply is \d+/,
    "a holder is missing",
    "v2-token-holders",
    params,
    at === 0 ? "getProgramAccounts" : "getTokenLargestAccounts",
    at === 0 ? (result) => rows(result).slice(1) : inValue((list) => rows(list).slice(0, -1)),
  ]),
  ...LATEST.map((route): (typeof NOTED)[number] => [
    /history of the node begins at slot/,
    "older blocks are not listed",
    route,
    { limit: 60 },
    "getBlocks",
    (result, [, end]) => (Number(end) < shared.node.chain.tip.slot ? [] : result),
  ]),
  ...(
    [
      ["v2-account-transactions", { address: "bob" }, 3],
      ["v2-account-transactions-enhanced", { address: "bob", encoding: "json" as never }, 3],
      ["v2-account-transfer", { address: "bob", ...MANY }, 2],
      ["v2-account-balance-change", { address: "bob", ...MANY }, 2],
    ] as const
  ).map(([route, params, left]): (typeof NOTED)[number] => [
    /change between the slots \d+ and \d+ without a transaction/,
    "a transaction is left out",
    route,
    params,
    "getSignaturesForAddress",
    (result) => rows(result).filter((_, at) => at !== left),
  ]),
  [/no rewards/, "rewards are missing", "node-block-rewards", { block: 1020 }, "getBlock", withMember("rewards", null)],
];

test.each([
  ["in their lists", [4, 2, 3], [], ["b", "c", "a"]],
  ["in their block, where the lists have the same for all", [0, 0, 0], ["c", "a", "b"], ["c", "a", "b"]],
  ["nowhere", [undefined, undefined, undefined], ["c", "a"], undefined],
] as const)("transactions of a slot have the order that is %s", async (_, indexes, signatures, expected) => {
  const row = (signature: string, at: number) => ({ signature, slot: 7, transactionIndex: indexes[at] ?? null });
  const lists: Readonly<Record<string, readonly JsonObject[]>> = {
    one: [row("a", 0), row("b", 1)],
    two: [row("c", 2)],
  };
  const block = { parentSlot: 6, blockhash: "hash", previousBlockhash: "before", rewards: [], signatures };
  const node = connect((method, [subject, options]) => {
    if (method === "getBlock") return block;
    if (method === "getSlot") return 9;
    const list = lists[String(subject)] ?? [];
    return list.slice(list.findIndex(({ signature }) => signature === (options as JsonObject).before) + 1);
  });
  const feed = new SignatureFeed(
    { node, session: createSession(), sending: {} },
    { addresses: ["one", "two"], direction: "oldest", window: [undefined, undefined] },
  );
  const order = feed.peek(3).then((list) => list.map(({ signature }) => signature));
  if (expected) expect(await order).toEqual(expected);
  else await expect(order).rejects.toMatchObject(MALFORMED);
});

describe("rewards of an account", () => {
  /** The current epoch; an epoch has two slots and takes a thousand seconds. */
  const EPOCH = 20;
  const timeOf = (slot: number) => (slot / 2) * 1000;
  const ALL = 1;

  /** Returns the epochs of the rewards in a window, and the notes, where the account was rewarded for some epochs. */
  async function rewardsOf(rewarded: readonly number[], account: Json, from_time: number) {
    await using client = createClient({ rpc: shared.node.url });
    const real = client.node();
    const cluster: Readonly<Record<string, (params: readonly Json[]) => Json>> = {
      getEpochInfo: () => ({ epoch: EPOCH }),
      getEpochSchedule: () => ({ slotsPerEpoch: 2, firstNormalEpoch: 0, firstNormalSlot: 0 }),
      getBlocks: ([first = 0]) => [first],
      getBlockTime: ([slot]) => timeOf(Number(slot)),
      getInflationReward: ([, options]) => {
        const epoch = Number((options as JsonObject).epoch);
        const reward = { epoch, effectiveSlot: 2 * (epoch + 1), amount: 5, postBalance: 7, commission: 8 };
        return [rewarded.includes(epoch) ? reward : null];
      },
    };
    const node = connect(async (method, params) => cluster[method]?.(params) ?? real.call(method, params));
    const texts: string[] = [];
    const params = { address: String(account), from_time: String(from_time), page_size: "40" };
    const { data } = (await answer(node, "v2-account-stake-reward", params, (report) => {
      if (report.type === "coverage") texts.push(report.text);
    })) as { data: Json };
    return { epochs: rows(data).map(({ epoch }) => epoch), texts };
  }
  const OLDER = /no reward in the epochs \d+ to \d+, and older ones were not read/;

  test("are read from before its delegation, which may be another one", async () => {
    const { stake } = shared.scenario.addresses;
    const { delegationEpoch } = shared.scenario;
    expect(delegationEpoch).toBeGreaterThan(0);
    const all = Array.from({ length: EPOCH }, (_, at) => EPOCH - 1 - at);
    const { epochs, texts } = await rewardsOf(all, stake, ALL);
    expect(epochs).toEqual(all);
    expect(texts).toEqual([]);
  });

  test("are noted as unread after fifteen epochs without one, unless these are older than the window", async () => {
    const { stake } = shared.scenario.addresses;
    expect(await rewardsOf([], stake, ALL)).toEqual({ epochs: [], texts: [expect.stringMatching(OLDER)] });
    expect(await rewardsOf([18], stake, ALL)).toEqual({ epochs: [18], texts: [] });
    expect(await rewardsOf([], stake, timeOf(2 * 4))).toEqual({ epochs: [], texts: [expect.stringMatching(OLDER)] });
    expect(await rewardsOf([], stake, timeOf(2 * 6))).toEqual({ epochs: [], texts: [] });
  });

  test("are read of one that is closed, and not of a wallet", async () => {
    const closed = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin";
    expect(await rewardsOf([18], closed, timeOf(2 * 6))).toEqual({ epochs: [18], texts: [] });
    const { bob } = shared.scenario.addresses;
    expect(await rewardsOf([18], bob, ALL)).toEqual({ epochs: [], texts: [] });
  });
});

test.each(NOTED)("%s is noted: %s %s %j", async (note, ...request) => {
  const texts: string[] = [];
  await answerWith(request, (report) => {
    if (report.type === "coverage") texts.push(report.text);
  });
  // A client repeats no text.
  expect([...new Set(texts)]).toEqual([expect.stringMatching(note)]);
});

describe("what can be made right is", () => {
  test("slots that are listed twice, and in another order", async () => {
    const ask = (change: Change) => answerWith(["", "v2-block-last", {}, "getBlocks", change]);
    expect(await ask(blocks((slots) => [...slots, ...slots].reverse()))).toEqual(await ask(same));
  });

  test("accounts that are more than were asked for, where the node returns one at a time", async () => {
    const ask = (change: Change) =>
      answerWith(["", "v2-account-detail", { address: "bob" }, "getMultipleAccounts", change]);
    expect(await ask(inValue((list) => [null, ...rows(list)]))).toEqual(await ask(same));
  });

  test("accounts that one of two methods does not have", async () => {
    for (const method of ["getMultipleAccounts", "getAccountInfo"]) {
      const ask = (change: Change) => answerWith(["", "v2-account-detail", { address: "bob" }, method, change]);
      const absent = (result: Json) => ({
        ...(result as JsonObject),
        value: method === "getAccountInfo" ? null : [null],
      });
      expect(await ask(absent)).toEqual(await ask(same));
    }
  });

  test("holders that are listed twice, and in another order", async () => {
    const twice = (list: Json) => [...rows(list), ...rows(list)].reverse();
    const ask = (params: Case[2], method: string, change: Change) =>
      answerWith(["", "v2-token-holders", params, method, change], (report) => expect(report).toBeUndefined());
    for (const address of ["mint", "feeMint", "hugeMint", WRAPPED_SOL as Name] as const) {
      const few = { address, page_size: 10, page: 1 };
      const many = { address, ...MANY };
      const [all, largest] = [await ask(many, "getProgramAccounts", same), await ask(few, "", same)];
      expect(all).toEqual(largest);
      expect(await ask(many, "getProgramAccounts", twice)).toEqual(all);
      expect(await ask(few, "getTokenLargestAccounts", inValue(twice))).toEqual(largest);
    }
  });

  test("the accounts with the most SOL, and items, that are listed twice and in another order", async () => {
    const ask = (change: Change) => answerWith(["", "v2-account-leaderboard", {}, "getLargestAccounts", change]);
    expect(await ask(inValue((list) => [...rows(list), ...rows(list)].reverse()))).toEqual(await ask(same));
  });

  test("token accounts that the node does not parse", async () => {
    const ask = (route: string, change: Change) =>
      answerWith(["", route, { address: "bob" }, "getTokenAccountsByOwner", change]);
    const unparsed: Change = (_, [owner, filter, options], call) =>
      call([owner as Json, filter as Json, { ...(options as JsonObject), encoding: "base64" }]);
    for (const route of ["v2-account-token-accounts", "v2-account-portfolio"])
      expect(await ask(route, unparsed)).toEqual(await ask(route, same));
  });

  test("largest accounts of another mint, where the node lists all", async () => {
    const ask = (change: Change) =>
      answerWith(["", "v2-token-holders", { address: "mint", page_size: 10 }, "getTokenLargestAccounts", change]);
    expect(await ask(ofOther("hugeMint"))).toEqual(await ask(same));
  });

  test("samples of performance that are listed oldest first", async () => {
    const ask = (change: Change) => answerWith(["", "node-performance", {}, "getRecentPerformanceSamples", change]);
    expect(await ask((result) => rows(result).toReversed())).toEqual(await ask(same));
  });
});
