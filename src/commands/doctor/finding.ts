/** What a check finds, and what a check is. */
import type { Json } from "../../base/json.ts";
import type { CheckContext } from "./context.ts";

/** How good or bad a finding is, the best first. */
export const LEVELS = ["ok", "note", "warning", "problem"] as const;

/** A note is good to know; a warning costs something; a problem keeps requests from being answered. */
export type Level = (typeof LEVELS)[number];

/** The areas in the order in which they are shown. */
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

/** What a check is about. */
export type Area = (typeof AREAS)[number];

/** What was found. */
export interface Outcome {
  /** The name of the finding, where it is not that of the check. */
  readonly check?: string;
  readonly level: Level;
  /** What was measured or read, for programs. */
  readonly value?: Json;
  /** In words, for people. */
  readonly message: string;
  /** What to do. */
  readonly hint?: string | undefined;
}

/** What was found, with where it belongs. */
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
  /** Whether it asks something beyond this machine: then `--offline` leaves it out. */
  readonly sends?: true;
  /**
   * Looks. What it throws becomes a finding too.
   * @param signal fires when the run is stopped, or the check's time is over
   */
  run(checkContext: CheckContext, signal: AbortSignal): Promise<Outcome | readonly Outcome[]>;
}
