/**
 * The metrics of a token: measures over time windows, and measures without one. Fields of `/token/statistic`, sort keys
 * and filters of `/token/list-v2` follow from these tables.
 */
import { decimal, type Param } from "./param.ts";

/** The time windows of metrics, with their names in descriptions. */
export const METRIC_WINDOWS = {
  "1m": "1 minute",
  "5m": "5 minutes",
  "30m": "30 minutes",
  "1h": "1 hour",
  "4h": "4 hours",
  "8h": "8 hours",
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
} as const;

/** A time window of metrics. */
export type MetricWindow = keyof typeof METRIC_WINDOWS;

/** The kind of a metric's values. */
type MetricKind = "usd" | "count" | "percent" | "change" | "amount" | "number" | "unixTime";

type MetricTable = Readonly<Record<string, readonly [kind: MetricKind, description: string]>>;

/** Measures of trades in a window; each has a change in percent from the window before. */
export const TRADE_MEASURES = {
  volume: ["usd", "Volume"],
  buy_volume: ["usd", "Volume bought"],
  sell_volume: ["usd", "Volume sold"],
  num_trade: ["count", "Trades"],
  num_buy_trade: ["count", "Buys"],
  num_sell_trade: ["count", "Sells"],
  num_trader: ["count", "Unique traders"],
  num_buyer: ["count", "Unique buyers"],
  num_seller: ["count", "Unique sellers"],
} as const satisfies MetricTable;

/** A measure of trades in a window. */
export type TradeMeasure = keyof typeof TRADE_MEASURES;

/** Metrics without a choice of windows. */
const TOKEN_MEASURES = {
  trader_hhi_24h: ["number", "Concentration of the volume on traders in 24 hours, from 0 to 1 (Herfindahl index)"],
  trader_top_1_volume_pct_24h: ["percent", "Share of the largest trader in the volume of 24 hours"],
  trader_top_5_volume_pct_24h: ["percent", "Share of the 5 largest traders in the volume of 24 hours"],
  trader_top_20_volume_pct_24h: ["percent", "Share of the 20 largest traders in the volume of 24 hours"],
  trader_top_100_volume_pct_24h: ["percent", "Share of the 100 largest traders in the volume of 24 hours"],
  market_cap: ["usd", "Market capitalisation"],
  fdv: ["usd", "Fully diluted valuation: value of the total supply"],
  liquidity: ["usd", "Value of the pools' reserves"],
  total_supply: ["amount", "Total supply in whole units"],
  circulating_supply: ["amount", "Circulating supply in whole units"],
  num_pool: ["count", "Pools that trade the token"],
  num_holder: ["count", "Token accounts with a balance"],
  first_listing_time: ["unixTime", "Time of the first listing; 0 when unknown"],
  holder_gini: ["number", "Inequality of the balances, from 0 to 1 (Gini coefficient)"],
  holder_hhi: ["number", "Concentration of the balances, from 0 to 1 (Herfindahl index)"],
  holder_top_1_balance_pct: ["percent", "Share of the largest holder in the supply"],
  holder_top_5_balance_pct: ["percent", "Share of the 5 largest holders in the supply"],
  holder_top_20_balance_pct: ["percent", "Share of the 20 largest holders in the supply"],
  holder_top_100_balance_pct: ["percent", "Share of the 100 largest holders in the supply"],
} as const satisfies MetricTable;

/** The name of a metric. */
export type TokenMetric =
  | `${TradeMeasure}_${MetricWindow}`
  | `${TradeMeasure}_${MetricWindow}_change_pct`
  | `price_${MetricWindow}_change_pct`
  | keyof typeof TOKEN_MEASURES;

/** A metric: the kind of its values and its description. */
interface MetricDefinition {
  readonly kind: MetricKind;
  readonly description: string;
}

function* definitions(): Generator<readonly [string, MetricDefinition]> {
  for (const [window, words] of Object.entries(METRIC_WINDOWS)) {
    for (const [measure, [kind, description]] of Object.entries<MetricTable[string]>(TRADE_MEASURES)) {
      yield [`${measure}_${window}`, { kind, description: `${description} in ${words}` }];
      const change = `${description} in ${words}: change from the window before`;
      yield [`${measure}_${window}_change_pct`, { kind: "change", description: change }];
    }
    yield [`price_${window}_change_pct`, { kind: "change", description: `Price change in ${words}` }];
  }
  for (const [name, [kind, description]] of Object.entries<MetricTable[string]>(TOKEN_MEASURES))
    yield [name, { kind, description }];
}

/** The 190 metrics by their names: those of the shortest window first, then those without a choice of windows. */
export const TOKEN_METRICS = Object.fromEntries(definitions()) as Readonly<Record<TokenMetric, MetricDefinition>>;

/** The names of the metrics. */
export const TOKEN_METRIC_NAMES = Object.keys(TOKEN_METRICS) as readonly TokenMetric[];

type MetricFilter = Param & { readonly type: "decimal"; readonly arity: "one"; readonly wire: "plain" };

const MIN_CHANGE = Number.MIN_SAFE_INTEGER;

/** The metrics that lists are filtered by most, in this order. */
const COMMON: readonly string[] = [
  "market_cap",
  "liquidity",
  "volume_24h",
  "price_24h_change_pct",
  "num_holder",
  "num_trader_24h",
  "first_listing_time",
] satisfies readonly TokenMetric[];

const ENDS = [
  ["from", "Minimum", "Minimum of any metric: from_volume_24h, from_num_holder"],
  ["to", "Maximum", "Maximum of any metric: to_volume_24h, to_num_holder"],
] as const;

const filtersOf = ([name, { kind, description }]: readonly [string, MetricDefinition]) =>
  ENDS.map(([end, limit, about]): readonly [string, MetricFilter] => [
    `${end}_${name}`,
    decimal(`${limit} of ${name}: ${description}`, {
      pattern: { name: `${end}_<metric>`, description: about, isCommon: COMMON.includes(name) },
      ...(COMMON.includes(name) && { use: COMMON.indexOf(name) + 1 }),
      ...((kind === "percent" || kind === "change") && { min: MIN_CHANGE }),
    }) as MetricFilter,
  ]);

/** Filters for a minimum (`from_<metric>`) and a maximum (`to_<metric>`) of each metric. */
export const METRIC_FILTERS = Object.fromEntries(Object.entries(TOKEN_METRICS).flatMap(filtersOf)) as Readonly<
  Record<`from_${TokenMetric}` | `to_${TokenMetric}`, MetricFilter>
>;
