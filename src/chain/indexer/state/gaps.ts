/**
 * Ranges of slots whose blocks an index lacks, as one of its properties. When the blocks are found, those after the gap
 * are removed and written again after them: the index is then the same as one without a gap.
 */
import { deserialize, serialize } from "node:v8";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { ChainLedgerWriter } from "../../ledger/index.ts";
import type { ChainBlock, ChainTransaction } from "../../solana/index.ts";

/**
 * Why blocks are missing: deleted by the node, not in its long-term storage, or not answered for too long. `rewritten`:
 * the gap was filled, and the blocks from it on are being written again. `unheld`: the index of an earlier version does
 * not hold what follows the gap, which cannot be filled.
 */
export type GapReason = "pruned" | "missing" | "unanswered" | "rewritten" | "unheld";

/** Slots without blocks, both inclusive. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly reason: GapReason;
}

/** The gaps of an index that did not store them: slots between blocks whose parent it does not have. */
const UNSTORED = `SELECT (SELECT MAX(slot) FROM blocks AS earlier WHERE earlier.slot < block.slot) + 1 AS start,
    block.parent_slot AS end FROM blocks AS block
  WHERE slot > (SELECT MIN(slot) FROM blocks)
    AND NOT EXISTS (SELECT 1 FROM blocks AS parent WHERE parent.slot = block.parent_slot) ORDER BY block.slot`;

/** Returns the gaps of a ledger, oldest first. */
export function readGaps(ledger: ChainLedgerWriter): readonly Gap[] {
  const stored = ledger.meta("gaps");
  if (stored !== undefined) return JSON.parse(stored);
  const rows = ledger.db.prepare(UNSTORED).all();
  return rows.map(({ start, end }) => ({ from: Number(start), to: Number(end), reason: "unheld" }));
}

/** Returns gaps as a property of a ledger. */
export const encodeGaps = (gaps: readonly Gap[]) => ({ gaps: JSON.stringify(gaps) });

/** Adds a gap; gaps that touch become one. */
export function addGap(gaps: readonly Gap[], gap: Gap): readonly Gap[] {
  const touches = ({ from, to }: Gap) => from <= gap.to + 1 && to >= gap.from - 1;
  const touching = [gap, ...gaps.filter(touches)];
  const from = Math.min(...touching.map((each) => each.from));
  const to = Math.max(...touching.map((each) => each.to));
  return [...gaps.filter((each) => !touches(each)), { ...gap, from, to }].sort((a, b) => a.from - b.from);
}

/** Removes slots from gaps, both inclusive: a block says that there is none between its parent and itself. */
export const removeSlots = (gaps: readonly Gap[], first: number, last: number): readonly Gap[] =>
  gaps.flatMap((gap) =>
    [
      { ...gap, to: Math.min(gap.to, first - 1) },
      { ...gap, from: Math.max(gap.from, last + 1) },
    ].filter(({ from, to }) => from <= to),
  );

/** A block of which some transactions are kept. */
export interface KeptBlock {
  readonly block: ChainBlock;
  /** The number of all its transactions. */
  readonly count: number;
}

/** Returns a block as bytes, with the transactions that an index selects. */
export function encodeBlock(
  block: ChainBlock,
  select: (transaction: ChainTransaction) => boolean = () => true,
): Buffer {
  const kept: KeptBlock = {
    block: { ...block, signatures: undefined, transactions: block.transactions.filter(select) },
    count: block.transactions.length,
  };
  return zstdCompressSync(serialize(kept));
}

/** Returns the block in bytes. */
export const decodeKeptBlock = (bytes: Uint8Array): KeptBlock => deserialize(zstdDecompressSync(bytes)) as KeptBlock;
