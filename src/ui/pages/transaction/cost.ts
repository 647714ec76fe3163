/** What a transaction cost: its fee and its compute units, compared with the fees of its block. */
import { fieldOf, groupThousands, type Json, type JsonObject, listOf, toNumber } from "../../../base/index.ts";
import { SOL_DECIMALS } from "../../../output/index.ts";
import { shareBar } from "../../frame/share-bar.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { quantile } from "../../widgets/chart/bars.ts";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import { joinSections, titledRows } from "../entity/rows.ts";
import type { TransactionFormatter } from "./formatter.ts";
import { unitsOf } from "./summary.ts";

const LABEL_WIDTH = 18;
const BAR_WIDTH = 24;
const MICRO = 1_000_000;

interface CostInput {
  readonly detail: Json | undefined;
  /** Transactions of its block without votes; undefined while loading or unavailable. */
  readonly block: JsonObject | undefined;
  readonly unicode: boolean;
}

const row = (label: string, ...value: TextLine): TreeRow => ({
  key: label,
  line: [span(label.padEnd(LABEL_WIDTH), "key"), ...value],
});

/** Returns the rows of the costs of a transaction. */
export function costRows({ detail, block, unicode }: CostInput, formatter: TransactionFormatter): readonly TreeRow[] {
  const [fee, priority = 0] = ["fee", "priority_fee"].map((name) => toNumber(fieldOf(detail, name)));
  if (fee === undefined) return [row("fee", span("unknown", "missing"))];
  const sol = (value: number) => span(`${formatter.amount(value, SOL_DECIMALS)} SOL`);
  const { used, limit } = unitsOf(detail);
  const share = used !== undefined && limit ? used / limit : undefined;
  const unitRows = [
    ...(used === undefined ? [] : [row("used", span(groupThousands(used)))]),
    ...(used === undefined || limit === undefined ? [] : [row("limit", span(groupThousands(limit)))]),
    ...(share === undefined
      ? []
      : [row("share", ...shareBar(share, BAR_WIDTH, unicode), span(` ${(share * 100).toFixed(1)}%`))]),
  ];
  return joinSections([
    titledRows("Fee", [
      row("base", sol(fee - priority)),
      row("priority", sol(priority), ...unitPrice(priority, limit)),
      row("total", sol(fee)),
    ]),
    titledRows("Compute units", unitRows),
    block ? comparisonRows(fee, block, formatter, unicode) : [],
  ]);
}

/** Returns what a requested compute unit cost, in millionths of a lamport, as transactions state it. */
function unitPrice(priority: number, limit: number | undefined): TextLine {
  if (priority === 0 || !limit) return [];
  const price = groupThousands(Math.round((priority * MICRO) / limit));
  return [span(`  ${price} micro-lamports per unit of the limit`, "note")];
}

/** Returns the fee among those of its block, whose lowest and highest one span a logarithmic scale. */
function comparisonRows(fee: number, block: JsonObject, { amount }: TransactionFormatter, unicode: boolean) {
  const fees = listOf(block.transactions).flatMap((one) => toNumber(fieldOf(one, "fee")) ?? []);
  const [low, median, high] = [0, 0.5, 1].map((fraction) => quantile(fees, fraction));
  if (low === undefined || median === undefined || high === undefined) return [];
  const known = Object.entries({ lowest: low, median, highest: high }).map(([name, value]) =>
    row(name, span(`${amount(value, SOL_DECIMALS)} SOL`)),
  );
  const below = fees.filter((one) => one < fee).length / fees.length;
  const scale = scaleLine([fee, low, median, high], unicode);
  const total = toNumber(block.total) ?? fees.length;
  const part = total > fees.length ? `: ${groupThousands(fees.length)} of ${groupThousands(total)}` : "";
  return titledRows(`Fees of the block, without votes${part}`, [
    ...known,
    row(
      "this transaction",
      span(timesText(fee / Math.max(MIN_FEE, median))),
      span(` the median; ${Math.round(below * 100)}% paid less`, "note"),
    ),
    ...(scale.length > 0 ? [row("", ...scale)] : []),
  ]);
}

/** Formats a ratio with two or three significant digits: `0.77×`, `12×`. */
const timesText = (ratio: number): string => `${ratio >= 100 ? Math.round(ratio) : Number(ratio.toPrecision(2))}×`;

/** Lamports of the smallest fee, below which the scale of fees does not go. */
const MIN_FEE = 1;
type Fees = readonly [fee: number, low: number, median: number, high: number];

/** Draws the fee, and the median, between the lowest and the highest fee. */
function scaleLine([fee, low, median, high]: Fees, unicode: boolean): TextLine {
  const log = (value: number) => Math.log(Math.max(MIN_FEE, value));
  if (!(high > low)) return [];
  const at = (value: number) =>
    Math.round(Math.min(1, Math.max(0, (log(value) - log(low)) / (log(high) - log(low)))) * (BAR_WIDTH - 1));
  const cells = Array.from({ length: BAR_WIDTH }, () => span(unicode ? "─" : "-", "track"));
  cells[at(median)] = span(unicode ? "┼" : "+", "frame");
  cells[at(fee)] = span(unicode ? "●" : "O", fee > median ? "warning" : "good");
  return [span("lowest ", "note"), ...cells, span(" highest", "note")];
}
