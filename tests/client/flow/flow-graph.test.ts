/** Flows are the sums of transfers, whichever wallets' lists they were read from. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalText } from "../../../src/base/decimal.ts";
import { type Json, parseJson } from "../../../src/base/json.ts";
import { FlowGraph } from "../../../src/client/flow/flow-graph.ts";
import { endpointOf } from "../list-server.ts";

const { identity = [] } = endpointOf("/account/transfer");
const WALLETS = ["A", "B", "C", "D"] as const;
const TOKENS = ["X", "Y"] as const;

const transfers = fc.array(
  fc.record({
    // Few signatures, so that some transfers are equal: a transaction can send the same amount twice.
    trans_id: fc.integer({ min: 0, max: 5 }).map((number) => `tx${number}`),
    from_address: fc.constantFrom(...WALLETS),
    to_address: fc.constantFrom(...WALLETS),
    token_address: fc.constantFrom(...TOKENS),
    amount: fc.integer({ min: 0, max: 9 }),
    block_time: fc.integer({ min: 1, max: 9 }),
  }),
  { maxLength: 40 },
);

type Transfer = typeof transfers extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

/** Returns the list of a wallet, with the direction of each transfer. */
const listOf = (wallet: string, all: readonly Transfer[]): Json[] =>
  all
    .filter(({ from_address, to_address }) => from_address === wallet || to_address === wallet)
    .map((row) => ({ ...row, token_decimals: 6, flow: row.from_address === wallet ? "out" : "in" }));

test("a flow is the sum of the transfers between two wallets that the lists contain", () => {
  fc.assert(
    fc.property(transfers, fc.shuffledSubarray([...WALLETS], { minLength: 1 }), fc.nat(3), (all, read, size) => {
      // Equal transfers of a transaction have one time.
      const timed = all.map((row) => ({ ...row, block_time: Number(row.trans_id.slice(2)) }));
      const graph = new FlowGraph(identity);
      for (const wallet of read) {
        const [add, rows] = [graph.openList(), listOf(wallet, timed)];
        for (let at = 0; at < rows.length; at += size + 1) add(rows.slice(at, at + size + 1));
      }
      const sums = new Map<string, { transfers: number; amount: number; first: number; last: number }>();
      for (const { from_address: from, to_address: to, token_address, amount, block_time: time } of timed) {
        if (from === to || !read.some((wallet) => wallet === from || wallet === to)) continue;
        const key = `${from} ${to} ${token_address}`;
        const { transfers: count = 0, amount: sum = 0, first = time, last = time } = sums.get(key) ?? {};
        const [start, end] = [Math.min(first, time), Math.max(last, time)];
        sums.set(key, { transfers: count + 1, amount: sum + amount, first: start, last: end });
      }
      const flows = graph.flows().map(({ from, to, token, transfers: count, amount, first, last }) => {
        return [
          `${from} ${to} ${token}`,
          { transfers: count, amount: Number(decimalText(amount)), first, last },
        ] as const;
      });
      expect(new Map(flows)).toEqual(sums);
    }),
    { numRuns: Number(process.env.LAW_CASES ?? 300) },
  );
});

test("amounts beyond 2^53 are added exactly", () => {
  const graph = new FlowGraph(identity);
  const row = { from_address: "A", to_address: "B", token_address: "X", token_decimals: 0, block_time: 1 };
  const amount = parseJson("[18446744073709551615]") as readonly Json[];
  graph.openList()([
    { ...row, trans_id: "tx1", amount: amount[0] as Json },
    { ...row, trans_id: "tx2", amount: amount[0] as Json },
  ]);
  expect(graph.flows().map(({ amount: sum }) => decimalText(sum))).toEqual(["36893488147419103230"]);
});
