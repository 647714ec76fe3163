/** Checks and their findings. */
import type { Json } from "../../base/index.ts";
import type { CheckContext } from "./context.ts";

/** The levels of a finding, by increasing severity. */
export const LEVELS = ["ok", "note", "warning", "problem"] as const;

/** A note is informational, a warning means reduced function, a problem makes requests fail. */
export type Level = (typeof LEVELS)[number];

/** The areas in the order of the output. */
export const AREAS = [
  "program",
  "settings",
  "files",
  "key",
  "network",
  "budget",
  "terminal",
  "parts",
  "drift",
] as const;

/** The area of a check. */
export type Area = (typeof AREAS)[number];

/** The result of a check. */
export interface Outcome {
  /** The name of the finding, if it differs from that of the check. */
  readonly check?: string;
  readonly level: Level;
  /** The measured value, for programs. */
  readonly value?: Json;
  /** A message for people. */
  readonly message: string;
  /** How to fix it. */
  readonly hint?: string | undefined;
}

/** The result of a check with its area and name. */
export interface Finding {
  readonly area: Area;
  readonly check: string;
  readonly level: Level;
  readonly value: Json;
  readonly message: string;
  readonly hint: string | null;
}

/** A check. */
export interface Check {
  readonly area: Area;
  readonly name: string;
  /** Whether it sends requests: `--offline` skips it then. */
  readonly sends?: true;
  /**
   * Runs the check. An exception becomes a finding, too.
   * @param signal aborted when the run is stopped or the time limit of the check is reached
   */
  run(checkContext: CheckContext, signal: AbortSignal): Promise<Outcome | readonly Outcome[]>;
}
