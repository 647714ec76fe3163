/**
 * Shows that a list lacks transactions, which nothing counts: a transaction begins with the balances that the one before
 * left, and the first one with none.
 */
import type { ChainTransaction } from "../../../chain/solana/index.ts";
import type { ReadContext } from "../answer.ts";
import { hasWholeHistory } from "./coverage.ts";
import { readTransactions } from "./transactions.ts";

/** Balances of an account, as a text, before or after a transaction of a slot. */
interface Point {
  readonly slot: number;
  readonly balances: string;
}

/** The balances of an account that does not exist. */
const NOTHING = "0";

/** Transactions of accounts that follow each other. */
export class BalanceChain {
  readonly #context: ReadContext;
  readonly #isNewestFirst: boolean;
  /** By account: the balances on the side of the next transaction, and those before the oldest one. */
  readonly #last = new Map<string, Point>();
  readonly #first = new Map<string, Point | undefined>();
  #isBroken = false;

  constructor(context: ReadContext, { isNewestFirst }: { readonly isNewestFirst: boolean }) {
    [this.#context, this.#isNewestFirst] = [context, isNewestFirst];
  }

  /** Continues lists after the transactions at which earlier pages ended, as far as the node has these. */
  async continueAfter(cursors: Readonly<Record<string, string | null | undefined>>): Promise<void> {
    const lists = Object.entries(cursors).flatMap(([address, signature]) =>
      signature ? [{ address, signature }] : [],
    );
    if (lists.length === 0) return;
    for (const [at, read] of (await readTransactions(this.#context, lists)).entries())
      if (read) this.add(read.transaction, (account) => account === lists[at]?.address);
  }

  /**
   * Adds the next transaction, and reports once where it does not follow.
   * @param isListed whether all transactions of an account are added
   */
  add(transaction: ChainTransaction, isListed: (account: string) => boolean): void {
    const { keys, slot, isPartial } = transaction;
    for (const { address } of keys) {
      if (!isListed(address)) continue;
      const [before, after] = [balancesOf(transaction, address, "pre"), balancesOf(transaction, address, "post")];
      if (isPartial || before === undefined || after === undefined) {
        this.skip([address]);
        continue;
      }
      const [own, balances] = this.#isNewestFirst ? [after, before] : [before, after];
      const last = this.#last.get(address);
      this.#last.set(address, { slot, balances });
      if (this.#isNewestFirst || !this.#first.has(address)) this.#first.set(address, { slot, balances: before });
      if (last && last.balances !== own) this.#reportGap(address, last.slot, slot);
    }
  }

  /** Passes a transaction of accounts that was not read. */
  skip(accounts: readonly string[]): void {
    for (const account of accounts) {
      this.#last.delete(account);
      if (this.#isNewestFirst || !this.#first.has(account)) this.#first.set(account, undefined);
    }
  }

  /** Ends lists whose oldest transactions were added, and reports once where one is not the first of its account. */
  async end(): Promise<void> {
    if (this.#isBroken || !(await hasWholeHistory(this.#context))) return;
    for (const [address, first] of this.#first) {
      if (first === undefined || first.balances === NOTHING) continue;
      const text = `${address} has a balance before its first listed transaction, in slot ${first.slot}: from the genesis or by a reward, or the node's list lacks transactions.`;
      return this.#context.report?.({ type: "coverage", text });
    }
  }

  #reportGap(address: string, ...slots: readonly [number, number]): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    const [from, to] = slots.toSorted((a, b) => a - b);
    const text = `The balances of ${address} change between the slots ${from} and ${to} without a transaction: by a reward, or the node's list lacks transactions.`;
    this.#context.report?.({ type: "coverage", text });
  }
}

/** Returns the balances of an account, in SOL and in tokens, as a text; undefined where they are unknown. */
function balancesOf(
  { keys, preBalances, postBalances, tokenBalances }: ChainTransaction,
  address: string,
  side: "pre" | "post",
): string | undefined {
  const lamports = (side === "pre" ? preBalances : postBalances)[keys.findIndex((key) => key.address === address)];
  const tokens = tokenBalances
    .filter((one) => one.account === address && (side === "pre" ? one.existedBefore : one.existsAfter))
    .map((one) => `${one.mint} ${one[side]}`);
  return lamports === undefined ? undefined : [lamports, ...tokens.sort()].join();
}
