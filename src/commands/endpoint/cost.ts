/**
 * Confirmation of expensive fetches: a prompt at a terminal, `--yes` elsewhere. If the length of a list is unknown, the
 * prompt comes when `confirm-units` are spent. The sandbox in process costs nothing: there only an explicit threshold
 * counts. A fetch that will reach the daily limit before its end is noted too.
 */
import { IncompleteError, ignoreFailure, pluralize, UsageError } from "../../base/index.ts";
import { type Endpoint, pagedSourceOf } from "../../catalogue/index.ts";
import {
  checkRequests,
  type Effort,
  type ExportEstimate,
  estimateLength,
  estimateRequests,
  findMissingColumns,
  findPacking,
  maxPageSize,
  type Page,
  type ReadOptions,
  type SendOptions,
  type WalkCost,
} from "../../client/index.ts";
import { type ConnectedClient, resolveRate } from "../../sources/index.ts";
import { resolveNode } from "../../sources/node/index.ts";
import { dailyUnits, isUnlimited, nodeOptions, parseRate } from "../run/client-options.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { canPrompt, promptYesNo } from "../run/prompt.ts";
import type { Query } from "./answers.ts";

/** The cost of a fetch. */
export interface CostEstimate {
  /** What is fetched: a command, or a name that the user knows. */
  readonly label: string;
  readonly rows?: number | undefined;
  /** Whether the numbers are approximate. */
  readonly isEstimate?: boolean | undefined;
  readonly requests: number;
  /** Compute units. */
  readonly units: number;
  /** Compute units of the first request, if known before it is sent. */
  readonly firstUnits?: number | undefined;
  /** Seconds that the rate limit makes it take. */
  readonly seconds?: number | undefined;
}

type EstimatedUnits = Pick<CostEstimate, "label" | "units" | "isEstimate" | "firstUnits">;

/** Tracks the compute units of a run. */
export interface CostGuard {
  /** Notes that the run costs more than is left of the daily limit. */
  warnAboutDailyLimit(estimate: EstimatedUnits): Promise<void>;
  /**
   * Prompts for a confirmation of the cost, if it exceeds the threshold.
   * @throws UsageError (exit 2) when it is not confirmed
   */
  confirm(estimate: CostEstimate): Promise<void>;
  /**
   * Adds units that were spent, before `next` units are spent; prompts if they exceed the threshold.
   * @throws IncompleteError (exit 10) when more is not confirmed
   */
  recordUnits(units: number, next: number): Promise<void>;
}

/**
 * Prompts for a confirmation of a fetch, if it costs more than `confirm-units`.
 * @throws UsageError (exit 2) when it is not confirmed
 */
export async function confirmCost(context: RunContext, estimate: CostEstimate): Promise<void> {
  await (await createCostGuard(context)).confirm(estimate);
}

async function createCostGuard(context: RunContext): Promise<CostGuard> {
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
      isConfirmed = context.globals.yes === true || (canPrompt(context) && (await promptYesNo(context, "Continue?")));
      if (!isConfirmed) throw notConfirmedError(canPrompt(context) ? "Nothing was written." : sentence, threshold);
    },
    async recordUnits(units, next) {
      spent += units;
      if (isConfirmed || spent + next <= threshold) return;
      const sentence = `${pluralize(spent, "compute unit")} spent, and more rows follow.`;
      if (!context.globals.yes && canPrompt(context)) await context.reporter.note(sentence);
      isConfirmed = context.globals.yes === true || (canPrompt(context) && (await promptYesNo(context, "Continue?")));
      if (!isConfirmed) throw stoppedError(context, sentence, threshold);
    },
  };
}

/** Returns the compute units that a fetch may cost without confirmation. */
export async function confirmationThreshold(context: RunContext): Promise<number> {
  const settings = await context.session.settings();
  const { chargesUnits, isInProcess } = sourceOf(settings).facts;
  if (!chargesUnits) return Number.POSITIVE_INFINITY;
  const isFree = isInProcess && settings.resolve("confirm-units").level === "default";
  return isFree ? Number.POSITIVE_INFINITY : settings.get("confirm-units");
}

function dailyLimitText({ label, units, isEstimate, firstUnits = 0 }: EstimatedUnits, left: number): string {
  const cost = `${isEstimate ? "about " : ""}${pluralize(units, "compute unit")}`;
  const outcome = firstUnits > left ? "too few for the first request" : "it will stop before the end";
  return `${label} costs ${cost}, and the daily limit leaves ${pluralize(left, "unit")} today: ${outcome}.`;
}

function notConfirmedError(sentence: string, threshold: number): UsageError {
  return new UsageError(
    `${sentence} Fetches of more than ${pluralize(threshold, "compute unit")} need a confirmation.`,
    {
      code: "NOT_CONFIRMED",
      hint: "To confirm it, add --yes. To raise the threshold: solx config set units confirm=<units>.",
    },
  );
}

