/** Puts a sandbox together: options, ledger, service. */

import { DAY_SECONDS, keyProblem, throwIfAborted, UsageError } from "../base/index.ts";

import { PLANS, sandboxKey } from "../catalogue/index.ts";

import { type Ledger, openExistingLedger, openLedger } from "./ledger/store.ts";
import { DEFAULT_SEED, type SandboxInfo, type SandboxOptions, SIZES } from "./options.ts";
import { createFaults } from "./service/faults.ts";
import { createLimits } from "./service/limits.ts";
import { createService, type Service } from "./service/service.ts";
import { openUsageStore } from "./service/usage.ts";
import { type WorldOptions, worldId } from "./source/world-id.ts";

/** A sandbox without its transport. */
export interface AssembledSandbox {
  readonly service: Service;
  readonly key: string;
  readonly seed: string;
  /** The sandbox's present, in milliseconds. */
  now(): number;
  info(): SandboxInfo;
  /** Lets go of files. */
  close(): void;
}

/** The time between blocks of a live world. */
const LIVE_MILLISECONDS = 2000;

/**
 * Opens the ledger, or makes it, and puts the service on it.
 * @param step seconds that the present is rounded down to
 */
export async function assemble(options: SandboxOptions, step: number): Promise<AssembledSandbox> {
  const { seed = DEFAULT_SEED, size = 1, hostile = false, live = false, plan, now, clock = Date.now } = options;
  const key = options.key ?? sandboxKey(seed);
  checkOptions({ ...options, size, key });
  const faults = createFaults(options.faults ?? [], seed);
  const present = now ?? Math.floor(clock() / 1000 / step) * step;
  const world = { seed, size, hostile };
  const ledger = await withLiveBlocks(await openWorldLedger(world, present, options), world, options);
  const today = now === undefined ? clock : () => now * 1000;
  const path = options.usage === "memory" ? undefined : options.usage;
  const usage = openUsageStore({ path, name: seed, onNote: options.onNote });
  const service = createService({
    reader: ledger.reader,
    key,
    limits: createLimits(options),
    usage,
    faults,
    bareLegacy: options.bareLegacy,
    now: clock,
    today,
    onRequest: options.onRequest,
  });
  return {
    service,
    key,
    seed,
    now: today,
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
    close() {
      usage.close();
      ledger.close();
    },
  };
}

/** The ledger of a world; what makes worlds is loaded when there is none. */
async function openWorldLedger(world: WorldOptions, now: number, options: SandboxOptions): Promise<Ledger> {
  const { signal, onProgress, onNote } = options;
  throwIfAborted(signal);
  const folder = options.folder ?? (await homeFolder());
  const known = await openExistingLedger({ folder, id: worldId(world), now });
  if (known) return known;
  const { createWorld } = await import("./world/index.ts");
  return openLedger({ folder, source: createWorld(world), now, signal, onProgress, onNote });
}

/** The ledger, or one that goes on from it where blocks are to arrive. */
async function withLiveBlocks(
  ledger: Ledger,
  world: WorldOptions,
  { live = false, onNote }: SandboxOptions,
): Promise<Pick<Ledger, "reader" | "meta" | "close">> {
  if (live === false) return ledger;
  const [{ createWorld }, { openLiveLedger }] = await Promise.all([
    import("./world/index.ts"),
    import("./ledger/live.ts"),
  ]);
  const stop = new AbortController();
  const growth = await openLiveLedger({ ledger, source: createWorld(world), signal: stop.signal });
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
  if (rate && !(isCount(rate.requests) && rate.requests <= MAX_REQUESTS && isTime(rate.seconds))) {
    throw new UsageError(
      `A rate is a number of requests, at most ${MAX_REQUESTS}, and the seconds in which so many are let through.`,
    );
  }
  if (typeof live === "number" && !(live >= 1))
    throw new UsageError("Blocks of a live world arrive every so many milliseconds.");
  if (units !== undefined && !isCount(units)) throw new UsageError("Compute units are a whole number.");
  if (now !== undefined && !isCount(now)) throw new UsageError("The sandbox's time is in whole Unix seconds.");
}

/** Each request of a window is remembered. */
const MAX_REQUESTS = 1_000_000;

const isTime = (seconds: number): boolean => seconds > 0 && seconds <= DAY_SECONDS;
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
