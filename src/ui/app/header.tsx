/** Header: breadcrumbs, identity, quota and the age of the data. */

import { useCallback, useSyncExternalStore } from "react";
import { DAY_SECONDS, pluralize } from "../../base/index.ts";
import { clip, safeText, textWidth } from "../../output/index.ts";
import type { QuotaView, SessionUsage } from "../data/store.ts";
import { type Explorer, useExplorer } from "./context.ts";
import { HEAD_HEIGHT } from "./layout.ts";
import { Lines } from "./lines.tsx";
import { routeTitle } from "./route.ts";
import type { Identity } from "./services.ts";
import { joinEnds, lineWidth, type Span, span, type TextLine } from "./theme/text-line.ts";

/** The content of the header. */
export interface HeaderState {
  /** Titles of the history up to the current page, oldest first. */
  readonly crumbs: readonly string[];
  readonly identity: Pick<Identity, "profile" | "sandbox" | "hasKey" | "rate">;
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

/** Cells reserved for the breadcrumbs before other parts get more space. */
const MIN_CRUMBS_WIDTH = 22;
/** Share of the quota at or below which it is shown as a warning. */
const LOW_SHARE = 0.1;

const BRAND: Span = span("solx ", "brand");

/** Returns the header as a line of exactly `width` cells. */
export function headerLine(state: HeaderState, width: number, unicode: boolean): TextLine {
  const { crumbs, right } = headerParts(state, width, unicode);
  return joinEnds([BRAND, ...crumbs], right, width);
}

/** Returns how many steps back the breadcrumb at column `x` is; undefined when there is none. */
export function crumbAt(state: HeaderState, width: number, unicode: boolean, x: number): number | undefined {
  const { crumbs } = headerParts(state, width, unicode);
  let end = textWidth(BRAND.text);
  for (const [at, { text, role }] of crumbs.entries()) {
    const from = end;
    end += textWidth(text);
    if (x >= from && x < end) return role === "note" || text.startsWith("…") ? undefined : crumbs.length - 1 - at;
  }
  return undefined;
}

function headerParts(state: HeaderState, width: number, unicode: boolean) {
  const brand = BRAND;
  const reserved =
    textWidth(brand.text) + Math.min(MIN_CRUMBS_WIDTH, lineWidth(breadcrumbs(state.crumbs, width, unicode)));
  const right = joinParts(shortenParts(headerVariants(state), width - reserved - 2));
  const crumbsWidth = width - lineWidth(right) - textWidth(brand.text) - 1;
  return { crumbs: breadcrumbs(state.crumbs, crumbsWidth, unicode), right };
}

/** The parts of the header; the first one of `SHORTENING_ORDER` is shortened last. */
const SHORTENING_ORDER = ["identity", "waiting", "requests", "age", "units", "spent"] as const;
const DISPLAY_ORDER = ["age", "spent", "units", "requests", "waiting", "identity"] as const;
type HeaderPart = (typeof SHORTENING_ORDER)[number];

function shortenParts(forms: Readonly<Record<HeaderPart, Variants>>, width: number): readonly TextLine[] {
  const at = Object.fromEntries(SHORTENING_ORDER.map((part) => [part, 0])) as Record<HeaderPart, number>;
  const lines = () => DISPLAY_ORDER.map((part) => forms[part][at[part]] ?? []);
  const parts = [...SHORTENING_ORDER].reverse();
  while (lineWidth(joinParts(lines())) > width) {
    // Shortens the longest form first, the least important part among equals: no part is dropped while another is long.
    const part = parts
      .filter((one) => at[one] < forms[one].length - 1)
      .reduce<HeaderPart | undefined>(
        (best, one) => (best === undefined || at[one] < at[best] ? one : best),
        undefined,
      );
    if (part === undefined) break;
    at[part] += 1;
  }
  return lines();
}

const joinParts = (lines: readonly TextLine[]): TextLine =>
  lines.filter((one) => one.length > 0).flatMap((one, index) => (index === 0 ? one : [span("  "), ...one]));

function headerVariants(state: HeaderState): Readonly<Record<HeaderPart, Variants>> {
  const { requests, units, spent, waiting, age, isStale, identity } = state;
  const note = (text: string): TextLine => [span(text, "note")];
  return {
    identity: identityVariants(identity),
    waiting: waiting === undefined ? [[]] : [[span(`waiting ${waiting}s`, "warning")]],
    requests: requests === undefined ? [[]] : requestVariants(requests, identity.rate),
    units: units === undefined ? [[]] : unitVariants(units),
    spent:
      spent.requests === 0
        ? [[]]
        : [
            note(`used ${pluralize(spent.requests, "request")}, ${compactCount(spent.units)} units`),
            note(`used ${compactCount(spent.units)}`),
            [],
          ],
    age: age === undefined ? [[]] : ageVariants(ageText(age), isStale),
  };
}

function identityVariants({ sandbox, profile, hasKey }: HeaderState["identity"]): Variants {
  if (sandbox) return [[span(" SANDBOX simulated data ", "sandbox")], [span(" SANDBOX ", "sandbox")]];
  const name = safeText(profile ?? "default");
  const key: TextLine = hasKey ? [] : [span("no key", "bad")];
  const wide: TextLine = [span(`profile ${name}`, "note"), ...(hasKey ? [] : [span(" "), ...key])];
  return [wide, hasKey ? [span(name, "note")] : key];
}

function requestVariants(
  { remaining: left, limit: of }: NonNullable<QuotaView["requests"]>,
  rate: Identity["rate"],
): Variants {
  const role = left <= of * LOW_SHARE ? "warning" : "note";
  const window = rate === undefined ? "" : ` in ${rate.seconds}s`;
  return [
    [span(`${left}/${of} requests${window}`, role)],
    [span(`${left}/${of} req`, role)],
    [span(`${left} req`, role)],
  ];
}

function unitVariants({ remaining: left, limit: of }: NonNullable<QuotaView["units"]>): Variants {
  const role = left <= of * LOW_SHARE ? "warning" : "note";
  return [[span(`${compactCount(left)} units left`, role)], [span(`${compactCount(left)} units`, role)], []];
}

function ageVariants(text: string, isStale: boolean): Variants {
  const stale: Span = span(isStale ? "stale " : "", "warning");
  const isNow = text === "now";
  return [[stale, span(isNow ? "fresh" : `${text} old`, "note")], [stale, span(isNow ? "fresh" : text, "note")], []];
}

/** Returns the breadcrumbs in at most `width` cells: the oldest are dropped first, the current one is truncated last. */
export function breadcrumbs(crumbs: readonly string[], width: number, unicode: boolean): TextLine {
  const [sign, more] = unicode ? [" › ", "… › "] : [" > ", "... > "];
  const last = crumbs.at(-1) ?? "";
  let visible: TextLine = [span(clip(last, Math.max(0, width)), "active")];
  for (let at = crumbs.length - 2; at >= 0; at -= 1) {
    const longer = [span(`${crumbs[at]}${sign}`), ...visible];
    const mark = at > 0 ? [span(more, "note")] : [];
    if (lineWidth([...mark, ...longer]) > width) {
      const marked = [span(more, "note"), ...visible];
      return lineWidth(marked) <= width ? marked : visible;
    }
    visible = longer;
  }
  return visible;
}

const UNITS = [
  [DAY_SECONDS, "d"],
  [3600, "h"],
  [60, "m"],
] as const;
const STEP_S = 10;

/** Formats an age in one unit, in coarse steps so that it rarely changes: `now`, `20s`, `5m`, `2h`, `3d`. */
export function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [length, unit] = UNITS.find(([minimum]) => seconds >= minimum) ?? [STEP_S, "s"];
  if (unit === "s") return seconds < STEP_S ? "now" : `${seconds - (seconds % STEP_S)}s`;
  return `${Math.floor(seconds / length)}${unit}`;
}

