/** Which transactions of a cluster are indexed, and how fast. */
import { DAY_SECONDS } from "../../base/index.ts";
import type { SourceBlock } from "../ledger/index.ts";
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

/** What was indexed since the start of this run. */
export interface IndexProgress {
  readonly slot: number;
  /** The latest slot of the node. */
  readonly tip: number;
  readonly lag: number;
  /** Ranges of slots whose blocks are missing, and these slots. */
  readonly gaps: number;
  readonly missingSlots: number;
  readonly blocks: number;
  readonly transactions: number;
  /** Rows of transactions: keys, instructions, transfers, balances. */
  readonly rows: number;
  readonly seconds: number;
  readonly transactionsPerSecond: number;
  readonly rowsPerSecond: number;
  /** Bytes of the file. */
  readonly bytes: number;
  /** Growth of the file; undefined before the first transaction. */
  readonly bytesPerTransaction: number | undefined;
  /** Growth of the file in a day of the cluster's time at the rate of the indexed blocks, where it is known. */
  readonly bytesPerDay: number | undefined;
}

const rowsOf = ({ transactions, rewards }: SourceBlock): number =>
  transactions.reduce(
    (sum, { keys, instructions, transfers, changes, holdings = [] }) =>
      sum + 1 + keys.length + instructions.length + transfers.length + changes.length + holdings.length,
    1 + rewards.length,
  );

/** Returns the number of slots in ranges. */
export const countSlots = (ranges: readonly { from: number; to: number }[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);

/** Measures a run. */
export class ProgressMeter {
  readonly #now: () => number;
  readonly #start: number;
  readonly #firstBytes: number;
  #blocks = 0;
  #transactions = 0;
  #rows = 0;
  #slot = 0;
  #times: readonly [first: number, last: number] | undefined;

  /** @param now returns milliseconds */
  constructor(bytes: number, now: () => number) {
    this.#now = now;
    this.#start = now();
    this.#firstBytes = bytes;
  }

  add(block: SourceBlock): void {
    this.#blocks += 1;
    this.#transactions += block.transactions.length;
    this.#rows += rowsOf(block);
    this.#slot = block.slot;
    if (block.time !== undefined) this.#times = [this.#times?.[0] ?? block.time, block.time];
  }

  report(tip: number, bytes: number, gaps: readonly { from: number; to: number }[]): IndexProgress {
    const seconds = (this.#now() - this.#start) / 1000;
    const rate = (count: number) => (seconds > 0 ? count / seconds : 0);
    const growth = bytes - this.#firstBytes;
    const [first = 0, last = 0] = this.#times ?? [];
    return {
      slot: this.#slot,
      tip,
      lag: Math.max(0, tip - this.#slot),
      gaps: gaps.length,
      missingSlots: countSlots(gaps),
      blocks: this.#blocks,
      transactions: this.#transactions,
      rows: this.#rows,
      seconds,
      transactionsPerSecond: rate(this.#transactions),
      rowsPerSecond: rate(this.#rows),
      bytes,
      bytesPerTransaction: this.#transactions > 0 ? growth / this.#transactions : undefined,
      bytesPerDay: last > first ? (growth / (last - first)) * DAY_SECONDS : undefined,
    };
  }
}
