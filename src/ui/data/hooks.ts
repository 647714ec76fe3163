/** Answers for components. */

import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
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

/** An entry, and what can be done about it. */
export interface Resource extends QueryState {
  readonly request: EndpointRequest;
  readonly refresh: () => void;
  readonly cancel: () => void;
}

/** What is about to be asked: between the first frame and the asking nothing else is shown than while it is asked. */
const ABOUT_TO_LOAD: QueryState = { ...IDLE_QUERY, isLoading: true };

/**
 * The answer to a request, asked for while the component is there and `enabled` (default). The same object until the
 * entry changes.
 */
export function useResource(endpoint: Endpoint, params: ParameterValues, enabled = true): Resource {
  const { data } = useExplorer();
  const key = queryKey({ endpoint, params });
  // biome-ignore lint/correctness/useExhaustiveDependencies: parameters are told apart by what is in them.
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

/** What the session has used. */
export function useSessionUsage(): SessionUsage {
  const { data } = useExplorer();
  return useSyncExternalStore(data.subscribe, data.sessionUsage);
}

/** What is left of the budget. */
export function useQuota(): QuotaView {
  const { data } = useExplorer();
  return useSyncExternalStore(data.subscribe, data.quota);
}

/**
 * The present in milliseconds since the epoch, anew every so often; while it is not `enabled`, nothing ticks and the
 * present is that of the newest frame.
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
