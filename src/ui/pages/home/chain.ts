/** The state of the chain in a few values. */

import { type Decimal, decimalOf, groupThousands, type JsonObject, toNumber } from "../../../base/index.ts";
import { ChainInfo, TokenListItem } from "../../../catalogue/schemas.ts";
import { type Clock, compactNumber } from "../../../output/index.ts";
import { isScarce, quotaText } from "../../data/live-plan.ts";
import { shareBar } from "../../frame/share-bar.ts";
import type { QuotaView } from "../../navigation/data-store.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { changeSpan, formatField } from "../../widgets/cells.ts";
import { sparkline } from "../../widgets/chart/sparkline.ts";
import type { ChainGauge } from "./gauges.ts";

/** Slots per epoch, and the target duration of a slot in seconds. */
const EPOCH_SLOTS = 432_000;
const SLOT_SECONDS = 0.4;
/** Maximum width of a bar. */
const MAX_BAR = 30;

/** The progress of an epoch. */
export interface Epoch {
  /** From 0 to 1. */
  readonly share: number;
  /** Seconds to its end at the target speed. */
  readonly secondsLeft: number;
}

/** Returns the progress of the epoch of a slot. */
export function epochProgress(slot: Decimal | undefined): Epoch | undefined {
  if (!slot || slot.negative || slot.scale > 0) return undefined;
  const done = Number(slot.digits % BigInt(EPOCH_SLOTS));
  return { share: done / EPOCH_SLOTS, secondsLeft: (EPOCH_SLOTS - done) * SLOT_SECONDS };
}

