/** The deliveries of rules: their actions, over an outbox. */
import { IncompleteError, type JsonObject, pluralize, sleep, withPlace } from "../../base/index.ts";
import { hashText, type KeyedRow } from "../../client/index.ts";
import type { Rule } from "../follow/rule.ts";
import type { RunContext } from "../run/context.ts";
import { openAction } from "./actions.ts";
import { type Action, Deliverer } from "./deliverer.ts";
import { Outbox } from "./outbox.ts";
import type { ActionDefinition } from "./rules-file.ts";

/** A rule with its name, and what it does with its events. */
export interface NamedRule {
  readonly name: string;
  readonly rule: Rule;
  readonly definitions: readonly ActionDefinition[];
  /** Returns where an action is written, for errors; undefined at the prompt. */
  readonly placeOf?: (action: number) => string;
}

/** Events of a rule, by its name. */
export interface RuleEvents {
  readonly name: string;
  readonly events: readonly KeyedRow[];
}

/** Characters that tell actions of one kind apart. */
const ID_LENGTH = 5;

/** Deliveries that are under way. */
export interface Deliveries {
  readonly outbox: Outbox;
  /** Fires, with the error as its reason, when they cannot continue. */
  readonly failed: AbortSignal;
  /** Adds events of a subject for the actions of their rules, and stores how far the subject was read. */
  add(subject: string, input: string | undefined, events: readonly RuleEvents[], cursor?: JsonObject): Promise<void>;
  /** Waits until all were made. @throws IncompleteError when some were parked; InterruptedError when the run stops */
  drain(): Promise<void>;
  /** Stops them and closes the outbox; what was not made is noted. */
  close(): Promise<void>;
}

/**
 * Opens the actions of rules and starts the deliveries of an outbox.
 * @param outbox in memory by default
 * @throws UsageError for an invalid action
 */
export async function openDeliveries(
  context: RunContext,
  rules: readonly NamedRule[],
  outbox = new Outbox(":memory:"),
): Promise<Deliveries> {
  const { io, reporter } = context;
  const actions = new Map<string, readonly Action[]>();
  for (const { name, rule, definitions, placeOf } of rules) {
    const shape = await rule.shape();
    const open = (definition: ActionDefinition, at: number) => {
      const [[kind = "", value] = []] = Object.entries(definition);
      // The value may contain a secret.
      const id = hashText(String(value)).toString(36).slice(0, ID_LENGTH);
      try {
        return openAction(definition, { context, name: `${name} ${kind} ${id}`, shape });
      } catch (error) {
        throw placeOf ? withPlace(error, placeOf(at)) : error;
      }
    };
    actions.set(name, definitions.map(open));
  }
  const unique = new Map([...actions.values()].flat().map((action) => [action.name, action]));
  const deliverer = new Deliverer(outbox, [...unique.values()], {
    // A clock that is set does not delay what is repeated.
    timing: { now: () => performance.timeOrigin + performance.now(), sleep },
    onFailure: (_, error, isParked) =>
      reporter.note(
        `${error.replace(/\.?$/, ".")} ${isParked ? "The event was not delivered." : "It is tried again."}`,
      ),
  });
  const undelivered = () => outbox.counts().reduce((sum, { pending, parked }) => sum + pending + parked, 0);
  return {
    outbox,
    failed: deliverer.failed,
    async add(subject, input, all, cursor) {
      const found = all.flatMap(({ name: rule, events }) =>
        events.map(({ row, key: rowKey }) => {
          const key = hashText(`${rule} ${subject} ${rowKey}`).toString(36);
          return { rule, input: input ?? null, key, event: row };
        }),
      );
      const deliveries = found.flatMap((event) =>
        (actions.get(event.rule) ?? []).map(({ name: action }) => ({ action, key: event.key, event })),
      );
      await outbox.commit(Date.now(), { subject, events: found, deliveries, cursor });
    },
    async drain() {
      const stopped = Promise.withResolvers<void>();
      const stop = () => stopped.reject(io.signal.reason);
      io.signal.addEventListener("abort", stop, { once: true });
      await Promise.race([deliverer.drain(), stopped.promise]);
      io.signal.removeEventListener("abort", stop);
      const parked = undelivered();
      if (parked > 0)
        throw new IncompleteError(`${pluralize(parked, "event")} could not be delivered.`, { code: "UNDELIVERED" });
    },
    async close() {
      await deliverer.stop();
      const left = outbox.isLasting ? 0 : undelivered();
      if (left > 0 && io.signal.aborted) await reporter.note(`${pluralize(left, "event")} could not be delivered.`);
      await outbox.close();
    },
  };
}
