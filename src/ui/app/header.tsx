/** The head of the screen: where one is, who asks whom, what is left of the budget, and how old the data is. */

import { useCallback, useSyncExternalStore } from "react";
import { pluralize } from "../../base/text.ts";
import { DAY_SECONDS } from "../../base/time.ts";
import { safeText } from "../../output/text/safe.ts";
import { clip, textWidth } from "../../output/text/width.ts";
import type { QuotaView, SessionUsage } from "../data/store.ts";
import { type Explorer, useExplorer } from "./context.ts";
import { HEAD_HEIGHT } from "./layout.ts";
import { Lines } from "./lines.tsx";
import { routeTitle } from "./route.ts";
import type { Identity } from "./services.ts";
import { joinEnds, lineWidth, type Span, span, type TextLine } from "./theme/text-line.ts";

/** What the head knows. */
export interface HeaderState {
  /** Titles of the places up to the one on view, the oldest first. */
  readonly crumbs: readonly string[];
  readonly identity: Pick<Identity, "profile" | "sandbox" | "hasKey" | "rate">;
  readonly requests: QuotaView["requests"];
  readonly units: QuotaView["units"];
  /** Seconds until what is waited for. */
  readonly waiting: number | undefined;
  readonly spent: SessionUsage;
  /** Milliseconds since what is on view was true, and whether it was tried in vain to renew it. */
  readonly age: number | undefined;
  readonly isStale: boolean;
}

/** One thing that the head tells, from its longest to its shortest words, the last of which may be none. */
type Variants = readonly TextLine[];

/** Cells that the crumbs keep before the rest takes more. */
const MIN_CRUMBS_WIDTH = 22;
/** What is left of the budget is a warning from this share on. */
const LOW_SHARE = 0.1;

const BRAND: Span = span("solx ", "brand");

/** The head, of exactly `width` cells. */
export function headerLine(state: HeaderState, width: number, unicode: boolean): TextLine {
  const { crumbs, right } = headerParts(state, width, unicode);
  return joinEnds([BRAND, ...crumbs], right, width);
}

/** How many steps back the crumb at a cell of the head is; undefined where there is none. */
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
  const room = width - lineWidth(right) - textWidth(brand.text) - 1;
  return { crumbs: breadcrumbs(state.crumbs, room, unicode), right };
}

/** What is told, in the order of the line; what comes first in `ORDER` is shortened last. */
const SHORTENING_ORDER = ["who", "waiting", "requests", "age", "units", "spent"] as const;
const DISPLAY_ORDER = ["age", "spent", "units", "requests", "waiting", "who"] as const;
type HeaderPart = (typeof SHORTENING_ORDER)[number];

function shortenParts(forms: Readonly<Record<HeaderPart, Variants>>, room: number): readonly TextLine[] {
  const at = Object.fromEntries(SHORTENING_ORDER.map((part) => [part, 0])) as Record<HeaderPart, number>;
  const lines = () => DISPLAY_ORDER.map((part) => forms[part][at[part]] ?? []);
  const parts = [...SHORTENING_ORDER].reverse();
  while (lineWidth(joinParts(lines())) > room) {
    // Longest words first, and of these the least important: nothing is left out while something else is still long.
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
    who: identityVariants(identity),
    waiting: waiting === undefined ? [[]] : [[span(`waiting ${waiting}s`, "warning")]],
    requests: requests === undefined ? [[]] : requestVariants(requests, identity.rate),
    units: units === undefined ? [[]] : unitVariants(units),
    spent:
      spent.requests === 0
        ? [[]]
        : [
            note(`spent ${pluralize(spent.requests, "request")}, ${compactCount(spent.units)} units`),
            note(`spent ${compactCount(spent.units)}`),
            [],
          ],
    age: age === undefined ? [[]] : ageVariants(ageText(age), isStale),
  };
}

function identityVariants({ sandbox, profile, hasKey }: HeaderState["identity"]): Variants {
  if (sandbox) return [[span(" SANDBOX made-up data ", "sandbox")], [span(" SANDBOX ", "sandbox")]];
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

/** The crumbs in at most so many cells: the oldest are left out first, the one on view is cut last. */
export function breadcrumbs(crumbs: readonly string[], room: number, unicode: boolean): TextLine {
  const [sign, more] = unicode ? [" › ", "… › "] : [" > ", "... > "];
  const last = crumbs.at(-1) ?? "";
  let visible: TextLine = [span(clip(last, Math.max(0, room)), "active")];
  for (let at = crumbs.length - 2; at >= 0; at -= 1) {
    const longer = [span(`${crumbs[at]}${sign}`), ...visible];
    const mark = at > 0 ? [span(more, "note")] : [];
    if (lineWidth([...mark, ...longer]) > room) {
      const marked = [span(more, "note"), ...visible];
      return lineWidth(marked) <= room ? marked : visible;
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

/** An age in one unit, in steps so coarse that it seldom changes: `now`, `20s`, `5m`, `2h`, `3d`. */
export function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [length, unit] = UNITS.find(([least]) => seconds >= least) ?? [STEP_S, "s"];
  if (unit === "s") return seconds < STEP_S ? "now" : `${seconds - (seconds % STEP_S)}s`;
  return `${Math.floor(seconds / length)}${unit}`;
}

const SCALES = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
] as const;

/** A count in three digits and a letter: `9.84M`. */
function compactCount(count: number): string {
  const [size, letter] = SCALES.find(([least]) => count >= least) ?? [1, ""];
  const value = count / size;
  const digits = letter === "" ? 0 : Math.max(0, 2 - Math.floor(Math.log10(value)));
  // Rounded down: what is left is never shown as more than it is.
  return `${Math.floor(value * 10 ** digits) / 10 ** digits}${letter}`;
}

const TICK_MS = 1000;

/** Drawn anew when what it says changes, which is looked at each second; most seconds nothing does. */
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

/** Crumbs that are looked at: more never fit. */
const MAX_CRUMBS = 12;

/** What the head knows now. */
export function headerState({ services, navigation, data, subject }: Explorer): HeaderState {
  const trail = navigation.trail();
  const crumbs = trail.slice(-MAX_CRUMBS).map(({ route: place }) => routeTitle(place));
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