/** The transactions per second in a number of seconds. */
export interface Speed {
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * Returns the speed of the chain in the latest blocks, votes included: the transactions of all blocks but the oldest, in
 * the time between the oldest and the newest. Undefined when they span less than a second.
 */
export function speedOf(blocks: readonly JsonObject[]): Speed | undefined {
  const datedBlocks = blocks.flatMap((block) => {
    const [time, count] = [toNumber(block.block_time), toNumber(block.transactions_count)];
    return time !== undefined && count !== undefined ? [{ time, count }] : [];
  });
  const times = datedBlocks.map(({ time }) => time);
  const oldest = Math.min(...times);
  const seconds = Math.max(...times) - oldest;
  if (!(seconds >= 1)) return undefined;
  const count = datedBlocks.filter(({ time }) => time > oldest).reduce((sum, one) => sum + one.count, 0);
  return { perSecond: count / seconds, seconds };
}

/** Formats a future duration: `19h`, `2d 4h`, `12m`. */
export function durationText(seconds: number): string {
  const minutes = Math.max(0, Math.round(seconds / 60));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return hours > 0 ? `${days}d ${hours}h` : `${days}d`;
  return hours > 0 ? `${hours}h` : `${minutes}m`;
}

/** What the gauges of the chain are made from. */
export interface ChainData {
  readonly chain: JsonObject | undefined;
  /** The latest blocks, newest first. */
  readonly blocks: readonly JsonObject[];
  /** SOL as a token with a price. */
  readonly sol?: JsonObject | undefined;
  /** Compute units left. */
  readonly units?: QuotaView["units"];
}

/** Returns the gauges of the chain, the most important first. */
export function chainGauges(
  { chain, blocks, sol, units }: ChainData,
  clock: Clock,
  unicode: boolean,
): readonly ChainGauge[] {
  const cell = (field: string) => formatField(ChainInfo, chain, field, clock).text;
  const grouped = (field: string) => (chain ? groupedText(cell(field)) : "");
  const count = chain ? cell("transactionCount") : "";
  return [
    epochGauge(chain && cell("currentEpoch"), chain && epochProgress(decimalOf(chain.absoluteSlot)), unicode),
    speedGauge(blocks, count, unicode),
    solGauge(sol, clock, unicode),
    { title: "slot", value: [span(newestSlot(chain, blocks))], note: heightNote(grouped("blockHeight")) },
    ...(units ? [unitsGauge(units, unicode)] : []),
  ];
}

/** Returns the newest slot of both answers, which are of different times. */
function newestSlot(chain: JsonObject | undefined, [block]: readonly JsonObject[]): string {
  const slots = [toNumber(chain?.absoluteSlot), toNumber(block?.current_slot)].filter((slot) => slot !== undefined);
  return slots.length === 0 ? "" : groupThousands(Math.max(...slots));
}

/** Returns the progress of an epoch as a bar. */
export function epochGauge(
  number: string | undefined,
  epoch: Partial<Epoch> | undefined,
  unicode: boolean,
): ChainGauge {
  const { share, secondsLeft } = epoch ?? {};
  return {
    title: `epoch ${number ?? ""}`,
    value: share === undefined ? [] : [span(`${Math.floor(share * 100)}%`)],
    note: secondsLeft === undefined ? [] : [span(`ends in about ${durationText(secondsLeft)}`, "note")],
    ...(share !== undefined && {
      drawing: { isFirst: true, max: MAX_BAR, line: (width) => shareBar(share, width, unicode) },
    }),
  };
}

/** Returns the drawing of a series, the newest value at the end; undefined without values. */
export function seriesDrawing(values: readonly (number | undefined)[], unicode: boolean): ChainGauge["drawing"] {
  if (values.length === 0) return undefined;
  return { isFirst: false, max: values.length, line: (width) => [span(sparkline(values, width, unicode), "bar")] };
}

/** Returns the height of a block as a note. */
export const heightNote = (height: string): TextLine => (height === "" ? [] : [span(`height ${height}`, "note")]);

function solGauge(sol: JsonObject | undefined, clock: Clock, unicode: boolean): ChainGauge {
  const price = formatField(TokenListItem, sol, "price", clock);
  if (price.role === "missing") return { title: "SOL", value: [] };
  const cap = formatField(TokenListItem, sol, "market_cap", clock);
  return {
    title: "SOL",
    value: [span(price.text, "title"), span(" "), changeSpan(decimalOf(sol?.price_24h_change), unicode)],
    note: cap.role === "missing" ? [] : [span(`market cap ${compactNumber(cap.text) ?? cap.text}`, "note")],
  };
}

const shareOf = ({ remaining, limit }: NonNullable<QuotaView["units"]>) => (limit > 0 ? remaining / limit : 0);

/** Returns the compute units left and their share as text. */
export function unitsText(units: QuotaView["units"]): string {
  if (!units) return "";
  return `${quotaText(units.remaining)} ${Math.floor(shareOf(units) * 100)}%`;
}

function unitsGauge(units: NonNullable<QuotaView["units"]>, unicode: boolean): ChainGauge {
  const [left = "", percent = ""] = unitsText(units).split(" ");
  const share = shareOf(units);
  const role = isScarce(units) ? "warning" : undefined;
  return {
    title: "units left",
    value: [span(left, role)],
    note: [span(`${percent} of the period`, "note")],
    drawing: { isFirst: true, max: MAX_BAR, line: (width) => shareBar(share, width, unicode) },
  };
}

/** Returns the speed with its window, and the transactions of each block. @param total transactions since genesis */
function speedGauge(blocks: readonly JsonObject[], total: string, unicode: boolean): ChainGauge {
  const speed = speedOf(blocks);
  return {
    title: speed ? `TPS (last ${Math.round(speed.seconds)}s)` : "TPS",
    value: speed ? [span(groupThousands(Math.round(speed.perSecond)))] : [],
    note: total === "" ? [] : [span(`${compactNumber(total) ?? total} since genesis`, "note")],
    drawing: seriesDrawing(blocks.map((block) => toNumber(block.transactions_count)).toReversed(), unicode),
  };
}

function groupedText(digits: string): string {
  return /^\d+$/.test(digits) ? groupThousands(digits) : digits;
}
