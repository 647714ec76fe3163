/** The explorer with a Solana node: every kind of page at three sizes, and what a node cannot answer. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeSupportOf } from "../../src/catalogue/index.ts";
import { SYSVAR } from "../../src/chain/solana/index.ts";
import type { ConnectedClient } from "../../src/sources/index.ts";
import { createClient, describeSource } from "../../src/sources/index.ts";
import { createSession, loadInspect } from "../../src/sources/node/index.ts";
import { ENTITY_KINDS, type EntityKind } from "../../src/ui/navigation/entity-pages.ts";
import type { Route } from "../../src/ui/navigation/route.ts";
import type { Services } from "../../src/ui/navigation/services.ts";
import { useScenario } from "../support/node/use-test-node.ts";
import { renderExplorer, type TestExplorer } from "./support.tsx";

const shared = useScenario();
let client: ConnectedClient;
beforeAll(() => {
  client = createClient({ rpc: shared.node.url });
});
afterAll(() => client.close());

/** Services of a run with `--rpc`. */
function nodeServices(): Partial<Services> {
  return {
    identity: { profile: undefined, isSandbox: false, hasKey: true, plan: "", rate: undefined, units: Infinity },
    supports: (endpoint) => nodeSupportOf(endpoint).level !== "none",
    now: Date.now,
    source: describeSource({ kind: "rpc", name: "test node" }),
    async inspect(text, signal) {
      const { inspectTransaction } = await loadInspect();
      const context = { node: client.node(), session: createSession(), sending: { signal } };
      return inspectTransaction(text, context, { simulate: true, strict: false });
    },
  };
}

const open = (route: Route, width = 120, height = 40): TestExplorer =>
  renderExplorer({ route, width, height, client, services: nodeServices() });

const entity = (kind: EntityKind, id: string): Route => ({ kind: "entity", entity: kind, id });
const address = (name: string): string => String((shared.scenario.addresses as Record<string, unknown>)[name]);
const signature = (name: string): string => String((shared.scenario.signatures as Record<string, unknown>)[name]);

/** Text that no screen may contain. */
const FORBIDDEN = /\bundefined\b|\bNaN\b|\[object \w+\]|Infinity|\uFFFD/;

/** Asserts the rules of every screen: each line fits, nothing is unformatted, the node is named. */
function checkScreen(terminal: TestExplorer, width: number): void {
  const frame = terminal.frame();
  expect(frame).not.toMatch(FORBIDDEN);
  expect(Math.max(...frame.split("\n").map((line) => [...line].length))).toBeLessThanOrEqual(width);
  expect(frame.split("\n")[0]).toContain("test node");
}

/** A page: its route, text of the loaded page, and text of each of its first tabs. */
type PageCase = readonly [name: string, route: () => Route, shows: RegExp, tabs?: readonly RegExp[]];
const PAGES: readonly PageCase[] = [
  [
    "home",
    () => ({ kind: "page", page: "home" }),
    /live every \d+s · a pause[\s\S]*cluster.*epoch \d+[\s\S]*local or private[\s\S]*latest (blocks|transactions)/,
  ],
  ["validators", () => ({ kind: "page", page: "validators" }), /activated stake/],
  ["epoch", () => entity("epoch", "1"), /first slot/],
  ["wallet", () => entity("account", address("alice")), /kind wallet/, [/SOL and \d+ tokens/]],
  ["token account", () => entity("account", address("aliceToken")), /kind token account[\s\S]*owner +\w{32}/],
  ["token account with extensions", () => entity("account", address("aliceFee")), /transfer fee amount/],
  ["multisig", () => entity("account", address("multisig")), /required signatures +2[\s\S]*Signers 3/],
  ["stake", () => entity("account", address("stake")), /delegation[\s\S]*voter +\w{32}[\s\S]*active +30 SOL/],
  ["vote", () => entity("account", address("vote")), /commission +7[\s\S]*Authorised voters 1/],
  ["nonce", () => entity("account", address("nonce")), /kind nonce account[\s\S]*blockhash +\w{32}/],
  ["lookup table", () => entity("account", address("lookupTable")), /deactivation slot +never[\s\S]*Addresses 3/],
  ["clock", () => entity("account", SYSVAR.clock), /unix timestamp +\d{4}-\d\d-\d\d/],
  ["rent", () => entity("account", SYSVAR.rent), /lamports per byte/],
  ["slot hashes", () => entity("account", SYSVAR.slotHashes), /Entries \d+[\s\S]*slot/],
  ["metadata", () => entity("account", address("nftMetadata")), /kind token metadata[\s\S]*Creators 1/],
  ["nobody", () => entity("account", "43GSck5H2Xg7h4mSFZpDSvmGRZskwqiFMdGy4D76R5Re"), /kind no account/],
  ["mint", () => entity("token", address("mint")), /SCUSD[\s\S]*supply +[\d,.]+[\s\S]*freeze authority/],
  ["mint with extensions", () => entity("token", address("feeMint")), /Extensions 5[\s\S]*transfer fee config/],
  ["program", () => entity("program", "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"), /upgrade authority +none/],
  [
    "transaction",
    () => entity("transaction", signature("innerTransfer")),
    /✔ success/,
    [/\w/, /28,\d{3}[\s\S]*1\.1 /, /SOL/, /invoke \[1\]/, /signer/, /Compute units/],
  ],
  [
    "failed transaction",
    () => entity("transaction", signature("failedTokenTransfer")),
    /✖ Instruction \d.* failed: .*insufficient/,
  ],
  ["version 1", () => entity("transaction", signature("version1Transfer")), /version +1/],
];

