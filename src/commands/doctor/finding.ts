/** Checks and their findings. */
import type { Json } from "../../base/index.ts";
import type { CheckContext } from "./context.ts";

/** The levels of a finding, by increasing severity. */
export const LEVELS = ["ok", "note", "warning", "problem"] as const;

/** A note is informational, a warning means reduced function, a problem makes requests fail. */
export type Level = (typeof LEVELS)[number];

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

/** The areas in the order of the output. */
export const AREA_NAMES = Object.keys(AREAS) as readonly Area[];

/** What an outcome has beside its level and message. */
interface Details {
  /** The name of the finding, if it differs from that of the check. */
  readonly check?: string;
  /** The measured value, for programs. */
  readonly value?: Json;
  /** How to fix it. */
  readonly hint?: string | undefined;
}

/** The result of a check. */
export interface Outcome extends Details {
  readonly level: Level;
  readonly message: string;
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

const outcomeOf =
  (level: Level) =>
  (message: string, details: Details = {}): Outcome => ({ level, message, ...details });

/** Returns the outcome of a check that found nothing wrong. */
export const ok = (message: string, value: Json = null): Outcome => ({ level: "ok", message, value });
/** Returns information that needs no action. */
export const note = outcomeOf("note");
/** Returns an outcome that reduces what works. */
export const warning = outcomeOf("warning");
/** Returns an outcome that makes requests fail. */
export const problem = outcomeOf("problem");

/**
 * Runs a check. An exception becomes a finding, too.
 * @param signal aborted when the run is stopped or the time limit of the check is reached
 */
type CheckRun = (checkContext: CheckContext, signal: AbortSignal) => Promise<Outcome | readonly Outcome[]>;

/** A check. */
export interface Check {
  readonly area: Area;
  readonly name: string;
  /** Whether it sends requests: `--offline` skips it then. */
  readonly sends?: boolean;
  readonly run: CheckRun;
}

/** Creates a check of this machine. */
export const localCheck = (area: Area, name: string, run: CheckRun): Check => ({ area, name, run });

/** Creates a check that sends requests. */
export const remoteCheck = (area: Area, name: string, run: CheckRun): Check => ({ area, name, sends: true, run });
