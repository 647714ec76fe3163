/** Looks for the blocks of gaps, at every node of an index, until one has them. */
import { SolxError, splitIntoBatches, throwIfAborted } from "../../base/index.ts";
import type { ChainLedgerWriter } from "../ledger/index.ts";
import type { ChainBlock, ChainTransaction, NodeConnection } from "../solana/index.ts";
import { type BlockCommitment, type BlockReader, createBlockReader } from "./block-reader.ts";
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
      .prepare("SELECT parent_slot AS slot, parent_hash AS hash FROM blocks WHERE slot > ? ORDER BY slot LIMIT 1")
      .get(gap.to);
    if (!next) return false;
    for (const reader of this.#readers) {
      try {
        if (await this.#fillFrom(reader, gap, { slot: Number(next.slot), hash: String(next.hash) })) return true;
      } catch (error) {
        throwIfAborted(signal);
        if (!(error instanceof SolxError)) throw error;
      }
    }
    return false;
  }

  /** Follows the parents of the block after the gap: their hashes prove that nothing is missing, whoever returns them. */
  async #fillFrom(reader: BlockReader, { from, to }: Gap, last: { slot: number; hash: string }): Promise<boolean> {
    const chain: number[] = [];
    let { slot, hash } = last;
    while (slot >= from) {
      const block = this.#held(slot) ?? (await this.#read(reader, from, slot));
      if (block?.blockhash !== hash) return false;
      chain.push(slot);
      [slot, hash] = [block.parentSlot, block.previousBlockhash];
    }
    const { db } = this.#options.ledger;
    // What is stored in front of the gap is its parent, or older: a parent between them is in another gap.
    const before = db.prepare("SELECT slot, hash FROM blocks WHERE slot < ? ORDER BY slot DESC LIMIT 1").get(from);
    const distance = before ? slot - Number(before.slot) : 1;
    if (distance < 0 || (distance === 0 && before?.hash !== hash)) return false;
    db.prepare("DELETE FROM held WHERE slot BETWEEN ? AND ? AND slot NOT IN (SELECT value FROM json_each(?))").run(
      ...[from, to, JSON.stringify(chain)],
    );
    return true;
  }

  #held(slot: number): ChainBlock | undefined {
    const [found, bytes] = this.#options.ledger.held(slot) ?? [];
    const block = found === slot && bytes ? decodeKeptBlock(bytes).block : undefined;
    return block && !this.#options.refusalOf(block) ? block : undefined;
  }

  /** Reads the block of a slot, and those before it that the node lists. */
  async #read(reader: BlockReader, from: number, slot: number): Promise<ChainBlock | undefined> {
    const { ledger, concurrency = DEFAULT_CONCURRENCY, select } = this.#options;
    const first = await reader.block(slot);
    if (!first) return undefined;
    ledger.write({ held: [[slot, encodeBlock(first, select)]] });
    const listed = await reader.slotsWithBlocks(Math.max(from, slot - SLOTS_AT_ONCE), slot);
    const missing = listed.filter((each) => each < slot && !this.#held(each)).reverse();
    for (const slots of splitIntoBatches(missing, concurrency)) {
      const blocks = await Promise.all(slots.map((each) => reader.block(each)));
      ledger.write({ held: blocks.flatMap((block) => (block ? [[block.slot, encodeBlock(block, select)]] : [])) });
    }
    return first;
  }
}
