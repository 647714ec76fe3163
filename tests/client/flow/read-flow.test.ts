/** Following the money from wallet to wallet: what is read, what is collapsed, and where it ends. */
import type { IncomingMessage } from "node:http";
import { base58 } from "@scure/base";
import { expect, test } from "vitest";
import { decimalText } from "../../../src/base/decimal.ts";
import { isOnCurve } from "../../../src/catalogue/curve.ts";
import { type FlowRequest, readMoneyFlow } from "../../../src/client/flow/read-flow.ts";
import { endpointOf } from "../list-server.ts";
import { failure, json, NOW, refusal, serve, success, testClient, USDC } from "../servers.ts";

/** Returns addresses of a kind: of key pairs, which are on the curve, or of programs. */
function addressesOf(isWallet: boolean): readonly string[] {
  const numbers = Array.from({ length: 200 }, (_, number) => Buffer.alloc(32, 7).fill(number + 1, 0, 4));
  return numbers.filter((bytes) => isOnCurve(bytes) === isWallet).map((bytes) => base58.encode(bytes));
}

const [WALLETS, PROGRAMS] = [addressesOf(true), addressesOf(false)];
const [A, B, C, D] = WALLETS as [string, string, string, string];
const POOL = PROGRAMS[0] as string;

interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly amount: number;
}

const param = ({ url = "" }: IncomingMessage) => new URL(url, "http://localhost").searchParams;

/** A server of transfers, with labels of exchanges; `fails` are wallets whose lists it does not have. */
async function startServer(
  transfers: readonly Transfer[],
  { exchanges = [] as string[], fails = [] as string[] } = {},
) {
  const rows = transfers.map(({ from, to, amount }, at) => ({
    block_id: 300 - at,
    trans_id: base58.encode(
      new Uint8Array(64)
        .fill(1)
        .with(0, 1 + (at % 250))
        .with(1, 1 + Math.floor(at / 250)),
    ),
    block_time: NOW / 1000 - at,
    activity_type: "ACTIVITY_SPL_TRANSFER",
    ...{ from_address: from, from_token_account: from, to_address: to, to_token_account: to },
    ...{ token_address: USDC, token_decimals: 6, amount: amount * 1e6 },
  }));
  const read: string[] = [];
  const server = await serve((request, response) => {
    const query = param(request);
    const addresses = [...query.getAll("address[]"), ...query.getAll("address")].flatMap((text) => text.split(","));
    if (request.url?.includes("/token/price")) {
      const data = addresses.map((address) => ({ address, price: 1 }));
      return json(response, success(data));
    }
    if (request.url?.includes("/account/metadata")) {
      const data = addresses.map((address) => ({
        account_address: address,
        ...(exchanges.includes(address) && { account_label: "Big Exchange", account_tags: ["exchange_wallet"] }),
      }));
      return json(response, success(data));
    }
    const [wallet = ""] = addresses;
    read.push(wallet);
    if (fails.includes(wallet)) return json(response, refusal(1100, "Bad request"), 400);
    const [page, size] = [Number(query.get("page") ?? 1), Number(query.get("page_size") ?? 10)];
    const list = rows
      .filter(({ from_address, to_address }) => from_address === wallet || to_address === wallet)
      .map((row) => ({ ...row, flow: row.from_address === wallet ? "out" : "in" }))
      .filter(({ block_time }) => block_time <= Number(query.get("to_time") ?? NOW));
    return json(response, success(list.slice((page - 1) * size, page * size)));
  });
  return { server, read };
}

async function follow(
  transfers: readonly Transfer[],
  request: Partial<FlowRequest> = {},
  world: Parameters<typeof startServer>[1] = {},
) {
  const { server, read } = await startServer(transfers, world);
  const flow = await readMoneyFlow(
    testClient(server),
    {
      ...{ wallets: [A], endpoint: endpointOf("/account/transfer"), filters: {} },
      ...{ depth: 2, breadth: 5, transfers: 1000, ...request },
    },
    { hasPrices: true, supports: () => true },
  );
  const edges = flow.edges.map(({ depth, from, to, accounts, transfers: count, value }) => {
    return { depth, from, to, accounts, transfers: count, value: value && Number(decimalText(value)) };
  });
  return { edges, accounts: flow.accounts, read: [...new Set(read)] };
}

