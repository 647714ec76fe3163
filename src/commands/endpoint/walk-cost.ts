/**
 * The cost of walks: a Solana node has no lists of transfers, so each transaction of an account is read with a call. The
 * number of calls is noted before they are sent, and a large one is confirmed at a terminal.
 */

import { pluralize, UsageError } from "../../base/index.ts";
import type { Endpoint } from "../../catalogue/index.ts";
import type { SendOptions, WalkCost } from "../../client/index.ts";
import { resolveNode } from "../../sources/node/index.ts";
import type { RunContext } from "../run/context.ts";
import { canPrompt, promptYesNo } from "../run/prompt.ts";
import { nodeOptions } from "../run/rate-limit-options.ts";
import { formatMinutes } from "./cost.ts";

/** Calls above which a walk is noted, and above which it is confirmed. */
const NOTED_CALLS = 100;
const CONFIRMED_CALLS = 1000;

/** A list or value that may need a walk. */
export interface WalkRequest {
  readonly endpoint: Endpoint;
  /** The number of requested rows; all by default. */
  readonly limit?: number | undefined;
  /** Whether it continues an earlier run, whose walk was confirmed. */
  readonly isResumed: boolean;
}

/**
 * Returns what notes the cost of a walk, and prompts for a confirmation of a large one. Without a terminal, the
 * walk is done.
 * @throws UsageError (exit 2) when it is not confirmed
 */
export function confirmWalk(context: RunContext, request: WalkRequest): NonNullable<SendOptions["beforeWalk"]> {
  return async (walk) => {
    // Most transactions have a row.
    const calls = Math.min(walk.calls, request.limit ?? Number.POSITIVE_INFINITY);
    if (calls <= NOTED_CALLS) return;
    await context.reporter.note(await walkText(context, request, { ...walk, calls }));
    const isConfirmed = calls <= CONFIRMED_CALLS || request.isResumed || context.globals.yes || !canPrompt(context);
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

/** Returns the cost of a walk as a sentence, with the time that the limits of the node make it take. */
async function walkText(
  context: RunContext,
  { endpoint, limit }: WalkRequest,
  { calls, complete }: WalkCost,
): Promise<string> {
  const isBounded = limit !== undefined && calls >= limit;
  const amount = isBounded ? "about " : complete ? "" : "at least ";
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
