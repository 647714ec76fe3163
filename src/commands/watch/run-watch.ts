/** `solx watch`: polls what rules watch and delivers events, until it is stopped. */
import { existsSync } from "node:fs";
import { formatMoment, IncompleteError, pluralize, UsageError } from "../../base/index.ts";
import { findParamByRole } from "../../catalogue/index.ts";
import { estimatePlan, notePlan, planRules } from "../follow/engine.ts";
import { serveHealth } from "../health-server.ts";
import { rowSchema } from "../row-schema.ts";
import { parseDuration } from "../run/arguments.ts";
import type { RunContext } from "../run/context.ts";
import { formatMetrics } from "../usage/monitoring.ts";
import { type Deliveries, openDeliveries } from "./deliveries.ts";
import { openRules, stateFile } from "./open-rules.ts";
import { findRedis, openOutbox, openRun } from "./rules-run.ts";

/** Watches the rules of a file. */
export async function watch(context: RunContext, path: string, health: string | undefined): Promise<void> {
  const { io, reporter, outcome } = context;
  const state = { polls: 0, events: 0, isFailing: false };
  const run = await openRun(context, await openRules(context, path), stateFile(context, path));
  try {
    const server = await serveHealth(health, () => healthOf(state, run.deliveries, path));
    outcome.runsUntilStopped = true;
    try {
      await notePlan(context, run.plan, undefined);
      if (server) await reporter.note(`Monitoring: ${server.url}/metrics and ${server.url}/health.`);
      const onState = (isFailing: boolean) => Object.assign(state, { isFailing });
      for await (const { events } of run.poll({ signal: io.signal, onState })) {
        state.polls += 1;
        state.events += events;
      }
    } finally {
      await server?.close();
    }
  } finally {
    await run.close();
  }
}

function healthOf(
  { polls, events, isFailing }: { readonly polls: number; readonly events: number; readonly isFailing: boolean },
  { outbox }: Deliveries,
  path: string,
) {
  const counts = outbox.counts();
  const perAction = (value: (one: (typeof counts)[number]) => number | undefined) =>
    counts.map((one) => [value(one), { action: one.action }] as const);
  const metrics = formatMetrics(
    [
      ["watch_up", "Whether polls succeed.", [isFailing ? 0 : 1]],
      ["watch_news_total", "Subjects that were polled since the start.", [polls]],
      ["watch_events_total", "Events that were found since the start.", [events]],
      ["watch_delivered_total", "Events that were delivered.", ...perAction(({ delivered }) => delivered)],
      ["watch_failed_total", "Deliveries that failed.", ...perAction(({ failed }) => failed)],
      ["watch_pending", "Events that are still to be delivered.", ...perAction(({ pending }) => pending)],
      ["watch_parked", "Events that could not be delivered.", ...perAction(({ parked }) => parked)],
      [
        "watch_oldest_seconds",
        "Age of the oldest event that is still to be delivered.",
        ...perAction(({ oldest }) => (oldest === null ? 0 : Math.max(0, Math.round((Date.now() - oldest) / 1000)))),
      ],
    ],
    { rules: path },
  );
  const sum = (name: "pending" | "parked") => counts.reduce((total, one) => total + one[name], 0);
  const [pending, parked] = [sum("pending"), sum("parked")];
  const status = isFailing ? "waiting" : parked > 0 ? "parked" : "ok";
  return { isHealthy: !isFailing && parked === 0, status: { status, events, pending, parked }, metrics };
}

const checkSchema = rowSchema((f) => ({
  rule: f.text("Name of the rule"),
  what: f.text("What it watches"),
  subjects: f.count("Identifiers, or 1"),
  requests_per_hour: f.count("Requests in an hour, of this rule alone"),
  units_per_hour: f.count("Compute units in an hour, of this rule alone"),
  latency: f.count("Seconds until news is noticed, at most"),
}));

