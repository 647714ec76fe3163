/** The summary and the neighbours of a block. */
import { countOf, fieldOf, type Json, type JsonObject, textOf } from "../../../base/index.ts";
import { Block } from "../../../catalogue/schemas.ts";
import type { Clock } from "../../../output/index.ts";
import { shortId } from "../../navigation/route.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { cellSpan, formatField } from "../../widgets/cells.ts";
import type { Fact } from "../entity/summary.ts";
import { timeLine } from "../transaction/summary.ts";

/** From this width on hashes are displayed in full. */
const WIDE_WIDTH = 160;

/** Returns the facts of a block, the most important first. */
export function blockFacts(slot: string, block: JsonObject | undefined, clock: Clock, width: number): readonly Fact[] {
  if (!block) return [{ label: "slot", value: [span(slot)] }];
  const cell = (field: string): TextLine => [cellSpan(formatField(Block, block, field, clock))];
  const hash = textOf(fieldOf(block, "blockhash"));
  return [
    { label: "slot", value: [span(slot)] },
    { label: "time", value: timeLine(fieldOf(block, "block_time"), clock) },
    { label: "transactions", value: cell("transactions_count") },
    { label: "fees", value: cell("fee_rewards").filter(({ role }) => role !== "missing") },
    { label: "height", value: cell("block_height") },
    { label: "parent", value: cell("parent_slot") },
    {
      label: "hash",
      value:
        hash === undefined
          ? []
          : [span(width >= WIDE_WIDTH ? formatField(Block, block, "blockhash", clock).text : shortId(hash))],
    },
  ];
}

/** Returns the slot of the previous block: the parent when known, since slots may be empty; undefined at 0. */
export function previousSlot(slot: string, block: JsonObject | undefined): string | undefined {
  const current = Number(slot);
  const parent = countOf(fieldOf(block, "parent_slot"));
  if (parent !== undefined && parent < current) return `${parent}`;
  return current > 0 ? `${current - 1}` : undefined;
}

/**
 * Returns the slot of the block after a slot among listed blocks; undefined unless the list contains all blocks from the
 * slot on.
 */
export function nextListedSlot(slot: number, rows: readonly Json[] | undefined): number | undefined {
  const slots = (rows ?? []).map((row) => countOf(fieldOf(row, "current_slot"))).filter((one) => one !== undefined);
  const newer = slots.filter((one) => one > slot);
  return newer.length === 0 || newer.length === slots.length ? undefined : Math.min(...newer);
}
