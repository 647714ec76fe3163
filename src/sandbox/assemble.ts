/** Assembles a sandbox from options, ledger and service. */
import { DAY_SECONDS, keyProblem, throwIfAborted, UsageError } from "../base/index.ts";
import { PLANS, sandboxKey } from "../catalogue/index.ts";
import { type Ledger, loadLiveLedger, openExistingLedger, openLedger } from "../ledger/index.ts";
import { DEFAULT_SEED, type SandboxInfo, type SandboxOptions, SIZES } from "./options.ts";
import { createFaults } from "./service/faults.ts";
import { createLimits } from "./service/limits.ts";
import { createService, type Service } from "./service/service.ts";
import { openUsageStore } from "./service/usage.ts";
import { type WorldOptions, worldId } from "./world-id.ts";

/** A sandbox without a transport. */
export interface AssembledSandbox {
  readonly service: Service;
  readonly key: string;
  readonly seed: string;
  /** Current time of the sandbox, in milliseconds. */
  now(): number;
  info(): SandboxInfo;
  /** Closes all files. */
  close(): void;
}

/** Options of the service over a ledger that something else fills. */
export interface LedgerServiceOptions
  extends Pick<
    SandboxOptions,
    "key" | "plan" | "rate" | "units" | "faults" | "onRequest" | "onNote" | "signal" | "clock"
  > {
  /** The name of the ledger. */
  readonly name: string;
}

/** Assembles the service over a ledger of a chain: its time is not shifted, and its new blocks appear in answers. */
export async function assembleLedger(
  ledger: Pick<Ledger, "reader" | "meta" | "close">,
  options: LedgerServiceOptions,
): Promise<AssembledSandbox> {
  const { name, clock = Date.now, plan = null } = options;
  const key = options.key ?? sandboxKey(name);
  checkOptions({ ...options, size: 1, key });
  const faults = createFaults(options.faults ?? [], name);
  const usage = openUsageStore({ path: undefined, name, onNote: options.onNote });
  const service = createService({
    reader: ledger.reader,
    key,
    limits: createLimits(options),
    usage,
    faults,
    now: clock,
    today: clock,
    onRequest: options.onRequest,
  });
  return {
    service,
    key,
    seed: name,
    now: clock,
    info: () => ({
      version: ledger.meta.version ?? "",
      seed: name,
      size: 1,
      hostile: false,
      live: true,
      plan,
      end: ledger.reader.clock.end,
      faults: faults.list,
    }),
    close() {
      usage.close();
      ledger.close();
    },
  };
}

/** Default time between live blocks. */
const LIVE_MILLISECONDS = 2000;

/**
 * Opens the ledger, or creates it, and starts the service.
 * @param step seconds to which the current time is rounded down
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

/** Returns the ledger of a world; loads the simulation only if the ledger has to be created. */
async function openWorldLedger(world: WorldOptions, now: number, options: SandboxOptions): Promise<Ledger> {
  const { signal, onProgress, onNote } = options;
  throwIfAborted(signal);
  const folder = options.folder ?? (await homeFolder());
  const existing = await openExistingLedger({ folder, id: worldId(world), now });
  if (existing) return existing;
  const { createWorld } = await import("./world/index.ts");
  return openLedger({ folder, source: createWorld(world), now, signal, onProgress, onNote });
}

/** Returns the ledger, or with `live` a copy of it that receives new blocks. */
async function withLiveBlocks(
  ledger: Ledger,
  world: WorldOptions,
  { live = false, onNote }: SandboxOptions,
): Promise<Pick<Ledger, "reader" | "meta" | "close">> {
  if (live === false) return ledger;
  const [{ createWorld }, { openLiveLedger }] = await Promise.all([import("./world/index.ts"), loadLiveLedger()]);
  const stop = new AbortController();
  const liveLedger = await openLiveLedger({ ledger, source: createWorld(world), signal: stop.signal });
  const interval = live === true ? LIVE_MILLISECONDS : live;
  liveLedger.follow({ interval, signal: stop.signal }).catch((error: unknown) => {
    if (!stop.signal.aborted) onNote?.(`live blocks stopped: ${error instanceof Error ? error.message : error}`);
  });
  const close = () => {
    stop.abort();
    liveLedger.close();
    ledger.close();
  };
  return { reader: liveLedger.reader, meta: liveLedger.meta, close };
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
  if (problem !== undefined) throw new UsageError(`invalid sandbox key: the key ${problem}`, { code: "BAD_KEY" });
  if (!(size >= SIZES.min && size <= SIZES.max)) {
    throw new UsageError(`invalid sandbox size ${size}: expected a number from ${SIZES.min} to ${SIZES.max}`);
  }
  if (plan !== undefined && !Object.hasOwn(PLANS, plan)) {
    throw new UsageError(`unknown plan "${plan}": expected one of ${Object.keys(PLANS).join(", ")}`);
  }
  if (rate && !(isCount(rate.requests) && rate.requests <= MAX_REQUESTS && isTime(rate.seconds))) {
    throw new UsageError(
      `invalid sandbox rate: expected at most ${MAX_REQUESTS} requests and a period of at most ${DAY_SECONDS} seconds`,
    );
  }
  if (typeof live === "number" && !(live >= 1)) {
    throw new UsageError(`invalid block interval ${live}: expected at least 1 millisecond`);
  }
  if (units !== undefined && !isCount(units)) {
    throw new UsageError(`invalid number of compute units ${units}: expected an integer from 0`);
  }
  if (now !== undefined && !isCount(now)) {
    throw new UsageError(`invalid sandbox time ${now}: expected integer Unix seconds`);
  }
}

/** Maximum number of requests in a rate: all requests of a period are stored. */
const MAX_REQUESTS = 1_000_000;

const isTime = (seconds: number): boolean => seconds > 0 && seconds <= DAY_SECONDS;
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
