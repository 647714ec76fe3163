/** One section of the home page: its rows with the prices of tokens, and how changes of them appear. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { compareDecimals, type JsonObject, objectsOf, toDecimal } from "../../../base/index.ts";
import type { Cell } from "../../../output/index.ts";
import { useLiveResource, usePriceTrends, useShownPrices, useTimeText } from "../../data/hooks.ts";
import { isScarce } from "../../data/live-plan.ts";
import { useResourceLine } from "../../data/status.tsx";
import { TIMERS, type Timers } from "../../data/timers.ts";
import type { PaneFrame } from "../../frame/pane.tsx";
import { type Region, useExplorer } from "../../navigation/context.ts";
import type { EndpointRequest } from "../../navigation/data-store.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { answerShape, clockForColumn, endpointAt, formatAs, relativeClock } from "../../widgets/cells.ts";
import { filledColumns, type ShortTableColumn } from "../../widgets/table/layout.ts";
import { TablePanel } from "../../widgets/table/panel.tsx";
import type { RowIdentity } from "../../widgets/table/use-table.ts";
import { cellOfRow, type HomeSection, routeOfRow, TOP_TOKENS, TRENDING_TOKENS, withTrends } from "./sections.ts";

interface SectionPanelProps {
  readonly section: HomeSection;
  readonly region: Region;
  readonly active: boolean;
  readonly title: Pick<PaneFrame, "title" | "number">;
  /** Milliseconds between two changes of ages. */
  readonly ageMs: number;
  readonly onRefresh: () => void;
  /** Called for a click while the section is not active. */
  readonly onActivate: () => void;
}

/** Shows a section, which loads and fails independently. */
export function SectionPanel({ section, region, active, title, ageMs, onRefresh, onActivate }: SectionPanelProps) {
  const { services } = useExplorer();
  const resource = useLiveResource(section);
  const own = useMemo(() => objectsOf(resource.answer?.rows), [resource.answer]);
  const rows = useTrendingRows(own, section.endpoint === TRENDING_TOKENS.endpoint);
  const watched = useMemo(() => ({ id: section.id.field, fields: section.watched ?? [] }), [section]);
  const changes = useChanges(rows, watched);
  const ages = useTimeText((now) => agesOf(rows, { ...relativeClock(services), now }), ageMs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the clock is read again when an age changes.
  const columns = useMemo(() => {
    const clock = clockForColumn(
      rows.map((row) => row.block_time),
      relativeClock(services),
    );
    return filledColumns(section.columns(clock, services.unicode), rows);
  }, [section, services, rows, ages]);
  const trends = usePriceTrends(section.id.entity === "token");
  const version = trends?.version();
  // biome-ignore lint/correctness/useExhaustiveDependencies: prices of tokens arrive later.
  const drawn = useMemo(() => {
    const changed = columns.map((column) => withChanges(column, changes, watched.id));
    return trends ? withTrends(changed, watched.id, (mint) => trends.of(mint), services.unicode) : changed;
  }, [columns, changes, watched, trends, version, services]);
  useShownPrices(trends, section.title, tokensIn(rows, watched.id, region.height));
  const state = useResourceLine(resource);
  const identity = useMemo((): RowIdentity => {
    const { field } = section.id;
    const idOf = (row: JsonObject) => (row[field] === undefined ? undefined : String(row[field]));
    return { shape: answerShape(section.endpoint), idOf };
  }, [section]);
  return (
    <TablePanel
      source={{
        resource,
        rows,
        columns: drawn,
        identity,
        empty: section.empty,
        target: (row) => routeOfRow(section, row),
        cell: (row) => cellOfRow(section, row),
      }}
      region={region}
      part={section.title}
      active={active}
      onRefresh={onRefresh}
      onActivate={onActivate}
      top={() => (state ? [state] : [])}
      frame={(at, visible) => ({ ...title, focused: active, info: positionOf(at, visible, active) })}
    />
  );
}

function tokensIn(rows: readonly JsonObject[], id: string, height: number): readonly string[] {
  return rows.slice(0, height).flatMap((row) => (typeof row[id] === "string" ? [row[id]] : []));
}

const positionOf = (at: number, visible: number, active: boolean): TextLine =>
  active && visible > 0 ? [span(`${at + 1}/${visible}`, "note")] : [];

/** Returns the ages of rows as one text; empty for rows without a time. */
function agesOf(rows: readonly JsonObject[], clock: Parameters<typeof formatAs>[2]): string {
  return rows.map(({ block_time: time }) => (time === undefined ? "" : formatAs("unixTime", time, clock).text)).join();
}

/** Highlights the cells of new rows, and quantities that have changed in the direction of their change. */
function withChanges(column: ShortTableColumn, changes: RowChanges, idField: string): ShortTableColumn {
  const { cell, path } = column;
  const highlighted = (row: JsonObject): Cell => {
    const plain = cell(row);
    const trend = changes.trend(row, path);
    if (trend !== undefined) return { ...plain, role: trend > 0 ? "good" : "bad" };
    return plain.role === undefined && changes.added.has(row[idField]) ? { ...plain, role: "flash" } : plain;
  };
  return { ...column, cell: highlighted };
}

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
function useTrendingRows(rows: readonly JsonObject[], enabled: boolean): readonly JsonObject[] {
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

interface WatchedFields {
  readonly id: string;
  readonly fields: readonly string[];
}

interface RowChanges {
  /** Rows that were not there before, by their identifier. */
  readonly added: ReadonlySet<unknown>;
  /** Returns whether a quantity rose (1) or fell (-1). */
  readonly trend: (row: JsonObject, field: string) => 1 | -1 | undefined;
}

/** No changes. */
export const NO_CHANGES: RowChanges = { added: new Set(), trend: () => undefined };

/** Returns what changed from one answer to the next; {@link NO_CHANGES} for the first answer and for equal ones. */
export function findChanges(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  { id, fields }: WatchedFields,
): RowChanges {
  if (before.length === 0) return NO_CHANGES;
  const known = new Map(before.map((row) => [row[id], row]));
  const added = new Set(after.map((row) => row[id]).filter((one) => !known.has(one)));
  const trends = new Map<string, 1 | -1>();
  for (const row of after) {
    for (const field of fields) {
      const [old, now] = [toDecimal(known.get(row[id])?.[field]), toDecimal(row[field])];
      const order = old && now ? compareDecimals(now, old) : 0;
      if (order !== 0) trends.set(`${String(row[id])} ${field}`, order > 0 ? 1 : -1);
    }
  }
  if (added.size === 0 && trends.size === 0) return NO_CHANGES;
  return { added, trend: (row, field) => trends.get(`${String(row[id])} ${field}`) };
}

/** How long changes are highlighted. */
const FLASH_MS = 1200;

/** Returns the changes of rows since the answer before, for a moment; the same object until something changes. */
export function useChanges(rows: readonly JsonObject[], watched: WatchedFields, timing: Timers = TIMERS): RowChanges {
  const [state, set] = useState({ rows, changes: NO_CHANGES });
  if (state.rows !== rows) set({ rows, changes: findChanges(state.rows, rows, watched) });
  const { changes } = state;
  useEffect(() => {
    if (changes === NO_CHANGES) return;
    return timing.after(FLASH_MS, () => set((now) => ({ ...now, changes: NO_CHANGES })));
  }, [timing, changes]);
  return changes;
}
