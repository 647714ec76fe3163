/** Measures how fast blocks are indexed and how large they become. */
import { DAY_SECONDS } from "../../base/index.ts";
import type { SourceBlock } from "../ledger/index.ts";

/** What was indexed since the start of this run. */
export interface IndexProgress {
  /** The last slot that was indexed. */
  readonly slot: number;
  /** The latest slot of the node. */
  readonly tip: number;
  /** Slots that are left. */
  readonly lag: number;
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

/** Returns the number of rows that a block adds. */
const rowsOf = ({ transactions, rewards }: SourceBlock): number =>
  transactions.reduce(
    (sum, { keys, instructions, transfers, changes, holdings = [] }) =>
      sum + 1 + keys.length + instructions.length + transfers.length + changes.length + holdings.length,
    1 + rewards.length,
  );

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

  /** Counts a block that was indexed. */
  add(block: SourceBlock): void {
    this.#blocks += 1;
    this.#transactions += block.transactions.length;
    this.#rows += rowsOf(block);
    this.#slot = block.slot;
    if (block.time !== undefined) this.#times = [this.#times?.[0] ?? block.time, block.time];
  }

  /** Returns the state of the run. */
  report(tip: number, bytes: number): IndexProgress {
    const seconds = (this.#now() - this.#start) / 1000;
    const rate = (count: number) => (seconds > 0 ? count / seconds : 0);
    const growth = bytes - this.#firstBytes;
    const [first = 0, last = 0] = this.#times ?? [];
    return {
      slot: this.#slot,
      tip,
      lag: Math.max(0, tip - this.#slot),
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