const edge = (depth: number, from: string | undefined, to: string | undefined, transfers: number, value: number) => {
  return { depth, from, to, accounts: 1, transfers, value };
};

test("wallets are followed step by step, cycles once", async () => {
  const cycle = [
    { from: A, to: B, amount: 5 },
    { from: B, to: C, amount: 4 },
    { from: C, to: A, amount: 3 },
    { from: A, to: B, amount: 2 },
    { from: C, to: D, amount: 1 },
  ];
  const { edges, read } = await follow(cycle);
  expect(edges).toEqual([edge(1, A, B, 2, 7), edge(1, C, A, 1, 3), edge(2, B, C, 1, 4), edge(2, C, D, 1, 1)]);
  expect(read.toSorted()).toEqual([A, B, C].toSorted());
});

test("what a hub exchanged with many is one row in each direction, and nothing is lost", async () => {
  const others = WALLETS.slice(4, 34);
  const spokes = others.flatMap((other, at) => [
    { from: A, to: other, amount: at + 1 },
    { from: other, to: A, amount: 1 },
  ]);
  const { edges, read } = await follow(spokes, { depth: 1, breadth: 3 });
  const shown = edges.filter(({ accounts }) => accounts === 1);
  expect(new Set(shown.flatMap(({ from, to }) => [from, to]))).toEqual(new Set([A, ...others.slice(-3)]));
  const collapsed = edges.filter(({ accounts }) => accounts > 1);
  expect(collapsed).toEqual([
    { depth: 1, from: A, to: undefined, accounts: 27, transfers: 27, value: (27 * 28) / 2 },
    { depth: 1, from: undefined, to: A, accounts: 27, transfers: 27, value: 27 },
  ]);
  expect(edges.reduce((sum, { transfers }) => sum + transfers, 0)).toBe(spokes.length);
  expect(read).toEqual([A]);
});

test("exchanges and programs are shown, not followed", async () => {
  const transfers = [
    { from: B, to: A, amount: 9 },
    { from: POOL, to: A, amount: 8 },
    { from: C, to: A, amount: 7 },
    { from: D, to: B, amount: 6 },
    { from: D, to: C, amount: 5 },
  ];
  const { accounts, read } = await follow(transfers, {}, { exchanges: [B] });
  expect(accounts.map(({ address, role, label }) => [address, role, label])).toEqual([
    [A, "wallet", undefined],
    [B, "exchange", "Big Exchange"],
    [POOL, "program", undefined],
    [C, "wallet", undefined],
    [D, "wallet", undefined],
  ]);
  expect(read.toSorted()).toEqual([A, C].toSorted());
});

test("flows below the least value are collapsed", async () => {
  const transfers = [
    { from: A, to: B, amount: 1000 },
    { from: A, to: C, amount: 2 },
  ];
  const { edges } = await follow(transfers, { depth: 1, minValue: 10 });
  expect(edges).toEqual([edge(1, A, B, 1, 1000), { ...edge(1, A, undefined, 1, 2), accounts: 1 }]);
});

test("a list that is cut says so, and a wallet on the way that fails is without its transfers", async () => {
  const many = Array.from({ length: 150 }, (_, at) => ({ from: at % 2 ? A : B, to: at % 2 ? B : A, amount: 1 }));
  const cut = await follow(many, { transfers: 100 });
  expect(cut.accounts.map(({ read }) => read)).toEqual(["newest", "newest"]);
  const failing = await follow([...many, { from: B, to: C, amount: 1 }], {}, { fails: [B] });
  expect(failing.accounts.map(({ read, error }) => [read, error?.exit])).toEqual([
    ["all", undefined],
    ["none", "usage"],
  ]);
  const { server } = await startServer(many, { fails: [A] });
  const request = { wallets: [A], endpoint: endpointOf("/account/transfer"), filters: {}, depth: 1, breadth: 5 };
  const reading = readMoneyFlow(
    testClient(server),
    { ...request, transfers: 100 },
    { hasPrices: true, supports: () => true },
  );
  expect((await failure(reading)).exit).toBe("usage");
});
