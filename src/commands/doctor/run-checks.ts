/** Runs checks concurrently, each with its own time limit. */

import { errorMessage, SolxError, toInterruptedError, toSentence } from "../../base/index.ts";
import type { CheckContext } from "./context.ts";
import type { Check, Finding, Outcome } from "./finding.ts";

/**
 * Maximum number of sequential steps of a check. With requests: name resolution, a request without and one with the
 * key, an example, and some spare time. Otherwise: the key and one system call.
 */
const MAX_STEPS = { remote: 5, local: 2 } as const;
/** Time limit in seconds with the sandbox, whose first request creates its data. */
const SANDBOX_SECONDS = 600;

/**
 * Runs the checks concurrently. Returns a promise of the findings of each.
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
  message: `no result within ${seconds} s`,
  hint: "Allow more time: solx doctor --timeout 60",
});

/** Returns the finding for a check that failed. */
function failureOutcome(error: unknown): Outcome {
  if (error instanceof SolxError) {
    const hint = error.hint ?? "Correct the setting. List all settings and their sources: solx config list";
    return { level: "problem", value: String(error.code), message: toSentence(error), hint };
  }
  const text = errorMessage(error);
  return {
    level: "warning",
    message: `check failed: ${text}`,
    hint: "Report it with the output of: solx doctor --report -v",
  };
}
