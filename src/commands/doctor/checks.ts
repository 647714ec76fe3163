/** Findings, and how the checks that return them run: concurrently, each with its own time limit. */
import { errorMessage, type Json, SolxError, toInterruptedError, toSentence } from "../../base/index.ts";
import type { CheckContext } from "./context.ts";

/** The headings of the areas, in the order of the output. */
export const AREAS = {
  program: "Program",
  settings: "Settings",
  files: "Files",
  key: "Key",
  network: "Network",
  budget: "Budget",
  terminal: "Terminal",
  parts: "Parts",
  drift: "Answers",
} as const;

/** The area of a check. */
export type Area = keyof typeof AREAS;

/** A note is informational, a warning means reduced function, a problem makes requests fail. */
export type Level = "ok" | "note" | "warning" | "problem";

/** The result of a check. */
export interface Outcome {
  readonly level: Level;
  readonly message: string;
  /** The name of the finding, if it differs from that of the check. */
  readonly check?: string;
  /** The measured value, for programs. */
  readonly value?: Json;
  readonly hint?: string | null | undefined;
}

/** The result of a check with its area and name. */
export interface Finding extends Required<Outcome> {
  readonly area: Area;
  readonly hint: string | null;
}

/** A check. */
export interface Check {
  readonly area: Area;
  readonly name: string;
  /** Whether it sends requests: `--offline` skips it then. */
  readonly sends?: boolean;
  /**
   * Runs the check. An exception becomes a finding, too.
   * @param signal aborted when the run is stopped or the time limit of the check is reached
   */
  readonly run: (checkContext: CheckContext, signal: AbortSignal) => Promise<Outcome | readonly Outcome[]>;
}

const outcomeOf =
  (level: Level) =>
  (message: string, details: Omit<Outcome, "level" | "message"> = {}): Outcome => ({ level, message, ...details });

/** Returns the outcome of a check that found nothing wrong. */
export const ok = (message: string, value: Json = null): Outcome => ({ level: "ok", message, value });
/** Returns information that needs no action. */
export const note = outcomeOf("note");
/** Returns an outcome that reduces what works. */
export const warning = outcomeOf("warning");
/** Returns an outcome that makes requests fail. */
export const problem = outcomeOf("problem");

/** Rates a measured value: by the first fault that it has, else as ok. */
export function rate(
  message: string,
  value: Json,
  ...faults: readonly (readonly [isFault: boolean, level: Level, hint: string])[]
): Outcome {
  const [, level, hint] = faults.find(([isFault]) => isFault) ?? [];
  return level === undefined ? ok(message, value) : { level, message, value, hint };
}

/**
 * Maximum number of sequential steps of a check. With requests: name resolution, a request without and one with the
 * key, an example, and some spare time. Otherwise: the key and one system call.
 */
const MAX_STEPS = { remote: 5, local: 2 } as const;
/** Time limit in seconds with the sandbox, whose first request creates its data. */
const SANDBOX_SECONDS = 600;

/** Runs a check and returns its findings. Rejects only when the run is stopped. */
export async function runCheck(check: Check, checkContext: CheckContext): Promise<readonly Finding[]> {
  const { facts, seconds } = checkContext;
  const limit = seconds * (check.sends ? MAX_STEPS.remote : MAX_STEPS.local);
  const outcomes = await raceCheck(check, checkContext, facts.isSimulated ? SANDBOX_SECONDS : limit);
  return outcomes.map(({ level, value = null, message, hint = null, check: name = check.name }) => {
    return { area: check.area, check: name, level, value, message, hint };
  });
}

async function raceCheck(check: Check, checkContext: CheckContext, seconds: number): Promise<readonly Outcome[]> {
  const { signal: stopSignal } = checkContext.context.io;
  const timeout = new AbortController();
  const signal = AbortSignal.any([stopSignal, timeout.signal]);
  const timer = setTimeout(() => timeout.abort(new Error("late")), seconds * 1000);
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
  try {
    stopSignal.throwIfAborted();
    return [await Promise.race([check.run(checkContext, signal), aborted.promise])].flat();
  } catch (error) {
    if (stopSignal.aborted) throw toInterruptedError(stopSignal);
    if (timeout.signal.aborted) {
      return [warning(`no result within ${seconds} s`, { hint: "Allow more time: solx doctor --timeout 60" })];
    }
    if (error instanceof SolxError) {
      const hint = error.hint ?? "Correct the setting. List all settings and their sources: solx config list";
      return [problem(toSentence(error), { value: String(error.code), hint })];
    }
    const hint = "Report it with the output of: solx doctor --report -v";
    return [warning(`check failed: ${errorMessage(error)}`, { hint })];
  } finally {
    clearTimeout(timer);
  }
}
