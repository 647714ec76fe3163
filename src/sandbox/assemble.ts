/** Puts a sandbox together: options, ledger, service. */
import { InterruptedError, UsageError } from "../base/errors.ts";
import { keyProblem } from "../base/key.ts";
import { PLANS, type PlanName } from "../catalogue/plans.ts";
import { type Ledger, openKnown } from "./ledger/store.ts";
import { createFaults } from "./service/faults.ts";
import { limitsOf, type Rate } from "./service/limits.ts";
import type { RequestEntry } from "./service/log.ts";
import { createService, type Service } from "./service/service.ts";
import { openUsage } from "./service/usage.ts";
import { type WorldOptions, worldId } from "./source/world-id.ts";

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

/** A sandbox without its transport. */
export interface Assembled {
  readonly service: Service;
  readonly key: string;
  readonly seed: string;
  info(): SandboxInfo;
  /** Lets go of files. */
  shut(): void;
}

/** The time between blocks of a live world. */
const LIVE_MILLISECONDS = 2000;

/**
 * Opens the ledger, or makes it, and puts the service on it.
 * @param step seconds that the present is rounded down to
 */
export async function assemble(options: SandboxOptions, step: number): Promise<Assembled> {
  const { seed = DEFAULT_SEED, size = 1, hostile = false, live = false, plan, now, clock = Date.now } = options;
  const key = options.key ?? defaultKey(seed);
  checkOptions({ ...options, size, key });
  const faults = createFaults(options.faults ?? [], seed);
  const present = now ?? Math.floor(clock() / 1000 / step) * step;
  const ledger = await growing(
    await ledgerOf({ seed, size, hostile }, present, options),
    { seed, size, hostile },
    options,
  );
  const path = options.usage === "memory" ? undefined : options.usage;
  const usage = openUsage({ path, name: seed, onNote: options.onNote });
  const service = createService({
    reader: ledger.reader,
    key,
    limits: limitsOf(options),
    usage,
    faults,
    bareLegacy: options.bareLegacy,
    now: clock,
    today: now === undefined ? undefined : () => now * 1000,
    onRequest: options.onRequest,
  });
  return {
    service,
    key,
    seed,
    info() {
      const { end, shift } = ledger.reader.clock;
      const version = ledger.meta.version ?? "";
      return {
        version,
        seed,
        size,
        hostile,
        live: live !== false,
        plan: plan ?? null,
        end: end + shift,
        faults: faults.list,
      };
    },
    shut() {
      usage.close();
      ledger.close();
    },
  };
}

/** The ledger of a world; what makes worlds is loaded when there is none. */
async function ledgerOf(world: WorldOptions, now: number, options: SandboxOptions): Promise<Ledger> {
  const { signal, onProgress, onNote } = options;
  if (signal?.aborted) throw new InterruptedError(undefined, { cause: signal.reason });
  const folder = options.folder ?? (await homeFolder());
  const known = await openKnown({ folder, id: worldId(world), now });
  if (known) return known;
  const [{ createWorld }, { openLedger }] = await Promise.all([
    import("./world/index.ts"),
    import("./ledger/store.ts"),
  ]);
  return openLedger({ folder, source: createWorld(world), now, signal, onProgress, onNote });
}

/** The ledger, or one that goes on from it where blocks are to arrive. */
async function growing(
  ledger: Ledger,
  world: WorldOptions,
  { live = false, onNote }: SandboxOptions,
): Promise<Pick<Ledger, "reader" | "meta" | "close">> {
  if (live === false) return ledger;
  const [{ createWorld }, { openLive }] = await Promise.all([import("./world/index.ts"), import("./ledger/live.ts")]);
  const stop = new AbortController();
  const growth = await openLive({ ledger, source: createWorld(world), signal: stop.signal });
  growth.follow({ interval: live === true ? LIVE_MILLISECONDS : live, signal: stop.signal }).catch((error: unknown) => {
    if (!stop.signal.aborted) onNote?.(`No more blocks arrive: ${error instanceof Error ? error.message : error}`);
  });
  const close = () => {
    stop.abort();
    growth.close();
    ledger.close();
  };
  return { reader: growth.reader, meta: growth.meta, close };
}

async function homeFolder(): Promise<string> {
  const [{ homedir }, { join }] = await Promise.all([import("node:os"), import("node:path")]);
  return join(homedir(), ".cache", "solx");
}

/** Keys travel in a header: what cannot, is left out of the seed. */
const defaultKey = (seed: string): string => `sandbox-key-${seed.replace(/[^\w.-]/g, "_").slice(0, 64)}`;

function checkOptions({
  size,
  key,
  plan,
  rate,
  units,
  now,
  live,
}: SandboxOptions & { size: number; key: string }): void {
  const problem = keyProblem(key);
  if (problem !== undefined) throw new UsageError(`The sandbox's key ${problem}.`, { code: "BAD_KEY" });
  if (!(size >= SIZES.min && size <= SIZES.max)) {
    throw new UsageError(`The size of a sandbox is from ${SIZES.min} to ${SIZES.max}, not ${size}.`);
  }
  if (plan !== undefined && !Object.hasOwn(PLANS, plan)) {
    throw new UsageError(`There is no plan "${plan}".`, { hint: `Plans: ${Object.keys(PLANS).join(", ")}.` });
  }
  if (rate && !(isCount(rate.requests) && rate.seconds > 0)) {
    throw new UsageError("A rate is a number of requests and the seconds in which so many are let through.");
  }
  if (typeof live === "number" && !(live >= 1))
    throw new UsageError("Blocks of a live world arrive every so many milliseconds.");
  if (units !== undefined && !isCount(units)) throw new UsageError("Compute units are a whole number.");
  if (now !== undefined && !isCount(now)) throw new UsageError("The sandbox's time is in whole Unix seconds.");
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
