/** Requests what bookmarks show, within the budget of pages that refresh by themselves, and remembers it when left. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { usePriceTrends, useShownPrices } from "../../data/hooks.ts";
import { type LiveRequest, useLive } from "../../data/live.ts";
import { canPrefetch } from "../../data/quota.ts";
import { useExplorer } from "../../navigation/context.ts";
import type { TextLine } from "../../navigation/theme/text-line.ts";
import type { Bookmark, ViewSummary } from "../../navigation/view.ts";
import { relativeClock } from "../../widgets/cells.ts";
import { pageSizeParam } from "../../widgets/list/paging.ts";
import { requestOfKept } from "../kept-request.ts";
import { lookLine, nextLook, summarizeView } from "./looks.ts";

/** Bookmarks whose views are requested, and how often. */
const MAX_VIEWS = 12;
const EVERY_MS = 60_000;

/** Returns what each bookmark shows now, as a part of a line, and the requests, which lists in a region of this height have. */
export function useLooks(bookmarks: readonly Bookmark[], height: number) {
  const { data, services } = useExplorer();
  const [isAmple] = useState(() => canPrefetch(data.quota()));
  const requests = useMemo(() => {
    const known = isAmple ? bookmarks.slice(0, MAX_VIEWS) : [];
    return new Map(
      known.flatMap((one): readonly (readonly [Bookmark, LiveRequest])[] => {
        const request = requestOfKept(one);
        if (!request || !services.supports(request.endpoint) || services.source.supports(request.endpoint).isWalk)
          return [];
        const { endpoint, params } = request;
        return [
          [one, { endpoint, params: { ...pageSizeParam(endpoint, params, height), ...params }, everyMs: EVERY_MS }],
        ];
      }),
    );
  }, [bookmarks, isAmple, services, height]);
  const all = useMemo(() => [...requests.values()], [requests]);
  useLive(all, undefined);
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = all.map((request) => data.watch(request, listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [all, data],
  );
  const version = useSyncExternalStore(subscribe, () => all.map((request) => data.read(request).at ?? "").join());
  // biome-ignore lint/correctness/useExhaustiveDependencies: answers change with their times.
  const summaries = useMemo(() => {
    const clock = relativeClock(services);
    const known = [...requests].map(
      ([one, request]) => [one, summarizeView(request, data.read(request), clock)] as const,
    );
    return new Map(known.flatMap(([one, summary]) => (summary ? [[one, summary] as const] : [])));
  }, [requests, version, data, services]);
  useRemembered(summaries);
  const mints = bookmarks.flatMap(({ route }) =>
    route.kind === "entity" && route.entity === "token" ? [route.id] : [],
  );
  const trends = usePriceTrends(mints.length > 0);
  useShownPrices(trends, "bookmarks", mints);
  const lookAt = (one: Bookmark): TextLine => {
    if (!requests.has(one)) return [];
    const trend = one.route.kind === "entity" ? trends?.of(one.route.id) : undefined;
    return lookLine(summaries.get(one), one.seen, { now: services.now(), unicode: services.unicode, trend });
  };
  return { lookAt, requests };
}

/** Remembers what was seen when the page is left: until then, changes are since the last time. */
function useRemembered(summaries: ReadonlyMap<Bookmark, ViewSummary>): void {
  const { services } = useExplorer();
  const { memory, now } = services;
  const newest = useRef(summaries);
  newest.current = summaries;
  useEffect(
    () => () => {
      const looked = (one: Bookmark): Bookmark => {
        const summary = newest.current.get(one);
        return summary ? { ...one, seen: nextLook(summary, one.seen, now()) } : one;
      };
      if (newest.current.size > 0) void memory.setBookmarks(memory.bookmarks().map(looked));
    },
    [memory, now],
  );
}
