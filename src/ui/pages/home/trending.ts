/** The prices of trending tokens: their list has names only. */
import { useCallback, useMemo, useRef, useSyncExternalStore } from "react";
import { type JsonObject, objectsOf } from "../../../base/index.ts";
import { useLiveResource } from "../../data/hooks.ts";
import { isScarce } from "../../data/live-plan.ts";
import { useExplorer } from "../../navigation/context.ts";
import type { EndpointRequest } from "../../navigation/data-store.ts";
import { endpointAt } from "../../widgets/cells.ts";
import { TOP_TOKENS, TRENDING_TOKENS } from "./sections.ts";

const METADATA = endpointAt("/token/meta/multi");

/** Returns trending tokens with the prices of other rows, by mint. */
export function withPrices(trending: readonly JsonObject[], known: readonly JsonObject[]): readonly JsonObject[] {
  const byMint = new Map(known.map((token) => [token.address, token]));
  return trending.map((token) => ({ ...byMint.get(token.address ?? null), ...token }));
}

function priceOf({ address = "", price = null, price_change_24h = null }: JsonObject): JsonObject {
  return { address, price, price_24h_change: price_change_24h };
}

/**
 * Returns the request for the prices that the list of top tokens does not have; undefined when there are none, the plan
 * does not include it, or little is left of the quota.
 */
export function useMissingPrices(isVisible: boolean): EndpointRequest | undefined {
  const { data, services } = useExplorer();
  const isOn = isVisible && services.supports(METADATA);
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = isOn ? [TRENDING_TOKENS, TOP_TOKENS].map((one) => data.watch(one, listener)) : [];
      return () => {
        for (const stop of stops) stop();
      };
    },
    [data, isOn],
  );
  const rowsOf = (request: EndpointRequest) => {
    const { answer } = data.read(request);
    return answer && objectsOf(answer.rows);
  };
  const mints = useSyncExternalStore(subscribe, () => {
    const [trending = [], top] = isOn && !isScarce(data.quota().units) ? [TRENDING_TOKENS, TOP_TOKENS].map(rowsOf) : [];
    const known = new Set(top?.map(({ address }) => address));
    return top ? trending.flatMap(({ address = "" }) => (known.has(address) ? [] : [address])).join() : "";
  });
  return useMemo(
    () => (mints === "" ? undefined : { endpoint: METADATA, params: { address: mints.split(",") } }),
    [mints],
  );
}

/** Returns trending tokens with their prices; without `enabled`, the rows as they are. */
export function useTrendingRows(rows: readonly JsonObject[], enabled: boolean): readonly JsonObject[] {
  const top = useLiveResource(TOP_TOKENS, enabled).answer;
  const missing = useMissingPrices(enabled);
  const { answer } = useLiveResource(missing ?? TOP_TOKENS, missing !== undefined);
  // Prices stay until those of another selection arrive.
  const others = useRef<readonly JsonObject[]>([]);
  return useMemo(() => {
    if (!enabled) return rows;
    if (missing && answer) others.current = objectsOf(answer.rows).map(priceOf);
    return withPrices(rows, [...others.current, ...objectsOf(top?.rows)]);
  }, [rows, enabled, top, missing, answer]);
}
