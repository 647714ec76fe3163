/** The signatures of one address in the order of a walk, read page by page as they are needed. */
import { UsageError } from "../../../base/index.ts";
import type { ReadContext } from "../answer.ts";
import { MAX_SIGNATURES, readSignatures, type SignatureRow } from "../calls/signatures.ts";

/** Whether a walk starts at the newest or at the oldest transaction. */
export type WalkDirection = "newest" | "oldest";

/** Limits of a walk, in Unix seconds, both included; transactions without a time are within. */
export type WalkWindow = readonly [from: number | undefined, to: number | undefined];

/** What a list covers. */
export interface ListRange {
  readonly direction: WalkDirection;
  readonly window: WalkWindow;
  /** Only transactions before this one. */
  readonly before?: string | undefined;
  /** Only transactions after this one. */
  readonly until?: string | undefined;
  /** Leaves out transactions of this slot and those that a walk in this direction reaches before it. */
  readonly after?: number | undefined;
}

/** Signatures of the first call: most walks end within it. */
const FIRST_PAGE = 100;
/** Signatures of one address that are sorted in memory, to begin with the oldest. */
const MAX_REVERSED = 200_000;

/** The list of one address. */
export class SignatureList {
  readonly address: string;
  readonly #context: ReadContext;
  readonly #range: ListRange;
  /** The cursor of the next page. */
  #before: string | undefined;
  #limit = FIRST_PAGE;
  #done = false;
  #pending: SignatureRow[] = [];
  #loading: Promise<void> | undefined;
  /** The last signature that {@link drop} removed. */
  #dropped: string | undefined;

  constructor(context: ReadContext, address: string, range: ListRange) {
    this.address = address;
    this.#context = context;
    this.#range = range;
    this.#before = range.before;
    this.#dropped = range.before;
  }

  /** The rows that were read and not dropped, in the order of the walk. */
  get pending(): readonly SignatureRow[] {
    return this.#pending;
  }

  /** Whether all rows were read. */
  get done(): boolean {
    return this.#done;
  }

  /** The cursor from which a new list continues after the rows that were dropped. */
  get cursor(): string | undefined {
    return this.#dropped;
  }

  /** Reads more rows, if there are any: a page, or everything for walks that start at the oldest. */
  async load(): Promise<void> {
    if (this.#done) return;
    const load = this.#range.direction === "newest" ? () => this.#loadPage() : () => this.#loadAll();
    this.#loading ??= load().finally(() => {
      this.#loading = undefined;
    });
    await this.#loading;
  }

  /** Removes the rows of a slot and of those before it in the walk. */
  drop(slot: number): void {
    const count = this.#pending.findIndex((row) => !this.#isPast(row, slot));
    const removed = this.#pending.splice(0, count < 0 ? this.#pending.length : count);
    if (this.#range.direction === "newest") this.#dropped = removed.at(-1)?.signature ?? this.#dropped;
  }

  #isPast({ slot }: SignatureRow, position: number): boolean {
    return this.#range.direction === "newest" ? slot >= position : slot <= position;
  }

  async #loadPage(): Promise<void> {
    const rows = await readSignatures(this.#context, this.address, {
      before: this.#before,
      until: this.#range.until,
      limit: this.#limit,
    });
    const [from, to] = this.#range.window;
    const { after } = this.#range;
    for (const row of rows) {
      const { blockTime } = row;
      if (from !== undefined && blockTime !== undefined && blockTime < from) {
        this.#done = true;
        break;
      }
      const isTooNew = to !== undefined && blockTime !== undefined && blockTime > to;
      if (isTooNew || (after !== undefined && this.#isPast(row, after))) continue;
      this.#pending.push(row);
    }
    if (rows.length < this.#limit) this.#done = true;
    this.#before = rows.at(-1)?.signature ?? this.#before;
    this.#limit = MAX_SIGNATURES;
  }

  async #loadAll(): Promise<void> {
    while (!this.#done) {
      await this.#loadPage();
      if (this.#pending.length <= MAX_REVERSED) continue;
      throw new UsageError(`${this.address} has more than ${MAX_REVERSED} transactions in this time range.`, {
        code: "TOO_MANY_SIGNATURES",
        hint: "A node lists transactions newest first. Leave out --sort-order asc, or set --from-time.",
      });
    }
    this.#pending.reverse();
  }
}
