/** Assembles a sandbox from options, ledger and service. */
import { throwIfAborted, UsageError } from "../base/index.ts";
import { keyProblem, sandboxKey } from "../catalogue/index.ts";
import {
  type Ledger,
  loadGrowingLedgers,
  openExistingLedger,
  openLedger,
  type RemoteLedger,
} from "../chain/ledger/index.ts";
import { loadWorld, type WorldOptions, worldId } from "../chain/world/index.ts";
import { DEFAULT_SEED, type SandboxHandle, type SandboxOptions, SIZES } from "./options.ts";
import { createFaults } from "./service/faults.ts";
import { checkLimits, createLimits, isCount } from "./service/limits.ts";
import { createService, type HttpService, type Service } from "./service/service.ts";
import { UsageStore } from "./service/usage.ts";
import { openChain } from "./state/chain.ts";
import { SandboxClock } from "./state/clock.ts";
import { createControls, restoreState, saveState } from "./state/controls.ts";

/** A sandbox without a transport: what users see of it, and the service that a transport serves. */
export interface AssembledSandbox<S extends HttpService = HttpService> {
  readonly handle: SandboxHandle;
  readonly service: S;
}

/** A ledger that may be filled by something else. */
export interface ServedLedger extends Pick<Ledger, "reader" | "meta" | "close">, Partial<Pick<RemoteLedger, "ask">> {
  /** Adds what is due, where it grows by itself. */
  readonly catchUp?: () => Promise<void>;
}

/** Options of the service over a ledger that something else fills. */
export interface LedgerServiceOptions
  extends Pick<
    SandboxOptions,
    "key" | "plan" | "rate" | "units" | "faults" | "onRequest" | "onNote" | "signal" | "clock"
  > {
  readonly name: string;
}

/** Assembles the service over a ledger of a chain: its time is not shifted, and its new blocks appear in answers. */
export async function assembleLedger(
  ledger: ServedLedger,
  options: LedgerServiceOptions,
): Promise<AssembledSandbox<Service>> {
  const { name } = options;
  checkOptions({ ...options, size: 1, key: options.key ?? sandboxKey(name) });
  return assembleService(ledger, { ...options, seed: name, live: true }, { original: undefined });
}

/** Default time between live blocks. */
const LIVE_MILLISECONDS = 2000;
/** Blocks are added when a request needs them, and otherwise after this time. */
const IDLE_MILLISECONDS = 60_000;

/**
 * Opens the ledger, or creates it, and starts the service.
 * @param step seconds to which the current time is rounded down
 */
export async function assemble(options: SandboxOptions, step: number): Promise<AssembledSandbox<Service>> {
  const { seed = DEFAULT_SEED, size = 1, hostile = false, live = false, now, clock = Date.now } = options;
  checkOptions({ ...options, size, key: options.key ?? sandboxKey(seed) });
  const present = now ?? Math.floor(clock() / 1000 / step) * step;
  const world = { seed, size, hostile };
  const stored = await openWorldLedger(world, present, options);
  const ledger = await withLiveBlocks(stored, world, options);
  return assembleService(ledger, { ...options, seed }, { original: live === false ? stored : undefined });
}

/** Assembles the service over an open ledger. `original`: the ledger that changes of balances continue, if they can. */
async function assembleService(
  ledger: ServedLedger,
  options: SandboxOptions & { readonly seed: string },
  { original }: { readonly original: Ledger | undefined },
): Promise<AssembledSandbox<Service>> {
  const { seed, size = 1, hostile = false, live = false, now, key = sandboxKey(seed), onNote } = options;
  const faults = createFaults(options.faults ?? [], seed);
  const path = options.usage === "memory" ? undefined : options.usage;
  const usage = new UsageStore({ path, name: seed, onNote });
  const fixed = now === undefined ? undefined : now * 1000;
  // What is counted in a file is counted by other processes too, by the system's clock.
  const clock = new SandboxClock(options.clock ?? Date.now, fixed, path === undefined);
  const chain = await openChain({ ledger, clock, original, path: options.state }).catch((error: unknown) => {
    ledger.close();
    throw error;
  });
  restoreState({ chain, clock, usage });
  const limits = { current: createLimits(options) };
  const service = createService({
    get reader() {
      return chain.reader;
    },
    get limits() {
      return limits.current;
    },
    key,
    usage,
    faults,
    shapes: options.shapes,
    now: clock.limits,
    today: clock.dates,
    onRequest: options.onRequest,
    beforeAnswer: ledger.catchUp,
    ask: ledger.ask,
  });
  const handle: SandboxHandle = {
    ...createControls({ clock, chain, usage, limits }),
    ...handleOf(service),
    key,
    seed,
    now: clock.dates,
    info() {
      const { end, shift } = chain.reader.clock;
      return {
        ...{ version: ledger.meta.version ?? "", seed, size, hostile, live: live !== false },
        ...{ plan: limits.current.plan ?? null, end: end + shift, ...clock.time, faults: faults.list },
      };
    },
    async close() {
      saveState({ chain, clock, usage });
      usage.close();
      chain.close();
    },
  };
  return { handle, service };
}