const SIZES = [
  [80, 24],
  [120, 40],
  [200, 60],
] as const;

describe.each(SIZES)("at %i × %i", (width, height) => {
  test.each(PAGES.map((page) => ({ name: page[0], page })))("$name", async ({ page: [, route, shows, tabs = []] }) => {
    const terminal = open(route(), width, height);
    await terminal.waitFor(height === 24 ? new RegExp(shows.source.split("[\\s\\S]*")[0] ?? "") : shows);
    checkScreen(terminal, width);
    for (const [at, pattern] of tabs.entries()) {
      await terminal.press(`${at + 1}`);
      await terminal.waitFor(pattern);
      checkScreen(terminal, width);
    }
  });
});

test("a block has its programs, accounts and rewards", async () => {
  const known = await client.node().call("getTransaction", [signature("solTransfer")]);
  const terminal = open(entity("block", String((known as { slot: unknown }).slot)));
  await terminal.waitFor(/1 transactions +2 programs +3 accounts +4 rewards/);
  for (const [key, shows] of [
    ["2", /System Program[\s\S]*100%/],
    ["3", /account +transactions +writes +reads +share/],
    ["4", /rows?|No /],
  ] as const) {
    await terminal.press(key);
    await terminal.waitFor(shows);
    checkScreen(terminal, 120);
  }
});

describe("what a node cannot answer", () => {
  test("is left out: tabs, sections, keys and entries of the palette", async () => {
    const terminal = open({ kind: "page", page: "home" });
    await terminal.waitFor(/performance by minute/);
    expect(terminal.frame()).not.toMatch(/trending|richest|S network/);
    await terminal.press("S");
    expect(terminal.frame()).toContain("solx home");
    await terminal.press(":");
    await terminal.press(..."leaderboard");
    await terminal.waitFor(/leaderboard/);
    expect(terminal.frame()).not.toMatch(/(page|endpoint) +(account )?leaderboard/);
  });

  test("of a token: prices, charts and markets", async () => {
    const terminal = open(entity("token", address("mint")));
    const frame = await terminal.waitFor(/1 mint +2 holders +3 transfers/);
    expect(frame).not.toMatch(/price|candles|markets|unknown/);
  });

  test("of a portfolio: empty columns", async () => {
    const terminal = open({ kind: "entity", entity: "account", id: address("alice"), tab: "portfolio" });
    const frame = await terminal.waitFor(/SCUSD/);
    expect(frame).toMatch(/^ *token +balance +mint +name *$/m);
    expect(frame).not.toMatch(/price|share|\$|[█▏▎▍▌▋▊▉]/);
  });

  test("opens as what it is otherwise: a market as an account", async () => {
    const terminal = open(entity("market", address("alice")));
    await terminal.waitFor(/solx account/);
  });
});

test("without a node, its pages do not exist", () => {
  const terminal = renderExplorer({ route: entity("epoch", "1") });
  expect(terminal.frame()).toContain("solx home");
});

test("a list that walks signatures says so and counts nothing", async () => {
  const terminal = open({ ...(entity("account", address("bob")) as Route & { kind: "entity" }), tab: "transfers" });
  const frame = await terminal.waitFor(/a call for each transaction/);
  expect(frame).not.toMatch(/units|in the last three weeks|counting/);
});

test("the header counts calls instead of units", async () => {
  const terminal = open(entity("account", address("alice")));
  const frame = await terminal.waitFor(/SCUSD/);
  expect(frame).not.toMatch(/units|req\b/);
});

test("a number in the palette is a block or an epoch", async () => {
  const terminal = open({ kind: "page", page: "home" });
  await terminal.press(":");
  await terminal.press(..."1040");
  await terminal.waitFor(/Open +block 1040 [\s\S]*\n\W*epoch 1040 +Open the epoch/);
});

test("a pasted transaction in base64 is decoded and simulated", async () => {
  const encoded = await client
    .node()
    .call("getTransaction", [signature("solTransfer"), { encoding: "base64", maxSupportedTransactionVersion: 0 }]);
  const [text = ""] = (encoded as { transaction: [string] }).transaction;
  const terminal = open({ kind: "page", page: "home" });
  await terminal.paste(text);
  await terminal.waitFor(/would (succeed|fail)/);
  await terminal.press("2");
  await terminal.waitFor(/System Program[\s\S]*transfer/);
  checkScreen(terminal, 120);
});

describe("failures are reported in place", () => {
  test("a transaction that the node does not know", async () => {
    const unknown = "5".repeat(87);
    const terminal = open(entity("transaction", unknown));
    await terminal.waitFor(/Not found/);
    expect(terminal.frame()).not.toMatch(/The API|API key/);
  });

  test("an endpoint that a node cannot answer", async () => {
    const terminal = open({ kind: "endpoint", endpointRoute: "v2-token-trending", params: {} });
    await terminal.waitFor(/Not available from this node/);
  });
});

test("every kind of entity opens without a crash", async () => {
  for (const kind of ENTITY_KINDS) {
    const terminal = open(entity(kind, address("alice")));
    await terminal.waitFor(/solx/);
    terminal.unmount();
  }
});
