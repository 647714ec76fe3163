/** Pages that refresh by themselves, within a share of the quota. */
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { type Explorer, useExplorer } from "../app/context.ts";
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
 * Whether the page refreshes: `paused` while the user is away, until the next key; `scarce` while little is left of the
 * quota and the user has not turned it on; `off` by the user.
 */
export type LiveStatus = "on" | "paused" | "scarce" | "off";

/** The state of a page that refreshes by itself. */
export interface LiveState extends LivePlan {
  readonly status: LiveStatus;
}

/**
 * Refreshes the requests of a page repeatedly.
 * @param requests the same array until something changes
 * @param choice what the user chose; undefined for the default: on, unless the quota is scarce
 */
export function useLive(
  requests: readonly LiveRequest[],
  choice: boolean | undefined,
  timing: Timers = TIMERS,
): LiveState {
  const explorer = useExplorer();
  const { data } = explorer;
  const [isAway, setAway] = useState(false);
  // As text: the plan changes seldom, the quota with every request.
  const planText = useSyncExternalStore(data.subscribe, () => JSON.stringify(planOf(explorer, requests)));
  const { hasLittle, ...plan } = useMemo((): ReturnType<typeof planOf> => JSON.parse(planText), [planText]);
  const isOn = choice ?? !hasLittle;
  useEffect(
    () => (isOn ? startRefreshing(explorer, requests, timing, setAway) : undefined),
    [isOn, explorer, requests, timing],
  );
  const status = isOn ? (isAway ? "paused" : "on") : choice === false ? "off" : "scarce";
  return { ...plan, status };
}

function planOf({ data, services }: Explorer, requests: readonly LiveRequest[]): LivePlan & { hasLittle: boolean } {
  const { identity } = services;
  const { units } = data.quota();
  // Calls of a node cost no units.
  const parts = requests.map(({ endpoint, everyMs }) => ({ units: services.node ? 0 : endpoint.cost.units, everyMs }));
  const plan = planLive(parts, { rate: identity.rate, unitsLeft: units?.remaining ?? identity.units });
  return { ...plan, hasLittle: isScarce(units) };
}

/** Refreshes each request at its interval; returns the function that ends it. */
function startRefreshing(
  explorer: Explorer,
  requests: readonly LiveRequest[],
  timing: Timers,
  onAway: (isAway: boolean) => void,
): () => void {
  const { services, data, keys } = explorer;
  const schedulers = requests.map((request, at) => {
    const scheduler: RefreshScheduler = new RefreshScheduler({
      now: services.now,
      timing,
      read: () => data.read(request),
      quota: () => data.quota(),
      refresh: () => data.refresh(request),
      interval: (failures) => backOff(planOf(explorer, requests).everyMs[at] ?? request.everyMs, failures),
      onChange: () => onAway(scheduler.schedule().isPaused),
    });
    const stopWatching = data.watch(request, () => scheduler.onStateChange());
    scheduler.start();
    return { scheduler, stopWatching };
  });
  const stopKeys = keys.onInput(() => {
    for (const { scheduler } of schedulers) scheduler.onKeyPress();
  });
  return () => {
    stopKeys();
    onAway(false);
    for (const { scheduler, stopWatching } of schedulers) {
      scheduler.stop();
      stopWatching();
    }
  };
}
