/** What a transaction cost: its fee and its compute units, compared with current fees. */
import {
  type Decimal,
  decimalOf,
  fieldOf,
  isObject,
  type Json,
  type JsonObject,
  toNumber,
} from "../../../base/index.ts";
import { TransactionFees } from "../../../catalogue/schemas.ts";
import { groupDigits, SOL_DECIMALS } from "../../../output/index.ts";
import { shareBar } from "../../frame/share-bar.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { formatField } from "../../widgets/cells.ts";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import type { TransactionFormatter } from "./formatter.ts";
import { unitLimitOf } from "./summary.ts";

const LABEL_WIDTH = 18;
const BAR_WIDTH = 24;
/** Lamports of the smallest fee, below which the scale of fees does not go. */
const MIN_FEE = 1;
const MICRO = 1_000_000;

/** The input of the rows. */
export interface CostInput {
  /** `data` of transaction details. */
  readonly detail: Json | undefined;
  /** `data` of current fees; undefined while loading or unavailable. */
  readonly fees: JsonObject | undefined;
  readonly unicode: boolean;
}

const row = (label: string, value: TextLine): TreeRow => ({
  key: label,
  line: [span(label.padEnd(LABEL_WIDTH), "key"), ...value],
});
const heading = (text: string): TreeRow => ({ key: `heading ${text}`, line: [span(text, "heading")], isStatic: true });
const blank = (key: string): TreeRow => ({ key: `blank ${key}`, line: [], isStatic: true });

/** Returns the rows of the costs of a transaction. */
export function costRows({ detail, fees, unicode }: CostInput, formatter: TransactionFormatter): readonly TreeRow[] {
  const lamports = (name: string) => toNumber(fieldOf(detail, name));
  const [fee, priority = 0, used] = [
    lamports("fee"),
    lamports("priority_fee"),
    decimalOf(fieldOf(detail, "compute_units_consumed")),
  ];
  if (fee === undefined) return [row("fee", [span("unknown", "missing")])];
  const sol = (value: number): TextLine => [span(`${formatter.amount(value, SOL_DECIMALS)} SOL`)];
  const limit = unitLimitOf(detail);
  const share = used && limit !== undefined && limit > 0n ? Number(used.digits) / Number(limit) : undefined;
  return [
    heading("Fee"),
    row("base", sol(fee - priority)),
    row("priority", [...sol(priority), ...unitPrice(priority, limit)]),
    row("total", sol(fee)),
    ...(used ? [blank("units"), heading("Compute units"), row("used", [span(groupDigits(used))])] : []),
    ...(used && limit !== undefined ? [row("limit", [span(groupDigits(whole(limit)))])] : []),
    ...(share === undefined
      ? []
      : [row("share", [...shareBar(share, BAR_WIDTH, unicode), span(` ${(share * 100).toFixed(1)}%`)])]),
    ...comparisonRows(fee, fees, formatter, unicode),
  ];
}

const whole = (digits: bigint): Decimal => ({ negative: false, digits, scale: 0 });

/** Returns what a requested compute unit cost, in millionths of a lamport, as transactions state it. */
function unitPrice(priority: number, limit: bigint | undefined): TextLine {
  if (priority === 0 || limit === undefined || limit === 0n) return [];
  const price = Math.round((priority * MICRO) / Number(limit));
  return [span(`  ${groupDigits(whole(BigInt(price)))} micro-lamports per unit of the limit`, "note")];
}

/** Returns the fee among current fees, which is between the lowest and the highest on a logarithmic scale. */
function comparisonRows(
  fee: number,
  fees: JsonObject | undefined,
  { clock }: TransactionFormatter,
  unicode: boolean,
): readonly TreeRow[] {
  if (!isObject(fees)) return [];
  const lamports = (field: string) => {
    const value = toNumber(fees[field]);
    return value === undefined ? undefined : value * 10 ** SOL_DECIMALS;
  };
  const [low, average, high] = [lamports("min_fee"), lamports("avg_fee"), lamports("max_fee")];
  const names = { min_fee: "lowest", avg_fee: "average", max_fee: "highest" };
  const known = Object.entries(names).map(([field, name]) =>
    row(name, [span(formatField(TransactionFees, fees, field, clock).text)]),
  );
  const times =
    average === undefined || average === 0 ? [] : [span(timesText(fee / average)), span(" the average", "note")];
  const scale = low === undefined || high === undefined ? [] : scaleLine([fee, low, average, high], unicode);
  return [
    blank("current"),
    heading("Current fees"),
    ...known,
    row("this transaction", [...times, ...(scale.length > 0 ? [span("  "), ...scale] : [])]),
  ];
}

/** Formats a ratio with two or three significant digits: `0.77×`, `12×`. */
const timesText = (ratio: number): string => `${ratio >= 100 ? Math.round(ratio) : Number(ratio.toPrecision(2))}×`;

type Fees = readonly [fee: number, low: number, average: number | undefined, high: number];

/** Draws the fee, and the average, between the lowest and the highest fee. */
function scaleLine([fee, low, average, high]: Fees, unicode: boolean): TextLine {
  const log = (value: number) => Math.log(Math.max(MIN_FEE, value));
  if (!(high > low)) return [];
  const at = (value: number) =>
    Math.round(Math.min(1, Math.max(0, (log(value) - log(low)) / (log(high) - log(low)))) * (BAR_WIDTH - 1));
  const cells = Array.from({ length: BAR_WIDTH }, () => span(unicode ? "─" : "-", "track"));
  if (average !== undefined) cells[at(average)] = span(unicode ? "┼" : "+", "frame");
  cells[at(fee)] = span(unicode ? "●" : "O", fee > (average ?? fee) ? "warning" : "good");
  return [span("lowest ", "note"), ...cells, span(" highest", "note")];
}