function stoppedError({ globals }: RunContext, sentence: string, threshold: number): IncompleteError {
  return new IncompleteError(`${sentence} Fetches of more than ${pluralize(threshold, "unit")} need a confirmation.`, {
    code: "NOT_CONFIRMED",
    hint: `To fetch the rest, add ${globals.out === undefined ? "--yes" : "--resume --yes"}.`,
  });
}

function formatEstimate({ label, rows, isEstimate, requests, units, seconds }: CostEstimate): string {
  const about = isEstimate ? "about " : "";
  const parts = [
    ...(rows === undefined ? [] : [`${about}${pluralize(rows, "row")}`]),
    `${about}${pluralize(requests, "request")}`,
    `${about}${pluralize(units, "compute unit")}`,
    ...(seconds === undefined ? [] : [seconds < 60 ? formatMinutes(seconds) : `${about}${formatMinutes(seconds)}`]),
  ];
  return `${label}: ${parts.join(", ")}.`;
}

/** Returns a duration in minutes as text. */
function formatMinutes(seconds: number): string {
  return seconds < 60 ? "less than a minute" : pluralize(Math.round(seconds / 60), "minute");
}

/** Returns the request rate of this run; undefined if it is not limited. */
export async function effectiveRate(context: RunContext) {
  const settings = await context.session.settings();
  return isUnlimited(settings)
    ? undefined
    : resolveRate(settings.get("plan") ?? "lite", parseRate(settings.get("rate")));
}

/** Yields the pages of a long list; its cost is confirmed after the first page arrived, before that is yielded. */
export async function* readLongList(
  context: RunContext,
  client: ConnectedClient,
  query: Query,
  { resume, beforeWalk }: Pick<ReadOptions, "resume"> & Pick<SendOptions, "beforeWalk">,
): AsyncGenerator<Page, void> {
  const { endpoint, params, requestedRows } = query;
  const onEstimate = (estimate: ExportEstimate) => reportEstimate(context, endpoint, estimate);
  const options = { ...requestedRows, signal: context.io.signal, resume, onEstimate, beforeWalk };
  const guard = await createCostGuard(context);
  let isFirst = resume === undefined;
  let rows = 0;
  for await (const page of client.pages(endpoint, params, options)) {
    rows += page.rows.length;
    const hasMore = page.hasMore !== false && !page.isCut && rows < (requestedRows.limit ?? Number.POSITIVE_INFINITY);
    const { cost } = page.answer.request;
    if (isFirst && hasMore) await confirmList(context, guard, { client, query, page });
    isFirst = false;
    yield page;
    await guard.recordUnits(cost, hasMore ? cost : 0);
  }
}

async function confirmList(
  context: RunContext,
  guard: CostGuard,
  { client, query, page }: { readonly client: ConnectedClient; readonly query: Query; readonly page: Page },
): Promise<void> {
  const { answer } = page;
  const { endpoint, params, requestedRows } = query;
  const { limit = Number.POSITIVE_INFINITY } = requestedRows;
  const threshold = await confirmationThreshold(context);
  const { cost } = answer.request;
  const size = Math.max(1, answer.rows?.length ?? 1);
  const requestsFor = (rows: number) => {
    const pages = Math.ceil(rows / size);
    return pages + checkRequests(endpoint, pages, rows < limit);
  };
  const estimateCost = (rows: number) => requestsFor(rows) * cost;
  if (estimateCost(limit) <= threshold || threshold === Number.POSITIVE_INFINITY) {
    if (Number.isFinite(limit))
      await guard.warnAboutDailyLimit({ label: endpoint.command, units: estimateCost(limit), isEstimate: true });
    return;
  }
  const fetch = (values: Query["params"]) => client.fetch(endpoint, values, { signal: context.io.signal });
  const relevantRows = (threshold / Math.max(1, cost)) * size;
  const length = await estimateLength({ endpoint, params, first: answer, fetch }, relevantRows).catch(ignoreFailure);
  if (length === undefined && !Number.isFinite(limit)) return;
  const rows = Math.min(limit, length?.rows ?? limit);
  const rate = await effectiveRate(context);
  const { requests, seconds } = estimateRequests(endpoint, requestsFor(rows), rate);
  const isEstimate = rows !== limit && length?.isExact !== true;
  await guard.confirm({
    label: endpoint.command,
    rows,
    isEstimate,
    requests,
    units: requests * cost,
    seconds: rate && seconds,
  });
}

/**
 * Starts tracking the cost of a batch and asks to confirm the known part of it.
 * @throws UsageError (exit 2) when it is not confirmed
 */
