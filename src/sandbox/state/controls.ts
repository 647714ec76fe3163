/** What tests can change in a running sandbox: its time, the plan and usage of its key, balances and transfers. */
import { DAY_SECONDS, isArray, isNumeric, isObject, type Json, numericText, UsageError } from "../../base/index.ts";
import type { PlanName, Rate } from "../../catalogue/index.ts";
import { checkLimits, createLimits, type LimitOptions, type Limits, restoreLimits } from "../service/limits.ts";
import type { ControlEndpoint } from "../service/request.ts";
import type { Service } from "../service/service.ts";
import { monthStart, type UsageStore } from "../service/usage.ts";
import type { AccountAmount, ChainChange, SandboxChain, TransferRequest } from "./chain.ts";
import type { SandboxClock, SandboxTime, SavedClock } from "./clock.ts";

/** Changes the state of a sandbox. No other sandbox sees the changes, and they end with the sandbox. */
export interface SandboxControls {
  /** Returns the time of the sandbox, in seconds. */
  time(): SandboxTime;
  /**
   * Moves the time forward by seconds. The rate limit, the interval between exports and the month of the compute units
   * follow it; the chain continues there with an empty block, so that statistics of the last day end there.
   * @throws UsageError for a time before the current one
   */
  advanceTime(seconds: number): Promise<SandboxTime>;
  /**
   * Moves the time forward to Unix seconds, as {@link advanceTime}.
   * @throws UsageError for a time before the current one
   */
  setTime(seconds: number): Promise<SandboxTime>;
  /** Stops the time. */
  freezeTime(): SandboxTime;
  /** Lets the time run. */
  resumeTime(): SandboxTime;
  /** Returns the compute units of the month. */
  usage(): SandboxUsage;
  /** Sets the compute units that the key has used in this month. Throws UsageError unless it is an integer from 0. */
  setUsage(units: number): void;
  /** Returns the limits of the key. */
  plan(): SandboxPlan;
  /**
   * Replaces the plan, the rate and the units of the key; without any, it has no limits. Requests so far count.
   * @throws UsageError for invalid limits
   */
  setPlan(limits: LimitOptions): SandboxPlan;
  /**
   * Sets the balance of an account in SOL or in a token, by a transaction. An unknown account is created. Returns the
   * transaction, or undefined when the balance is the current one.
   * @throws UsageError for an amount that the token or the sandbox does not have
   */
  setBalance(balance: AccountAmount): Promise<ChainChange | undefined>;
  /**
   * Sends SOL or a token. An unknown receiver is created; a sender without SOL for the fee does not pay it.
   * @throws UsageError when the sender has less
   */
  send(transfer: TransferRequest): Promise<ChainChange>;
}

/** The compute units of a month. */
export interface SandboxUsage {
  /** Compute units that were used. */
  readonly used: number;
  /** Compute units of the period. */
  readonly limit: number;
}

/** The limits of a key; null where there are none. */
export interface SandboxPlan {
  /** The plan of the key. */
  readonly plan: PlanName | null;
  /** The rate limit. */
  readonly rate: Rate | null;
  /** Compute units per month. */
  readonly units: number | null;
}

interface StatefulParts {
  readonly clock: SandboxClock;
  readonly chain: SandboxChain;
  readonly usage: UsageStore;
}

/** Parts of the controls. */
export interface ControlsOptions extends StatefulParts {
  readonly limits: { current: Limits };
}

/** The maximum time that a clock moves at once: a hundred years. */
const MAX_ADVANCE = 36_525 * DAY_SECONDS;

/** Creates the controls of a sandbox. */
export function createControls({ limits, ...parts }: ControlsOptions): SandboxControls {
  const { clock, chain, usage } = parts;
  const save = () => saveState(parts);
  const advanceTime = async (seconds: number) => {
    if (!(seconds >= 0 && seconds <= MAX_ADVANCE)) throw timeError(clock.time.now, seconds);
    clock.advance(seconds * 1000);
    if (chain.canChange) await chain.catchUp();
    save();
    return clock.time;
  };
  return {
    time: () => clock.time,
    advanceTime,
    setTime: (seconds) => advanceTime(seconds - clock.dates() / 1000),
    freezeTime() {
      clock.freeze();
      save();
      return clock.time;
    },
    resumeTime() {
      clock.resume();
      save();
      return clock.time;
    },
    usage: () => ({ used: usage.periodUnits(clock.limits()), limit: limits.current.units }),
    setUsage(units) {
      checkLimits({ units });
      usage.setPeriodUnits(units, clock.limits());
      save();
    },
    plan: () => describePlan(limits.current),
    setPlan({ plan, rate, units }) {
      checkLimits({ plan, rate, units });
      const created = createLimits({ plan, rate, units });
      restoreLimits(created, usage, clock.limits());
      limits.current = created;
      return describePlan(created);
    },
    setBalance: chain.setBalance,
    send: chain.send,
  };
}

const describePlan = ({ plan, rate, units, enforcesUnits }: Limits): SandboxPlan => ({
  plan: plan ?? null,
  rate: rate ? { requests: rate.events, seconds: rate.length / 1000 } : null,
  units: enforcesUnits ? units : null,
});

const timeError = (now: number, seconds: number): UsageError =>
  seconds < 0
    ? new UsageError(`the time of a sandbox can only move forward: it is ${new Date(now * 1000).toISOString()}`, {
        code: "BAD_TIME",
        hint: "Start another sandbox at an earlier time: solx sandbox --now <time>",
      })
    : new UsageError("invalid time: expected at most a hundred years ahead", { code: "BAD_TIME" });

