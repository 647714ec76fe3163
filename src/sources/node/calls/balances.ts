/**
 * Shows that a list lacks transactions, which nothing counts: a transaction begins with the balances that the one before
 * left, and the first one with none.
 */
import type { ChainTransaction } from "../../../chain/solana/index.ts";
import type { ReadContext } from "../answer.ts";
import { hasWholeHistory } from "./coverage.ts";
import { readTransactions } from "./transactions.ts";

interface Balances {
  readonly lamports: bigint;
  /** Those in tokens, as a text. */
  readonly tokens: string;
}

/** Balances before or after a transaction of a slot. */
interface Point extends Balances {
  readonly slot: number;
}

/** The lamports that a failed transaction costs at most, rather too many. */
const MAX_FEE = 10_000_000n;

/** Transactions of accounts that follow each other. */
export class BalanceChain {
  readonly #context: ReadContext;
  readonly #isNewestFirst: boolean;
  /** By account: the balances on the side of the next transaction, and how many failed ones were passed since. */
  readonly #last = new Map<string, Point & { readonly failures: number }>();
  /** By account: the balances before the oldest transaction; undefined where they are unknown. */
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
    for (const { address } of transaction.keys) if (isListed(address)) this.#addTo(address, transaction);
  }

  #addTo(address: string, transaction: ChainTransaction): void {
    const { slot } = transaction;
    const [before, after] = [balancesOf(transaction, address, "pre"), balancesOf(transaction, address, "post")];
    if (this.#isNewestFirst || !this.#first.has(address)) this.#first.set(address, before && { ...before, slot });
    const last = this.#last.get(address);
    this.#last.delete(address);
    if (!before || !after) return;
    this.#last.set(address, { ...(this.#isNewestFirst ? before : after), slot, failures: 0 });
    if (!last) return;
    const [older, newer] = this.#isNewestFirst ? [after, last] : [last, before];
    if (!isContinued(older, newer, last.failures)) this.#reportGap(address, last.slot, slot);
  }

  /** Passes a transaction that was not read, because it failed as the list says. */
  skipFailed(accounts: readonly string[]): void {
    for (const account of accounts) {
      const last = this.#last.get(account);
      if (last) this.#last.set(account, { ...last, failures: last.failures + 1 });
    }
  }

  /** Ends lists whose oldest transactions were added, and reports once where one is not the first of its account. */
  async end(): Promise<void> {
    if (this.#isBroken || !(await hasWholeHistory(this.#context))) return;
    for (const [address, first] of this.#first) {
      if (!first || (first.lamports === 0n && first.tokens === "")) continue;
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

/** Whether balances are those before them, but for the fees of failed transactions between the two. */
function isContinued(older: Balances, newer: Balances, failures: number): boolean {
  const fees = older.lamports - newer.lamports;
  return older.tokens === newer.tokens && fees >= 0n && fees <= BigInt(failures) * MAX_FEE;
}

/** Returns the balances of an account before or after a transaction; undefined where they are unknown. */
function balancesOf(
  { keys, preBalances, postBalances, tokenBalances, isPartial }: ChainTransaction,
  address: string,
  side: "pre" | "post",
): Balances | undefined {
  if (isPartial) return undefined;
  const lamports = (side === "pre" ? preBalances : postBalances)[keys.findIndex((key) => key.address === address)];
  const tokens = tokenBalances
    .filter((one) => one.account === address && (side === "pre" ? one.existedBefore : one.existsAfter))
    .map((one) => `${one.mint} ${one[side]}`);
  return lamports === undefined ? undefined : { lamports, tokens: tokens.sort().join() };
}
