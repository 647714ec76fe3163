/** What the view of a bookmark shows now, and what changed since the user looked at it. No React here. */
import { isObject, type Json, pluralize, scalarText, toDecimal, toNumber } from "../../../base/index.ts";
import { type Endpoint, returnsList } from "../../../catalogue/index.ts";
import { type Clock, formatCell, pad } from "../../../output/index.ts";
import { ageText } from "../../data/status-text.ts";
import type { EndpointRequest, QueryState } from "../../navigation/data-store.ts";
import { fitLine, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { type Look, MAX_LOOKS, type ViewSummary } from "../../navigation/view.ts";
import { answerShape, changeSpan } from "../../widgets/cells.ts";
import { dottedLine } from "../../widgets/chart/one-line.ts";
import { listColumns } from "../../widgets/list/columns.ts";
import { totalRows } from "../../widgets/list/paging.ts";
import { isTimeColumn, naturalColumn } from "../../widgets/list/rows.ts";
import { valueOfColumn } from "../../widgets/list/table.ts";

/** Returns what the answer of a view amounts to; undefined without one. */
export function summarizeView(
  { endpoint }: Pick<EndpointRequest, "endpoint">,
  state: QueryState,
  clock: Clock,
): ViewSummary | undefined {
  const { answer } = state;
  if (!answer) return undefined;
  const { rows } = answer;
  if (!rows || !returnsList(endpoint)) return summarizeObject(endpoint, rows?.[0] ?? answer.data, clock);
  const total = totalRows(endpoint, state, 0);
  const columns = listColumns({ endpoint, shape: answerShape(endpoint), rows });
  const text = `${total === undefined ? "at least " : ""}${pluralize(total ?? rows.length, "row")}`;
  const isFeed = columns.some(isTimeColumn) && columns.findIndex(isTimeColumn) < 2;
  return { text, value: total, ...(isFeed && { keys: rows.map((row) => rowKey(row, endpoint.identity)) }) };
}

/** Returns the most important number of an object: the first value in dollars, or what its list is sorted by. */
export function summarizeObject(endpoint: Endpoint, row: Json | undefined, clock: Clock): ViewSummary | undefined {
  if (row === undefined || !isObject(row)) return undefined;
  const columns = listColumns({ endpoint, shape: answerShape(endpoint), rows: [row] });
  const known = columns.filter((one) => toNumber(valueOfColumn(row, one).value) !== undefined);
  const column = known.find(({ sources }) => sources[0]?.meta?.kind === "usd") ?? known[naturalColumn(known)];
  if (!column) return undefined;
  const { text } = formatCell(row, column, { clock: { ...clock, numbers: "brief" } });
  return { text: `${column.head} ${text}`, value: toNumber(valueOfColumn(row, column).value) };
}

const MAX_KEY = 200;

function rowKey(row: Json, identity: readonly string[] = []): string {
  const parts = isObject(row) ? identity.map((name) => scalarText(row[name]) ?? "") : [];
  return (parts.length > 0 ? parts.join(" ") : JSON.stringify(row)).slice(0, MAX_KEY);
}

/** Returns what is remembered of a look at a view. */
export function nextLook({ value, keys }: ViewSummary, before: Look | undefined, at: number): Look {
  const points = [...(before?.points ?? []), ...(value === undefined ? [] : [value])].slice(-MAX_LOOKS);
  return { at, points, ...(keys?.[0] !== undefined && { key: keys[0] }) };
}

interface LookFormat {
  readonly now: number;
  readonly unicode: boolean;
  /** Prices of the last days, where the view is about a token. */
  readonly trend?: readonly number[] | undefined;
}

const TREND_WIDTH = 12;
const VALUE_WIDTH = 26;

/** Returns a summary as a part of a line: its course, its number, and what changed since the last look. */
export function lookLine(
  summary: ViewSummary | undefined,
  before: Look | undefined,
  { now, unicode, trend }: LookFormat,
): TextLine {
  const points = trend ?? [...(before?.points ?? []), ...(summary?.value === undefined ? [] : [summary.value])];
  const course = points.length < 2 ? " ".repeat(TREND_WIDTH) : dottedLine(points, TREND_WIDTH, unicode);
  const value = fitLine([span(pad(summary?.text ?? "", VALUE_WIDTH))], VALUE_WIDTH);
  return [span(course, "bar"), span("  "), ...value, span("  "), ...changeSince(summary, before, now, unicode)];
}

/** Returns what changed since the last look. */
export function changeSince(
  summary: ViewSummary | undefined,
  before: Look | undefined,
  now: number,
  unicode: boolean,
): TextLine {
  if (!summary || !before) return [];
  const since = span(` in ${ageText(Math.max(0, now - before.at))}`, "note");
  if (summary.keys && before.key !== undefined) {
    const at = summary.keys.indexOf(before.key);
    if (at === 0) return [span("nothing new", "note"), since];
    const text = at < 0 ? `more than ${summary.keys.length} new` : `${at} new`;
    return [span(text, "good"), since];
  }
  const last = before.points.at(-1);
  if (summary.value === undefined || last === undefined || last === 0) return [];
  const change = toDecimal(Number((((summary.value - last) / Math.abs(last)) * 100).toPrecision(12)));
  return [changeSpan(change, unicode), since];
}
