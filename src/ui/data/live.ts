/** Pages that refresh by themselves, within a share of the quota. */
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { type Explorer, useExplorer } from "../navigation/context.ts";
import { unitCost } from "./auto-refresh.ts";
import { isScarce, type LivePlan, planLive } from "./live-plan.ts";
import { backOff } from "./refresh-interval.ts";
import { RefreshScheduler } from "./refresh-scheduler.ts";
import type { EndpointRequest } from "./store.ts";
import { TIMERS, type Timers } from "./timers.ts";

/** A request of such a page, and the interval at which it should be refreshed if the quota allows it. */
export interface LiveRequest extends EndpointRequest {
  readonly everyMs: number;
}

/**
 * Whether the page refreshes: `paused` while the user is away, until the next key; `off` by the user; unless the user has
 * turned it on, `scarce` while little is left of the quota, and `still` in the sandbox, whose chain does not grow.
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
  const isStill = services.identity.sandbox;
  const [pace, setPace] = useState<Pace>("full");
  // As text: the plan changes seldom, the quota with every request.
  const planText = useSyncExternalStore(data.subscribe, () => JSON.stringify(planOf(explorer, requests)));
  const { hasLittle, ...plan } = useMemo((): ReturnType<typeof planOf> => JSON.parse(planText), [planText]);
  const isOn = choice ?? !(hasLittle || isStill);
  useEffect(
    () => (isOn ? startRefreshing(explorer, requests, timing, setPace) : undefined),
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

function planOf({ data, services }: Explorer, requests: readonly LiveRequest[]): LivePlan & { hasLittle: boolean } {
  const { identity } = services;
  const { units } = data.quota();
  const parts = requests.map((request) => ({ units: unitCost(services, data, request), everyMs: request.everyMs }));
  const plan = planLive(parts, { rate: identity.rate, unitsLeft: units?.remaining ?? identity.units });
  return { ...plan, hasLittle: isScarce(units) };
}

/** Refreshes each request at its interval; returns the function that ends it. */
function startRefreshing(
  explorer: Explorer,
  requests: readonly LiveRequest[],
  timing: Timers,
  onPace: (pace: Pace) => void,
): () => void {
  const { services, data, keys } = explorer;
  let lastKeyAt = services.now();
  const isRelaxed = () => services.now() - lastKeyAt >= RELAXED_MS;
  const planned = () => (isRelaxed() ? relaxedPlan(planOf(explorer, requests)) : planOf(explorer, requests));
  const schedulers = requests.map((request, at) => {
    const scheduler: RefreshScheduler = new RefreshScheduler({
      now: services.now,
      timing,
      read: () => data.read(request),
      quota: () => data.quota(),
      refresh: () => data.refresh(request),
      interval: (failures) => backOff(planned().everyMs[at] ?? request.everyMs, failures),
      onChange: () => onPace(scheduler.schedule().isPaused ? "paused" : isRelaxed() ? "relaxed" : "full"),
    });
    const stopWatching = data.watch(request, () => scheduler.onStateChange());
    scheduler.start();
    return { scheduler, stopWatching };
  });
  const stopKeys = keys.onInput(() => {
    lastKeyAt = services.now();
    for (const { scheduler } of schedulers) scheduler.onKeyPress();
  });
  return () => {
    stopKeys();
    onPace("full");
    for (const { scheduler, stopWatching } of schedulers) {
      scheduler.stop();
      stopWatching();
    }
  };
}
