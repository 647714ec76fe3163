/** The flow graph of a wallet: its edges are sums of transfers, it is finite, and it fits into every window. */
import { base58 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimalText, sumDecimals } from "../../../src/base/decimal.ts";
import { isOnCurve } from "../../../src/catalogue/curve.ts";
import { type FlowDirection, FlowGraph, listHops } from "../../../src/client/index.ts";
import { textWidth } from "../../../src/output/index.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import { loadLine } from "../../../src/ui/pages/flow/details.ts";
import { drawFlow } from "../../../src/ui/pages/flow/drawing.ts";
import { layoutFlow } from "../../../src/ui/pages/flow/layout.ts";
import { createFlowTexts } from "../../../src/ui/pages/flow/texts.ts";
import { TRANSFERS } from "../../../src/ui/pages/flow/transfers.ts";
import {
  buildFlowTree,
  DIRECTIONS,
  type FlowNode,
  listNodes,
  MAX_PRICED,
  pricedTokens,
} from "../../../src/ui/pages/flow/tree.ts";
import { runPlainExplorer } from "../../../src/ui/plain/session.ts";
import { apiIdentity, type FakeData, fakeData, fakeServices, NOW, renderExplorer } from "../support.tsx";

const WALLETS = Array.from({ length: 120 }, (_, number) => Buffer.alloc(32, 7).fill(number + 1, 0, 4))
  .filter((bytes) => isOnCurve(bytes))
  .map((bytes) => base58.encode(bytes));
const [A, B, C] = WALLETS as [string, string, string];
const EXCHANGE = "5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9";
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly token: string;
  readonly amount: number;
}

const toRow = ({ from, to, token, amount }: Transfer, at: number) => ({
  trans_id: `tx${at}`,
  block_time: NOW / 1000 - at,
  activity_type: "ACTIVITY_SPL_TRANSFER",
  ...{ from_address: from, to_address: to, token_address: token, token_decimals: 6, amount },
});

const transfers = fc.array(
  fc.record({
    from: fc.constantFrom(...WALLETS.slice(0, 14)),
    to: fc.constantFrom(...WALLETS.slice(0, 14)),
    token: fc.constantFrom("X", "Y"),
    amount: fc.integer({ min: 1, max: 1000 }),
  }),
  { maxLength: 120 },
);

/** Builds the tree around A with every node open that can be, as far as `steps` levels. */
function openTree(all: readonly Transfer[], shown: number, steps: number) {
  const graph = new FlowGraph(TRANSFERS.identity ?? []);
  graph.openList()(all.map(toRow));
  const flows = graph.flows();
  const noValue = () => undefined;
  const build = (open: Readonly<Record<string, number>>) =>
    buildFlowTree({
      ...{ wallet: A, directions: DIRECTIONS, open, roleOf: () => "wallet" as const, flowValue: noValue },
      hopsOf: (address: string, direction: FlowDirection) =>
        listHops(flows, [address], noValue, direction).get(address) ?? [],
    });
  let open: Readonly<Record<string, number>> = { in: shown, out: shown };
  for (let step = 0; step < steps; step += 1) {
    const paths = listNodes(build(open)).flatMap(({ path, address }) => (address === undefined ? [] : [path]));
    open = { ...open, ...Object.fromEntries(paths.map((path) => [path, shown])) };
  }
  return build(open);
}

const RUNS = { numRuns: Number(process.env.LAW_CASES ?? 100) };

describe("the tree", () => {
  test("has the sums of all transfers of every open account, by token", () => {
    fc.assert(
      fc.property(transfers, fc.integer({ min: 1, max: 9 }), (all, shown) => {
        const near = openTree(all, shown, 2);
        const families: (readonly [string, FlowDirection, readonly FlowNode[]])[] = [
          ...DIRECTIONS.map((way) => [A, way, near.filter(({ direction }) => direction === way)] as const),
          ...listNodes(near)
            .filter(({ isOpen }) => isOpen)
            .map(({ address = "", direction, children }) => [address, direction, children] as const),
        ];
        for (const [address, direction, children] of families) {
          const own = all.filter(({ from, to }) => from !== to && (direction === "in" ? to : from) === address);
          expect(children.reduce((sum, node) => sum + node.sum.transfers, 0)).toBe(own.length);
          for (const token of ["X", "Y"]) {
            const flows = children.flatMap((node) => node.flows).filter((flow) => flow.token === token);
            const expected = own.reduce((sum, one) => sum + (one.token === token ? one.amount : 0), 0);
            expect(decimalText(sumDecimals(flows.map(({ amount }) => amount)))).toBe(String(expected));
          }
        }
      }),
      RUNS,
    );
  });

  test("follows an account once on each side, whatever cycles there are", () => {
    fc.assert(
      fc.property(transfers, (all) => {
        for (const direction of DIRECTIONS) {
          const nodes = listNodes(openTree(all, 20, 6)).filter((node) => node.direction === direction);
          const followed = nodes.filter(({ isOpen }) => isOpen).map(({ address }) => address);
          expect(followed).not.toContain(A);
          expect(new Set(followed).size).toBe(followed.length);
        }
      }),
      RUNS,
    );
  });

  test("collapses what a hub dealt with into the largest accounts and the number of the others", () => {
    const hub = Array.from({ length: 10_000 }, (_, at) => ({
      ...{ from: A, to: `account ${at % 4000}`, token: "X", amount: 1 + (at % 4000) },
    }));
    const nodes = openTree(hub, 8, 1);
    expect(nodes.map(({ address }) => address).slice(-1)).toEqual([undefined]);
    expect(nodes).toHaveLength(9);
    expect(nodes.reduce((sum, { accounts }) => sum + accounts, 0)).toBe(4000);
  });
});

