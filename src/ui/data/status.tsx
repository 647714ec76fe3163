/** Components and hooks that show the status of a query. */

import { useCallback, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { createEmitter, type Emitter } from "../../base/index.ts";
import { safeText } from "../../output/index.ts";
import { Lines } from "../frame/lines.tsx";
import { shareBar } from "../frame/share-bar.ts";
import { skeletonTable } from "../frame/skeleton.ts";
import { type Size, useBindings, useExplorer } from "../navigation/context.ts";
import type { DataStore, QueryState } from "../navigation/data-store.ts";
import { bindAction, keyLabelsOf } from "../navigation/keys/bindings.ts";
import type { Progress } from "../navigation/services.ts";
import { span, type TextLine, textLine } from "../navigation/theme/text-line.ts";
import { useNow } from "./hooks.ts";
import { SPINNER_MS, type StatusOptions, statusLine, statusLines } from "./status-text.ts";

export { isEmpty } from "./status-text.ts";

const SECOND = 1000;

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
  useBindings("screen", [bindAction("view.cancel", "cancel loading", run, { active })]);
}

function useStatusOptions(entry: CancellableQuery): StatusOptions {
  const { isLoading, retryAt } = entry;
  const explorer = useExplorer();
  const { services } = explorer;
  useCancelKey(entry);
  const { unicode, timeZone, source } = services;
  const now = useNow(isLoading ? SPINNER_MS : SECOND, isLoading || retryAt !== undefined);
  const { walk } = explorer.data.quota();
  return { now, unicode, timeZone, keyOf: keyLabelsOf(explorer), source: source.facts, walk };
}

interface Reports {
  readonly texts: Map<object, string>;
  readonly changes: Emitter;
}

const allReports = new WeakMap<DataStore, Reports>();

function reportsOf(data: DataStore): Reports {
  const reports = allReports.get(data) ?? { texts: new Map(), changes: createEmitter() };
  allReports.set(data, reports);
  return reports;
}

const describeState = ({ problem }: QueryState) => (problem ? `${problem.exit} ${problem.message}` : "loading");

/** Records what a region reports, so that lines above it do not repeat it. */
function useReport(entry: QueryState): void {
  const { data } = useExplorer();
  const [owner] = useState(() => ({}));
  const text = describeState(entry);
  useLayoutEffect(() => {
    const { texts, changes } = reportsOf(data);
    texts.set(owner, text);
    changes.emit();
    return () => {
      texts.delete(owner);
      changes.emit();
    };
  }, [data, owner, text]);
}

function useIsReported(entry: QueryState): boolean {
  const { data } = useExplorer();
  const { texts, changes } = reportsOf(data);
  const text = describeState(entry);
  return useSyncExternalStore(changes.on, () => [...texts.values()].includes(text));
}

/** Returns why an object may not count or show everything; lists say it in their own status. */
export function coverageLine({ answer }: QueryState): TextLine | undefined {
  const text = answer?.rows === undefined ? answer?.coverage?.incomplete : undefined;
  return text === undefined ? undefined : textLine(safeText(text), "warning");
}

/**
 * Returns {@link statusLine} for a query, updated with time, and binds the key that it names, else what its answer does
 * not cover; undefined where a region of the screen reports the same in place of an answer.
 */
export function useResourceLine(entry: CancellableQuery): TextLine | undefined {
  const options = useStatusOptions(entry);
  const isReported = useIsReported(entry);
  return isReported && !entry.answer ? undefined : (statusLine(entry, options) ?? coverageLine(entry));
}

/** A query and the region that its status fills. */
export interface ResourceStatusProps {
  readonly resource: CancellableQuery;
  readonly region: Size;
  /** Text for an empty answer. */
  readonly empty?: string;
  /** Headings of the table that the region will show; none for anything else. */
  readonly heads?: readonly string[];
}

const MARGIN = 2;

/** Fills a region with the status of a query that has no rows or fields to show. */
export function ResourceStatus({ resource, region, empty, heads = [] }: ResourceStatusProps) {
  const { width, height } = region;
  const lines = useStatusLines(resource, { width: width - 2 * MARGIN, height }, heads, empty);
  const indented = lines.map((one): TextLine => [{ text: " ".repeat(MARGIN) }, ...one]);
  const isFailure = resource.problem !== undefined || !resource.isLoading;
  return (
    <Lines lines={isFailure && height > lines.length ? [[], ...indented] : indented} width={width} height={height} />
  );
}

/**
 * Returns what a region shows in place of an answer, and records it: what happened and what helps, or while it is loading
 * the layout of a table without values.
 */
function useStatusLines(
  resource: CancellableQuery,
  size: Size,
  heads: readonly string[],
  empty?: string,
): readonly TextLine[] {
  const { services } = useExplorer();
  const options = useStatusOptions(resource);
  const progress = useProgress();
  useReport(resource);
  const lines = statusLines(resource, options, size.width, empty);
  if (!resource.isLoading || resource.problem || resource.retryAt !== undefined) return lines;
  if (progress) return [...progressLines(progress, size.width, services.unicode)];
  return [...lines, ...skeletonTable(heads, { ...size, height: size.height - lines.length }, services.unicode)];
}

/** Returns the progress of work that requests wait for, such as creating the sandbox's ledger. */
function useProgress(): Progress | undefined {
  const { services } = useExplorer();
  const subscribe = useCallback((listener: () => void) => services.onProgress?.(listener) ?? (() => {}), [services]);
  return useSyncExternalStore(subscribe, () => services.progress?.());
}

const MAX_BAR = 50;

function progressLines({ text, share }: Progress, width: number, unicode: boolean): readonly TextLine[] {
  const bar = shareBar(share, Math.max(1, Math.min(MAX_BAR, width - 5)), unicode);
  return [[], textLine(text, "title"), [...bar, span(` ${Math.floor(share * 100)}%`)]];
}
