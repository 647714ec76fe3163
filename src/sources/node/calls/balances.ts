/**
 * Shows that a list lacks transactions, which nothing counts: a transaction begins with the balances that the one before
 * left.
 */
import type { ChainTransaction } from "../../../chain/solana/index.ts";
import type { ReadContext } from "../answer.ts";

/** Transactions of accounts that follow each other. */
export class BalanceChain {
  readonly #report: ReadContext["report"];
  readonly #isNewestFirst: boolean;
  /** By account: the slot of its last transaction, and the balances on the side of the next one. */
  readonly #last = new Map<string, { readonly slot: number; readonly balances: string }>();
  #isBroken = false;

  constructor({ report }: Pick<ReadContext, "report">, { isNewestFirst }: { readonly isNewestFirst: boolean }) {
    [this.#report, this.#isNewestFirst] = [report, isNewestFirst];
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
      const [own, balances] = this.#isNewestFirst ? [after, before] : [before, after];
      const last = this.#last.get(address);
      if (isPartial || own === undefined || balances === undefined) this.skip([address]);
      else this.#last.set(address, { slot, balances });
      if (!isPartial && last && own !== undefined && last.balances !== own) this.#reportGap(address, last.slot, slot);
    }
  }

  /** Passes a transaction of accounts that was not read. */
  skip(accounts: readonly string[]): void {
    for (const account of accounts) this.#last.delete(account);
  }

  #reportGap(address: string, ...slots: readonly [number, number]): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    const [from, to] = slots.toSorted((a, b) => a - b);
    const text = `The balances of ${address} change between the slots ${from} and ${to} without a transaction: by a reward, or the node's list lacks transactions.`;
    this.#report?.({ type: "coverage", text });
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