export async function guardBatchCost(
  context: RunContext,
  query: Query,
  { count, isPacked }: { readonly count: number | undefined; readonly isPacked: boolean },
): Promise<CostGuard> {
  const { endpoint, requestedRows } = query;
  const guard = await createCostGuard(context);
  if (count === undefined) return guard;
  const size = isPacked ? (findPacking(query)?.size ?? 1) : 1;
  const pages = isPacked ? 1 : Math.ceil((requestedRows.limit ?? 1) / maxPageSize(endpoint));
  const requests = Math.ceil(count / size) * pages;
  const rate = await effectiveRate(context);
  const { seconds } = estimateRequests(endpoint, requests, rate);
  await guard.confirm({
    label: `${endpoint.command} for ${count} identifiers${requestedRows.all ? ", at least" : ""}`,
    isEstimate: !isPacked,
    requests,
    units: count * pages * endpoint.cost.units,
    firstUnits: Math.min(count, size) * endpoint.cost.units,
    seconds: rate && seconds,
  });
  return guard;
}

/** Calls above which a walk is noted, and above which it is confirmed. */
const NOTED_CALLS = 100;
const CONFIRMED_CALLS = 1000;

/**
 * Returns what notes the cost of a walk, and prompts for a confirmation of a large one. Without a terminal, the
 * walk is done.
 * @throws UsageError (exit 2) when it is not confirmed
 */
export function confirmWalk(
  context: RunContext,
  query: Query,
  isResumed: boolean,
): NonNullable<SendOptions["beforeWalk"]> {
  return async (walk) => {
    const calls = callsOfWalk(walk, query.requestedRows.limit);
    if (calls <= NOTED_CALLS) return;
    await context.reporter.note(await walkText(context, query, { ...walk, calls }));
    const isConfirmed = calls <= CONFIRMED_CALLS || isResumed || context.globals.yes || !canPrompt(context);
    if (isConfirmed || (await promptYesNo(context, "Continue?"))) return;
    throw new UsageError(
      `Nothing was written. At a terminal, more than ${pluralize(CONFIRMED_CALLS, "call")} need a confirmation.`,
      {
        code: "NOT_CONFIRMED",
        hint: "To confirm it, add --yes. To send fewer calls, add --from-time 1d or --limit 100.",
      },
    );
  };
}

/** What is added to transactions of which some have no row, or more may be found: estimates are rather too high. */
const WALK_MARGIN = 4 / 3;
/** Transactions that are read together, and so to the end. */
const READ_TOGETHER = 100;

function callsOfWalk({ calls, mayGrow }: WalkCost, limit = Number.POSITIVE_INFINITY): number {
  const most = mayGrow ? Math.ceil(calls * WALK_MARGIN) : calls;
  return Math.min(most, Math.ceil(limit * WALK_MARGIN) + READ_TOGETHER);
}

/** Returns the cost of a walk as a sentence, with the time that the limits of the node make it take. */
async function walkText(
  context: RunContext,
  { endpoint, requestedRows: { limit } }: Query,
  { calls, complete, mayGrow }: WalkCost,
): Promise<string> {
  const isBounded = limit !== undefined && calls >= limit;
  const amount = isBounded || (complete && mayGrow) ? "up to about " : complete ? "" : "at least ";
  const seconds = await estimateSeconds(context, calls);
  const time = seconds === undefined ? "" : `, ${seconds < 60 ? "" : "about "}${formatMinutes(seconds)}`;
  const cost = `${amount}${pluralize(calls, "transaction")} to read, one call each${time}`;
  return `${endpoint.command}: ${cost}. A time range such as --from-time 1d needs fewer.`;
}

/** Returns how long calls of one method take at least; undefined for a node without known limits. */
async function estimateSeconds(context: RunContext, calls: number): Promise<number | undefined> {
  const node = nodeOptions(await context.session.settings());
  const { rate, methodRate } = node ? resolveNode(node) : {};
  const times = [rate, methodRate].flatMap((limit) =>
    limit ? [(Math.max(0, calls - limit.requests) * limit.seconds) / limit.requests] : [],
  );
  return times.length === 0 ? undefined : Math.max(...times);
}

async function reportEstimate(context: RunContext, endpoint: Endpoint, estimate: ExportEstimate): Promise<void> {
  const { rows, exports, pages } = estimate;
  if (rows === undefined || exports === undefined) {
    return context.reporter.note("One export does not contain all rows: more follow, one per minute.");
  }
  const settings = await context.session.settings();
  const text = ({ requests, units, seconds }: Effort) => {
    const time = isUnlimited(settings) ? "" : `, ${formatMinutes(seconds)}`;
    return `${pluralize(requests, "request")}, ${pluralize(units, "unit")}${time}`;
  };
  const paged = pages && pagedSourceOf(endpoint);
  const missing = paged ? await findMissingColumns(endpoint) : [];
  const without = missing.length > 0 ? `, without ${missing.join(", ")}` : "";
  const other = paged ? ` By pages (solx ${paged.command}): ${text(pages)}${without}.` : "";
  await context.reporter.note(`About ${pluralize(rows, "row")}. By export: ${text(exports)}.${other}`);
  await confirmCost(context, { label: endpoint.command, rows, isEstimate: true, ...exports });
}
