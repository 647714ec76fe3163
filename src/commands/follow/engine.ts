/** Polls what rules watch. Rules that watch the same share its polls. */
import {
  DAY_SECONDS,
  formatMoment,
  formatSpan,
  groupThousands,
  HOUR_SECONDS,
  MINUTE_SECONDS,
  pluralize,
  stringifyJson,
  toSentence,
} from "../../base/index.ts";
import { type Cursors, loadWatch, type Poller, type SubjectNews, type Timing } from "../../client/index.ts";
import { getStreamSink } from "../../output/index.ts";
import { effectiveRate } from "../endpoint/cost.ts";
import { dailyUnitLimit } from "../run/client-options.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { openRemovals, subscribe } from "./node.ts";
import type { Rule } from "./rule.ts";

/** What rules poll, and how often. */
export interface WatchPlan {
  readonly pollers: readonly Poller[];
  readonly rulesOf: ReadonlyMap<Poller, readonly Rule[]>;
  /** Requests in a minute, at most; undefined for no limit. */
  readonly maxRequests: number | undefined;
}

/** News, and the rules that it is for. */
export interface RuleNews {
  readonly news: SubjectNews;
  readonly rules: readonly Rule[];
}

/** The part of the rate limit that polls take, so that others can work meanwhile. */
const RATE_SHARE = 0.5;

/** How rules are planned. */
interface PlanOptions {
  readonly now: () => number;
  readonly cursors?: Cursors;
  /** Requests in a minute, at most, besides what the rate limit and the daily units allow. */
  readonly maxRequests?: number | undefined;
}

/** Opens the pollers of rules, one for those that watch the same. */
export async function planRules(
  context: RunContext,
  rules: readonly Rule[],
  { now, cursors, maxRequests: limit = Number.POSITIVE_INFINITY }: PlanOptions,
): Promise<WatchPlan> {
  const { openPollers } = await loadWatch();
  const groups = Map.groupBy(rules, ({ scope, grows, watched: { endpoint, params, inputs } }) =>
    stringifyJson([scope, grows, endpoint.route, params as never, inputs === undefined]),
  );
  const rulesOf = new Map<Poller, readonly Rule[]>();
  for (const group of groups.values()) {
    const [first] = group as [Rule];
    const { client, grows, watched, scope } = first;
    const inputs = watched.inputs && [...new Set(group.flatMap((rule) => rule.watched.inputs ?? []))];
    const { times } = group.reduce((a, b) => (b.times.interval < a.times.interval ? b : a)) as Rule;
    const own = cursors && ((subject: string) => cursors(`${scope} ${subject}`));
    const findRemoved = await openRemovals(first);
    for (const poller of openPollers(client, { ...watched, inputs }, { grows, times, now, cursors: own, findRemoved }))
      rulesOf.set(poller, group);
  }
  const pollers = [...rulesOf.keys()];
  const maxRequests = Math.min(limit, await findMaxRequests(context, pollers));
  return { pollers, rulesOf, maxRequests: Number.isFinite(maxRequests) ? maxRequests : undefined };
}

/** A subject of a plan, which is named as in the outbox. */
interface PlannedSubject {
  readonly name: string;
  readonly input: string | undefined;
  readonly poller: Poller;
  readonly rules: readonly Rule[];
}

/** Returns the subjects of a plan. */
export async function listSubjects({ rulesOf }: WatchPlan): Promise<readonly PlannedSubject[]> {
  const { subjectName } = await loadWatch();
  return [...rulesOf].flatMap(([poller, all]) =>
    (poller.inputs ?? [undefined]).map((input): PlannedSubject => {
      const rules = all.filter(({ watched: { inputs } }) => inputs === undefined || inputs.includes(input ?? ""));
      const [{ scope, watched }] = all as [Rule];
      return { name: `${scope} ${subjectName(watched, watched.inputs && input)}`, input, poller, rules };
    }),
  );
}

/** Returns how many requests a minute the rate limit and the daily units allow; infinite without limits. */
async function findMaxRequests(context: RunContext, pollers: readonly Poller[]): Promise<number> {
  const settings = await context.session.settings();
  const rate = await effectiveRate(context);
  const unitsPerDay = dailyUnitLimit(settings);
  const units = pollers.reduce((sum, poller) => sum + poller.units, 0);
  const requests = pollers.reduce((sum, poller) => sum + poller.requests, 0);
  const limits = [
    ...(rate === undefined ? [] : [(rate.requests * MINUTE_SECONDS * RATE_SHARE) / rate.seconds]),
    ...(unitsPerDay === undefined || units === 0
      ? []
      : [((unitsPerDay / units) * requests * MINUTE_SECONDS) / DAY_SECONDS]),
  ];
  return Math.min(...limits);
}

