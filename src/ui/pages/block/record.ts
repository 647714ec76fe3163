/** The page of a block. */
import { countOf, fieldOf, type Json, type JsonObject, textOf } from "../../../base/index.ts";
import { Block } from "../../../catalogue/schemas.ts";
import type { Clock } from "../../../output/index.ts";
import { shortId } from "../../navigation/route.ts";
import { span, textLine } from "../../navigation/theme/text-line.ts";
import { endpointAt } from "../../widgets/cells.ts";
import { fieldValues } from "../entity/fields.ts";
import type { Fact } from "../entity/header.ts";
import { entityRecord } from "../entity/record.ts";
import { timeLine } from "../transaction/summary.ts";

/** The block. */
export const BLOCK_DETAIL = endpointAt("/block/detail");
/** Its transactions. */
export const TRANSACTIONS = endpointAt("/block/transactions");

/** The page of a block. */
export const BLOCK = entityRecord({
  requests: { detail: { endpoint: BLOCK_DETAIL } },
  notes: ({ id, states: { detail } }) =>
    detail.problem?.exit === "notFound" && !detail.answer
      ? [textLine(`Slot ${id} has no block: it was skipped or does not exist yet.`, "warning")]
      : [],
  facts: ({ id, answers, clock, width }) => blockFacts(id, answers.detail, clock, width),
  tabs: [
    { name: "transactions", endpoint: TRANSACTIONS },
    { name: "programs", endpoint: endpointAt("/node/block/programs", "node") },
    { name: "accounts", endpoint: endpointAt("/node/block/accounts", "node") },
    { name: "rewards", endpoint: endpointAt("/node/block/rewards", "node") },
    { name: "raw", endpoint: BLOCK_DETAIL },
    { name: "distribution", endpoint: TRANSACTIONS },
  ],
  panes: [
    { tab: "transactions", minimum: { width: 66, height: 14 }, weight: 7 },
    { tab: "programs", minimum: { width: 44, height: 9 }, weight: 3 },
    { tab: "distribution", minimum: { width: 44, height: 11 }, weight: 3 },
    { tab: "raw", minimum: { width: 44, height: 12 }, weight: 2 },
  ],
  hasNeighbours: true,
});

/** From this width on hashes are displayed in full. */
const WIDE_WIDTH = 160;

/** Returns the facts of a block, the most important first. */
export function blockFacts(slot: string, block: JsonObject | undefined, clock: Clock, width: number): readonly Fact[] {
  if (!block) return [{ label: "slot", value: [span(slot)] }];
  const { line, text } = fieldValues(Block, block, clock);
  const hash = textOf(block.blockhash);
  return [
    { label: "slot", value: [span(slot)] },
    { label: "time", value: timeLine(block.block_time, clock) },
    { label: "transactions", value: line("transactions_count") },
    { label: "fee rewards", value: line("fee_rewards") },
    { label: "height", value: line("block_height") },
    { label: "parent", value: line("parent_slot") },
    {
      label: "hash",
      value: hash === undefined ? [] : [span(width >= WIDE_WIDTH ? text("blockhash") : shortId(hash))],
    },
  ];
}

/** Returns the slot of the previous block: the parent when known, since slots may be empty; undefined at 0. */
export function previousSlot(slot: string, block: JsonObject | undefined): string | undefined {
  const current = Number(slot);
  const parent = countOf(block?.parent_slot);
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
