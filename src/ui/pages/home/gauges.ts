/** The state of the chain in a few values: as the API reports it, and as a node reports its cluster. */
import {
  computePercent,
  type Decimal,
  groupThousands,
  type JsonObject,
  toDecimal,
  toNumber,
} from "../../../base/index.ts";
import { ChainInfo, ClusterStatus, TokenListItem } from "../../../catalogue/schemas.ts";
import { type Clock, formatPercent, SOL_DECIMALS } from "../../../output/index.ts";
import { isScarce, quotaText } from "../../data/live-plan.ts";
import { shareBar } from "../../frame/share-bar.ts";
import type { QuotaView } from "../../navigation/data-store.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { changeSpan } from "../../widgets/cells.ts";
import { sparkline } from "../../widgets/chart/one-line.ts";
import { fieldValues, shortNumber } from "../entity/fields.ts";

/** A value with what explains it. */
export interface ChainGauge {
  readonly title: string;
  readonly value: TextLine;
  /** What is less important than the value: on a separate line, and left out where there is none. */
  readonly note?: TextLine | undefined;
  /** A bar before or a series behind the value, of at most `max` cells. */
  readonly drawing?:
    | { readonly isFirst: boolean; readonly max: number; readonly line: (width: number) => TextLine }
    | undefined;
}

const textOf = (text: string | undefined): TextLine => (text ? [span(text)] : []);
const noteOf = (text: string | undefined): TextLine => (text ? [span(text, "note")] : []);

const MAX_BAR = 30;

const barDrawing = (share: number, unicode: boolean): ChainGauge["drawing"] => ({
  isFirst: true,
  max: MAX_BAR,
  line: (width) => shareBar(share, width, unicode),
});

function seriesDrawing(values: readonly (number | undefined)[], unicode: boolean): ChainGauge["drawing"] {
  if (values.length === 0) return undefined;
  return { isFirst: false, max: values.length, line: (width) => [span(sparkline(values, width, unicode), "bar")] };
}

/** Slots per epoch, and the target duration of a slot in seconds. */
const EPOCH_SLOTS = 432_000;
const SLOT_SECONDS = 0.4;

/** The progress of an epoch. */
export interface Epoch {
  /** From 0 to 1. */
  readonly share: number | undefined;
  /** Seconds to its end at the target speed. */
  readonly secondsLeft: number | undefined;
}

/** Returns the progress of the epoch of a slot. */
export function epochProgress(slot: Decimal | undefined): Epoch | undefined {
  if (!slot || slot.negative || slot.scale > 0) return undefined;
  const done = Number(slot.digits % BigInt(EPOCH_SLOTS));
  return { share: done / EPOCH_SLOTS, secondsLeft: (EPOCH_SLOTS - done) * SLOT_SECONDS };
}

