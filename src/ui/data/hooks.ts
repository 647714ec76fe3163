/** Answers for components. */
import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { useExplorer } from "../frame/context.ts";
import type { Parameters } from "../frame/place.ts";
import type { Entry, Request } from "./store.ts";

/** An entry, and what can be done about it. */
export interface Resource extends Entry {
  readonly request: Request;
  readonly refresh: () => void;
  readonly cancel: () => void;
}

/** The answer to a request, asked for while the component is there and `enabled` (default). */
export function useResource(endpoint: Endpoint, params: Parameters, enabled = true): Resource {
  const { data } = useExplorer();
  const key = JSON.stringify(params);
  // biome-ignore lint/correctness/useExhaustiveDependencies: parameters are told apart by what is in them.
  const request = useMemo<Request>(() => ({ endpoint, params }), [endpoint, key]);
  const subscribe = useCallback(
    (listener: () => void) => (enabled ? data.watch(request, listener) : () => {}),
    [data, request, enabled],
  );
  const entry = useSyncExternalStore(subscribe, () => data.read(request));
  return { ...entry, request, refresh: () => data.refresh(request), cancel: () => data.cancel(request) };
}
