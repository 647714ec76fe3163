/** Lists that are asked again by themselves. */
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { useExplorer } from "../app/context.ts";
import type { Services } from "../app/services.ts";
import type { Resource } from "./hooks.ts";
import { hourlyCost } from "./refresh-interval.ts";
import { type Pace, Pacer } from "./refresh-scheduler.ts";
import type { DataStore, Request } from "./store.ts";
import { TIMERS } from "./timers.ts";

/** What a panel says of it. */
export interface AutoRefresh extends Pace {
  /** Compute units of an hour. */
  readonly costPerHour: number;
}

/**
 * Asks a resource again and again while `on`: as often as the budget bears, later after failures, and not while nobody
 * pressed a key for ten minutes (`isPaused`; the next key goes on).
 */
export function useAutoRefresh(resource: Resource, on: boolean): AutoRefresh {
  const { services, data, keys } = useExplorer();
  const { request } = resource;
  const listeners = useRef(new Set<() => void>());
  const pacer = useMemo(
    () =>
      new Pacer(
        partsOf(services, data, request, () => {
          for (const listener of [...listeners.current]) listener();
        }),
      ),
    [services, data, request],
  );
  useEffect(() => {
    if (!on) return;
    const stopKeys = keys.onInput(() => pacer.touch());
    const stopLooking = data.watch(request, () => pacer.hear());
    pacer.start();
    return () => {
      pacer.stop();
      stopLooking();
      stopKeys();
    };
  }, [on, keys, data, request, pacer]);
  const subscribe = useCallback((listener: () => void) => {
    listeners.current.add(listener);
    return () => listeners.current.delete(listener);
  }, []);
  const pace = useSyncExternalStore(subscribe, () => pacer.pace());
  return { ...pace, costPerHour: hourlyCost(unitsOf(data, request), pace.everyMs) };
}

/** Compute units of one look. */
const unitsOf = (data: DataStore, request: Request) =>
  data.read(request).answer?.request.cost ?? request.endpoint.cost.units;

function partsOf({ now, identity }: Services, data: DataStore, request: Request, onChange: () => void) {
  return {
    now,
    timing: TIMERS,
    onChange,
    read: () => data.read(request),
    gauge: () => data.gauge(),
    refresh: () => data.refresh(request),
    burden: () => ({
      units: unitsOf(data, request),
      rate: identity.rate,
      unitsLeft: data.gauge().units?.left ?? identity.units,
    }),
  };
}
