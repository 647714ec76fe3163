/** The balance of an account over time, from the changes of its balance. */
import { decimalOf, isObject, type Json, type JsonObject, scaleDown, toNumber } from "../../../base/index.ts";
import { type ChartPoint, exactPoint } from "../../widgets/chart/series.ts";

/** A balance since a time, and the change that led to it; the first and the last point have none. */
export interface BalancePoint extends ChartPoint {
  readonly row?: JsonObject | undefined;
}

/** The time that a series covers, in Unix seconds. */
export interface BalanceWindow {
  /** The beginning, where all changes since are known; otherwise the series begins with the first known change. */
  readonly from: number | undefined;
  readonly to: number;
}

/** Returns a balance in whole units at a time. */
function balanceAt(time: number, row: JsonObject, field: "pre_balance" | "post_balance"): ChartPoint {
  const balance = decimalOf(row[field]);
  return exactPoint(time, balance && scaleDown(balance, toNumber(row.token_decimals) ?? 0));
}

/**
 * Returns the balances after each block with changes, oldest first, from the beginning to the end of a window.
 * @param rows changes of one token, newest first
 */
export function balanceSeries(rows: readonly Json[], { from, to }: BalanceWindow): readonly BalancePoint[] {
  const changes = rows.filter(isObject).filter((row) => toNumber(row.block_time) !== undefined);
  const byTime = new Map<number, JsonObject>();
  // The first of several changes in a block is the last one.
  for (const row of changes) {
    const time = toNumber(row.block_time) ?? 0;
    if (!byTime.has(time)) byTime.set(time, row);
  }
  const [oldest, newest] = [changes.at(-1), changes[0]];
  if (!oldest || !newest) return [];
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
