/**
 * The signatures of several addresses as one sequence in the order of the chain, each once. Nodes list the transactions
 * that name an address, so those of a wallet are the lists of the wallet and of its token accounts.
 */
import { UsageError } from "../../../base/index.ts";
import { type ChainTransaction, Member } from "../../../chain/solana/index.ts";
import type { ReadContext } from "../answer.ts";
import { readBlock, requireBlock } from "../calls/blocks.ts";
import { MAX_SIGNATURES, SignatureReader, type SignatureRow } from "../calls/signatures.ts";

/** Whether a walk starts at the newest or at the oldest transaction. */
export type WalkDirection = "newest" | "oldest";

/** Limits of a walk, in Unix seconds, both included; transactions without a time are within. */
export type WalkWindow = readonly [from: number | undefined, to: number | undefined];

/** Whether the transaction of a row has to be read: of those at the ends of a list, no other one shows what they did. */
export const mustRead = ({ failed, isEdge }: SignatureRow, skipFailed: boolean): boolean =>
  isEdge || !(failed && skipFailed);

interface ListRange {
  readonly direction: WalkDirection;
  readonly window: WalkWindow;
  readonly before?: string | undefined;
  readonly until?: string | undefined;
  /** Leaves out transactions of this slot and those that a walk in this direction reaches before it. */
  readonly after?: number | undefined;
}

/** Signatures of the first call: most walks end within it. */
const FIRST_PAGE = 100;
/** Rows before the window that end a list. */
const OLDER_ROWS = 2;
/** Seconds by which the times of a list may differ from those of its transactions. */
const TIME_TOLERANCE = 60;
/** Signatures of one address that are sorted in memory, to begin with the oldest. */
const MAX_REVERSED = 200_000;

/** The signatures of one address in the order of a walk, read page by page as they are needed. */
class SignatureList {
  readonly #address: string;
  readonly #range: ListRange;
  readonly #reader: SignatureReader;
  #limit = FIRST_PAGE;
  /** The rows from the first one on that is older than the window, until more of them show that the list has left it. */
  #older: readonly SignatureRow[] = [];
  #done = false;
  #hasFirst = false;
  #pending: SignatureRow[] = [];
  #loading: Promise<void> | undefined;
  #dropped: string | undefined;

  constructor(context: ReadContext, address: string, range: ListRange) {
    this.#address = address;
    this.#range = range;
    this.#reader = new SignatureReader(context, address, { ...range, from: range.window[0] });
    this.#dropped = range.before;
  }