test("the tokens with prices depend on the lists that are open, not on the order of them or of their transfers", () => {
  const list = (from: number) =>
    Array.from({ length: 160 }, (_, at) => ({ token_address: `token ${from + (at % (40 + (at % 3)))}` }));
  const lists = [list(0), list(10), list(100)];
  const priced = pricedTokens(lists);
  expect(priced.size).toBeGreaterThan(MAX_PRICED);
  fc.assert(
    fc.property(
      fc.shuffledSubarray(lists, { minLength: lists.length }),
      fc.tuple(...lists.map((rows) => fc.shuffledSubarray(rows, { minLength: rows.length }))),
      (inAnyOrder, shuffled) => {
        expect(pricedTokens(inAnyOrder)).toEqual(priced);
        expect(pricedTokens(shuffled)).toEqual(priced);
      },
    ),
  );
});

test("no node covers another one, and no line is wider than the window, at any size", () => {
  const size = fc.record({ width: fc.integer({ min: 60, max: 300 }), height: fc.integer({ min: 3, max: 60 }) });
  fc.assert(
    fc.property(transfers, size, fc.boolean(), fc.constantFrom(1, 2), fc.nat(), (all, window, unicode, spacing, at) => {
      const near = openTree(all, 5, 2);
      const layout = layoutFlow(near, spacing);
      const places = layout.nodes.map(({ row, column }) => `${row} ${column}`);
      expect(new Set(places).size).toBe(places.length);
      expect(layout.nodes.every(({ row }) => row >= 0 && row < layout.height)).toBe(true);
      const nodes = listNodes(near);
      const texts = createFlowTexts(WALLETS, {
        ...{ clock: { style: "relative", now: NOW }, nameOf: () => undefined, labelOf: () => undefined, unicode },
      });
      const selected = nodes[at % (nodes.length + 1)]?.path ?? "";
      const start = texts.nameSpan(A);
      const lines = drawFlow({ layout, texts, start, selected, hasNotes: spacing === 2, unicode }, window);
      expect(lines).toHaveLength(window.height);
      const drawn = lines.map((line) => line.map(({ text }) => text).join(""));
      const cursor = lines.flat().filter((one) => one.cursor !== undefined);
      expect(cursor).not.toEqual([]);
      if (!unicode) expect(drawn.join("")).toMatch(/^[ -~…·]*$/);
      // What does not fit is cut by the window: the selected node is in it.
      const line = lines.findIndex((one) => one.some((part) => part.cursor === "cell"));
      const before = lines[line]?.slice(
        0,
        lines[line]?.findIndex((part) => part.cursor === "cell"),
      );
      expect((before ?? []).reduce((sum, part) => sum + textWidth(part.text), 0)).toBeLessThan(window.width);
    }),
    RUNS,
  );
});

/** B sent to A, and A to C and to an exchange; C returned some of it. */
const STORY: readonly Transfer[] = [
  { from: B, to: A, token: USDC, amount: 12_000_000 },
  { from: B, to: A, token: USDC, amount: 3_000_000 },
  { from: A, to: C, token: USDC, amount: 9_000_000 },
  { from: A, to: EXCHANGE, token: USDC, amount: 1_000_000 },
  { from: C, to: A, token: USDC, amount: 500_000 },
];

function storyData(): FakeData {
  return fakeData({
    "v2-account-transfer": ({ address, flow }) =>
      STORY.map(toRow).filter((row) => (flow === "in" ? row.to_address : row.from_address) === address),
  });
}

const FLOW: Route = { kind: "entity", entity: "account", id: A, tab: "flow" };
const short = (id: string) => `${id.slice(0, 4)}…${id.slice(-4)}`;
const inProcess = fakeServices().source;

function openFlow(size: { readonly width?: number; readonly height?: number } = {}) {
  const source = { ...inProcess, facts: { ...inProcess.facts, isInProcess: true } };
  return renderExplorer({ route: FLOW, data: storyData(), services: { source }, width: 120, height: 30, ...size });
}

