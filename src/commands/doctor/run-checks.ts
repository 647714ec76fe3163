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
const MAX_STEPS = { remote: 5, local: 2 } as const;
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
  const timeLimit = ({ sends }: Check) => checkContext.seconds * (sends ? MAX_STEPS.remote : MAX_STEPS.local);
  const seconds = (check: Check) => (checkContext.settings.sandbox ? SANDBOX_SECONDS : timeLimit(check));
  return new Map(checks.map((check) => [check, findingsOf(check, checkContext, seconds(check))]));
}

async function findingsOf(check: Check, checkContext: CheckContext, seconds: number): Promise<readonly Finding[]> {
  const outcomes = await runCheck(check, checkContext, seconds);
  return outcomes.map(({ level, value = null, message, hint = null, check: name = check.name }) => ({
    area: check.area,
    check: name,
    level,
    value,
    message,
    hint,
  }));
}

async function runCheck(check: Check, checkContext: CheckContext, seconds: number): Promise<readonly Outcome[]> {
  const stopSignal = checkContext.context.io.signal;
  const timeout = new AbortController();
  const signal = AbortSignal.any([stopSignal, timeout.signal]);
  const timer = setTimeout(() => timeout.abort(new Error("late")), seconds * 1000);
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => {});
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    stopSignal.throwIfAborted();
    const outcome = await Promise.race([check.run(checkContext, signal), aborted.promise]);
    return Array.isArray(outcome) ? outcome : [outcome as Outcome];
  } catch (error) {
    if (stopSignal.aborted) throw toInterruptedError(stopSignal);
    return [timeout.signal.aborted ? timeoutOutcome(seconds) : failureOutcome(error)];
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

const timeoutOutcome = (seconds: number): Outcome => ({
  level: "warning",
  message: `This was not known after ${seconds} s.`,
  hint: "Try again with more time: solx doctor --timeout 60",
});

/** What a check could not do is a finding too. */
function failureOutcome(error: unknown): Outcome {
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
