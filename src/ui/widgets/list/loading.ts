/** Loading a list beyond one page: what it costs, the prompt, and the progress. */

import { groupThousands, pluralize, type SolxError, toSentence } from "../../../base/index.ts";
import type { Endpoint } from "../../../catalogue/index.ts";
import { estimateRequests, maxPageSize } from "../../../client/index.ts";
import { clip, safeText } from "../../../output/index.ts";
import { ageText } from "../../data/status-text.ts";
import { shareBar } from "../../frame/share-bar.ts";
import type { ListLoad, QuotaView } from "../../navigation/data-store.ts";
import { joinEnds, joinFitting, lineWidth, span, type TextLine } from "../../navigation/theme/text-line.ts";

import { costText, SEPARATOR, spentText } from "./status.ts";

/** A list that can be read beyond one page. */
export interface LoadableList {
  readonly endpoint: Endpoint;
  /** The rows that were read, and what they cost. */
  readonly progress: { readonly rows: number; readonly requests: number; readonly units: number };
  readonly maxRows: number;
  /** The number of rows of the list, where it is known. */
  readonly total: number | undefined;
  /** The rate limit; undefined where there is none. */
  readonly rate: { readonly requests: number; readonly seconds: number } | undefined;
  /** Whether units are charged, and whether each row costs a call. */
  readonly chargesUnits: boolean;
  readonly isWalk: boolean;
}

/** Returns what loading a number of pages means; undefined for all. The list may end before the most rows. */
function planLoad(list: LoadableList, pages: number | undefined) {
  const { endpoint, progress, total, rate, maxRows } = list;
  const size = maxPageSize(endpoint);
  const end = Math.min(total ?? maxRows, maxRows);
  const rows = pages === undefined ? end : Math.min(end, progress.rows + pages * size);
  const requests = Math.max(1, Math.ceil((rows - progress.rows) / size));
  return { rows, isMaximum: total === undefined, ...estimateRequests(endpoint, requests, rate) };
}

type LoadPlan = ReturnType<typeof planLoad>;

/** Returns the number of pages that was typed; undefined for all. */
export function typedPages(text: string): number | undefined {
  const pages = Number(text);
  return text === "" || !Number.isSafeInteger(pages) || pages < 1 ? undefined : pages;
}

/** Returns the line in which the number of pages is typed, with what they cost. */
export function loadPromptLine(text: string, list: LoadableList, units: QuotaView["units"], width: number): TextLine {
  const pages = typedPages(text);
  const plan = planLoad(list, pages);
  const input: TextLine = [
    span("load ", "hotkey"),
    span(text),
    span(" ", "found"),
    span(text === "" ? "all" : ` ${pages === 1 ? "page" : "pages"}`, "title"),
  ];
  const isTooMuch = units !== undefined && list.chargesUnits && plan.units > units.remaining;
  const parts = [
    span(rowsText(list, plan, pages)),
    span(planCostText(list, plan), isTooMuch ? "warning" : undefined),
    ...(isTooMuch ? [span(`only ${groupThousands(units.remaining)} units left`, "warning")] : []),
    ...(plan.seconds > 0 ? [span(`waits about ${ageText(plan.seconds * 1000)} for the rate limit`)] : []),
    span("or type a number of pages", "note"),
  ];
  return joinFitting([input, ...parts.map((part) => [part])], width, SEPARATOR);
}

function rowsText({ progress, total }: LoadableList, { rows, isMaximum }: LoadPlan, pages: number | undefined): string {
  const from = progress.rows;
  if (pages === undefined && total !== undefined && rows === total)
    return from === 0 ? pluralize(rows, "row") : `the other ${pluralize(rows - from, "row")}`;
  const range =
    from === 0 ? `rows 1–${groupThousands(rows)}` : `rows ${groupThousands(from + 1)}–${groupThousands(rows)}`;
  return pages === undefined && isMaximum ? `up to ${groupThousands(rows)} rows` : range;
}

/** Returns what reading all rows costs, for a list whose length may be unknown. */
export function wholeCostText(list: LoadableList): string {
  const { endpoint, total } = list;
  const plan = planLoad(list, total === undefined ? 1 : undefined);
  const each = costText(plan, list);
  if (total === undefined) return list.isWalk ? each : `${each} for each ${groupThousands(maxPageSize(endpoint))} rows`;
  const wait = plan.seconds > 0 ? `, waits about ${ageText(plan.seconds * 1000)}` : "";
  return `${pluralize(total, "row")}: ${each}${wait}`;
}

const planCostText = (list: LoadableList, plan: LoadPlan): string =>
  (plan.isMaximum && plan.requests > 1 && !list.isWalk ? "at most " : "") + costText(plan, list);

const BAR = 16;

interface ProgressOptions {
  readonly unicode: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly waitingUntil: number | undefined;
  /** `Esc stop`. */
  readonly hint: string;
  readonly verb?: string;
}

/** Returns how far loading is: `loaded 1,200 of 10,000 rows · 12 requests, 1,200 units`. */
export function progressLine(list: LoadableList, width: number, options: ProgressOptions): TextLine {
  const { progress, total, chargesUnits, maxRows } = list;
  const { unicode, now, waitingUntil, hint, verb = "loaded" } = options;
  const end = total === undefined ? undefined : Math.min(total, maxRows);
  const of = end === undefined ? "" : ` of ${groupThousands(end)}`;
  const wait =
    waitingUntil !== undefined && waitingUntil > now
      ? [span(`waits ${ageText(waitingUntil - now + 999)} for the rate limit`, "warning")]
      : [];
  const rows = span(`${verb} ${groupThousands(progress.rows)}${of} rows`);
  const bar = end === undefined ? [] : [...shareBar(progress.rows / Math.max(1, end), BAR, unicode), span("  ")];
  const right = [span(hint, "note")];
  const left = joinFitting(
    [[...bar, rows], wait, [span(spentText(progress, chargesUnits), "note")]],
    width - lineWidth(right) - 1,
    SEPARATOR,
  );
  return joinEnds(left, right, width);
}

/** Returns why loading stopped; what is loaded stays. */
export function stoppedLine({ progress }: LoadableList, problem: SolxError, hint: string): TextLine {
  return [
    span(`Stopped after ${pluralize(progress.rows, "row")}: `, "warning"),
    span(clip(safeText(toSentence(problem)), MAX_SENTENCE)),
    ...(hint === "" ? [] : [span(` · ${hint}`, "note")]),
  ];
}

const MAX_SENTENCE = 200;

/** Returns the rows that filters, orders and totals of the screen apply to: `this page`, `all 10,000 rows`. */
export function scopeText(
  { rows, isComplete }: ListLoad,
  page: { readonly count: number; readonly isWhole: boolean },
): string {
  if (rows.length > 0)
    return isComplete ? `all ${pluralize(rows.length, "row")}` : `${groupThousands(rows.length)} loaded rows`;
  return page.isWhole ? `all ${pluralize(page.count, "row")}` : "this page";
}
