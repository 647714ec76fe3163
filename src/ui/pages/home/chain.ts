/** The state of the chain in a few facts. */

import { type Decimal, decimalOf, groupThousands, type JsonObject, toNumber } from "../../../base/index.ts";
import { ChainInfo } from "../../../catalogue/schemas.ts";
import { type Clock, compactNumber } from "../../../output/index.ts";
import { span, type TextLine } from "../../app/theme/text-line.ts";
import { formatField } from "../../widgets/cells.ts";
import { shareBar, sparkline } from "../../widgets/chart/bar.ts";
import type { Fact } from "../entity/summary.ts";

/** Slots per epoch, and the target duration of a slot in seconds. */
const EPOCH_SLOTS = 432_000;
const SLOT_SECONDS = 0.4;
const BAR_WIDTH = 10;

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

/**
 * Returns the transactions per second of the latest blocks, votes included: those of all blocks but the oldest, divided
 * by the time between the oldest and the newest. Undefined when they span less than a second.
 */
export function transactionsPerSecond(blocks: readonly JsonObject[]): number | undefined {
  const datedBlocks = blocks.flatMap((block) => {
    const [time, count] = [toNumber(block.block_time), toNumber(block.transactions_count)];
    return time !== undefined && count !== undefined ? [{ time, count }] : [];
  });
  const times = datedBlocks.map(({ time }) => time);
  const oldest = Math.min(...times);
  const seconds = Math.max(...times) - oldest;
  if (!(seconds >= 1)) return undefined;
  const count = datedBlocks.filter(({ time }) => time > oldest).reduce((sum, one) => sum + one.count, 0);
  return count / seconds;
}

/** Formats a future duration: `19h`, `2d 4h`, `12m`. */
export function durationText(seconds: number): string {
  const minutes = Math.max(0, Math.round(seconds / 60));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return hours > 0 ? `${days}d ${hours}h` : `${days}d`;
  return hours > 0 ? `${hours}h` : `${minutes}m`;
}

/** Returns the facts of the chain, the most important first. */
export function chainFacts(
  chain: JsonObject | undefined,
  blocks: readonly JsonObject[],
  clock: Clock,
  unicode: boolean,
): readonly Fact[] {
  if (!chain) return [];
  const cell = (field: string) => formatField(ChainInfo, chain, field, clock).text;
  const epoch = epochProgress(decimalOf(chain.absoluteSlot));
  const count = cell("transactionCount");
  const grouped = (field: string) => groupedText(cell(field));
  const progress: TextLine = epoch
    ? [
        ...shareBar(epoch.share, BAR_WIDTH, unicode),
        span(` ${Math.floor(epoch.share * 100)}%, ends in about ${durationText(epoch.secondsLeft)}`),
      ]
    : [];
  return [
    { label: "epoch", value: [span(cell("currentEpoch"))] },
    { label: "slot", value: [span(grouped("absoluteSlot"))] },
    { label: "progress", value: progress },
    { label: "speed", value: speedLine(blocks, unicode) },
    { label: "height", value: [span(grouped("blockHeight"))] },
    { label: "transactions", value: [span(compactNumber(count) ?? count)] },
  ];
}

/** Returns the transactions per second with a sparkline of the latest blocks, the newest at the end. */
function speedLine(blocks: readonly JsonObject[], unicode: boolean): TextLine {
  const speed = transactionsPerSecond(blocks);
  if (speed === undefined) return [];
  const transactions = blocks.map((block) => toNumber(block.transactions_count)).toReversed();
  return [
    span(`about ${groupThousands(Math.round(speed))} transactions/s `),
    span(sparkline(transactions, BAR_WIDTH, unicode), "bar"),
  ];
}

function groupedText(digits: string): string {
  return /^\d+$/.test(digits) ? groupThousands(digits) : digits;
}
