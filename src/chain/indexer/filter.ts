/** Which transactions of a cluster are indexed. */
import type { ChainTransaction } from "../solana/index.ts";

/** Transactions that have any of these; all without a filter. */
export interface IndexFilter {
  /** Programs that an instruction calls. */
  readonly programs?: readonly string[] | undefined;
  /** Accounts that it names, or owners of token accounts that it names. */
  readonly accounts?: readonly string[] | undefined;
  /** Mints of the token accounts that it names. */
  readonly mints?: readonly string[] | undefined;
}

/** Returns a filter as text: equal filters have the same. Empty without a filter. */
export function filterKey({ programs = [], accounts = [], mints = [] }: IndexFilter): string {
  const lists = Object.entries({ programs, accounts, mints }).filter(([, list]) => list.length > 0);
  return lists.map(([name, list]) => `${name}=${list.toSorted().join()}`).join(" ");
}

/** Returns the test for transactions; undefined when all are indexed. */
export function selectTransactions(filter: IndexFilter): ((transaction: ChainTransaction) => boolean) | undefined {
  if (filterKey(filter) === "") return undefined;
  const [programs, accounts, mints] = [filter.programs, filter.accounts, filter.mints].map((list) => new Set(list));
  return ({ instructions, keys, tokenBalances }) =>
    instructions.some(({ program }) => programs?.has(program)) ||
    keys.some(({ address }) => accounts?.has(address) || mints?.has(address)) ||
    tokenBalances.some(
      ({ mint, owner, ownerBefore }) =>
        mints?.has(mint) || [owner, ownerBefore].some((address) => address !== undefined && accounts?.has(address)),
    );
}