const SCALES = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
] as const;

/** Formats a count in three digits and a letter: `9.84M`. */
function compactCount(count: number): string {
  const [size, letter] = SCALES.find(([minimum]) => count >= minimum) ?? [1, ""];
  const value = count / size;
  const digits = letter === "" ? 0 : Math.max(0, 2 - Math.floor(Math.log10(value)));
  // Rounded down: a remaining quota is never overstated.
  return `${Math.floor(value * 10 ** digits) / 10 ** digits}${letter}`;
}

const TICK_MS = 1000;

/** The header. It is compared every second and rendered only when its text changes. */
export function Header({ width }: { width: number }) {
  const explorer = useExplorer();
  const { services, navigation, data } = explorer;
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = [navigation.subscribe(listener), data.subscribe(listener)];
      const timer = setInterval(listener, TICK_MS);
      return () => {
        clearInterval(timer);
        for (const end of ends) end();
      };
    },
    [navigation, data],
  );
  const visible = useSyncExternalStore(subscribe, () =>
    JSON.stringify(headerLine(headerState(explorer), width, services.unicode)),
  );
  return <Lines lines={[JSON.parse(visible)]} width={width} height={HEAD_HEIGHT} />;
}

/** Maximum number of breadcrumbs considered: more never fit. */
const MAX_CRUMBS = 12;

/** Returns the current content of the header. */
export function headerState({ services, navigation, data, subject }: Explorer): HeaderState {
  const trail = navigation.trail();
  const crumbs = trail.slice(-MAX_CRUMBS).map(({ route }) => routeTitle(route));
  const { requests, units, waitingUntil } = data.quota();
  const now = services.now();
  const request = subject()?.request;
  const entry = request && data.read(request);
  const waiting = waitingUntil === undefined ? 0 : Math.ceil((waitingUntil - now) / 1000);
  return {
    crumbs: trail.length > MAX_CRUMBS ? ["…", ...crumbs] : crumbs,
    identity: services.identity,
    requests,
    units,
    waiting: waiting > 0 ? waiting : undefined,
    spent: data.sessionUsage(),
    age: entry?.at === undefined ? undefined : now - entry.at,
    isStale: entry?.answer !== undefined && entry.problem !== undefined,
  };
}
