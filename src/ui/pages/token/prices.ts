/** The prices of a token in a range: its candles, or its prices per day where it has none. */
import { useMemo } from "react";
import type { CandleResolution } from "../../../catalogue/index.ts";
import { type Resource, useResource } from "../../data/hooks.ts";
import { useExplorer } from "../../navigation/context.ts";
import { type CandleRow, candleRows, closingPrices, isDailyResolution } from "../../widgets/chart/candles.ts";
import type { ChartDays } from "../../widgets/chart/heading.ts";
import { type ChartPoint, dailySeries } from "../../widgets/chart/series.ts";
import { CANDLES, PRICE } from "./record.ts";

/** The candles of a range: about as many as a chart is wide. */
const RESOLUTIONS: Readonly<Record<ChartDays, CandleResolution>> = { 1: "15m", 7: "1h", 30: "4h", 90: "1d", 365: "1d" };
/** More than any range has. */
const COUNT = 500;

/** The prices of a token. */
export interface Prices {
  /** The request that is answered or in flight. */
  readonly resource: Resource;
  /** Undefined before the answer. */
  readonly points: readonly ChartPoint[] | undefined;
  /** The candles behind the points, by index; empty where prices are per day. */
  readonly candles: readonly CandleRow[];
  readonly resolution: CandleResolution;
  readonly isDaily: boolean;
}

/** Returns the prices of a token; sends a second request only where there are no candles. */
export function usePrices(id: string, days: ChartDays): Prices {
  const { services } = useExplorer();
  const res = RESOLUTIONS[days];
  const from_time = `${days}d`;
  const hasCandles = services.supports(CANDLES);
  const candleResource = useResource(CANDLES, { address: id, res, from_time, candles: COUNT }, hasCandles);
  const { answer, problem } = candleResource;
  const rows = answer?.rows;
  const candles = useMemo(() => candleRows(rows ?? []), [rows]);
  const isWithoutCandles =
    !hasCandles || (rows ? candles.length === 0 : problem !== undefined && !candleResource.isLoading);
  const dayResource = useResource(PRICE, { address: id, from_time }, isWithoutCandles);
  const dayRows = dayResource.answer?.rows;
  return useMemo(() => {
    if (!isWithoutCandles) {
      const points = rows && closingPrices(candles);
      return { resource: candleResource, points, candles, resolution: res, isDaily: isDailyResolution(res) };
    }
    const points = dayRows && dailySeries(dayRows, "date", ["price"]);
    return { resource: dayResource, points, candles: [], resolution: "1d", isDaily: true };
  }, [isWithoutCandles, rows, candles, candleResource, res, dayRows, dayResource]);
}

/** Returns what is said of a range without prices. */
export const noPricesText = (days: ChartDays): string =>
  days < 365 ? "No prices for these days. + shows more days." : "No prices for these days.";
