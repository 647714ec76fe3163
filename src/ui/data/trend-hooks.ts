/** Hooks for the prices of the last days beside tokens. */
import { useCallback, useEffect, useSyncExternalStore } from "react";
import { useExplorer } from "../navigation/context.ts";
import type { PriceTrends } from "../navigation/data-store.ts";
import { bindAction } from "../navigation/keys/bindings.ts";
import type { Binding } from "../navigation/keys/keymap.ts";

/** Returns the prices of the last days of tokens, if they are on; renders again when they change. */
export function usePriceTrends(enabled: boolean): PriceTrends | undefined {
  const { data } = useExplorer();
  const subscribe = useCallback(
    (listener: () => void) => (enabled ? data.trends.subscribe(listener) : () => {}),
    [data, enabled],
  );
  useSyncExternalStore(subscribe, data.trends.version);
  return enabled && data.trends.isOn() ? data.trends : undefined;
}

/** Requests the prices of tokens while a part of the screen shows them. */
export function useShownTrends(trends: PriceTrends | undefined, part: string, mints: readonly string[]): void {
  const key = mints.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: mints are compared by value.
  useEffect(() => {
    trends?.show(part, mints);
    return () => trends?.show(part, []);
  }, [trends, part, key]);
}

/** Returns the binding that shows or hides these prices, for a screen that can show them. */
export function useTrendBinding(enabled: boolean): readonly Binding[] {
  const { data } = useExplorer();
  if (!enabled || !data.trends.isAvailable()) return [];
  return [
    bindAction("list.trends", data.trends.isOn() ? "hide 7d prices" : "7d prices", data.trends.toggle, { hint: 48 }),
  ];
}
