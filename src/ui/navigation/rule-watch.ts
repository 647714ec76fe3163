/** Rules that are watched while the explorer is open, as `solx watch` does it. */
import type { Json } from "../../base/index.ts";
import type { ValueProblem } from "../../client/index.ts";
import type { Route } from "./route.ts";
import type { Look, ViewSummary } from "./view.ts";

/** Texts of a rule in a form, by field. */
export type RuleTexts = Readonly<Record<string, string | undefined>>;

/** A field of a rule in a form. */
export interface RuleField {
  readonly name: string;
  readonly description: string;
  /** Its value without a text, if that is any. */
  readonly default?: string | undefined;
}

/** A rule of the file. */
export interface WatchedRule {
  readonly name: string;
  readonly texts: RuleTexts;
  /** The kinds of its actions. */
  readonly actions: readonly string[];
}

/** What rules watch: a list whose new rows are events, or something whose changes are. */
export interface WatchedSubject {
  readonly name: string;
  /** The first rule that watches it. */
  readonly rule: string;
  readonly route: Extract<Route, { readonly kind: "endpoint" }>;
  readonly isFeed: boolean;
  /** What it is now; undefined for lists with new rows, and while that is not known. */
  readonly summary: ViewSummary | undefined;
  /** Its number at the polls of this run. */
  readonly points: readonly number[];
  readonly seen: Look | undefined;
  /** Requests and compute units per hour. */
  readonly cost: { readonly requests: number; readonly units: number };
  readonly problem: string | undefined;
}

/** An event, which is kept after its delivery. */
export interface FoundEvent {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly found: number;
  readonly rule: string;
  readonly subject: string;
  readonly input: string | null;
  readonly key: string;
  readonly event: Json;
}

/** A delivery that could not be made. */
export interface ParkedEvent extends FoundEvent {
  /** The rule, the kind of the action, and what tells it apart. */
  readonly action: string;
  readonly attempts: number;
  readonly error: string;
}

/** The rules of a file and what they have found. */
export interface RulesState {
  /**
   * `missing` without a file, `elsewhere` while another process watches it, `stopped` after an error, which is the
   * problem.
   */
  readonly mode: "missing" | "opening" | "watching" | "elsewhere" | "stopped";
  readonly problem: ValueProblem | undefined;
  /** Whether polls fail at present. */
  readonly isFailing: boolean;
  readonly rules: readonly WatchedRule[];
  readonly subjects: readonly WatchedSubject[];
  /** The oldest first. */
  readonly events: readonly FoundEvent[];
  readonly parked: readonly ParkedEvent[];
  readonly totals: { readonly delivered: number; readonly pending: number };
}

/** Watches the rules of a file from the first start until the explorer ends. */
export interface RuleWatch {
  /** The file as it is shown. */
  readonly file: string;
  /** The fields of a rule in a form. */
  readonly fields: readonly RuleField[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns the same object until something changes. */
  readonly state: () => RulesState;
  /** Returns when a subject is polled next, in milliseconds since the epoch: that changes no state. */
  readonly nextPoll: (subject: string) => number | undefined;
  readonly subscribe: (listener: () => void) => () => void;
  /** Starts unless it is under way; `again` reads the file and starts anew. */
  readonly start: (again?: boolean) => void;
  /**
   * Adds, changes or, without texts, removes a rule in the file and starts anew. Returns what takes that back.
   * @throws SolxError, with the file unchanged
   */
  readonly saveRule: (name: string, texts: RuleTexts | undefined) => Promise<() => Promise<void>>;
  /** Delivers a parked event again, drops it, or takes that back. */
  readonly settle: (id: number, fate: "due" | "dropped" | "parked") => Promise<void>;
  /** Remembers what was seen of subjects. */
  readonly remember: (looks: ReadonlyMap<string, Look>) => void;
}
