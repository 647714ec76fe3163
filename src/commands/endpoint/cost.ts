/**
 * What a fetch costs is said before it begins, and asked, when that is more than `confirm-units`: at a terminal with a
 * question, elsewhere with a refusal, unless `--yes`. Where nobody knows beforehand how long a list is, it is asked when
 * so many units are spent. Answers of the sandbox in process cost nothing: there only a limit given for this run or in
 * the profile counts. Where `units-per-day` will stop it before its end, that is said as well.
 */

import { IncompleteError, ignoreFailure, UsageError } from "../../base/errors.ts";
import { pluralize } from "../../base/text.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { type Client, estimateLength, estimateRequests, type Page, resolveRate } from "../../client/index.ts";
import type { RunContext } from "../run/context.ts";
import { canPrompt, promptYesNo } from "../run/prompt.ts";
import { dailyUnits, isUnlimited, parseRate } from "../run/rate-limit-options.ts";

/** What a fetch takes. */
export interface CostEstimate {
  /** What is fetched: a command, or what else a person knows it by. */
  readonly what: string;
  readonly rows?: number | undefined;
  /** Whether the numbers are a guess. */
  readonly isEstimate?: boolean | undefined;
  readonly requests: number;
  /** Compute units. */
  readonly units: number;
  /** Those of its first request, where that is known before it is sent. */
  readonly firstUnits?: number | undefined;
  /** Seconds that the rate alone makes it take. */
  readonly seconds?: number | undefined;
}

type EstimatedUnits = Pick<CostEstimate, "what" | "units" | "isEstimate" | "firstUnits">;

/** Watches what a run spends. */
export interface CostGuard {
  /** Says so where a run costs more than may still be spent today. */
  warnAboutDailyLimit(estimate: EstimatedUnits): Promise<void>;
  /**
   * Says what the run takes and lets it be confirmed, where it is too much.
   * @throws UsageError (exit 2) when nobody confirms it
   */
  confirm(estimate: CostEstimate): Promise<void>;
  /**
   * Counts units that were spent; to be called before the next ones are.
   * @throws IncompleteError (exit 10) when they are too many and nobody confirms more
   */
  recordUnits(units: number, next: number): Promise<void>;
}

/**
 * Says what a fetch takes and lets it be confirmed, where it costs more than `confirm-units`.
 * @throws UsageError (exit 2) when nobody confirms it
 */
export async function confirmCost(context: RunContext, estimate: CostEstimate): Promise<void> {
  await (await createCostGuard(context)).confirm(estimate);
}

/** Begins to watch what a run spends. */
export async function createCostGuard(context: RunContext): Promise<CostGuard> {
  const threshold = await confirmationThreshold(context);
  const today = await dailyUnits(context);
  const left = today === undefined ? Number.POSITIVE_INFINITY : Math.max(0, today.limit - today.spent);
  let isConfirmed = false;
  let spent = 0;
  const warnAboutDailyLimit: CostGuard["warnAboutDailyLimit"] = async (estimate) => {
    if (estimate.units > left) await context.reporter.note(dailyLimitText(estimate, left));
  };
  return {
    warnAboutDailyLimit,
    async confirm(estimate) {
      await warnAboutDailyLimit(estimate);
      if (isConfirmed || estimate.units <= threshold) return;
      const sentence = formatEstimate(estimate);
      if (context.globals.yes || canPrompt(context)) await context.reporter.note(sentence);
      isConfirmed = context.globals.yes === true || (canPrompt(context) && (await promptYesNo(context, "Go on?")));
      if (!isConfirmed) throw notConfirmedError(canPrompt(context) ? "Nothing was written." : sentence, threshold);
    },
    async recordUnits(units, next) {
      spent += units;
      if (isConfirmed || spent + next <= threshold) return;
      const sentence = `${pluralize(spent, "compute unit")} are spent, and more rows follow.`;
      if (!context.globals.yes && canPrompt(context)) await context.reporter.note(sentence);
      isConfirmed = context.globals.yes === true || (canPrompt(context) && (await promptYesNo(context, "Go on?")));
      if (!isConfirmed) throw stoppedError(context, sentence, threshold);
    },
  };
}

/** Compute units that a fetch may cost without being confirmed. */
export async function confirmationThreshold(context: RunContext): Promise<number> {
  const settings = await context.settings();
  const isFree = settings.sandbox && settings.resolved("confirm-units").level === "default";
  return isFree ? Number.POSITIVE_INFINITY : settings.get("confirm-units");
}

