/** Running checks: all together, each with its own end. */

import { toInterruptedError } from "../../base/abort.ts";
import { errorMessage } from "../../base/error-message.ts";
import { SolxError, toSentence } from "../../base/errors.ts";
import type { CheckContext } from "./context.ts";
import type { Check, Finding, Outcome } from "./finding.ts";

/**
 * Steps, one after another, that the longest checks have: of those that send a name, a server without a key, one with
 * it, an example, and what is lost between them; of others what they ask of the system, after the key.
 */
const STEPS = { sends: 5, looks: 2 } as const;
/** Seconds that the sandbox may take: its data is made by the first request. */
const SANDBOX_SECONDS = 600;

/**
 * Runs the checks at once; the findings of each are handed on as they are known.
 * @throws InterruptedError when the run is stopped
 */
export function runChecks(
  checks: readonly Check[],
  checkContext: CheckContext,
): ReadonlyMap<Check, Promise<readonly Finding[]>> {
  const most = ({ sends }: Check) => checkContext.seconds * (sends ? STEPS.sends : STEPS.looks);
  const seconds = (check: Check) => (checkContext.settings.sandbox ? SANDBOX_SECONDS : most(check));
  return new Map(checks.map((check) => [check, findingsOf(check, checkContext, seconds(check))]));
}

async function findingsOf(check: Check, checkContext: CheckContext, seconds: number): Promise<readonly Finding[]> {
  const outcomes = await outcomesOf(check, checkContext, seconds);
  return outcomes.map(({ level, value = null, message, hint = null, check: name = check.name }) => ({
    area: check.area,
    check: name,
    level,
    value,
    message,
    hint,
  }));
}

async function outcomesOf(check: Check, checkContext: CheckContext, seconds: number): Promise<readonly Outcome[]> {
  const stopped = checkContext.context.io.signal;
  const late = new AbortController();
  const signal = AbortSignal.any([stopped, late.signal]);
  const timer = setTimeout(() => late.abort(new Error("late")), seconds * 1000);
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  const end = () => ended.reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  try {
    stopped.throwIfAborted();
    const found = await Promise.race([check.run(checkContext, signal), ended.promise]);
    return Array.isArray(found) ? found : [found as Outcome];
  } catch (error) {
    if (stopped.aborted) throw toInterruptedError(stopped);
    return [late.signal.aborted ? tooLate(seconds) : failed(error)];
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

const tooLate = (seconds: number): Outcome => ({
  level: "warning",
  message: `This was not known after ${seconds} s.`,
  hint: "Try again with more time: solx doctor --timeout 60",
});

/** What a check could not do is a finding too. */
function failed(error: unknown): Outcome {
  if (error instanceof SolxError) {
    const hint = error.hint ?? "Correct what is named; every setting and where it comes from: solx config list";
    return { level: "problem", value: String(error.code), message: toSentence(error), hint };
  }
  const text = errorMessage(error);
  return {
    level: "warning",
    message: `This could not be looked at: ${text}`,
    hint: "Run it again with -v, and report it: solx doctor --report",
  };
}