/** Prints what the rules of a file cost. @throws UsageError for a rule that is invalid */
export async function checkRules(context: RunContext, path: string): Promise<void> {
  const { rules, maxRequests, close } = await openRules(context, path);
  try {
    const deliveries = await openDeliveries(context, rules);
    await deliveries.close();
    const rows = [];
    for (const { name, rule, definition } of rules) {
      const plan = await estimatePlan(await planRules(context, [rule], { now: context.io.now, maxRequests }));
      rows.push({
        ...{ rule: name, what: definition.what, subjects: plan.subjects, requests_per_hour: plan.requestsPerHour },
        ...{ units_per_hour: plan.unitsPerHour, latency: Math.round(plan.latency.quiet) },
      });
    }
    await context.printer.printRows(rows, { entity: checkSchema });
    const all = await planRules(
      context,
      rules.map(({ rule }) => rule),
      { now: context.io.now, maxRequests },
    );
    await notePlan(context, all, undefined);
  } finally {
    await close();
  }
}

/** Prints the events that a rule would have found since a time. */
export async function testRule(context: RunContext, path: string, name: string, since: string): Promise<void> {
  const seconds = parseDuration(since);
  if (seconds === undefined)
    throw new UsageError(`invalid value "${since}" for --since: expected a duration such as 1d`);
  const { rules, close } = await openRules(context, path, { only: name });
  try {
    const [{ rule }] = rules as [(typeof rules)[number]];
    const { endpoint, params, inputs } = rule.watched;
    const [from] = findParamByRole(endpoint, "from") ?? [];
    if (!rule.grows || from === undefined)
      throw new UsageError(`rule ${name} has no history: only its present is known`);
    const start = Math.floor(context.io.now() / 1000 - seconds);
    const [identifier = ""] = Object.entries(endpoint.query).find(([, param]) => param.positional) ?? [];
    const pages = (async function* () {
      for (const input of inputs ?? [undefined]) {
        const query = { ...params, ...(input !== undefined && { [identifier]: input }), [from]: start };
        const options = { all: true, signal: context.io.signal, priority: "background" } as const;
        for await (const page of rule.client.pages(endpoint, query, options)) {
          const events = page.rows.map((row) => ({ row, key: "" }));
          const news = { subject: "", input, events, isFirst: false, isComplete: true, cursor: () => ({}) };
          yield (await rule.select(news)).map(({ row }) => row);
        }
      }
    })();
    const { rows } = await context.printer.print({ kind: "rows", pages }, rule.display, { options: rule.output });
    await context.reporter.note(`${pluralize(rows, "event")} since ${formatMoment(start * 1000)}.`);
  } finally {
    await close();
  }
}

const statusSchema = rowSchema((f) => ({
  action: f.text("Rule and action"),
  delivered: f.count("Events that were delivered"),
  failed: f.count("Deliveries that failed; they are repeated"),
  pending: f.count("Events that are still to be delivered"),
  parked: f.count("Events that could not be delivered"),
  oldest: f.isoTime("When the oldest pending event was found").nullable(),
  last_error: f.text("Why a delivery failed that is pending or parked").nullable(),
}));

/**
 * Prints how far the deliveries of a file are.
 * @param retry whether parked events are delivered again
 * @throws IncompleteError when events are parked
 */
export async function printStatus(context: RunContext, path: string, retry: boolean): Promise<void> {
  const file = stateFile(context, path);
  if (!existsSync(file) && (await findRedis(context)).redis === undefined)
    throw new UsageError(`${path} was never watched`, { hint: `To watch it: solx watch ${path}` });
  const outbox = await openOutbox(context, file, "read");
  try {
    if (retry)
      await context.reporter.note(`${pluralize(await outbox.retryParked(), "parked event")} will be delivered again.`);
    const counts = outbox.counts();
    const rows = counts.map((one) => ({
      ...one,
      oldest: one.oldest === null ? null : new Date(one.oldest).toISOString(),
    }));
    await context.printer.printRows(rows as never, { entity: statusSchema });
    const parked = counts.reduce((sum, one) => sum + one.parked, 0);
    if (parked === 0) return;
    throw new IncompleteError(`${pluralize(parked, "event")} could not be delivered.`, {
      code: "UNDELIVERED",
      hint: `To deliver them again: solx watch status ${path} --retry`,
    });
  } finally {
    await outbox.close();
  }
}
