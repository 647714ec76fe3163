/** The SOL balance of an account over time, from the changes that are loaded. */
import { useMemo } from "react";
import {
  type Decimal,
  type Json,
  type JsonObject,
  objectsOf,
  pluralize,
  scaleDown,
  toDecimal,
  toNumber,
} from "../../../base/index.ts";
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import { formatAmount, SOL_DECIMALS } from "../../../output/index.ts";
import { useListLoad, useResource } from "../../data/hooks.ts";
import { useExplorer, useViewState } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import { routeForValue } from "../../navigation/route.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { type ChartDays, RANGES, rangeBindings, rangeChoice, seriesHeading } from "../../widgets/chart/heading.ts";
import { areaPlot } from "../../widgets/chart/lines.ts";
import { ChartPanel, useChartCursor } from "../../widgets/chart/panel.tsx";
import { type ChartPoint, exactPoint, summarizeSeries, timeText } from "../../widgets/chart/series.ts";
import { ListPanel } from "../../widgets/list/panel.tsx";
import type { TabProps } from "../props.ts";
import { CHANGES } from "./record.ts";

const PAGE_SIZE = 100;
/** Pages of older changes that are loaded at once. */
const PAGES = 5;
const SECONDS_PER_DAY = 86_400;

const formatSolBalance = (balance: Decimal): string => `${formatAmount(balance, "full")} SOL`;

/**
 * Shows the SOL balance as a chart or the changes as rows.
 * @param lamports the balance of now, which an account without changes has had for all the time
 */
export function BalanceHistory({ id, region, part, lamports }: TabProps & { readonly lamports: Json | undefined }) {
  const { services, data, navigation } = useExplorer();
  const [days, setDays] = useViewState<ChartDays>(`${part} days`, 30);
  const params = useMemo(
    () => ({ address: id, token: [NATIVE_SOL], from_time: `${days}d`, page_size: PAGE_SIZE }),
    [id, days],
  );
  const resource = useResource(CHANGES, params);
  const load = useListLoad(CHANGES, params);
  const loaded = load.rows.length > 0 ? load.rows : resource.answer?.rows;
  const isComplete = load.rows.length > 0 ? load.isComplete : resource.hasMore === false;
  const to = Math.floor((resource.at ?? services.now()) / 1000);
  const points = useMemo(
    () => balanceSeries(loaded ?? [], { from: isComplete ? to - days * SECONDS_PER_DAY : undefined, to, lamports }),
    [loaded, isComplete, to, days, lamports],
  );
  const times = useMemo(() => points.map(({ time }) => time), [points]);
  const cursor = useChartCursor(part, times);
  const plot = useMemo(() => {
    const change = summarizeSeries(points)?.change;
    return loaded && areaPlot(points, { role: change?.negative ? "bad" : "good", isStepped: true });
  }, [loaded, points]);
  const row = cursor.index === undefined ? undefined : points[cursor.index]?.row;
  const transaction = routeForValue(row?.trans_id as Json | undefined, "signature", "trans_id");
  const older: Binding = bindAction(
    "list.load",
    load.isLoading ? "loading" : `older changes (${CHANGES.cost.units} units a page)`,
    () => data.loads.start({ endpoint: CHANGES, params }, PAGES),
    { hint: 16, active: loaded !== undefined && !isComplete && !load.isLoading },
  );
  const changes = pluralize(loaded?.length ?? 0, "change");
  const since = times[0] === undefined ? undefined : timeText(times[0], true);
  const role = isComplete ? "note" : "warning";
  return (
    <ChartPanel
      resource={resource}
      plot={plot}
      empty={`No changes of the SOL balance in ${pluralize(days, "day")}.${days < 365 ? " + shows more days." : ""}`}
      cursor={cursor}
      heading={(index) => ({
        title: [span("SOL balance", "title")],
        ...seriesHeading(points, index, {
          format: formatSolBalance,
          isDaily: false,
          unicode: services.unicode,
          period: isComplete ? pluralize(days, "day") : undefined,
        }),
        notes: [[span(isComplete || since === undefined ? changes : `the last ${changes}, since ${since}`, role)]],
      })}
      choice={rangeChoice(RANGES, days, setDays)}
      rows={loaded}
      rowAt={(index) => points[index]?.row}
      table={(inner, tablePart) => <ListPanel endpoint={CHANGES} params={params} region={inner} part={tablePart} />}
      bindings={[
        ...rangeBindings(RANGES, days, setDays),
        older,
        bindAction("go.open", "open transaction", () => transaction && navigation.open(transaction), {
          hint: 8,
          active: transaction !== undefined,
        }),
      ]}
      region={region}
      part={part}
    />
  );
}

/** A balance since a time, and the change that led to it; the first and the last point have none. */
interface BalancePoint extends ChartPoint {
  readonly row?: JsonObject | undefined;
}

function balanceAt(time: number, row: JsonObject, field: "pre_balance" | "post_balance"): ChartPoint {
  const balance = toDecimal(row[field]);
  return exactPoint(time, balance && scaleDown(balance, toNumber(row.token_decimals) ?? 0));
}

/**
 * Returns the balances after each block with changes, oldest first, from the beginning to the end of a window in Unix
 * seconds. Without the beginning, because not all changes since are known, they begin with the first known change.
 * @param rows changes of one token, newest first
 * @param window with the balance at its end, for a time without changes
 */
export function balanceSeries(
  rows: readonly Json[],
  window: { readonly from: number | undefined; readonly to: number; readonly lamports?: Json | undefined },
): readonly BalancePoint[] {
  const { from, to, lamports } = window;
  const changes = objectsOf(rows).filter((row) => toNumber(row.block_time) !== undefined);
  const byTime = new Map<number, JsonObject>();
  // The first of several changes in a block is the last one.
  for (const row of changes) {
    const time = toNumber(row.block_time) ?? 0;
    if (!byTime.has(time)) byTime.set(time, row);
  }
  const [oldest, newest] = [changes.at(-1), changes[0]];
  if (!oldest || !newest) {
    const balance = toDecimal(lamports);
    if (!balance || from === undefined) return [];
    return [from, to].map((time) => exactPoint(time, scaleDown(balance, SOL_DECIMALS)));
  }
  const points = [...byTime]
    .map(([time, row]): BalancePoint => ({ ...balanceAt(time, row, "post_balance"), row }))
    .toSorted((a, b) => a.time - b.time);
  const [first, last] = [points[0], points.at(-1)];
  const isBefore = from !== undefined && first !== undefined && from < first.time;
  return [
    ...(isBefore ? [balanceAt(from, oldest, "pre_balance")] : []),
    ...points,
    ...(last && to > last.time ? [balanceAt(to, newest, "post_balance")] : []),
  ];
}