interface Speed {
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

/** Formats a duration: `19h`, `2d 4h`, `12m`. */
export function durationText(seconds: number): string {
  const minutes = Math.max(0, Math.round(seconds / 60));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return hours > 0 ? `${days}d ${hours}h` : `${days}d`;
  return hours > 0 ? `${hours}h` : `${minutes}m`;
}

interface ChainData {
  readonly chain: JsonObject | undefined;
  /** The latest blocks, newest first. */
  readonly blocks: readonly JsonObject[];
  /** SOL as a token with a price. */
  readonly sol?: JsonObject | undefined;
  readonly units?: QuotaView["units"];
}

/** Returns the gauges of the chain, the most important first. */
export function chainGauges(
  { chain, blocks, sol, units }: ChainData,
  clock: Clock,
  unicode: boolean,
): readonly ChainGauge[] {
  const { text } = fieldValues(ChainInfo, chain, clock);
  const total = text("transactionCount");
  const height = text("blockHeight");
  const speed = speedOf(blocks);
  // Both answers are of different times.
  const slots = [chain?.absoluteSlot, blocks[0]?.current_slot].map(toNumber).filter((slot) => slot !== undefined);
  return [
    epochGauge(text("currentEpoch"), chain && epochProgress(toDecimal(chain.absoluteSlot)), unicode),
    {
      title: speed ? `TPS (last ${Math.round(speed.seconds)}s)` : "TPS",
      value: textOf(speed && groupThousands(Math.round(speed.perSecond))),
      note: noteOf(total && `${shortNumber(total)} since genesis`),
      drawing: seriesDrawing(blocks.map((block) => toNumber(block.transactions_count)).toReversed(), unicode),
    },
    solGauge(sol, clock, unicode),
    {
      title: "slot",
      value: textOf(slots.length === 0 ? "" : groupThousands(Math.max(...slots))),
      note: noteOf(height && `height ${/^\d+$/.test(height) ? groupThousands(height) : height}`),
    },
    ...(units ? [unitsGauge(units, unicode)] : []),
  ];
}

function epochGauge(number: string, { share, secondsLeft }: Partial<Epoch> = {}, unicode: boolean): ChainGauge {
  return {
    title: `epoch ${number}`,
    value: textOf(share === undefined ? "" : `${Math.floor(share * 100)}%`),
    note: noteOf(secondsLeft === undefined ? "" : `ends in about ${durationText(secondsLeft)}`),
    drawing: share === undefined ? undefined : barDrawing(share, unicode),
  };
}

function solGauge(sol: JsonObject | undefined, clock: Clock, unicode: boolean): ChainGauge {
  const { text } = fieldValues(TokenListItem, sol, clock);
  const [price, cap] = [text("price"), text("market_cap")];
  if (price === "") return { title: "SOL", value: [] };
  return {
    title: "SOL",
    value: [span(price, "title"), span(" "), changeSpan(toDecimal(sol?.price_24h_change), unicode)],
    note: noteOf(cap && `market cap ${shortNumber(cap)}`),
  };
}

const shareOf = ({ remaining, limit }: NonNullable<QuotaView["units"]>) => (limit > 0 ? remaining / limit : 0);

/** Returns the compute units left and their share as text. */
export function unitsText(units: QuotaView["units"]): string {
  return units ? `${quotaText(units.remaining)} ${Math.floor(shareOf(units) * 100)}%` : "";
}

function unitsGauge(units: NonNullable<QuotaView["units"]>, unicode: boolean): ChainGauge {
  const [left = "", percent = ""] = unitsText(units).split(" ");
  return {
    title: "units left",
    value: [span(left, isScarce(units) ? "warning" : undefined)],
    note: noteOf(`${percent} of the period`),
    drawing: barDrawing(shareOf(units), unicode),
  };
}

/** Minutes of the sparkline. */
const SPARKLINE_WIDTH = 30;

interface ClusterData {
  readonly status: JsonObject;
  /** Performance samples, newest first. */
  readonly samples: readonly JsonObject[];
}

/** Returns the gauges of a cluster, the most important first. What the node does not know is left out. */
export function clusterGauges({ status, samples }: ClusterData, clock: Clock, unicode: boolean): readonly ChainGauge[] {
  const { text } = fieldValues(ClusterStatus, status, clock);
  const number = (field: string) => toNumber(status[field]);
  const whole = (field: string, unit = "") => {
    const value = number(field);
    return value === undefined ? "" : `${groupThousands(Math.round(value))}${unit}`;
  };
  const percent = (part: string, all: string) => {
    const [share, total] = [toDecimal(status[part]), toDecimal(status[all])];
    const value = share && total && computePercent(share, total);
    return value ? formatPercent(value) : "";
  };
  const progress = number("epoch_progress");
  const epoch = {
    share: progress === undefined ? undefined : progress / 100,
    secondsLeft: number("epoch_remaining_seconds"),
  };
  // The node of a local validator is known by its genesis hash only.
  const { cluster } = status;
  const name = typeof cluster === "string" && cluster !== "unknown" ? cluster : "local or private";
  const height = whole("block_height");
  const hour = whole("slot_milliseconds_hour", " ms in the last hour");
  const delinquentStake = toDecimal(status.delinquent_stake)?.digits ? percent("delinquent_stake", "active_stake") : "";
  const circulating = percent("circulating_supply", "total_supply");
  return [
    { title: "cluster", value: [span(name, "title")], note: noteOf(text("version")) },
    epochGauge(text("epoch"), epoch, unicode),
    clusterSpeedGauge(status, samples, unicode),
    { title: "slot", value: textOf(whole("slot")), note: noteOf(height && `height ${height}`) },
    { title: "slot time", value: textOf(whole("slot_milliseconds", " ms")), note: noteOf(hour) },
    {
      title: "stake",
      value: textOf(shortSol(toDecimal(status.active_stake))),
      note: delinquentStake === "" ? [] : [span(`${delinquentStake} delinquent`, "warning")],
    },
    {
      title: "validators",
      value: textOf(whole("validators")),
      note: number("delinquent_validators") ? [span(`${whole("delinquent_validators")} delinquent`, "warning")] : [],
    },
    {
      title: "supply",
      value: textOf(shortSol(toDecimal(status.total_supply))),
      note: noteOf(circulating && `${circulating} in circulation`),
    },
    { title: "transactions", value: textOf(shortNumber(text("transaction_count"))) },
  ];
}

/** Returns the transactions per second, votes apart, with a line of the last minutes, the newest at the end. */
function clusterSpeedGauge(status: JsonObject, samples: readonly JsonObject[], unicode: boolean): ChainGauge {
  const [all, others] = [toNumber(status.tps), toNumber(status.non_vote_tps)];
  if (all === undefined) return { title: "TPS", value: [] };
  const minutes = samples
    .slice(0, SPARKLINE_WIDTH)
    .map((sample) => toNumber(sample.non_vote_tps) ?? toNumber(sample.tps))
    .toReversed();
  const rate = (value: number) => (value < 10 ? `${Math.round(value * 10) / 10}` : groupThousands(Math.round(value)));
  return {
    title: "TPS",
    value: [span(rate(others ?? all))],
    note: noteOf(others === undefined ? "" : `and ${rate(Math.max(0, all - others))} votes/s`),
    drawing: seriesDrawing(minutes, unicode),
  };
}

function shortSol(lamports: Decimal | undefined): string {
  return lamports ? `${shortNumber(String(Math.round(Number(lamports.digits) / 10 ** SOL_DECIMALS)))} SOL` : "";
}