/** What a plan costs, and how long news takes at most. */
interface PlanCost {
  readonly subjects: number;
  readonly requestsPerHour: number;
  readonly unitsPerHour: number;
  /** Seconds until news of subjects with recent news is noticed, and of the others. */
  readonly latency: { readonly busy: number; readonly quiet: number };
}

/** Returns the cost of a plan, before anything is known of its subjects. */
export async function estimatePlan({ pollers, maxRequests }: WatchPlan): Promise<PlanCost> {
  const { planStretch, requestsPerMinute } = await loadWatch();
  const stretch = planStretch({ busy: 0, quiet: requestsPerMinute(pollers) }, maxRequests);
  const interval = Math.max(...pollers.map((poller) => poller.interval));
  const perHour = (count: (poller: Poller) => number) =>
    pollers.reduce((sum, one) => sum + (count(one) * HOUR_SECONDS) / (one.interval * stretch.quiet), 0);
  return {
    subjects: pollers.reduce((sum, { inputs }) => sum + (inputs?.length ?? 1), 0),
    requestsPerHour: Math.ceil(perHour(({ requests }) => requests) - 1e-6),
    unitsPerHour: Math.ceil(perHour(({ units }) => units) - 1e-6),
    latency: { busy: interval, quiet: interval * stretch.quiet },
  };
}

/** Notes what will be polled, how often, and at what cost. */
export async function notePlan(context: RunContext, plan: WatchPlan, end: number | undefined): Promise<void> {
  const { subjects, requestsPerHour, unitsPerHour, latency } = await estimatePlan(plan);
  const { facts } = sourceOf(await context.session.settings());
  const what = subjects === 1 ? "Polling" : `Polling ${groupThousands(subjects)} subjects`;
  const busy = latency.quiet > latency.busy ? `, those with recent news every ${formatSpan(latency.busy)}` : "";
  const until = end === undefined ? "" : `, until ${formatMoment(end)}`;
  const hourly = `${pluralize(requestsPerHour, "request")} and ${pluralize(unitsPerHour, "compute unit")} per hour`;
  const cost = facts.chargesUnits ? `: ${hourly}` : "";
  await context.reporter.note(`${what} every ${formatSpan(Math.round(latency.quiet))}${busy}${until}${cost}.`);
}

/** How rules are watched. */
export interface WatchOptions {
  readonly timing: Timing;
  readonly signal: AbortSignal;
  /** When watching ends, in milliseconds since the epoch. */
  readonly end?: number | undefined;
  readonly isPatient?: boolean;
  /** Called when polls begin to fail, and when they succeed again. */
  readonly onState?: (isFailing: boolean) => void;
  /** Called for what is polled no more, and for news with events missing. */
  readonly onLoss: (news: SubjectNews) => Promise<void>;
  /** Called after each poll, with when the next one is due, in milliseconds since the epoch. */
  readonly onPolled?: ((poller: Poller, due: number) => void) | undefined;
}

/** Yields news as it arrives; failures, recoveries and gaps are noted. @throws failures that concern all subjects */
export async function* watchRules(
  context: RunContext,
  { pollers, rulesOf, maxRequests }: WatchPlan,
  { timing, signal, end, isPatient, onLoss, onState, onPolled }: WatchOptions,
): AsyncGenerator<RuleNews, void> {
  const { runSchedule } = await loadWatch();
  const { reporter, io } = context;
  const failed = new Set<string>();
  const schedule = runSchedule(pollers, {
    ...{ timing, signal, end, isPatient, maxRequests, onPolled },
    async onFailure(error) {
      onState?.(true);
      await reporter.note(`${toSentence(error)} Following continues when the problem is resolved.`);
    },
    async onRecovery(seconds) {
      onState?.(false);
      await reporter.note(`Recovered after ${formatSpan(seconds)}.`);
    },
    // Ends the run when the reader has gone. Without writing, this can be detected for sockets but not for pipes.
    onWake: () => getStreamSink(io.stdout).flush(io.signal),
    onStart: (hurry, stop) => void subscribe(rulesOf, hurry, stop).catch(() => {}),
  });
  for await (const { poller, news: all } of schedule) {
    for (const news of all) {
      const { input = "", error } = news;
      if (error && !failed.has(input)) await reporter.itemError(input, error);
      if (error ? failed.size < failed.add(input).size : !news.isComplete) await onLoss(news);
      if (error) continue;
      failed.delete(input);
      const rules = rulesOf.get(poller) ?? [];
      yield { news, rules: rules.filter(({ watched: { inputs } }) => inputs?.includes(input) ?? true) };
    }
  }
}
