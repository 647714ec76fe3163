/** Rules that are watched: polls find their events, which are stored with how far subjects were read, and delivered. */
import { sleep } from "../../base/index.ts";
import type { RunContext } from "../run/context.ts";
import { type Deliveries, openDeliveries } from "./deliveries.ts";
import { planRules, type RuleNews, type WatchOptions, type WatchPlan, watchRules } from "./engine.ts";
import type { OpenRules } from "./open-rules.ts";
import { Outbox } from "./outbox.ts";
import type { Rule } from "./rule.ts";

/** What a poll found about a subject, which is named as in the outbox. */
interface FoundEvents {
  readonly subject: string;
  /** The number of events. */
  readonly events: number;
}

/** Rules with their plan and their deliveries. */
export interface RulesRun {
  readonly plan: WatchPlan;
  readonly deliveries: Deliveries;
  /** Polls until the signal aborts. */
  poll(options: Pick<WatchOptions, "signal"> & Partial<WatchOptions>): AsyncGenerator<FoundEvents>;
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
    outbox = new Outbox(path);
    const cursors = outbox.cursor.bind(outbox);
    const plan = await planRules(context, [...names.keys()], { now: io.now, maxRequests: opened.maxRequests, cursors });
    const deliveries = await openDeliveries(context, opened.rules, outbox);
    const onLoss: WatchOptions["onLoss"] = async ({ error, input = "" }) => {
      if (!error) await reporter.note(`Too many new rows ${input}: some rows before the next ones are missing.`);
    };
    const options = { timing: { now: io.now, sleep }, isPatient: true, onLoss };
    return {
      plan,
      deliveries,
      async *poll(more) {
        for await (const found of watchRules(context, plan, { ...options, ...more }))
          yield await addNews(deliveries, found, (rule) => names.get(rule) ?? "");
      },
      async close() {
        await deliveries.close();
        await opened.close();
      },
    };
  } catch (error) {
    outbox?.close();
    await opened.close();
    throw error;
  }
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
  deliveries.add(subject, news.input, selected, news.cursor());
  return { subject, events: selected.reduce((sum, { events }) => sum + events.length, 0) };
}