function dailyLimitText({ what, units, isEstimate, firstUnits = 0 }: EstimatedUnits, left: number): string {
  const cost = `${isEstimate ? "about " : ""}${pluralize(units, "compute unit")}`;
  const end = firstUnits > left ? "too few for its first request" : "it will stop before its end";
  return `${what} costs ${cost}, and units-per-day leaves ${pluralize(left, "unit")} today: ${end}.`;
}

function notConfirmedError(sentence: string, threshold: number): UsageError {
  return new UsageError(`${sentence} More than ${pluralize(threshold, "compute unit")} must be confirmed.`, {
    code: "NOT_CONFIRMED",
    hint: "Fetch it all the same: --yes. Ask less often: --confirm-units <units>.",
  });
}

function stoppedError({ globals }: RunContext, sentence: string, threshold: number): IncompleteError {
  return new IncompleteError(`${sentence} More than ${pluralize(threshold, "unit")} must be confirmed.`, {
    code: "NOT_CONFIRMED",
    hint: `Fetch the rest all the same: ${globals.out === undefined ? "--yes" : "--resume --yes"}.`,
  });
}

/** An expense in words. */
function formatEstimate({ what, rows, isEstimate, requests, units, seconds }: CostEstimate): string {
  const about = isEstimate ? "about " : "";
  const parts = [
    ...(rows === undefined ? [] : [`${about}${pluralize(rows, "row")}`]),
    `${about}${pluralize(requests, "request")}`,
    `${about}${pluralize(units, "compute unit")}`,
    ...(seconds === undefined ? [] : [seconds < 60 ? formatMinutes(seconds) : `${about}${formatMinutes(seconds)}`]),
  ];
  return `${what}: ${parts.join(", ")}.`;
}

/** A wait in words. */
export function formatMinutes(seconds: number): string {
  return seconds < 60 ? "less than a minute" : pluralize(Math.round(seconds / 60), "minute");
}

/** The rate of this run; undefined where requests do not wait at all. */
export async function effectiveRate(context: RunContext) {
  const settings = await context.settings();
  return isUnlimited(settings)
    ? undefined
    : resolveRate(settings.get("plan") ?? "lite", parseRate(settings.get("rate")));
}

/** A list that is read. */
export interface PricedList {
  readonly client: Client;
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  readonly limit?: number | undefined;
  /** Whether its beginning is what is read first. */
  readonly isBegun: boolean;
}

/** The pages of a list; what it costs is confirmed after the first one came and before it is given out. */
export async function* confirmListCost(
  context: RunContext,
  list: PricedList,
  pages: AsyncIterable<Page>,
): AsyncGenerator<Page, void> {
  const guard = await createCostGuard(context);
  let isFirst = !list.isBegun;
  let rows = 0;
  for await (const page of pages) {
    rows += page.rows.length;
    const hasMore = page.more !== false && !page.cut && rows < (list.limit ?? Number.POSITIVE_INFINITY);
    const { cost } = page.answer.request;
    if (isFirst && hasMore) await confirmList(context, guard, list, page);
    isFirst = false;
    yield page;
    await guard.recordUnits(cost, hasMore ? cost : 0);
  }
}

/** Lets a list be confirmed, as far as its first page tells how long it is. */
async function confirmList(context: RunContext, guard: CostGuard, list: PricedList, { answer }: Page): Promise<void> {
  const { endpoint, params, limit = Number.POSITIVE_INFINITY } = list;
  const threshold = await confirmationThreshold(context);
  const { cost } = answer.request;
  const size = Math.max(1, answer.rows?.length ?? 1);
  const costOf = (rows: number) => Math.ceil(rows / size) * cost;
  if (costOf(limit) <= threshold || threshold === Number.POSITIVE_INFINITY) {
    if (Number.isFinite(limit))
      await guard.warnAboutDailyLimit({ what: endpoint.command, units: costOf(limit), isEstimate: true });
    return;
  }
  const fetch = (given: PricedList["params"]) => list.client.fetch(endpoint, given, { signal: context.io.signal });
  const matters = (threshold / Math.max(1, cost)) * size;
  const length = await estimateLength({ endpoint, params, first: answer, fetch }, matters).catch(ignoreFailure);
  if (length === undefined && !Number.isFinite(limit)) return;
  const rows = Math.min(limit, length?.rows ?? limit);
  const rate = await effectiveRate(context);
  const { requests, seconds } = estimateRequests(endpoint, Math.ceil(rows / size), rate);
  const isEstimate = rows !== limit && length?.isExact !== true;
  await guard.confirm({
    what: endpoint.command,
    rows,
    isEstimate,
    requests,
    units: requests * cost,
    seconds: rate && seconds,
  });
}
