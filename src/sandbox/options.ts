/** What can be asked of a sandbox, and what it says of itself. Its types are published: nothing of the inside is in them. */
import type { PlanName, Rate } from "../catalogue/index.ts";
import type { RequestEntry } from "./service/log.ts";

/** The seed of the world when none is named. */
export const DEFAULT_SEED = "solx";
/** The least and the greatest size of a world. */
export const SIZES = { min: 0.02, max: 10 } as const;

/** How a sandbox is made. Everything has a default. */
export interface SandboxOptions {
  /** Decides what the world is: the same seed gives the same answers everywhere. "solx" by default. */
  readonly seed?: string | undefined;
  /** How much of everything there is, from 0.02 to 10; 1 by default: about 45 000 transactions. */
  readonly size?: number | undefined;
  /** The plan of the key, with its limits; without it nothing is limited. */
  readonly plan?: PlanName | undefined;
  /** Another rate than the plan's: 200 requests in 10 seconds, say. */
  readonly rate?: Rate | undefined;
  /** Other compute units a month than the plan's. */
  readonly units?: number | undefined;
  /** The key that is let in, in the header `token`; "sandbox-key-<seed>" by default. */
  readonly key?: string | undefined;
  /** Unix seconds at which time stands still: the world ends there. By default it ends at the present. */
  readonly now?: number | undefined;
  /** Whether texts on the chain attack terminals, spreadsheets and eyes. */
  readonly hostile?: boolean | undefined;
  /** Lets new blocks arrive: every two seconds, or every so many milliseconds. Answers then change while one asks. */
  readonly live?: boolean | number | undefined;
  /** Whether legacy answers come without the envelope, as the older service gave them. */
  readonly bareLegacy?: boolean | undefined;
  /** What goes wrong: `500:10%`, `429:retry-after=2@v2-token-meta`, `reset#3` (see service/faults.ts for all). */
  readonly faults?: readonly string[] | undefined;
  /** Where worlds that were made are kept; by default `.cache/solx` in the home folder. */
  readonly folder?: string | undefined;
  /** Where requests are counted: "memory" (by default) or the path of a file, which counts across processes. */
  readonly usage?: string | undefined;
  /** Stops the making of a world; closes a server. */
  readonly signal?: AbortSignal | undefined;
  /** Told how much of a new world is made, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** Told of each request when its answer is known. No key is in it. */
  readonly onRequest?: ((entry: RequestEntry) => void) | undefined;
  /** Told in a sentence what could not be done, though nothing failed. */
  readonly onNote?: ((note: string) => void) | undefined;
  /** Milliseconds since the epoch, for the present and for what is counted; the system's clock by default. */
  readonly clock?: (() => number) | undefined;
}

/** What a sandbox says of itself. */
export interface SandboxInfo {
  /** Version of the ledger's tables. */
  readonly version: string;
  readonly seed: string;
  readonly size: number;
  readonly hostile: boolean;
  readonly live: boolean;
  readonly plan: PlanName | null;
  /** Unix seconds of the newest block, in the caller's time. */
  readonly end: number;
  /** The faults in force. */
  readonly faults: readonly string[];
}
