/** Header: breadcrumbs, the age of the data, what is left of the quota, identity. */

import { useCallback, useSyncExternalStore } from "react";
import { pluralize } from "../../base/index.ts";
import { clip, NAME_ROLES, safeText, textWidth } from "../../output/index.ts";
import { isScarce, quotaText } from "../data/live-plan.ts";
import { ageText } from "../data/status-text.ts";
import { ageAt, ticker } from "../data/timers.ts";
import { HEAD_HEIGHT } from "../frame/layout.ts";
import { Lines } from "../frame/lines.tsx";
import { shareBar } from "../frame/share-bar.ts";
import { type Explorer, useExplorer } from "../navigation/context.ts";
import type { DataStore, QuotaView, SessionUsage } from "../navigation/data-store.ts";
import { HOME, isSameRoute, type Route, routeTitle } from "../navigation/route.ts";
import type { Identity } from "../navigation/services.ts";
import { joinEnds, lineWidth, type Role, type Span, span, type TextLine } from "../navigation/theme/text-line.ts";
import type { MouseEvent } from "../terminal/mouse.ts";

/** The title of a page of the history. */
export interface Crumb {
  readonly text: string;
  readonly role?: Role | undefined;
}

/** The content of the header. */
export interface HeaderState {
  readonly crumbs: readonly Crumb[];
  readonly identity: Pick<Identity, "profile" | "isSandbox" | "hasKey">;
  readonly node?: string | undefined;
  readonly requests: QuotaView["requests"];
  readonly units: QuotaView["units"];
  /** Seconds left of a rate-limit pause. */
  readonly waiting: number | undefined;
  readonly spent: SessionUsage;
  /** Age of the visible data in milliseconds, and whether its last refresh failed. */
  readonly age: number | undefined;
  readonly isStale: boolean;
}

/** A part of the header, from its longest to its shortest form; the last one may be empty. */
type Variants = readonly TextLine[];

const BRAND: Span = span("solx ", "brand");
const GAP = 2;

/** Returns the header as a line of exactly `width` cells. */
export function headerLine(state: HeaderState, width: number, unicode: boolean): TextLine {
  const { length } = state.crumbs;
  // Older pages take what is left: two names and the mark of the others have precedence.
  const nearest = lineWidth(breadcrumbs(state.crumbs.slice(-2), Number.POSITIVE_INFINITY, unicode));
  const names = length > 2 ? nearest + textWidth(moreMark(unicode)) : nearest;
  const brand = textWidth(BRAND.text);
  const right = joinParts(shortenParts(headerVariants(state, unicode), width - brand - names - GAP));
  const crumbs = breadcrumbs(state.crumbs, width - lineWidth(right) - brand - 1, unicode);
  return joinEnds([BRAND, ...crumbs], right, width);
}

/** The parts of the header; the first one of `SHORTENING_ORDER` is shortened last. */
const SHORTENING_ORDER = ["identity", "waiting", "age", "gauge"] as const;
const DISPLAY_ORDER = ["age", "waiting", "gauge", "identity"] as const;
type HeaderPart = (typeof SHORTENING_ORDER)[number];

/** Shortens parts, the least important one first, until all fit or each has its shortest form: names have precedence. */
function shortenParts(forms: Readonly<Record<HeaderPart, Variants>>, width: number): readonly TextLine[] {
  const at = Object.fromEntries(SHORTENING_ORDER.map((part) => [part, 0])) as Record<HeaderPart, number>;
  const lines = () => DISPLAY_ORDER.map((part) => forms[part][at[part]] ?? []);
  for (const part of [...SHORTENING_ORDER].reverse()) {
    while (lineWidth(joinParts(lines())) > width && at[part] < forms[part].length - 1) at[part] += 1;
  }
  return lines();
}

const joinParts = (lines: readonly TextLine[]): TextLine =>
  lines.filter((one) => one.length > 0).flatMap((one, index) => (index === 0 ? one : [span(" ".repeat(GAP)), ...one]));

function headerVariants(state: HeaderState, unicode: boolean): Readonly<Record<HeaderPart, Variants>> {
  const { waiting, age, isStale, identity, node } = state;
  return {
    identity: node === undefined ? identityVariants(identity) : nodeVariants(node),
    waiting: waiting === undefined ? [[]] : [[span(`waiting ${waiting}s`, "warning")]],
    gauge: gaugeVariants(state, unicode),
    age: age === undefined ? [[]] : ageVariants(age, isStale),
  };
}

function identityVariants({ isSandbox, profile, hasKey }: HeaderState["identity"]): Variants {
  if (isSandbox) return [[span(" sandbox ", "sandbox")]];
  const name = safeText(profile ?? "default");
  const key: TextLine = hasKey ? [] : [span("no key", "bad")];
  return [hasKey ? [span(name, "note")] : [span(`${name} `, "note"), ...key], hasKey ? [span(name, "note")] : key];
}

/** Names the node: what it is called, without the path and the key of its URL. */
function nodeVariants(node: string): Variants {
  const name = safeText(node);
  return [[span("node ", "note"), span(name, "active")], [span(name, "active")]];
}

const GAUGE_WIDTH = 6;

