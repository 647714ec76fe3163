/** The summary and the neighbours of a block. */
import type { JsonObject } from "../../../base/index.ts";
import { Block } from "../../../catalogue/schemas.ts";
import type { Clock } from "../../../output/index.ts";
import { shortId } from "../../app/route.ts";
import { span, type TextLine } from "../../app/theme/text-line.ts";
import { cellSpan, formatField } from "../../widgets/cells.ts";
import { countOf, fieldOf, textOf } from "../entity/json-fields.ts";
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
    { label: "fees", value: cell("fee_rewards") },
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

/** A search for the next block, since slots may be empty. */
export interface BlockSearch {
  /** The slot where the search started. */
  readonly from: string;
  /** Number of empty slots so far. */
  readonly empty: number;
}

/** Maximum number of slots to try: each costs a request. */
export const MAX_EMPTY_SLOTS = 8;

/** Returns the next step of a search after an empty slot: the following slot, or the start after too many. */
export function continueSearch(
  slot: string,
  search: BlockSearch,
): { readonly slot: string; readonly search: BlockSearch | undefined } {
  const empty = search.empty + 1;
  return empty < MAX_EMPTY_SLOTS
    ? { slot: `${Number(slot) + 1}`, search: { ...search, empty } }
    : { slot: search.from, search: undefined };
}
