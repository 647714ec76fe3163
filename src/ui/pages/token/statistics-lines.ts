/** The statistics of a token as lines: trades with the time windows as columns, then supply and concentration. */
import {
  decimalOf,
  type JsonObject,
  percentOf,
  percentToFraction,
  sumDecimals,
  toNumber,
} from "../../../base/index.ts";
import type { MetricWindow } from "../../../catalogue/index.ts";
import { TokenStatistics } from "../../../catalogue/schemas.ts";
import { type Clock, compactNumber, MISSING } from "../../../output/index.ts";
import { shareBar } from "../../frame/share-bar.ts";
import { fitLine, lineWidth, type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { changeSpan, formatField, tradeChange } from "../../widgets/cells.ts";
import { type Fact, summaryLines } from "../entity/summary.ts";

/** The windows from the most to the least important; those that fit are visible, the shortest first. */
const WINDOWS: readonly MetricWindow[] = ["24h", "1h", "7d", "5m", "30d", "4h", "30m", "8h", "1m"];
/** All windows from the shortest to the longest. */
const ORDER: readonly MetricWindow[] = ["1m", "5m", "30m", "1h", "4h", "8h", "24h", "7d", "30d"];
const LABEL_WIDTH = 16;
const COLUMN_WIDTH = 12;
/** Lines for supply and concentration. */
const MAX_FACT_LINES = 5;

/** What the lines depend on. */
export interface StatisticsLinesOptions {
  readonly width: number;
  readonly unicode: boolean;
  readonly clock: Clock;
}

/** Returns the windows whose columns fit into a width. */
const windowsIn = (width: number): readonly MetricWindow[] => {
  const count = Math.max(1, Math.floor((width - LABEL_WIDTH) / COLUMN_WIDTH));
  const visible = new Set(WINDOWS.slice(0, count));
  return ORDER.filter((window) => visible.has(window));
};

/** A row of the table: its label and the cell of a window. */
type Row = readonly [label: string, cell: (window: MetricWindow) => TextLine];

/** Returns the statistics as lines. */
export function statisticsLines(statistics: JsonObject, options: StatisticsLinesOptions): readonly TextLine[] {
  const { width } = options;
  const windows = windowsIn(width);
  const header = [
    span(" ".repeat(LABEL_WIDTH)),
    ...windows.map((window) => span(window.padStart(COLUMN_WIDTH), "title")),
  ];
  const table = rowsOf(statistics, options).map(([label, cell]) => [
    span(label.padEnd(LABEL_WIDTH), "key"),
    ...windows.flatMap((window) => alignRight(cell(window), COLUMN_WIDTH)),
  ]);
  return [header, ...table, [], ...summaryLines(factsOf(statistics, options), width, MAX_FACT_LINES)].map((line) =>
    fitLine(line, width),
  );
}

const alignRight = (line: TextLine, width: number): TextLine => [
  span(" ".repeat(Math.max(0, width - lineWidth(line)))),
  ...line,
];

function rowsOf(statistics: JsonObject, { unicode, clock }: StatisticsLinesOptions): readonly Row[] {
  const amount = (field: string): TextLine => [shortField(statistics, field, clock)];
  const changeOf = (measure: string, window: MetricWindow) => decimalOf(statistics[`${measure}_${window}_change_pct`]);
  const change = (measure: string, window: MetricWindow): TextLine => [
    changeSpan(tradeChange(changeOf(measure, window), changeOf("volume", window)), unicode),
  ];
  const withChange = (label: string, measure: string): readonly Row[] => [
    [label, (window) => amount(`${measure}_${window}`)],
    ["  change", (window) => change(measure, window)],
  ];
  return [
    ["price", (window) => [changeSpan(changeOf("price", window), unicode)]],
    ...withChange("volume", "volume"),
    ["  bought", (window) => amount(`buy_volume_${window}`)],
    ["  sold", (window) => amount(`sell_volume_${window}`)],
    ["  bought / sold", (window) => splitBar(statistics, window, unicode)],
    ...withChange("trades", "num_trade"),
    ...withChange("traders", "num_trader"),
    ["  buyers", (window) => amount(`num_buyer_${window}`)],
    ["  sellers", (window) => amount(`num_seller_${window}`)],
  ];
}

/** Returns the part of the volume that was bought as a bar; nothing without a volume. */
function splitBar(statistics: JsonObject, window: MetricWindow, unicode: boolean): TextLine {
  const [bought, sold] = [
    decimalOf(statistics[`buy_volume_${window}`]),
    decimalOf(statistics[`sell_volume_${window}`]),
  ];
  const share = bought && sold && percentOf(bought, sumDecimals([bought, sold]));
  return share ? shareBar(percentToFraction(share), COLUMN_WIDTH - 2, unicode) : [span("-", "missing")];
}

function factsOf(statistics: JsonObject, { clock }: StatisticsLinesOptions): readonly Fact[] {
  const value = (field: string): TextLine => [shortField(statistics, field, clock)];
  const known = (field: string) => value(field).filter(({ role }) => role !== "missing");
  const shares = (name: (top: number) => string): TextLine =>
    [1, 5, 20, 100].flatMap((top, at) => [
      span(`${at === 0 ? "" : "  "}${top === 1 ? "largest" : `top ${top}`} `, "note"),
      shortField(statistics, name(top), clock),
    ]);
  return [
    { label: "holder shares", value: shares((top) => `holder_top_${top}_balance_pct`), onOwnLine: true },
    { label: "trader shares 24h", value: shares((top) => `trader_top_${top}_volume_pct_24h`), onOwnLine: true },
    { label: "market cap", value: value("market_cap") },
    { label: "fully diluted", value: value("fdv") },
    { label: "liquidity", value: [...value("liquidity"), span(" in "), ...value("num_pool"), span(" pools")] },
    { label: "circulating", value: value("circulating_supply") },
    { label: "holders", value: value("num_holder") },
    { label: "gini", value: [giniSpan(statistics.holder_gini)] },
    { label: "listed", value: known("first_listing_time") },
  ];
}

/** Formats a coefficient between 0 and 1 with three digits. */
function giniSpan(value: JsonObject[string] | undefined): Span {
  const coefficient = toNumber(value);
  return coefficient === undefined ? span(MISSING.text, "missing") : span(coefficient.toFixed(3));
}

/** Formats a field, large numbers with three digits. */
function shortField(statistics: JsonObject, field: string, clock: Clock): Span {
  const { text, role } = formatField(TokenStatistics, statistics, field, clock);
  return span(compactNumber(text) ?? text, role === "missing" ? role : undefined);
}