/** Returns what is left of one quota as a bar: of the compute units, or of the requests while these are scarcer. */
function gaugeVariants({ units, requests, spent, node }: HeaderState, unicode: boolean): Variants {
  const isLimited = requests !== undefined && (units === undefined || (isScarce(requests) && !isScarce(units)));
  const quota = isLimited ? requests : units;
  if (quota === undefined || node !== undefined) {
    return node === undefined || spent.requests === 0 ? [[]] : [[span(pluralize(spent.requests, "call"), "note")], []];
  }
  const { remaining, limit } = quota;
  const role: Role = isScarce(quota) ? "warning" : "note";
  const left = span(`${quotaText(remaining)} ${isLimited ? "requests" : "units"}`, role);
  const bar = shareBar(limit > 0 ? remaining / limit : 0, GAUGE_WIDTH, unicode);
  const colored = isScarce(quota) ? bar.map((part) => (part.role === "bar" ? { ...part, role } : part)) : bar;
  return [[...colored, span(" "), left], [left], isScarce(quota) ? [left] : []];
}

function ageVariants(age: number, isStale: boolean): Variants {
  const text = ageText(age);
  if (isStale) return [[span(`stale ${text}`, "warning")]];
  return [[span(`${text} ago`, "note")], [span(text, "note")], []];
}

const moreMark = (unicode: boolean) => (unicode ? "… › " : "... > ");

/**
 * Returns the breadcrumbs, with the steps back to each as `hit`, in at most `width` cells: the oldest are dropped first,
 * the current one is truncated last.
 */
export function breadcrumbs(crumbs: readonly Crumb[], width: number, unicode: boolean): TextLine {
  const [sign, more] = [unicode ? " › " : " > ", moreMark(unicode)];
  const last = crumbs.at(-1)?.text ?? "";
  let visible: TextLine = [{ ...span(clip(last, Math.max(0, width)), "active"), hit: 0 }];
  for (let at = crumbs.length - 2; at >= 0; at -= 1) {
    const { text = "", role } = crumbs[at] ?? {};
    const longer: TextLine = [{ ...span(text, role), hit: crumbs.length - 1 - at }, span(sign, "note"), ...visible];
    const mark = at > 0 ? [span(more, "note")] : [];
    if (lineWidth([...mark, ...longer]) > width) {
      const marked = [span(more, "note"), ...visible];
      return lineWidth(marked) <= width ? marked : visible;
    }
    visible = longer;
  }
  return visible;
}

const TICK_MS = 1000;

/** The header. It is compared every second and rendered only when its text changes. */
export function Header({ width }: { width: number }) {
  const explorer = useExplorer();
  const { services, navigation, data } = explorer;
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = [navigation.subscribe(listener), data.subscribe(listener), ticker.every(TICK_MS, listener)];
      return () => {
        for (const end of ends) end();
      };
    },
    [navigation, data],
  );
  const visible = useSyncExternalStore(subscribe, () =>
    JSON.stringify(headerLine(headerState(explorer), width, services.unicode)),
  );
  const goBack = ({ type, hit }: MouseEvent) => {
    if (type === "click") for (let step = 0; step < Number(hit ?? 0); step += 1) navigation.back();
  };
  return <Lines lines={[JSON.parse(visible)]} width={width} height={HEAD_HEIGHT} onMouse={goBack} />;
}

function headerState({ services, navigation, data, subjects }: Explorer): HeaderState {
  const trail = navigation.trail();
  // The pages before home are still in the history, but no part of the way here.
  const crumbs = trail
    .slice(
      Math.max(
        0,
        trail.findLastIndex(({ route }) => isSameRoute(route, HOME)),
      ),
    )
    .map(({ route }, at, all) => (at === all.length - 1 ? titleOf(route, data) : crumbOf(route, data)));
  const { requests, units, waitingUntil } = data.quota();
  const now = services.now();
  const request = subjects.current()?.request;
  const entry = request && data.read(request);
  const waiting = waitingUntil === undefined ? 0 : Math.ceil((waitingUntil - now) / 1000);
  const { facts } = services.source;
  return {
    crumbs,
    identity: services.identity,
    node: facts.key === "none" ? facts.cluster : undefined,
    requests,
    units,
    waiting: waiting > 0 ? waiting : undefined,
    spent: data.sessionUsage(),
    age: entry?.at === undefined ? undefined : ageAt(now, entry.at),
    isStale: entry?.answer !== undefined && entry.problem !== undefined,
  };
}

const titleOf = (route: Route, data: DataStore): Crumb => ({ text: routeTitle(route, data.nameOf) });

/** Returns the name of an earlier page without its kind, which the role shows; with it where it is not that of the name. */
function crumbOf(route: Route, data: DataStore): Crumb {
  const kind = route.kind === "entity" ? data.names.of(route.id)?.kind : undefined;
  if (route.kind !== "entity" || kind === undefined) return titleOf(route, data);
  const isOwn = kind === route.entity || (kind === "validator" && route.entity === "account");
  return isOwn ? { text: data.nameOf(route.id) ?? "", role: NAME_ROLES[kind] } : titleOf(route, data);
}
