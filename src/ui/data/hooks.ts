/** Hooks that give components answers, usage and the time. */

import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { Endpoint, ParameterValues } from "../../catalogue/index.ts";
import { useExplorer } from "../app/context.ts";
import {
  type EndpointRequest,
  IDLE_QUERY,
  type QueryState,
  type QuotaView,
  queryKey,
  type SessionUsage,
} from "./store.ts";
import { ticker } from "./ticker.ts";

/** The state of a query, and functions to refresh and cancel it. */
export interface Resource extends QueryState {
  readonly request: EndpointRequest;
  readonly refresh: () => void;
  readonly cancel: () => void;
}

/** The state before the first request is sent: rendered like loading. */
const ABOUT_TO_LOAD: QueryState = { ...IDLE_QUERY, isLoading: true };

/**
 * Returns the answer to a request, which is sent while the component is mounted and `enabled` (default). The same object
 * until the state changes.
 */
export function useResource(endpoint: Endpoint, params: ParameterValues, enabled = true): Resource {
  const { data } = useExplorer();
  const key = queryKey({ endpoint, params });
  // biome-ignore lint/correctness/useExhaustiveDependencies: parameters are compared by value.
  const request = useMemo<EndpointRequest>(() => ({ endpoint, params }), [endpoint, key]);
  const subscribe = useCallback(
    (listener: () => void) => (enabled ? data.watch(request, listener) : () => {}),
    [data, request, enabled],
  );
  const known = useSyncExternalStore(subscribe, () => data.read(request));
  const entry = enabled && known === IDLE_QUERY ? ABOUT_TO_LOAD : known;
  return useMemo(
    () => ({ ...entry, request, refresh: () => data.refresh(request), cancel: () => data.cancel(request) }),
    [data, entry, request],
  );
}

/** Returns the usage of the session. */
export function useSessionUsage(): SessionUsage {
  const { data } = useExplorer();
  return useSyncExternalStore(data.subscribe, data.sessionUsage);
}

/** Returns the remaining quota. */
export function useQuota(): QuotaView {
  const { data } = useExplorer();
  return useSyncExternalStore(data.subscribe, data.quota);
}

/**
 * Returns the time in milliseconds since the epoch and renders again every `everyMs`; without `enabled`, there is no
 * timer and the time is that of the last render.
 */
export function useNow(everyMs: number, enabled = true): number {
  const { services } = useExplorer();
  const subscribe = useCallback(
    (listener: () => void) => (enabled ? ticker.every(everyMs, listener) : () => {}),
    [everyMs, enabled],
  );
  useSyncExternalStore(subscribe, ticker.count);
  return services.now();
}
