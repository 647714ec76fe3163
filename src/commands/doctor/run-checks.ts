/** Runs checks concurrently, each with its own time limit. */

import { errorMessage, SolxError, toInterruptedError, toSentence } from "../../base/index.ts";
import type { CheckContext } from "./context.ts";
import { type Check, type Finding, type Outcome, problem, warning } from "./finding.ts";

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
  return new Map(checks.map((check) => [check, runCheck(check, checkContext)]));
}

async function runCheck(check: Check, checkContext: CheckContext): Promise<readonly Finding[]> {
  const { context, facts, seconds: stepSeconds } = checkContext;
  const limit = stepSeconds * (check.sends ? MAX_STEPS.remote : MAX_STEPS.local);
  const outcomes = await raceCheck(check, checkContext, context.io.signal, facts.isSimulated ? SANDBOX_SECONDS : limit);
  return outcomes.map(({ level, value = null, message, hint, check: name = check.name }) => ({
    area: check.area,
    check: name,
    level,
    value,
    message,
    hint: hint ?? null,
  }));
}

async function raceCheck(
  check: Check,
  checkContext: CheckContext,
  stopSignal: AbortSignal,
  seconds: number,
): Promise<readonly Outcome[]> {
  const timeout = new AbortController();
  const signal = AbortSignal.any([stopSignal, timeout.signal]);
  const timer = setTimeout(() => timeout.abort(new Error("late")), seconds * 1000);
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    stopSignal.throwIfAborted();
    return [await Promise.race([check.run(checkContext, signal), aborted.promise])].flat();
  } catch (error) {
    if (stopSignal.aborted) throw toInterruptedError(stopSignal);
    if (!timeout.signal.aborted) return [failureOutcome(error)];
    return [warning(`no result within ${seconds} s`, { hint: "Allow more time: solx doctor --timeout 60" })];
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** Returns the outcome of a check that failed. */
function failureOutcome(error: unknown): Outcome {
  if (error instanceof SolxError) {
    const hint = error.hint ?? "Correct the setting. List all settings and their sources: solx config list";
    return problem(toSentence(error), { value: String(error.code), hint });
  }
  return warning(`check failed: ${errorMessage(error)}`, {
    hint: "Report it with the output of: solx doctor --report -v",
  });
}
