/** Hooks that give components answers, usage and the time. */
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { Json } from "../../base/index.ts";
import type { Endpoint, ParameterValues } from "../../catalogue/index.ts";
import type { NameOf } from "../../output/index.ts";
import { useExplorer } from "../navigation/context.ts";
import {
  type EndpointRequest,
  IDLE_QUERY,
  type ListLoad,
  NO_LOAD,
  type PriceTrends,
  type QueryState,
  type QuotaView,
  queryKey,
  type SessionUsage,
  type VisiblePrices,
} from "../navigation/data-store.ts";
import { bindAction } from "../navigation/keys/bindings.ts";
import type { Binding } from "../navigation/keys/keymap.ts";
import { ticker } from "./timers.ts";

/** The state of a query, and functions to refresh and cancel it. */
export interface Resource extends QueryState {
  readonly request: EndpointRequest;
  readonly refresh: () => void;
  readonly cancel: () => void;
}

const ABOUT_TO_LOAD: QueryState = { ...IDLE_QUERY, isLoading: true };

/**
 * Returns the answer to a request, which is sent while the component is mounted and `enabled` (default). The same object
 * until the state changes.
 */
export function useResource(endpoint: Endpoint, params: ParameterValues, enabled = true): Resource {
  return useQuery(endpoint, params, enabled, false);
}

/**
 * Returns the answer to a request that is refreshed repeatedly, like {@link useResource}: that a refresh is in flight is
 * nothing to show, and renders nothing.
 */
export function useLiveResource({ endpoint, params }: EndpointRequest, enabled = true): Resource {
  return useQuery(endpoint, params, enabled, true);
}

function useQuery(endpoint: Endpoint, params: ParameterValues, enabled: boolean, isLive: boolean): Resource {
  const { data } = useExplorer();
  const key = queryKey({ endpoint, params });
  // biome-ignore lint/correctness/useExhaustiveDependencies: parameters are compared by value.
  const request = useMemo<EndpointRequest>(() => ({ endpoint, params }), [endpoint, key]);
  const subscribe = useCallback(
    (listener: () => void) => (enabled ? data.watch(request, listener) : () => {}),
    [data, request, enabled],
  );
  const displayed = useRef(IDLE_QUERY);
  const known = useSyncExternalStore(subscribe, () => {
    const state = data.read(request);
    if (!isLive || !isRefreshOf(state, displayed.current)) displayed.current = state;
    return displayed.current;
  });
  const entry = enabled && known === IDLE_QUERY ? ABOUT_TO_LOAD : known;
  return useMemo(
    () => ({ ...entry, request, refresh: () => data.refresh(request), cancel: () => data.cancel(request) }),
    [data, entry, request],
  );
}

/** Returns whether a state differs from the one before at most by a request in flight. */
function isRefreshOf({ answer, problem, retryAt }: QueryState, before: QueryState): boolean {
  return answer !== undefined && answer === before.answer && problem === before.problem && retryAt === before.retryAt;
}

/** Returns the answer to a request like {@link useResource}; sends nothing where nothing answers the endpoint. */
export function useOptionalResource(endpoint: Endpoint, params: ParameterValues, enabled = true): Resource {
  const { services } = useExplorer();
  return useResource(endpoint, params, enabled && services.supports(endpoint));
}

/** Returns what is loaded of a list beyond one page; undefined parameters are those of no list. */
export function useListLoad(endpoint: Endpoint, params: ParameterValues | undefined): ListLoad {
  const { data } = useExplorer();
  const subscribe = useCallback(
    (listener: () => void) => (params ? data.loads.watch({ endpoint, params }, listener) : () => {}),
    [data, endpoint, params],
  );
  return useSyncExternalStore(subscribe, () => (params ? data.loads.read({ endpoint, params }) : NO_LOAD));
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

/** Milliseconds after which a page reads its ages again: each reading renders the page. */
export const DETAIL_AGE_MS = 15_000;

/**
 * Returns the time that ages refer to, in milliseconds since the epoch: that of the answer, read again by all parts of a
 * page at once, so that they agree.
 */
export function useAgeTime(answer: unknown): number {
  const { now } = useExplorer().services;
  const tick = Math.floor(useNow(DETAIL_AGE_MS) / DETAIL_AGE_MS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time is read again with each tick and each answer.
  return useMemo(() => now(), [now, tick, answer]);
}

/** Returns a text that depends on the time, such as ages; compares it every `everyMs`, and renders again when it changes. */
export function useTimeText(text: (now: number) => string, everyMs: number): string {
  const { services } = useExplorer();
  const subscribe = useCallback((listener: () => void) => ticker.every(everyMs, listener), [everyMs]);
  return useSyncExternalStore(subscribe, () => text(services.now()));
}

/** Returns what names addresses: another function when names are new or change. */
export function useNameOf(): NameOf {
  const { names } = useExplorer().data;
  const version = useSyncExternalStore(names.subscribe, names.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: names of another version need another function.
  return useMemo<NameOf>(() => (address) => names.of(address), [names, version]);
}

/** Returns the prices of the last days of tokens, if they are on; renders again when they change. */
export function usePriceTrends(enabled: boolean): PriceTrends | undefined {
  return useVisiblePrices(useExplorer().data.trends, enabled);
}

/** Returns the latest prices of tokens, where there are some; renders again when they change. */
export function useLatestPrices(enabled: boolean): VisiblePrices<Json> | undefined {
  return useVisiblePrices(useExplorer().data.prices, enabled);
}

function useVisiblePrices<T>(prices: VisiblePrices<T>, enabled: boolean): VisiblePrices<T> | undefined {
  const subscribe = useCallback(
    (listener: () => void) => (enabled ? prices.subscribe(listener) : () => {}),
    [prices, enabled],
  );
  useSyncExternalStore(subscribe, prices.version);
  return enabled && prices.isOn() ? prices : undefined;
}

/** Requests the prices of tokens while a part of the screen shows them. */
export function useShownPrices(
  prices: Pick<VisiblePrices<unknown>, "show"> | undefined,
  part: string,
  mints: readonly string[],
): void {
  const key = mints.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: mints are compared by value.
  useEffect(() => {
    prices?.show(part, mints);
    return () => prices?.show(part, []);
  }, [prices, part, key]);
}

/** Returns the binding that shows or hides these prices, for a screen that can show them. */
export function useTrendBinding(enabled: boolean): readonly Binding[] {
  const { data } = useExplorer();
  if (!enabled || !data.trends.isAvailable()) return [];
  return [
    bindAction("list.trends", data.trends.isOn() ? "hide 7d prices" : "7d prices", data.trends.toggle, { hint: 48 }),
  ];
}