/** Returns the members of a handle that are about the requests of a service. */
export const handleOf = ({ log, faults }: HttpService): Pick<SandboxHandle, "requests" | "setFaults"> => ({
  requests: () => log.list(),
  setFaults: (texts) => faults.set(texts),
});

/** Returns the ledger of a world; loads the simulation only if the ledger has to be created. */
async function openWorldLedger(world: WorldOptions, now: number, options: SandboxOptions): Promise<Ledger> {
  const { signal, onProgress, onNote } = options;
  throwIfAborted(signal);
  const folder = options.folder ?? (await homeFolder());
  const existing = await openExistingLedger({ folder, id: worldId(world), now });
  if (existing) return existing;
  const { createWorld } = await loadWorld();
  return openLedger({ folder, source: createWorld(world), now, signal, onProgress, onNote });
}

/** Returns the ledger, or with `live` a copy of it that receives new blocks. */
async function withLiveBlocks(
  ledger: Ledger,
  world: WorldOptions,
  { live = false, onNote }: SandboxOptions,
): Promise<ServedLedger> {
  if (live === false) return ledger;
  const [{ createWorld }, { openLiveLedger, MAX_DUE_BLOCKS }] = await Promise.all([loadWorld(), loadGrowingLedgers()]);
  const stop = new AbortController();
  const interval = live === true ? LIVE_MILLISECONDS : live;
  // The times of the blocks advance with the clock.
  const source = createWorld(world, interval / 1000);
  const liveLedger = await openLiveLedger({ ledger, source, signal: stop.signal });
  const catchUp = async () => {
    try {
      if (!stop.signal.aborted) await liveLedger.catchUp(interval);
    } catch (error) {
      if (!stop.signal.aborted) onNote?.(`live blocks stopped: ${error instanceof Error ? error.message : error}`);
      stop.abort();
    }
  };
  const timer = setInterval(catchUp, Math.min(IDLE_MILLISECONDS, (interval * MAX_DUE_BLOCKS) / 2)).unref();
  const close = () => {
    clearInterval(timer);
    stop.abort();
    liveLedger.close();
    ledger.close();
  };
  return { reader: liveLedger.reader, meta: liveLedger.meta, catchUp, close };
}

async function homeFolder(): Promise<string> {
  const [{ homedir }, { join }] = await Promise.all([import("node:os"), import("node:path")]);
  return join(homedir(), ".cache", "solx");
}

function checkOptions({
  size,
  key,
  now,
  live,
  state,
  ...limits
}: SandboxOptions & { size: number; key: string }): void {
  const problem = keyProblem(key);
  if (problem !== undefined) throw new UsageError(`invalid sandbox key: the key ${problem}`, { code: "BAD_KEY" });
  if (!(size >= SIZES.min && size <= SIZES.max)) {
    throw new UsageError(`invalid sandbox size ${size}: expected a number from ${SIZES.min} to ${SIZES.max}`);
  }
  checkLimits(limits);
  if (typeof live === "number" && !(live >= 1)) {
    throw new UsageError(`invalid block interval ${live}: expected at least 1 millisecond`);
  }
  if (state !== undefined && live !== undefined && live !== false) {
    throw new UsageError("a sandbox with live blocks cannot store its state", { hint: "Remove --live or --state." });
  }
  if (now !== undefined && !isCount(now)) {
    throw new UsageError(`invalid sandbox time ${now}: expected integer Unix seconds`);
  }
}
