/** The liquidity of a pool: the value locked per day, and the reserves now. */
import { useMemo } from "react";
import type { JsonObject } from "../../../base/index.ts";
import { useExplorer } from "../../app/context.ts";
import { useNameOf, useResource } from "../../data/hooks.ts";
import { answerObject, endpointAt, relativeClock } from "../../widgets/cells.ts";
import { DAILY_METRICS, DailyChart } from "./daily-chart.tsx";
import { mintsOf, reserveLines } from "./summary.ts";

const META = endpointAt("/token/meta");

type LiquidityProps = Omit<Parameters<typeof DailyChart>[0], "metric" | "notes"> & {
  readonly info: JsonObject | undefined;
};

/** Shows the value locked in a pool as a chart, and its reserves in units and dollars. */
export function Liquidity({ info, ...chart }: LiquidityProps) {
  const { services } = useExplorer();
  const nameOf = useNameOf();
  const [first = "", second = ""] = mintsOf(info);
  const prices = [useTokenPrice(first), useTokenPrice(second)];
  const notes = reserveLines(info, nameOf, relativeClock(services), prices);
  return <DailyChart metric={DAILY_METRICS.liquidity} notes={notes} {...chart} />;
}

/** Returns the price of a token, which is requested where the tab is open. */
function useTokenPrice(mint: string) {
  const params = useMemo(() => ({ address: mint }), [mint]);
  return answerObject(useResource(META, params, mint !== ""))?.price;
}