  /** The rows that were read and not dropped, in the order of the walk. */
  get pending(): readonly SignatureRow[] {
    return this.#pending;
  }

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
    const rows = [...this.#older, ...(await this.#reader.next(this.#limit))];
    const [from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY] = this.#range.window;
    const { after } = this.#range;
    // Times follow the slots: one that is older than a later row's is wrong.
    const isRecent = ({ blockTime }: SignatureRow) => blockTime !== undefined && blockTime >= from;
    const end = rows.findLastIndex(isRecent) + 1;
    const start = rows.findIndex((row, at) => at >= end && row.blockTime !== undefined);
    this.#older = start < 0 ? [] : rows.slice(start);
    for (const row of start < 0 ? rows : rows.slice(0, start)) {
      const isTooNew = row.blockTime !== undefined && row.blockTime > to;
      if (!isTooNew && !(after !== undefined && this.#isPast(row, after))) this.#pending.push(row);
    }
    const older = this.#older.filter(({ blockTime }) => blockTime !== undefined);
    if (this.#reader.done || older.length >= OLDER_ROWS) this.#done = true;
    if (!this.#hasFirst) this.#hasFirst = this.#markEdge(0);
    if (this.#done) this.#markEdge(-1);
    this.#limit = MAX_SIGNATURES;
  }

  #markEdge(at: number): boolean {
    const row = this.#pending.at(at);
    if (row) this.#pending.splice(at, 1, { ...row, isEdge: true });
    return row !== undefined;
  }

  async #loadAll(): Promise<void> {
    while (!this.#done) {
      await this.#loadPage();
      if (this.#pending.length <= MAX_REVERSED) continue;
      throw new UsageError(`${this.#address} has more than ${MAX_REVERSED} transactions in this time range.`, {
        code: "TOO_MANY_SIGNATURES",
        hint: "A node lists transactions newest first: read them in this order, or from a later time.",
      });
    }
    this.#pending.reverse();
  }
}

/** Where a feed continues: plain JSON. */
export interface FeedState {
  /** The slot of the last transactions; null at the beginning. */
  readonly slot: number | null;
  /** The cursor of each list; null for its beginning. */
  readonly lists: Readonly<Record<string, string | null>>;
}

interface FeedOptions {
  readonly addresses: readonly string[];
  readonly direction: WalkDirection;
  readonly window: WalkWindow;
  /** Only transactions before this one, and only those after this one. */
  readonly before?: string | undefined;
  readonly until?: string | undefined;
  readonly resume?: FeedState | undefined;
}

/** Signatures of several addresses. */
export class SignatureFeed {
  readonly #context: ReadContext;
  readonly #direction: WalkDirection;
  readonly #window: WalkWindow;
  readonly #until: string | undefined;
  readonly #lists = new Map<string, SignatureList>();
  /** The slot of the last rows that were dropped. */
  #slot: number | undefined;
  #dropped = 0;

  constructor(context: ReadContext, options: FeedOptions) {
    const { addresses, direction, window, before, until, resume } = options;
    [this.#context, this.#direction, this.#window, this.#until] = [context, direction, window, until];
    this.#slot = resume?.slot ?? undefined;
    if (!resume) for (const address of addresses) this.add(address, before);
    for (const [address, cursor] of Object.entries(resume?.lists ?? {})) this.add(address, cursor ?? before);
  }

  has(address: string): boolean {
    return this.#lists.has(address);
  }

  /** Adds the list of an address; of a walk in progress, what it has not reached. */
  add(address: string, before?: string): void {
    if (this.has(address)) return;
    const [direction, window, after, until] = [this.#direction, this.#window, this.#slot, this.#until];
    const range: ListRange = { direction, window, after, before, until };
    this.#lists.set(address, new SignatureList(this.#context, address, range));
  }

  /** Known signatures, with those that were dropped; those that are still to be read; whether these are all. */
  count({ skipFailed }: { readonly skipFailed: boolean }) {
    const lists = [...this.#lists.values()];
    const rows = lists.flatMap(({ pending }) => pending);
    const count = (some: readonly SignatureRow[]) => new Set(some.map(({ signature }) => signature)).size;
    const unread = count(rows.filter((row) => mustRead(row, skipFailed)));
    return { known: this.#dropped + count(rows), unread, complete: lists.every(({ done }) => done) };
  }

  /** Rows that follow: at least the number, if there are as many, and all of each slot. They stay until `drop`. */
  async peek(count: number): Promise<readonly SignatureRow[]> {
    const lists = [...this.#lists.values()];
    const positions = new Map(lists.map((list) => [list, 0]));
    const rows: SignatureRow[] = [];
    while (rows.length < count) {
      const groups = await this.#nextGroups(lists, positions);
      if (groups.length === 0) break;
      rows.push(...(await this.#order(groups)));
    }
    return rows;
  }

  /** Reports a list by whose times rows are selected, and whose transactions have others. */
  checkTime({ address, blockTime }: SignatureRow, { blockTime: time }: ChainTransaction): void {
    const isWindow = this.#window.some((limit) => limit !== undefined);
    if (!isWindow || blockTime === undefined || time === undefined) return;
    if (Math.abs(time - blockTime) <= TIME_TOLERANCE) return;
    const text = `The node's list of ${address} has other times than its transactions: rows of the requested time may be missing.`;
    this.#context.report?.({ type: "coverage", text });
  }

  /** Removes all rows up to the slot of the last one. */
  drop(rows: readonly SignatureRow[]): void {
    const last = rows.at(-1);
    if (!last) return;
    this.#slot = last.slot;
    this.#dropped += rows.length;
    for (const list of this.#lists.values()) list.drop(last.slot);
  }

  /** Reads lists until so many signatures are known. */
  async preload(count: number): Promise<void> {
    for (;;) {
      const open = [...this.#lists.values()].filter(({ done }) => !done);
      const pending = [...this.#lists.values()].reduce((sum, list) => sum + list.pending.length, 0);
      if (open.length === 0 || pending >= count) return;
      await Promise.all(open.map((list) => list.load()));
    }
  }

  /** Returns where a feed continues with rows that were not dropped: later transactions do not precede them then. */
  stateBefore([first]: readonly SignatureRow[]): FeedState {
    const step = this.#direction === "newest" ? 1 : -1;
    return first ? { ...this.state(), slot: first.slot + step } : this.state();
  }

  /** Returns where a feed continues after the rows that were dropped. */
  state(): FeedState {
    const lists = [...this.#lists].map(([address, { cursor }]) => [address, cursor ?? null] as const);
    return { slot: this.#slot ?? null, lists: Object.fromEntries(lists) };
  }

  /** Returns the rows of the next slot by list, and moves the positions behind them. */
  async #nextGroups(
    lists: readonly SignatureList[],
    positions: Map<SignatureList, number>,
  ): Promise<readonly (readonly SignatureRow[])[]> {
    await Promise.all(lists.map((list) => loadBeyond(list, positions.get(list) ?? 0)));
    const heads = lists.flatMap((list) => list.pending[positions.get(list) ?? 0]?.slot ?? []);
    if (heads.length === 0) return [];
    const slot = heads.reduce((a, b) => (this.#direction === "newest" ? Math.max(a, b) : Math.min(a, b)));
    const groups = lists.map(async (list) => {
      const start = positions.get(list) ?? 0;
      let end = start;
      while (list.pending[end]?.slot === slot) {
        end++;
        await loadBeyond(list, end);
      }
      positions.set(list, end);
      return list.pending.slice(start, end);
    });
    return (await Promise.all(groups)).filter(({ length }) => length > 0);
  }

  /** Returns the rows of one slot in the order of the walk, each once. */
  async #order(groups: readonly (readonly SignatureRow[])[]): Promise<readonly SignatureRow[]> {
    const bySignature = new Map<string, SignatureRow>();
    for (const row of groups.flat()) {
      const same = bySignature.get(row.signature);
      bySignature.set(
        row.signature,
        same ? { ...same, others: [...(same.others ?? []), row.address], isEdge: same.isEdge || row.isEdge } : row,
      );
    }
    const rows = [...bySignature.values()];
    const complete = groups.find(({ length }) => length === rows.length);
    const own = new Map(rows.flatMap(({ signature, index }) => (index === undefined ? [] : [[signature, index]])));
    const isIndexed = new Set(own.values()).size === rows.length;
    if (complete && !isIndexed) return complete.map((row) => bySignature.get(row.signature) ?? row);
    const indexes = isIndexed ? own : await this.#positionsInBlock(rows);
    const sign = this.#direction === "newest" ? -1 : 1;
    const positionOf = ({ signature }: SignatureRow) => indexes.get(signature) ?? 0;
    return rows.sort((a, b) => sign * (positionOf(a) - positionOf(b)));
  }

  /** Nodes before Agave 4 do not report positions; two lists then say nothing about their common order. */
  async #positionsInBlock(rows: readonly SignatureRow[]): Promise<ReadonlyMap<string, number>> {
    const slot = rows[0]?.slot ?? 0;
    const { block } = requireBlock(await readBlock(this.#context, slot, "signatures"), slot);
    const positions = new Map((block.signatures ?? []).map((signature, index) => [signature, index]));
    const lacking = rows.find(({ signature }) => !positions.has(signature));
    if (!lacking) return positions;
    throw new Member(block.signatures, `signatures of slot ${slot}`).malformed(`a list with ${lacking.signature}`);
  }
}

/** Reads a list until it has a row at an index, or its end. */
async function loadBeyond(list: SignatureList, index: number): Promise<void> {
  while (list.pending.length <= index && !list.done) await list.load();
}
