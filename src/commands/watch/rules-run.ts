/** Rules that are watched: polls find their events, which are stored with how far subjects were read, and delivered. */
import { basename } from "node:path";
import { sleep, systemCode, unwritableError } from "../../base/index.ts";
import { loadWatch } from "../../client/index.ts";
import { accountId, displayRedisAddress, loadRedis } from "../../sources/api/index.ts";
import {
  listSubjects,
  planRules,
  type RuleNews,
  type WatchOptions,
  type WatchPlan,
  watchRules,
} from "../follow/engine.ts";
import type { Rule } from "../follow/rule.ts";
import { sharedOptions } from "../run/client-options.ts";
import type { RunContext } from "../run/context.ts";
import { type Deliveries, openDeliveries } from "./deliveries.ts";
import type { OpenRules } from "./open-rules.ts";
import { Outbox, type Share } from "./outbox.ts";

/** What a poll found about a subject, which is named as in the outbox. */
interface FoundEvents {
  readonly subject: string;
  /** The number of events. */
  readonly events: number;
}

/** How rules are polled. */
interface PollOptions extends Pick<WatchOptions, "signal">, Partial<Pick<WatchOptions, "onLoss" | "onState">> {
  /** Called after each poll of subjects, with when the next one is due, in milliseconds since the epoch. */
  readonly onPolled?: (subjects: readonly string[], due: number) => void;
}

/** Rules with their plan and their deliveries. */
export interface RulesRun {
  readonly plan: WatchPlan;
  readonly deliveries: Deliveries;
  /** Polls until the signal aborts. */
  poll(options: PollOptions): AsyncGenerator<FoundEvents>;
  /** Stops the deliveries, and closes the rules and the outbox. */
  close(): Promise<void>;
}

/**
 * Opens the outbox of rules and what they do, and takes over the rules.
 * @param path the file with their state
 * @throws UsageError for an invalid action, and when another process watches the rules
 */
export async function openRun(context: RunContext, opened: OpenRules, path: string): Promise<RulesRun> {
  const { io, reporter } = context;
  const names = new Map<Rule, string>(opened.rules.map(({ rule, name }) => [rule, name]));
  let outbox: Outbox | undefined;
  try {
    outbox = await openOutbox(context, path, "watch");
    const store = outbox;
    const planning = { now: io.now, maxRequests: opened.maxRequests, cursors: store.cursor.bind(store) };
    const plan = await planRules(context, [...names.keys()], planning);
    const { subjectName } = await loadWatch();
    const units = new Map([...names.keys()].map((rule) => [rule, `${rule.scope} ${subjectName(rule.watched, "")}`]));
    const deliveries = await openDeliveries(context, opened.rules, outbox);
    const onLoss: WatchOptions["onLoss"] = async ({ error, input = "" }) => {
      if (!error) await reporter.note(`Too many new rows ${input}: some rows before the next ones are missing.`);
    };
    const options = { timing: { now: io.now, sleep }, isPatient: true, onLoss };
    const all = [...new Set(units.values())];
    /** Polls what a share has. */
    const pollShare = async function* (share: Share, signal: AbortSignal, more: PollOptions) {
      const rules = [...units].flatMap(([rule, unit]) => (share.units.has(unit) ? [rule] : []));
      const maxRequests = opened.maxRequests && (opened.maxRequests * share.units.size) / all.length;
      const isAlone = share.signal === more.signal;
      const own = isAlone ? plan : await planRules(context, rules, { ...planning, maxRequests });
      const subjects = Map.groupBy(await listSubjects(own), ({ poller }) => poller);
      const onPolled: WatchOptions["onPolled"] = (poller, due) => {
        const polled = (subjects.get(poller) ?? []).map(({ name }) => name);
        store.polled(polled, due);
        more.onPolled?.(polled, due);
      };
      for await (const found of watchRules(context, own, { ...options, ...more, onPolled, signal }))
        yield await addNews(deliveries, found, (rule) => names.get(rule) ?? "");
    };
    return {
      plan,
      deliveries,
      async *poll(more) {
        if (more.onState) store.onState = more.onState;
        for await (const share of store.shares(all, more.signal)) {
          try {
            yield* pollShare(share, AbortSignal.any([more.signal, share.signal, deliveries.failed]), more);
          } catch (cause) {
            const error = storeError(deliveries.failed.aborted ? deliveries.failed.reason : cause, path);
            // What was not stored is found again by whoever watches next.
            if (error !== cause || !share.signal.aborted || more.signal.aborted) throw error;
          }
        }
      },
      async close() {
        await deliveries.close();
        await opened.close();
      },
    };
  } catch (error) {
    await outbox?.close();
    await opened.close();
    throw error;
  }
}

/** Returns an error of the database as one about the file. */
const storeError = (cause: unknown, path: string): unknown =>
  systemCode(cause) === "ENOSPC" ? unwritableError(path, cause) : cause;

/** Returns the Redis server of this run, if it has one, and the account that uses it. */
export async function findRedis(context: RunContext) {
  const settings = await context.session.settings();
  return sharedOptions(settings, context, (await settings.key(context.io.signal))?.value);
}

/**
 * Opens the outbox of rules: of this machine, or of all that use the Redis server of the setting `budget`.
 * @throws UsageError when another process of this machine watches the rules
 */
export async function openOutbox(context: RunContext, path: string, use: "watch" | "read"): Promise<Outbox> {
  const { key, redis, server, caCert } = await findRedis(context);
  if (redis === undefined) return new Outbox(path, use);
  const [{ Leases, LEASES_SCRIPT }, { SharedOutbox }, { openRedisScript }] = await Promise.all([
    import("./leases.ts"),
    import("./shared-outbox.ts"),
    loadRedis(),
  ]);
  const name = basename(path).replace(/-\w+\.sqlite$/, "");
  const leases = new Leases(openRedisScript(redis, LEASES_SCRIPT, { caCert }), `${accountId(key, server)}:${name}`);
  const note = (text: string) => void context.reporter.note(`${displayRedisAddress(redis)} ${text}.`);
  const outbox = new SharedOutbox(use === "read" ? ":memory:" : path, use, leases, note);
  if (use === "read") await outbox.readAll();
  return outbox;
}

/** Adds the events of news to the outbox, with how far its subject was read. */
async function addNews(
  deliveries: Deliveries,
  { news, rules }: RuleNews,
  nameOf: (rule: Rule) => string,
): Promise<FoundEvents> {
  const subject = `${rules[0]?.scope} ${news.subject}`;
  // What was there before is no news, but where the next run continues.
  if (news.events.length === 0 && !news.isFirst) return { subject, events: 0 };
  const selected = news.isFirst
    ? []
    : await Promise.all(rules.map(async (rule) => ({ name: nameOf(rule), events: await rule.select(news) })));
  await deliveries.add(subject, news.input, selected, news.cursor());
  return { subject, events: selected.reduce((sum, { events }) => sum + events.length, 0) };
}
