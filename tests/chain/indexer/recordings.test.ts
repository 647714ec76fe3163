/** Recorded transactions and blocks as facts: laws that hold for every transaction of a chain. */
import { describe, expect, it } from "vitest";
import { isObject, type Json, parseJson } from "../../../src/base/index.ts";
import { NATIVE_SOL, WRAPPED_SOL } from "../../../src/catalogue/samples.ts";
import { blockToFacts, createKnowledge, transactionsToFacts } from "../../../src/chain/indexer/facts/convert.ts";
import { replayTransaction } from "../../../src/chain/indexer/facts/transaction.ts";
import { BURN, MINT } from "../../../src/chain/indexer/facts/transfers.ts";
import {
  loadChainLedger,
  loadGrowingLedgers,
  type SourceBlock,
  type TransactionFact,
} from "../../../src/chain/ledger/index.ts";
import { type ChainTransaction, decodeBlock, decodeTransaction, loadParsers } from "../../../src/chain/solana/index.ts";
import { consistentResultOf, detailsOf, hasEffects, type Recording, recordings } from "../../support/node/recorded.ts";
import { toJson } from "../../support/node/wire.ts";

const METHOD = /^get(Confirmed)?(Transaction|Block)$/;
const chosen = recordings().filter(
  (each) => METHOD.test(each.method) && typeof consistentResultOf(each) === "object" && hasEffects(each),
);
const answerOf = (each: Recording): Json => parseJson(toJson(consistentResultOf(each) ?? null));

/** Returns a recorded block; the slot of its answer is the next one after its parent. */
const blockOf = (answer: Json) =>
  isObject(answer) ? decodeBlock(answer, Number(answer.parentSlot) + 1, detailsOf(answer)) : undefined;

function transactionsOf(each: Recording): readonly ChainTransaction[] {
  const answer = answerOf(each);
  if (answer === null) return [];
  if (each.method.endsWith("Block")) return blockOf(answer)?.transactions ?? [];
  return [decodeTransaction(answer)].flatMap((transaction) => transaction ?? []);
}

async function blocksOf(each: Recording): Promise<readonly SourceBlock[]> {
  const answer = answerOf(each);
  const block = each.method.endsWith("Block") ? blockOf(answer) : undefined;
  return block ? [await blockToFacts(block)] : transactionsToFacts(transactionsOf(each));
}

/** Returns the sum of the changes of each token but wrapped SOL, whose lamports are those of SOL. */
function sums({ changes, transfers }: TransactionFact): ReadonlyMap<string, bigint> {
  const totals = new Map<string, bigint>();
  const add = (token: string, amount: bigint) => {
    if (token !== WRAPPED_SOL) totals.set(token, (totals.get(token) ?? 0n) + amount);
  };
  for (const { token, pre, post } of changes) add(token, post - pre);
  for (const { type, token, amount } of transfers) {
    if (type === MINT) add(token, -amount);
    if (type === BURN) add(token, amount);
  }
  return totals;
}

/** Instructions that move balances in ways that only the balances show. */
const UNSTATED = /confidential|harvest/i;
/** Programs whose instructions move nothing but by the calls that they make. */
const PASSIVE = new Set(["ComputeBudget", "spl-memo", "spl-associated-token-account", "ed25519", "secp256k1"]);
const STATED = new Set(["system", "spl-token", "stake", "vote", "address-lookup-table"]);

describe.runIf(chosen.length > 0)("recorded transactions", () => {
  it("become facts that a ledger in memory takes", async () => {
    const { createMemoryLedger } = await loadGrowingLedgers();
    for (const each of chosen) {
      const blocks = await blocksOf(each);
      const ledger = createMemoryLedger({ blocks });
      const { stored } = ledger.reader.get("SELECT COUNT(*) AS stored FROM transactions") ?? {};
      expect(stored, each.name).toBe(blocks.reduce((sum, { transactions }) => sum + transactions.length, 0));
      ledger.close();
    }
  });

  it("become blocks of a ledger with statistics, without prices", async () => {
    const { openChainLedger } = await loadChainLedger();
    const ledger = openChainLedger(":memory:", "recorded");
    const blocks = (await Promise.all(chosen.map(blocksOf))).flat();
    for (const [at, block] of blocks.entries()) {
      const transactions = block.transactions.map((fact, n) => ({ ...fact, signature: `${at} ${n}` }));
      // Facts refer to signatures that are not unique among the recordings.
      ledger.write({ blocks: [{ ...block, slot: at + 1, facts: {}, transactions }] });
    }
    const { trades } = ledger.db.prepare("SELECT COUNT(*) AS trades FROM token_trades").get() ?? {};
    expect(Number(trades)).toBeGreaterThan(10);
    ledger.close();
  });

  it("change SOL by the fee, and tokens by what is minted and burned", async () => {
    for (const each of chosen.filter(({ complete }) => complete)) {
      for (const fact of (await blocksOf(each)).flatMap(({ transactions }) => transactions)) {
        for (const [token, sum] of sums(fact)) {
          expect(sum, `${each.name} ${fact.signature} ${token}`).toBe(token === NATIVE_SOL ? -BigInt(fact.fee) : 0n);
        }
      }
    }
  });

  it("move what their transfers say, where all programs are known", async () => {
    const { parseInstructions } = await loadParsers();
    let count = 0;
    // Where an answer was transcribed by hand, accounts are not in their order.
    const exact = chosen.filter(({ complete, note }) => complete && !/transcribed/.test(note ?? ""));
    for (const each of exact) {
      for (const transaction of transactionsOf(each).map(parseInstructions)) {
        const exchanges = { swaps: [], liquidity: [] };
        const { calls, balances } = replayTransaction(transaction, exchanges, createKnowledge());
        const isKnown = calls.every(
          ({ program = "", type = "" }) => PASSIVE.has(program) || (STATED.has(program) && !UNSTATED.test(type)),
        );
        if (transaction.error !== undefined || !isKnown) continue;
        count += 1;
        transaction.keys.forEach(({ address }, n) => {
          const fee = n === 0 ? transaction.fee : 0n;
          const where = `${each.name} ${transaction.signatures[0]} ${address}`;
          expect(balances.lamports(address) - fee, where).toBe(transaction.postBalances[n] ?? 0n);
        });
        for (const { account, mint, post } of transaction.tokenBalances) {
          const state = balances.tokenAccounts.get(account);
          expect(state?.mint === mint ? state.amount : 0n, `${each.name} ${account}`).toBe(post);
        }
      }
    }
    expect(count).toBeGreaterThan(50);
  });

  it("that failed have no transfers, and votes are recognised", async () => {
    const facts = (await Promise.all(chosen.map(blocksOf))).flat().flatMap(({ transactions }) => transactions);
    const failed = facts.filter(({ error }) => error !== undefined);
    expect(failed.flatMap(({ transfers, defi }) => [...transfers, ...defi])).toEqual([]);
    expect(failed.length).toBeGreaterThan(10);
    const votes = facts.filter(({ isVote }) => isVote);
    expect(votes.every(({ instructions }) => instructions.every(({ parsedType }) => parsedType === "vote"))).toBe(true);
    expect(votes.length).toBeGreaterThan(50);
  });

  it("with trades have activities with their pools", async () => {
    const facts = (await Promise.all(chosen.map(blocksOf))).flat().flatMap(({ transactions }) => transactions);
    const trades = facts.flatMap(({ defi }) => defi);
    expect(trades.length).toBeGreaterThan(10);
    for (const { amount1, routes } of trades) expect(amount1 > 0n && routes.length > 0).toBe(true);
  });
});
