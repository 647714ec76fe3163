/** The page of a token: metadata, prices, statistics, holders and markets. */
import { useMemo } from "react";
import {
  computePercent,
  type Decimal,
  isObject,
  type JsonObject,
  percentToFraction,
  sumDecimals,
  toDecimal,
  toNumber,
} from "../../../base/index.ts";
import type { MetricWindow } from "../../../catalogue/index.ts";
import { TokenMeta, TokenStatistics } from "../../../catalogue/schemas.ts";
import { maxPageSize } from "../../../client/index.ts";
import { type Clock, MISSING } from "../../../output/index.ts";
import { useResource } from "../../data/hooks.ts";
import { useFollow } from "../../data/live.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { Lines } from "../../frame/lines.tsx";
import { shareBar } from "../../frame/share-bar.ts";
import { useBindings, useExplorer, useSubject, useViewState } from "../../navigation/context.ts";
import { bindAction, refreshBinding, valuesBinding } from "../../navigation/keys/bindings.ts";
import { fitLine, joinEnds, type Span, span, type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import { answerObject, cellSpan, changeSpan, formatField, relativeClock, tradeChange } from "../../widgets/cells.ts";
import { CandlePanel } from "../../widgets/chart/candle-panel.tsx";
import { useChartStyle } from "../../widgets/chart/panel.tsx";
import { DetailPanel } from "../../widgets/detail/panel.tsx";
import { AccountData } from "../account/data.tsx";
import { accountRoute } from "../account/record.ts";
import { shortNumber } from "../entity/fields.ts";
import { type Fact, summaryLines } from "../entity/header.ts";
import { EntityLayout, useEntity } from "../entity/layout.tsx";
import { HeadedList, ResourceRows } from "../entity/panels.tsx";
import type { EntityRoute, PageProps, TabProps } from "../props.ts";
import { PriceChart } from "./price-chart.tsx";
import { CANDLES, concentrationLines, concentrationOf, HOLDERS, STATISTICS, TOKEN } from "./record.ts";
import { safetyRows } from "./safety.ts";

/** Shows a token. */
export function TokenPage(props: PageProps<EntityRoute>) {
  const { navigation } = useExplorer();
  const page = useEntity(TOKEN, props);
  const { id, states, clock } = page;
  const { meta } = page.answers;
  useBindings("screen", [
    bindAction("account.as-account", "as account", () => navigation.open(accountRoute(id)), { hint: 60 }),
  ]);
  const status = useFollow(states.meta, true);
  const supply = useMemo(() => toDecimal(meta?.supply), [meta]);
  const title = [...(meta ? [cellSpan(formatField(TokenMeta, meta, "symbol", clock))] : []), span(" in USD", "note")];
  return (
    <EntityLayout
      page={page}
      status={status}
      tabs={{
        mint: (tab) => <AccountData {...tab} />,
        price: (tab) => <PriceChart title={title} {...tab} />,
        candles: ({ region, part }) => (
          <CandlePanel endpoint={CANDLES} params={{ address: id }} titleOf={() => title} region={region} part={part} />
        ),
        statistics: (tab) => <Statistics {...tab} />,
        holders: (tab) => <Holders supply={supply} {...tab} />,
        safety: ({ region, part }) => (
          <ResourceRows resource={states.meta} rows={safetyRows(page)} region={region} part={part} />
        ),
      }}
    />
  );
}

/** The number of holders that concentration is based on: the largest page, which the list shows, too. */
const LARGEST = maxPageSize(HOLDERS);
/** Minimum height with the concentration as a bar. */
const MIN_BAR_HEIGHT = 12;

function Holders({ id, supply, region, part }: TabProps & { readonly supply: Decimal | undefined }) {
  const params = { address: id, page_size: LARGEST };
  const resource = useResource(HOLDERS, params);
  const rows = resource.answer?.rows;
  const groups = useMemo(() => concentrationOf((rows ?? []).filter(isObject), supply), [rows, supply]);
  const { width, height } = region;
  const style = useChartStyle();
  const bar = useMemo(
    () => concentrationLines(groups, { ...style, width }, height < MIN_BAR_HEIGHT ? 1 : 2),
    [groups, style, width, height],
  );
  const lines = bar.length > 0 ? bar : [textLine(rows ? "Too few holders to compute the concentration." : "", "note")];
  return <HeadedList lines={lines} endpoint={HOLDERS} params={params} region={region} part={part} />;
}

/** The windows from the most to the least important; those that fit are visible, the shortest first. */
const WINDOWS: readonly MetricWindow[] = ["24h", "1h", "7d", "5m", "30d", "4h", "30m", "8h", "1m"];
/** All windows from the shortest to the longest. */
const ORDER: readonly MetricWindow[] = ["1m", "5m", "30m", "1h", "4h", "8h", "24h", "7d", "30d"];
const LABEL_WIDTH = 16;
const COLUMN_WIDTH = 12;
/** Lines for supply and concentration. */
const MAX_FACT_LINES = 5;

interface StatisticsOptions {
  readonly width: number;
  readonly unicode: boolean;
  readonly clock: Clock;
}

function windowsIn(width: number): readonly MetricWindow[] {
  const count = Math.max(1, Math.floor((width - LABEL_WIDTH) / COLUMN_WIDTH));
  const visible = new Set(WINDOWS.slice(0, count));
  return ORDER.filter((window) => visible.has(window));
}

function statisticsLines(statistics: JsonObject, options: StatisticsOptions): readonly TextLine[] {
  const { width } = options;
  const windows = windowsIn(width);
  const heads = windows.map((window) => span(window.padStart(COLUMN_WIDTH), "title"));
  const table = rowsOf(statistics, options).map(([label, cell]) => [
    span(label.padEnd(LABEL_WIDTH), "key"),
    ...windows.flatMap((window) => joinEnds([], cell(window), COLUMN_WIDTH)),
  ]);
  const facts = summaryLines(factsOf(statistics, options.clock), width, MAX_FACT_LINES);
  return [[span(" ".repeat(LABEL_WIDTH)), ...heads], ...table, [], ...facts].map((line) => fitLine(line, width));
}

type Row = readonly [label: string, cell: (window: MetricWindow) => TextLine];

function rowsOf(statistics: JsonObject, { unicode, clock }: StatisticsOptions): readonly Row[] {
  const amountRow = (label: string, measure: string): Row => [
    label,
    (window) => [shortField(statistics, `${measure}_${window}`, clock)],
  ];
  const changeOf = (measure: string, window: MetricWindow) => toDecimal(statistics[`${measure}_${window}_change_pct`]);
  const withChange = (label: string, measure: string): readonly Row[] => [
    amountRow(label, measure),
    ["  change", (window) => [changeSpan(tradeChange(changeOf(measure, window), changeOf("volume", window)), unicode)]],
  ];
  return [
    ["price", (window) => [changeSpan(changeOf("price", window), unicode)]],
    ...withChange("volume", "volume"),
    amountRow("  bought", "buy_volume"),
    amountRow("  sold", "sell_volume"),
    ["  bought / sold", (window) => splitBar(statistics, window, unicode)],
    ...withChange("trades", "num_trade"),
    ...withChange("traders", "num_trader"),
    amountRow("  buyers", "num_buyer"),
    amountRow("  sellers", "num_seller"),
  ];
}

/** Returns the part of the volume that was bought as a bar; nothing without a volume. */
function splitBar(statistics: JsonObject, window: MetricWindow, unicode: boolean): TextLine {
  const [bought, sold] = ["buy", "sell"].map((side) => toDecimal(statistics[`${side}_volume_${window}`]));
  const share = bought && sold && computePercent(bought, sumDecimals([bought, sold]));
  return share ? shareBar(percentToFraction(share), COLUMN_WIDTH - 2, unicode) : [span("-", "missing")];
}

function factsOf(statistics: JsonObject, clock: Clock): readonly Fact[] {
  const value = (field: string): TextLine => [shortField(statistics, field, clock)];
  const shares = (name: (top: number) => string): TextLine =>
    [1, 5, 20, 100].flatMap((top, at) => [
      span(`${at === 0 ? "" : "  "}${top === 1 ? "largest" : `top ${top}`} `, "note"),
      shortField(statistics, name(top), clock),
    ]);
  const gini = toNumber(statistics.holder_gini);
  return [
    { label: "holder shares", value: shares((top) => `holder_top_${top}_balance_pct`), onOwnLine: true },
    { label: "trader shares 24h", value: shares((top) => `trader_top_${top}_volume_pct_24h`), onOwnLine: true },
    { label: "market cap", value: value("market_cap") },
    { label: "fully diluted", value: value("fdv") },
    { label: "liquidity", value: [...value("liquidity"), span(" in "), ...value("num_pool"), span(" pools")] },
    { label: "circulating", value: value("circulating_supply") },
    { label: "holders", value: value("num_holder") },
    { label: "gini", value: [gini === undefined ? span(MISSING.text, "missing") : span(gini.toFixed(3))] },
    { label: "listed", value: value("first_listing_time").filter(({ role }) => role !== "missing") },
  ];
}

function shortField(statistics: JsonObject, field: string, clock: Clock): Span {
  const { text, role } = formatField(TokenStatistics, statistics, field, clock);
  return span(shortNumber(text), role === "missing" ? role : undefined);
}

const NONE = "No statistics: not a listed token, or too new.";

function Statistics({ id, region, part }: TabProps) {
  const { services } = useExplorer();
  const [isTable, setTable] = useViewState(part, false);
  const params = { address: id };
  const resource = useResource(STATISTICS, params);
  const status = useResourceLine(resource);
  const statistics = answerObject(resource);
  useBindings("screen", [
    valuesBinding(isTable ? "windows" : "all values", () => setTable((before) => !before)),
    refreshBinding(resource.refresh, !isTable),
  ]);
  useSubject(isTable ? undefined : { request: resource.request, row: statistics });
  if (isTable) return <DetailPanel endpoint={STATISTICS} params={params} region={region} part={`${part} values`} />;
  if (!statistics) return <ResourceStatus resource={resource} region={region} />;
  const { width, height } = region;
  const options = { width, unicode: services.unicode, clock: relativeClock(services) };
  const isKnown = statistics.token_address !== undefined;
  const lines = [
    ...(status ? [status] : []),
    ...(isKnown ? statisticsLines(statistics, options) : [textLine(NONE, "note")]),
  ];
  return <Lines lines={lines.slice(0, height)} width={width} height={height} />;
}