describe("the page", () => {
  test("shows who sent and who received, with amounts and the number of transfers", async () => {
    const window = openFlow();
    const frame = await window.waitFor(`${short(C)}`);
    expect(frame).toMatch(new RegExp(`${short(B)} .*15 USDC ─.*▶│ ${short(A)} │─.*9 USDC ─+▶ ▸ ${short(C)}`, "s"));
    expect(frame).toContain("◆");
    expect(frame).toContain("received from 2 accounts");
  });

  test("expands with the key away from the wallet, ends cycles, and collapses with the key back", async () => {
    const window = openFlow();
    await window.waitFor(short(C));
    await window.press("right", "down");
    expect(await window.waitFor("sent to  9 USDC")).toContain(C);
    await window.press("right");
    // What C returned to the wallet is not followed again.
    await window.waitFor(/0\.5 USDC ─+▶ ↺/);
    await window.press("left");
    await expect.poll(window.frame).not.toContain("↺");
    await window.press("left", "left");
    expect(await window.waitFor("received from  15 USDC")).toContain(B);
  });

  test("opens the transfers of an edge, and the account of a node", async () => {
    const window = openFlow();
    await window.waitFor(short(C));
    await window.press("left", "t");
    const list = await window.waitFor(/from = /);
    expect(list).toMatch(new RegExp(`from = ${short(B)}`));
    expect(list).toMatch(/flow = in/);
    await window.press("esc", "enter");
    await window.waitFor(new RegExp(`account ${short(B)}`));
  });

  test("says what reading costs before it reads, where units are charged", async () => {
    const data = storyData();
    const source = { ...inProcess, facts: { ...inProcess.facts, chargesUnits: true, isInProcess: false } };
    const services = { identity: apiIdentity(), source };
    const window = renderExplorer({ route: FLOW, data, services, width: 120, height: 30 });
    await window.waitFor(/at most [\d,]+ units/);
    expect(window.frame()).not.toContain(short(B));
    await window.press("enter");
    await window.waitFor(short(B));
    await window.press("right", "down");
    await window.waitFor(/read its newest 100 outgoing transfers: at most [\d,]+ units/);
  });

  test.each([
    [60, 15],
    [80, 24],
    [300, 80],
  ])("keeps the selection when the window becomes %i × %i", async (width, height) => {
    const window = openFlow();
    await window.waitFor(short(C));
    await window.press("left");
    await window.waitFor("15 USDC");
    await window.resize(width, height);
    const frame = await window.waitFor("received from  15 USDC");
    expect(frame.split("\n").every((line) => textWidth(line) <= width)).toBe(true);
    expect(frame.split("\n").length).toBeLessThanOrEqual(height);
  });

  test("opens from any page with an account by one key", async () => {
    const window = renderExplorer({
      route: { ...FLOW, tab: "about" },
      data: storyData(),
      services: { source: { ...inProcess, facts: { ...inProcess.facts, isInProcess: true } } },
      width: 120,
      height: 30,
    });
    await window.waitFor("about");
    await window.press("$");
    await window.waitFor(new RegExp(`│ ${short(A)} │`));
    const [heading] = window.frame().split("\n");
    // It is the tab of the page, and no page after it.
    expect(heading).not.toMatch(/account.*›.*account/);
    await window.press("$");
    expect([window.toasts.at(-1), window.frame().split("\n")[0]]).toEqual(["these are its flows", heading]);
  });
});

test("plain mode prints the same flows, with links to accounts and transfers", async () => {
  let output = "";
  const data = storyData();
  async function* pages(_endpoint: unknown, { address, flow }: { readonly address: string; readonly flow: string }) {
    yield { rows: STORY.map(toRow).filter((row) => (flow === "in" ? row.to_address : row.from_address) === address) };
  }
  await runPlainExplorer({
    services: fakeServices({ client: async () => ({ pages, fetch: async () => ({ rows: [] }) }) as never }),
    data,
    initialRoute: FLOW,
    lines: (async function* () {})(),
    write: (text) => {
      output += text;
    },
    signal: new AbortController().signal,
  });
  expect(output).toMatch(/received from 2 accounts in the newest 3 transfers/);
  expect(output).toMatch(/15 USDC, 2 transfers, now, its flow \[\d\]/);
  expect(output).toMatch(/\(exchange\): 1 USDC/);
});

test.each([
  [0, "in", /^no incoming transfers +L look for more: /],
  [14, "in", /^the newest 14 incoming transfers, probably all +L look for more: /],
  [14, undefined, /^the newest 14 transfers, probably all +L look for more: /],
  [100, "in", /^the newest 100 incoming transfers +L up to 500 more: /],
])("what is said of a list of %s transfers (%s) that may go on", (count, flow, expected) => {
  const load = { rows: Array.from({ length: count }, () => ({})), isComplete: false, isLoading: false };
  const line = loadLine(
    { load, request: { params: { flow } }, direction: "in" } as never,
    { units: 100 } as never,
    () => "L",
  );
  expect(line.map(({ text }) => text).join("")).toMatch(expected);
});
