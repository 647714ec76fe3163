/**
 * `--follow`: the rule of one command line, whose events are printed: new rows of lists, each once and in order, and
 * changes of everything else. It ends with a closed pipe, the time or row of `--until`, `--limit`, or a permanent
 * failure. A run that lost rows, or an identifier, ends as incomplete.
 */
import { CheckError, IncompleteError, pluralize, sleep, UsageError } from "../../base/index.ts";
import type { KeyedRow, SubjectNews, Timing } from "../../client/index.ts";
import type { Query } from "../endpoint/answers.ts";
import { failsOn } from "../options/global-options.ts";
import type { FollowedQuery, RunContext } from "../run/context.ts";
import { openMatcher, type RowMatcher } from "./conditions.ts";
import { notePlan, planRules, type RuleNews, watchRules } from "./engine.ts";
import { parseUntil } from "./follow-end.ts";
import { openRule, type Rule } from "./rule.ts";

/** Events of one subject. */
interface EventBatch {
  readonly news: SubjectNews;
  readonly events: readonly KeyedRow[];
}

type EventBatches = AsyncGenerator<EventBatch, void>;

/**
 * Follows until it is stopped.
 * @throws UsageError when it cannot be followed; the first permanent failure; IncompleteError at the end when rows are
 * missing; CheckError for `--fail-on empty`
 */
export async function follow(
  context: RunContext,
  query: FollowedQuery & Pick<Query, "requestedRows">,
  timing: Timing = { now: context.io.now, sleep },
): Promise<void> {
  const { globals, io, reporter } = context;
  if (context.onFollow) return context.onFollow(query);
  const { limit, skip } = query.requestedRows;
  if (skip !== undefined)
    throw new UsageError("--follow takes a number of rows as --limit: it starts with the newest.");
  const rule = await openRule(context, query);
  const end = globals.until === undefined ? undefined : await parseUntil(globals.until, timing.now());
  const isLastRow = end && "condition" in end ? await openMatcher(context, "--until", end.condition) : undefined;
  const plan = await planRules(context, [rule], { now: timing.now });
  const totals = { rows: 0, requests: 0 };
  // Suppresses messages about retries within each poll.
  const stopListening = reporter.onEvent(({ type }) => {
    if (type === "request") totals.requests += 1;
    return type === "retry" || type === "wait";
  });
  try {
    const moment = end && "at" in end ? end.at : undefined;
    const losses = createLosses(context, plan.pollers.length);
    const options = { timing, signal: io.signal, end: moment, onLoss: losses.add };
    const batches = selectEvents(rule, watchRules(context, plan, options));
    const limited = limitRows(isLastRow ? untilMatch(batches, isLastRow) : batches, limit);
    await withDeliveries(rule, async (deliver) => {
      await notePlan(context, plan, moment);
      await print(rule, countRows(deliver(limited), totals));
    });
    losses.throwIfAny();
    if (totals.rows === 0 && failsOn(globals, "empty")) throw new CheckError("There are no rows.", { code: "EMPTY" });
  } finally {
    stopListening();
    const { rows, requests } = totals;
    // At a terminal the rows themselves are seen.
    if (requests > 0 && !io.stderr.isTTY)
      await reporter.note(`${pluralize(rows, "row")}, ${pluralize(requests, "request")}.`);
  }
}

/** Notes what is lost, for the outcome of the run. */
function createLosses({ reporter }: RunContext, subjects: number) {
  let [gaps, failures] = [0, 0];
  return {
    async add({ error, input }: SubjectNews): Promise<void> {
      if (error) failures += 1;
      else {
        gaps += 1;
        const of = subjects > 1 && input !== undefined ? ` of ${input}` : "";
        await reporter.note(`Too many new rows${of}: some rows before the next ones are missing. Use a filter.`);
      }
    },
    throwIfAny(): void {
      const times = gaps === 1 ? "once" : `${gaps} times`;
      if (gaps > 0)
        throw new IncompleteError(`Rows are missing: ${times}, more rows arrived between two polls than were read.`, {
          code: "LOST_ROWS",
          hint: "Use a shorter interval or a filter. To read the missing rows: --from-time, --to-time and --all.",
        });
      if (failures > 0) throw new IncompleteError(`${pluralize(failures, "identifier")} could not be followed.`);
    },
  };
}

async function* selectEvents(rule: Rule, source: AsyncIterable<RuleNews>): EventBatches {
  for await (const { news } of source) yield { news, events: await rule.select(news) };
}

/** Yields events up to the first new one that matches a condition. */
async function* untilMatch(batches: EventBatches, matches: RowMatcher): EventBatches {
  for await (const { news, events } of batches) {
    const at = news.isFirst ? -1 : (await matches(events.map(({ row }) => row))).indexOf(true);
    yield { news, events: at < 0 ? events : events.slice(0, at + 1) };
    if (at >= 0) return;
  }
}

async function* limitRows(batches: EventBatches, limit = Number.POSITIVE_INFINITY): EventBatches {
  let remaining = limit;
  for await (const { news, events } of batches) {
    yield { news, events: events.slice(0, remaining) };
    remaining -= events.length;
    if (remaining <= 0) return;
  }
}

async function* countRows(batches: EventBatches, totals: { rows: number }): EventBatches {
  for await (const batch of batches) {
    totals.rows += batch.events.length;
    yield batch;
  }
}

/**
 * Runs work with a function that delivers events as they pass; rows of the first polls are no news. Afterwards it waits
 * for deliveries, also those that are repeated, unless the run is stopped.
 * @throws IncompleteError when some were not made
 */
async function withDeliveries(
  rule: Rule,
  work: (deliver: (batches: EventBatches) => EventBatches) => Promise<void>,
): Promise<void> {
  const { exec, webhook, notify } = rule.context.globals;
  const definitions = [
    ...(exec === undefined ? [] : [{ exec }]),
    ...(webhook === undefined ? [] : [{ webhook }]),
    ...(notify === undefined ? [] : [{ notify }]),
  ];
  if (definitions.length === 0) return work((batches) => batches);
  const { openDeliveries } = await import("../watch/deliveries.ts");
  const deliveries = await openDeliveries(rule.context, [{ name: "follow", rule, definitions }]);
  try {
    await work(async function* (batches) {
      for await (const { news, events } of batches) {
        if (!news.isFirst) await deliveries.add(news.subject, news.input, [{ name: "follow", events }]);
        yield { news, events };
      }
    });
    await deliveries.drain();
  } finally {
    await deliveries.close();
  }
}

/** Prints rows as they arrive; a jq program runs on the rows of each poll. */
async function print({ context, display, output }: Rule, batches: EventBatches): Promise<void> {
  const pages = (async function* () {
    for await (const { events } of batches) yield events.map(({ row }) => row);
  })();
  if (context.globals.jq === undefined)
    return void (await context.printer.print({ kind: "rows", pages }, display, { options: output }));
  for await (const rows of pages)
    if (rows.length > 0) await context.printer.print({ kind: "object", value: rows }, display, { options: output });
}