/** The state beside the chain, as it is stored in the file of the chain. */
interface SavedState {
  readonly clock: SavedClock;
  /** Compute units of the month at a time. */
  readonly units: number;
  readonly time: number;
}

/** Continues the clock and, in the same month, the usage of an earlier sandbox with the same file. */
export function restoreState({ chain, clock, usage }: StatefulParts): void {
  const text = chain.stored?.state;
  if (text === undefined) return;
  const { clock: saved, units, time } = JSON.parse(text) as SavedState;
  clock.restore(saved);
  const now = clock.limits();
  if (monthStart(now) === monthStart(time)) usage.setPeriodUnits(units, now);
}

/** Stores the clock and the usage in the file of the chain, if it has one. */
export function saveState({ chain, clock, usage }: StatefulParts): void {
  if (!chain.stored) return;
  const time = clock.limits();
  const state: SavedState = { clock: clock.saved, units: usage.periodUnits(time), time };
  chain.stored.saveState(JSON.stringify(state));
}

/** What the endpoints control. */
export interface ControlTarget {
  readonly service: Pick<Service, "faults" | "log">;
  readonly controls: SandboxControls;
  readonly info: () => object;
}

/** Returns the control endpoints of a sandbox. */
export function controlRoutes({ service: { faults, log }, controls, info }: ControlTarget): readonly ControlEndpoint[] {
  const setFaults = (texts: readonly string[]) => {
    faults.set(texts);
    return { faults: faults.list };
  };
  const routes: Readonly<Record<string, ControlEndpoint["answer"]>> = {
    "GET ": info,
    "GET /requests": () => ({ total: log.count, requests: log.list() }),
    "GET /faults": () => ({ faults: faults.list }),
    "PUT /faults": (body) => setFaults(readFaults(body)),
    "DELETE /faults": () => setFaults([]),
    "GET /time": controls.time,
    "PUT /time": (body) => changeTime(controls, body),
    "GET /usage": controls.usage,
    "PUT /usage"(body) {
      const { units } = readFields<{ units: number }>(body, { units: "number" }, '{"units": 1000}');
      controls.setUsage(units);
      return { units, ...controls.usage() };
    },
    "GET /plan": controls.plan,
    "PUT /plan": (body) => controls.setPlan(readLimits(body)),
    async "PUT /balance"(body) {
      const members = { address: "string", amount: "decimal", token: "string?" } as const;
      const balance = readFields<AccountAmount>(body, members, '{"address": "…", "amount": "1.5"}');
      return { ...balance, ...((await controls.setBalance(balance)) ?? { signature: null, slot: null, time: null }) };
    },
    async "POST /transfers"(body) {
      const members = { from: "string", to: "string", amount: "decimal", token: "string?" } as const;
      const transfer = readFields<TransferRequest>(body, members, '{"from": "…", "to": "…", "amount": "1.5"}');
      return { ...transfer, ...(await controls.send(transfer)) };
    },
  };
  return Object.entries(routes).map(([route, answer]) => {
    const [method = "", path = ""] = route.split(" ");
    return { method, path, answer };
  });
}

async function changeTime(controls: SandboxControls, body: Json) {
  const { advance, now, frozen } = readFields<{ advance?: number; now?: number; frozen?: boolean }>(
    body,
    { advance: "number?", now: "number?", frozen: "boolean?" },
    '{"advance": 86400}, {"now": 1782864000} or {"frozen": true}',
  );
  if (now !== undefined) await controls.setTime(now);
  if (advance !== undefined) await controls.advanceTime(advance);
  if (frozen !== undefined) return frozen ? controls.freezeTime() : controls.resumeTime();
  return controls.time();
}

function readLimits(body: Json): LimitOptions {
  const { rate, ...limits } = readFields<LimitOptions & { rate?: Json }>(
    body,
    { plan: "string?", rate: "json?", units: "number?" },
    '{"plan": "lite"} or {"rate": {"requests": 200, "seconds": 10}, "units": 5000}',
  );
  if (rate === undefined) return limits;
  return {
    ...limits,
    rate: readFields(rate, { requests: "number", seconds: "number" }, '{"requests": 200, "seconds": 10}'),
  };
}

const readFaults = (value: Json): readonly string[] => {
  if (isArray(value) && value.every((text) => typeof text === "string")) return value as readonly string[];
  throw new UsageError('Expected a JSON array of faults, e.g. ["500:10%"].');
};

/** The types of members; those with `?` may be absent or null. A decimal is text or a number, whose digits count. */
type Member = "string" | "number" | "boolean" | "decimal" | "json";
type Members = Readonly<Record<string, Member | `${Member}?`>>;

const READERS: Readonly<Record<Member, (value: Json) => unknown>> = {
  string: (value) => (typeof value === "string" ? value : undefined),
  number: (value) => (typeof value === "number" ? value : undefined),
  boolean: (value) => (typeof value === "boolean" ? value : undefined),
  decimal: (value) => (isNumeric(value) ? numericText(value) : typeof value === "string" ? value : undefined),
  json: (value) => value,
};

/** Returns the members of a JSON object. Throws UsageError for other members and other types. */
function readFields<T extends object>(body: Json, members: Members, example: string): T {
  const expected = () => new UsageError(`Expected an object such as ${example}.`);
  if (!isObject(body) || Object.keys(body).some((name) => !Object.hasOwn(members, name))) throw expected();
  const fields = Object.entries(members).flatMap(([name, type]) => {
    const input = body[name];
    if (input == null && type.endsWith("?")) return [];
    const value = input == null ? undefined : READERS[type.replace("?", "") as Member](input);
    if (value === undefined) throw expected();
    return [[name, value] as const];
  });
  return Object.fromEntries(fields) as T;
}
