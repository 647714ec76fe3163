/** Components and hooks that show the status of a query. */

import { useLayoutEffect } from "react";
import { type Size, useBindings, useExplorer } from "../app/context.ts";
import { actionBinding } from "../app/keys/actions.ts";
import { keyLabelsOf } from "../app/keys/key-hints.ts";
import { Lines } from "../app/lines.tsx";
import type { TextLine } from "../app/theme/text-line.ts";
import { useNow } from "./hooks.ts";
import { SPINNER_MS, type StatusOptions, statusLine, statusLines } from "./status-text.ts";
import type { DataStore, QueryState } from "./store.ts";

export { ageText, isEmpty } from "./status-text.ts";

const SECOND = 1000;
/** Update interval of an age. */
const STALE_MS = 15_000;

/** A query, and how to cancel it where that is possible. */
type CancellableQuery = QueryState & { readonly cancel?: () => void };

/** The functions that cancel the loading queries on the screen, by store. */
const cancels = new WeakMap<DataStore, Set<() => void>>();

/**
 * Binds Esc to cancel all loading queries on the screen where there is no page to go back to: going back cancels them
 * anyway.
 */
function useCancelKey({ isLoading, cancel }: CancellableQuery): void {
  const { data, navigation } = useExplorer();
  const cancelFunctions = cancels.get(data) ?? new Set<() => void>();
  cancels.set(data, cancelFunctions);
  const stop = isLoading ? cancel : undefined;
  useLayoutEffect(() => {
    if (!stop) return;
    cancelFunctions.add(stop);
    return () => void cancelFunctions.delete(stop);
  }, [cancelFunctions, stop]);
  const run = () => {
    for (const one of [...cancelFunctions]) one();
  };
  const active = stop !== undefined && navigation.trail().length === 1;
  useBindings("screen", [{ ...actionBinding("view.cancel"), label: "cancel loading", group: "data", active, run }]);
}

/** Returns the status options and renders again as often as the status text changes. */
function useStatusOptions(entry: CancellableQuery): StatusOptions {
  const { isLoading, problem, retryAt } = entry;
  const explorer = useExplorer();
  const { services } = explorer;
  useCancelKey(entry);
  const { unicode, timeZone } = services;
  const everyMs = isLoading ? SPINNER_MS : retryAt === undefined ? STALE_MS : SECOND;
  const now = useNow(everyMs, isLoading || retryAt !== undefined || problem !== undefined);
  return { now, unicode, timeZone, keyOf: keyLabelsOf(explorer) };
}

/** Returns {@link statusLine} for a query, updated with time, and binds the key that it names. */
export function useResourceLine(entry: CancellableQuery): TextLine | undefined {
  return statusLine(entry, useStatusOptions(entry));
}

/** A query and the region that its status fills. */
export interface ResourceStatusProps {
  readonly resource: CancellableQuery;
  readonly region: Size;
  /** Text for an empty answer. */
  readonly empty?: string;
}

const MARGIN = 2;

/** Fills a region with the status of a query that has no rows or fields to show. */
export function ResourceStatus({ resource, region, empty }: ResourceStatusProps) {
  const { width, height } = region;
  const status = statusLines(resource, useStatusOptions(resource), width - 2 * MARGIN, empty);
  const lines: readonly TextLine[] = status.map((one) => [{ text: " ".repeat(MARGIN) }, ...one]);
  return <Lines lines={height > status.length ? [[], ...lines] : lines} width={width} height={height} />;
}
