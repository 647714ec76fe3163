/** Automatic refresh of lists. */
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { useExplorer } from "../navigation/context.ts";
import type { Services } from "../navigation/services.ts";
import type { Resource } from "./hooks.ts";
import { hourlyCost, refreshInterval } from "./refresh-interval.ts";
import { type RefreshSchedule, RefreshScheduler } from "./refresh-scheduler.ts";
import type { DataStore, EndpointRequest } from "./store.ts";
import { TIMERS } from "./timers.ts";

/** The state of automatic refresh. */
export interface AutoRefresh extends RefreshSchedule {
  /** Compute units per hour. */
  readonly costPerHour: number;
}

/**
 * Refreshes a resource repeatedly while `on`: as often as the quota allows, less often after failures, and paused after
 * ten minutes without a key (`isPaused`; the next key resumes it).
 */
export function useAutoRefresh(resource: Resource, on: boolean): AutoRefresh {
  const { services, data, keys } = useExplorer();
  const { request } = resource;
  const listeners = useRef(new Set<() => void>());
  const scheduler = useMemo(
    () =>
      new RefreshScheduler(
        schedulerOptions(services, data, request, () => {
          for (const listener of [...listeners.current]) listener();
        }),
      ),
    [services, data, request],
  );
  useEffect(() => {
    if (!on) return;
    const stopKeys = keys.onInput(() => scheduler.onKeyPress());
    const stopWatching = data.watch(request, () => scheduler.onStateChange());
    scheduler.start();
    return () => {
      scheduler.stop();
      stopWatching();
      stopKeys();
    };
  }, [on, keys, data, request, scheduler]);
  const subscribe = useCallback((listener: () => void) => {
    listeners.current.add(listener);
    return () => listeners.current.delete(listener);
  }, []);
  const schedule = useSyncExternalStore(subscribe, () => scheduler.schedule());
  return { ...schedule, costPerHour: hourlyCost(unitCost(services, data, request), schedule.everyMs) };
}

/** Returns the compute units of one refresh, by the last one; a node charges none. */
export const unitCost = ({ node }: Pick<Services, "node">, data: DataStore, request: EndpointRequest) =>
  node ? 0 : (data.read(request).answer?.request.cost ?? request.endpoint.cost.units);

function schedulerOptions(
  { now, identity, node }: Services,
  data: DataStore,
  request: EndpointRequest,
  onChange: () => void,
) {
  return {
    now,
    timing: TIMERS,
    onChange,
    read: () => data.read(request),
    quota: () => data.quota(),
    refresh: () => data.refresh(request),
    interval: (failures: number) =>
      refreshInterval({
        units: unitCost({ node }, data, request),
        rate: identity.rate,
        unitsLeft: data.quota().units?.remaining ?? identity.units,
        failures,
      }),
  };
}
