/** Lists and pages that refresh by themselves, within a share of the quota. */
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { type Explorer, useExplorer } from "../navigation/context.ts";
import type { DataStore, EndpointRequest } from "../navigation/data-store.ts";
import type { Services } from "../navigation/services.ts";
import type { Resource } from "./hooks.ts";
import { backOff, hourlyCost, isScarce, type LivePlan, planLive, refreshInterval } from "./live-plan.ts";
import { type RefreshSchedule, RefreshScheduler } from "./refresh-scheduler.ts";
import { TIMERS, type Timers } from "./timers.ts";

/** A request of such a page, and the interval at which it should be refreshed if the quota allows it. */
export interface LiveRequest extends EndpointRequest {
  readonly everyMs: number;
}

/**
 * Whether the page refreshes: `paused` while the user is away, until the next key; `off` by the user; unless the user has
 * turned it on, `scarce` while little is left of the quota, and `still` in a sandbox whose chain does not grow.
 */
export type LiveStatus = "on" | "paused" | "scarce" | "still" | "off";

/** The state of a page that refreshes by itself. */
export interface LiveState extends LivePlan {
  readonly status: LiveStatus;
}

/**
 * Refreshes the requests of a page repeatedly.
 * @param requests the same array until something changes
 * @param choice what the user chose; undefined for the default: on, unless the quota is scarce or the chain does not grow
 */
export function useLive(
  requests: readonly LiveRequest[],
  choice: boolean | undefined,
  timing: Timers = TIMERS,
): LiveState {
  const explorer = useExplorer();
  const { data, services } = explorer;
  const { sandbox, isGrowing = false } = services.identity;
  const isStill = sandbox && !isGrowing;
  const [pace, setPace] = useState<Pace>("full");
  // As text: the plan changes seldom, the quota with every request.
  const planText = useSyncExternalStore(data.subscribe, () => JSON.stringify(createPlan(explorer, requests)));
  const { hasLittle, ...plan } = useMemo((): ReturnType<typeof createPlan> => JSON.parse(planText), [planText]);
  const isOn = choice ?? !(hasLittle || isStill);
  useEffect(
    () => (isOn ? startPage(explorer, requests, timing, setPace) : undefined),
    [isOn, explorer, requests, timing],
  );
  const offStatus = choice === false ? "off" : isStill ? "still" : "scarce";
  const status = isOn ? (pace === "paused" ? "paused" : "on") : offStatus;
  return { ...(isOn && pace === "relaxed" ? relaxedPlan(plan) : plan), status };
}

/** How a page refreshes: less often after {@link RELAXED_MS} without a key, and no longer while the user is away. */
type Pace = "full" | "relaxed" | "paused";

/** Milliseconds without a key after which a page refreshes less often, so that one left open costs next to nothing. */
export const RELAXED_MS = 60_000;
/** By how much the intervals are longer then. */
const RELAXED_FACTOR = 4;

const relaxedPlan = ({ everyMs, costPerHour }: LivePlan): LivePlan => ({
  everyMs: everyMs.map((interval) => interval * RELAXED_FACTOR),
  costPerHour: Math.ceil(costPerHour / RELAXED_FACTOR),
});

function createPlan({ data, services }: Explorer, requests: readonly LiveRequest[]): LivePlan & { hasLittle: boolean } {
  const { identity } = services;
  const { units } = data.quota();
  const parts = requests.map((request) => ({ units: unitCost(services, data, request), everyMs: request.everyMs }));
  const plan = planLive(parts, { rate: identity.rate, unitsLeft: units?.remaining ?? identity.units });
  return { ...plan, hasLittle: isScarce(units) };
}

/** Refreshes the requests of a page, less often while the user does nothing; returns the function that ends it. */
function startPage(
  explorer: Explorer,
  requests: readonly LiveRequest[],
  timing: Timers,
  onPace: (pace: Pace) => void,
): () => void {
  const { services, keys } = explorer;
  let lastKeyAt = services.now();
  const isRelaxed = () => services.now() - lastKeyAt >= RELAXED_MS;
  const planned = () => (isRelaxed() ? relaxedPlan(createPlan(explorer, requests)) : createPlan(explorer, requests));
  const stopKeys = keys.onInput(() => {
    lastKeyAt = services.now();
  });
  const stop = requests.map((request, at) =>
    startRefreshing(explorer, request, {
      timing,
      interval: (failures) => backOff(planned().everyMs[at] ?? request.everyMs, failures),
      onChange: ({ isPaused }) => onPace(isPaused ? "paused" : isRelaxed() ? "relaxed" : "full"),
    }),
  );
  return () => {
    stopKeys();
    onPace("full");
    for (const end of stop) end();
  };
}

/** How a request is refreshed. */
interface Refreshing {
  readonly timing: Timers;
  /** Returns the milliseconds between two refreshes after a number of failures in a row. */
  readonly interval: (failures: number) => number;
  readonly onChange: (schedule: RefreshSchedule) => void;
}

/** Refreshes a request at an interval; returns the function that ends it. */
function startRefreshing(
  { services, data, keys }: Explorer,
  request: EndpointRequest,
  { onChange, ...options }: Refreshing,
): () => void {
  const scheduler: RefreshScheduler = new RefreshScheduler({
    ...options,
    now: services.now,
    read: () => data.read(request),
    quota: () => data.quota(),
    refresh: () => data.refresh(request),
    onChange: () => onChange(scheduler.schedule()),
  });
  const stopKeys = keys.onInput(() => scheduler.onKeyPress());
  const stopWatching = data.watch(request, () => scheduler.onStateChange());
  scheduler.start();
  return () => {
    stopKeys();
    scheduler.stop();
    stopWatching();
  };
}

/** The state of automatic refresh. */
export interface AutoRefresh extends RefreshSchedule {
  /** Compute units per hour. */
  readonly costPerHour: number;
}

/**
 * Refreshes a list repeatedly while `isOn`: as often as the quota allows, less often after failures, and paused after
 * ten minutes without a key (`isPaused`; the next key resumes it).
 */
export function useAutoRefresh({ request }: Resource, isOn: boolean): AutoRefresh {
  const explorer = useExplorer();
  const { services, data } = explorer;
  const [schedule, setSchedule] = useState<RefreshSchedule>();
  useEffect(() => {
    if (!isOn) return;
    const interval = (failures: number) => listInterval(explorer, request, failures);
    const stop = startRefreshing(explorer, request, { timing: TIMERS, interval, onChange: setSchedule });
    return () => {
      stop();
      setSchedule(undefined);
    };
  }, [isOn, explorer, request]);
  const { everyMs, isPaused } = schedule ?? { everyMs: listInterval(explorer, request, 0), isPaused: false };
  return { everyMs, isPaused, costPerHour: hourlyCost(unitCost(services, data, request), everyMs) };
}

function listInterval({ services, data }: Explorer, request: EndpointRequest, failures: number): number {
  const { rate, units } = services.identity;
  const unitsLeft = data.quota().units?.remaining ?? units;
  return refreshInterval({ units: unitCost(services, data, request), rate, unitsLeft, failures });
}

/** Returns the compute units of one refresh, by the last one. */
const unitCost = ({ source }: Pick<Services, "source">, data: DataStore, request: EndpointRequest) =>
  source.facts.chargesUnits ? (data.read(request).answer?.request.cost ?? request.endpoint.cost.units) : 0;
