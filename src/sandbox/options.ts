/** Options and description of a sandbox. The types are part of the published library and contain no internals. */
import type { PlanName, Rate } from "../catalogue/index.ts";
import type { RequestEntry, ServiceRequest } from "./service/request.ts";
import type { ShapeName } from "./service/shape-names.ts";
import type { SandboxControls } from "./state/controls.ts";

/** The default seed of the world. */
export const DEFAULT_SEED = "solx";
/** Minimum and maximum size of a world. */
export const SIZES = { min: 0.02, max: 10 } as const;

/** Options of a sandbox; all have defaults. */
export interface SandboxOptions {
  /** Seed of the world: the same seed gives the same answers on every machine. "solx" by default. */
  readonly seed?: string | undefined;
  /** Size of the world, from 0.02 to 10; 1 by default: about 7 100 transactions other than votes. */
  readonly size?: number | undefined;
  /** Plan of the key, whose limits apply; no limits by default. */
  readonly plan?: PlanName | undefined;
  /** Rate limit that replaces the plan's, e.g. 200 requests in 10 seconds. */
  readonly rate?: Rate | undefined;
  /** Monthly compute units that replace the plan's. */
  readonly units?: number | undefined;
  /** The accepted API key, sent in the header `token`; "sandbox-key-<seed>" by default. */
  readonly key?: string | undefined;
  /** Fixed current time in Unix seconds, at which the world ends. By default the world ends at the current time. */
  readonly now?: number | undefined;
  /** Whether on-chain texts are hostile to terminals, spreadsheets and readers. */
  readonly hostile?: boolean | undefined;
  /** Adds new blocks every two seconds, or in an interval in milliseconds. Answers then change between requests. */
  readonly live?: boolean | number | undefined;
  /** Forms of answers that other servers have: see {@link SHAPES}. */
  readonly shapes?: readonly ShapeName[] | undefined;
  /** Injected faults: `500:10%`, `429:retry-after=2@v2-token-meta`, `reset#3` (see service/faults.ts for all). */
  readonly faults?: readonly string[] | undefined;
  /** Folder in which generated worlds are stored; `.cache/solx` in the home folder by default. */
  readonly folder?: string | undefined;
  /**
   * The file that stores changes of the state: a later sandbox of the same world continues them, its time and usage
   * included. By default, they end with the sandbox.
   */
  readonly state?: string | undefined;
  /** Where usage is counted: "memory" (the default), or the path of a file that processes share. */
  readonly usage?: string | undefined;
  /** Aborts the generation of a world, and closes a server. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress of the generation of a world, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** Called for each request when its answer is known. Entries contain no keys. */
  readonly onRequest?: ((entry: RequestEntry) => void) | undefined;
  /** Called with a message about a problem that is not an error. */
  readonly onNote?: ((note: string) => void) | undefined;
  /** Clock in milliseconds since the epoch, for the current time, rates and usage; the system clock by default. */
  readonly clock?: (() => number) | undefined;
}

/** An answer to a request that was not recorded. */
export interface FallthroughAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** The headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the answer. */
  readonly body: string | Uint8Array;
}

/** Answers requests that were not recorded; undefined for those that it cannot answer. */
export type FallthroughHandler = (request: ServiceRequest) => Promise<FallthroughAnswer | undefined>;

/** Options of a replay. */
export interface ReplayOptions {
  /** The folder of recordings. */
  readonly folder: string;
  /**
   * What answers requests that were not recorded: the simulated chain, or a function. By default they are refused with
   * the nearest recording.
   */
  readonly fallthrough?: "sandbox" | FallthroughHandler | undefined;
  /** Called with a message about each refused request. */
  readonly onMiss?: ((message: string) => void) | undefined;
}

/** Description of a sandbox. */
export interface SandboxInfo {
  /** Schema version of the ledger. */
  readonly version: string;
  /** The seed of the world. */
  readonly seed: string;
  /** The size of the world. */
  readonly size: number;
  /** Whether texts of the world are hostile. */
  readonly hostile: boolean;
  /** Whether blocks are added. */
  readonly live: boolean;
  /** The plan of the key. */
  readonly plan: PlanName | null;
  /** Unix seconds of the newest block, on the clock of the sandbox. */
  readonly end: number;
  /** The current time of the sandbox in Unix seconds, and whether it stands still. */
  readonly now: number;
  /** Whether the clock stands still. */
  readonly frozen: boolean;
  /** The active faults. */
  readonly faults: readonly string[];
  /** The recordings that are replayed, where there are any. */
  readonly replay?: { readonly folder: string; readonly recordings: number };
}

/** What sandboxes in process and over HTTP have in common. */
export interface SandboxHandle extends SandboxControls {
  /** The accepted API key. */
  readonly key: string;
  readonly seed: string;
  /** Returns the current time of the sandbox in milliseconds, for the option `now` of a client. */
  now(): number;
  /** Returns seed, size, plan, faults and the time of the newest block. */
  info(): SandboxInfo;
  /** Returns the latest thousand requests, oldest first. */
  requests(): readonly RequestEntry[];
  /** Replaces all faults. Throws UsageError for an invalid fault. */
  setFaults(faults: readonly string[]): void;
  close(): Promise<void>;
}
