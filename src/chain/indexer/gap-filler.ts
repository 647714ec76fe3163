/** Looks for the blocks of gaps, at every node of an index, until one has them. */
import { SolxError, splitIntoBatches, throwIfAborted } from "../../base/index.ts";
import type { ChainLedgerWriter } from "../ledger/index.ts";
import type { ChainBlock, ChainTransaction, NodeConnection } from "../solana/index.ts";
import { type BlockCommitment, type BlockReader, createBlockReader } from "./block-reader.ts";
import type { BlockPosition } from "./blocks.ts";
import { decodeKeptBlock, encodeBlock, type Gap } from "./state/gaps.ts";

/** Options of a {@link GapFiller}. */
interface GapFillerOptions {
  readonly ledger: ChainLedgerWriter;
  readonly commitment: BlockCommitment;
  readonly signal?: AbortSignal | undefined;
  readonly concurrency?: number | undefined;
  /** Milliseconds before the second attempt; they double up to ten minutes. */
  readonly firstDelay?: number | undefined;
  readonly select?: ((transaction: ChainTransaction) => boolean) | undefined;
  readonly refusalOf: (block: ChainBlock) => Error | undefined;
  /** Called for a block that was wrong and is replaced. */
  readonly onEvent?: ((event: { readonly kind: "note"; readonly text: string }) => void) | undefined;
}

const DEFAULT_CONCURRENCY = 4;
const FIRST_DELAY = 2000;
const MAX_DELAY = 600_000;
/** Slots that are listed together. */
const SLOTS_AT_ONCE = 100;

/** Finds the blocks of gaps and holds them in the file. */
export class GapFiller {
  readonly #readers: readonly BlockReader[];
  readonly #options: GapFillerOptions;
  #attempts = 0;
  #next = 0;

  constructor(nodes: readonly NodeConnection[], options: GapFillerOptions) {
    const { commitment, signal, refusalOf } = options;
    this.#readers = nodes.map((node) => createBlockReader(node, commitment, signal, refusalOf));
    this.#options = options;
  }

  /** Whether it is time to try again. */
  get isDue(): boolean {
    return performance.now() >= this.#next;
  }

  /** Tries soon: a gap is new, or was filled. */
  reset(): void {
    [this.#attempts, this.#next] = [0, 0];
  }

  /** Returns the gaps all blocks of which were found; none when there are none yet. */
  async findFilled(gaps: readonly Gap[]): Promise<readonly Gap[]> {
    const filled: Gap[] = [];
    for (const gap of gaps) if (await this.#fill(gap)) filled.push(gap);
    if (filled.length > 0) return filled;
    const { firstDelay = FIRST_DELAY } = this.#options;
    this.#next = performance.now() + Math.min(MAX_DELAY, firstDelay * 2 ** Math.min(this.#attempts++, 16));
    return filled;
  }

  async #fill(gap: Gap): Promise<boolean> {
    const { ledger, signal } = this.#options;
    const next = ledger.db
      .prepare("SELECT slot, hash, parent_slot, parent_hash FROM blocks WHERE slot > ? ORDER BY slot LIMIT 1")
      .get(gap.to);
    if (!next) return false;
    const after = { slot: Number(next.slot), hash: String(next.hash) };
    const parent = { slot: Number(next.parent_slot), hash: String(next.parent_hash) };
    for (const reader of this.#readers) {
      try {
        if (await this.#fillFrom(reader, gap, [after, parent])) return true;
      } catch (error) {
        throwIfAborted(signal);
        if (!(error instanceof SolxError)) throw error;
      }
    }
    return false;
  }

  /**
   * Follows the parents of the block after the gap: their hashes prove that nothing is missing, whoever returns them. A
   * block whose parent is not found is read once more: it may be what was wrong.
   */
  async #fillFrom(reader: BlockReader, { from, to }: Gap, [after, first]: readonly BlockPosition[]): Promise<boolean> {
    const chain: number[] = [];
    const replaced: ChainBlock[] = [];
    let [child, parent, isDoubted] = [after as BlockPosition, first as BlockPosition, false];
    while (parent.slot >= from || !this.#continues(from, parent)) {
      const block = parent.slot >= from ? await this.#find(reader, from, parent) : undefined;
      if (block) {
        chain.push(block.slot);
        [child, parent, isDoubted] = [parent, parentOf(block), false];
        continue;
      }
      const again = isDoubted ? undefined : await reader.block(child.slot);
      if (again?.blockhash !== child.hash) return false;
      [parent, isDoubted] = [parentOf(again), true];
      replaced.push(again);
    }
    const { ledger } = this.#options;
    ledger.db
      .prepare("DELETE FROM held WHERE slot BETWEEN ? AND ? AND slot NOT IN (SELECT value FROM json_each(?))")
      .run(from, to, JSON.stringify(chain));
    this.#hold(replaced);
    for (const { slot } of replaced) this.#reportWrong(slot);
    return true;
  }

  /** Whether what is stored in front of a gap is a block, or older: one between them is in another gap. */
  #continues(from: number, { slot, hash }: BlockPosition): boolean {
    const { db } = this.#options.ledger;
    const before = db.prepare("SELECT slot, hash FROM blocks WHERE slot < ? ORDER BY slot DESC LIMIT 1").get(from);
    const distance = before ? slot - Number(before.slot) : 1;
    return distance > 0 || (distance === 0 && before?.hash === hash);
  }

  /** Returns a block that is held, or else read: what is held may be wrong, and is read again then. */
  async #find(reader: BlockReader, from: number, { slot, hash }: BlockPosition): Promise<ChainBlock | undefined> {
    const held = this.#held(slot);
    if (held?.blockhash === hash) return held;
    const block = await this.#read(reader, from, { slot, hash });
    if (block && held) this.#reportWrong(slot);
    return block;
  }

  #reportWrong(slot: number): void {
    const text = `The block of slot ${slot} did not fit the blocks beside it: it was read again and replaced.`;
    this.#options.onEvent?.({ kind: "note", text });
  }

  #held(slot: number): ChainBlock | undefined {
    const [found, bytes] = this.#options.ledger.held(slot) ?? [];
    const block = found === slot && bytes ? decodeKeptBlock(bytes).block : undefined;
    return block && !this.#options.refusalOf(block) ? block : undefined;
  }

  #hold(blocks: readonly (ChainBlock | undefined)[]): void {
    const { ledger, select } = this.#options;
    ledger.write({ held: blocks.flatMap((block) => (block ? [[block.slot, encodeBlock(block, select)]] : [])) });
  }

  /** Reads the block of a slot, and those before it that the node lists; undefined for one with another hash. */
  async #read(reader: BlockReader, from: number, { slot, hash }: BlockPosition): Promise<ChainBlock | undefined> {
    const { concurrency = DEFAULT_CONCURRENCY } = this.#options;
    const first = await reader.block(slot);
    if (first?.blockhash !== hash) return undefined;
    this.#hold([first]);
    const listed = await reader.slotsWithBlocks(Math.max(from, slot - SLOTS_AT_ONCE), slot);
    const missing = listed.filter((each) => each < slot && !this.#held(each)).reverse();
    for (const slots of splitIntoBatches(missing, concurrency))
      this.#hold(await Promise.all(slots.map((each) => reader.block(each))));
    return first;
  }
}

const parentOf = ({ parentSlot: slot, previousBlockhash: hash }: ChainBlock): BlockPosition => ({ slot, hash });
