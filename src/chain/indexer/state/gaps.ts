/**
 * Ranges of slots whose blocks an index lacks, as one of its properties. When the blocks are found, those after the gap
 * are removed and written again after them: the index is then the same as one without a gap.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { toNumeric } from "../../../base/index.ts";
import type { ChainLedgerWriter } from "../../ledger/index.ts";
import type { ChainBlock, ChainTransaction } from "../../solana/index.ts";

/**
 * Why blocks are missing: deleted by the node, not in its long-term storage, not answered for too long, or
 * `unreadable`: malformed, or with values that cannot be stored, whichever node returned them. `rewritten`:
 * the gap was filled, and the blocks from it on are being written again. `unheld`: the index of an earlier version does
 * not hold what follows the gap, which cannot be filled.
 */
export type GapReason = "pruned" | "missing" | "unanswered" | "unreadable" | "rewritten" | "unheld";

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

/** Adds a gap; gaps that touch become one, for the reason of the older one. */
export function addGap(gaps: readonly Gap[], gap: Gap): readonly Gap[] {
  const touches = ({ from, to, reason }: Gap) => reason !== "rewritten" && from <= gap.to + 1 && to >= gap.from - 1;
  const touching = [...gaps.filter(touches), gap];
  const from = Math.min(...touching.map((each) => each.from));
  const to = Math.max(...touching.map((each) => each.to));
  const { reason } = touching[0] ?? gap;
  return [...gaps.filter((each) => !touches(each)), { from, to, reason }].sort((a, b) => a.from - b.from);
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

type Select = (transaction: ChainTransaction) => boolean;

const select = (block: ChainBlock, isKept: Select = () => true): ChainBlock => ({
  ...block,
  signatures: undefined,
  transactions: block.transactions.filter(isKept),
});

/** Returns a block as bytes, with the transactions that an index selects. */
export const encodeBlock = (block: ChainBlock, isKept?: Select): Buffer =>
  zstdCompressSync(encode({ block: select(block, isKept), count: block.transactions.length } satisfies KeptBlock));

/** Returns a text that is the same for blocks with the same content, as it was read or as it is kept. */
export const contentKey = (block: ChainBlock, isKept?: Select): string =>
  createHash("sha256")
    .update(encode(select(block, isKept)))
    .digest("hex");

/** Returns the block in bytes. */
export const decodeKeptBlock = (bytes: Uint8Array): KeptBlock =>
  JSON.parse(zstdDecompressSync(bytes).toString(), decode) as KeptBlock;

/** Members that stand for values that JSON does not have. No name in a block begins with this character. */
const [BIGINT, BYTES] = ["\0n", "\0b"];

/** Returns a value as JSON. Structured clones do not contain the numbers of JSON that a double cannot hold. */
const encode = (value: unknown): string =>
  JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name, each) {
    // Buffers are something else by the time they get here.
    const original = this[name];
    if (typeof original === "bigint") return { [BIGINT]: String(original) };
    return original instanceof Uint8Array ? { [BYTES]: Buffer.from(original).toString("base64") } : each;
  });

function decode(_: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  if (typeof value === "number" && source !== undefined && String(value) !== source) return toNumeric(source);
  if (typeof value !== "object" || value === null) return value;
  const { [BIGINT]: digits, [BYTES]: bytes } = value as Readonly<Record<string, string>>;
  if (digits !== undefined) return BigInt(digits);
  return bytes === undefined ? value : Buffer.from(bytes, "base64");
}
