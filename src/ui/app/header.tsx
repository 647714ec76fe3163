/** The head of the screen: where one is, who asks whom, what is left of the budget, and how old the data is. */
import { useCallback, useSyncExternalStore } from "react";
import { safeText } from "../../output/text/safe.ts";
import { clip, textWidth } from "../../output/text/width.ts";
import type { Gauge, Spent } from "../data/store.ts";
import { type Explorer, useExplorer } from "./context.ts";
import { HEAD_HEIGHT } from "./layout.ts";
import { Lines } from "./lines.tsx";
import { titleOf } from "./route.ts";
import type { Identity } from "./services.ts";
import { between, type Line, type Span, span, widthOf } from "./theme/text-line.ts";

/** What the head knows. */
export interface HeadState {
  /** Titles of the places up to the one on view, the oldest first. */
  readonly crumbs: readonly string[];
  readonly identity: Pick<Identity, "profile" | "sandbox" | "hasKey" | "rate">;
  readonly requests: Gauge["requests"];
  readonly units: Gauge["units"];
  /** Seconds until what is waited for. */
  readonly waiting: number | undefined;
  readonly spent: Spent;
  /** Milliseconds since what is on view was true, and whether it was tried in vain to renew it. */
  readonly age: number | undefined;
  readonly isStale: boolean;
}

/** One thing that the head tells, from its longest to its shortest words, the last of which may be none. */
type Forms = readonly Line[];

/** Cells that the crumbs keep before the rest takes more. */
const CRUMBS_LEAST = 22;
/** What is left of the budget is a warning from this share on. */
const SCARCE = 0.1;

const BRAND: Span = span("solx ", "brand");

/** The head, of exactly `width` cells. */
export function headLine(state: HeadState, width: number, unicode: boolean): Line {
  const { crumbs, right } = headParts(state, width, unicode);
  return between([BRAND, ...crumbs], right, width);
}

/** How many steps back the crumb at a cell of the head is; undefined where there is none. */
export function crumbAt(state: HeadState, width: number, unicode: boolean, x: number): number | undefined {
  const { crumbs } = headParts(state, width, unicode);
  let end = textWidth(BRAND.text);
  for (const [at, { text, role }] of crumbs.entries()) {
    const from = end;
    end += textWidth(text);
    if (x >= from && x < end) return role === "note" || text.startsWith("…") ? undefined : crumbs.length - 1 - at;
  }
  return undefined;
}

function headParts(state: HeadState, width: number, unicode: boolean) {
  const brand = BRAND;
  const wanted = textWidth(brand.text) + Math.min(CRUMBS_LEAST, widthOf(crumbsOf(state.crumbs, width, unicode)));
  const right = joined(shortened(formsOf(state), width - wanted - 2));
  const room = width - widthOf(right) - textWidth(brand.text) - 1;
  return { crumbs: crumbsOf(state.crumbs, room, unicode), right };
}

/** What is told, in the order of the line; what comes first in `ORDER` is shortened last. */
const ORDER = ["who", "waiting", "requests", "age", "units", "spent"] as const;
const SHOWN = ["age", "spent", "units", "requests", "waiting", "who"] as const;
type Part = (typeof ORDER)[number];

function shortened(forms: Readonly<Record<Part, Forms>>, room: number): readonly Line[] {
  const at = Object.fromEntries(ORDER.map((part) => [part, 0])) as Record<Part, number>;
  const lines = () => SHOWN.map((part) => forms[part][at[part]] ?? []);
  const parts = [...ORDER].reverse();
  while (widthOf(joined(lines())) > room) {
    // Longest words first, and of these the least important: nothing is left out while something else is still long.
    const part = parts
      .filter((one) => at[one] < forms[one].length - 1)
      .reduce<Part | undefined>((best, one) => (best === undefined || at[one] < at[best] ? one : best), undefined);
    if (part === undefined) break;
    at[part] += 1;
  }
  return lines();
}

const joined = (lines: readonly Line[]): Line =>
  lines.filter((one) => one.length > 0).flatMap((one, index) => (index === 0 ? one : [span("  "), ...one]));

function formsOf(state: HeadState): Readonly<Record<Part, Forms>> {
  const { requests, units, spent, waiting, age, isStale, identity } = state;
  const note = (text: string): Line => [span(text, "note")];
  return {
    who: whoOf(identity),
    waiting: waiting === undefined ? [[]] : [[span(`waiting ${waiting}s`, "warning")]],
    requests: requests === undefined ? [[]] : requestsOf(requests, identity.rate),
    units: units === undefined ? [[]] : unitsOf(units),
    spent:
      spent.requests === 0
        ? [[]]
        : [
            note(`spent ${counted(spent.requests, "request")}, ${short(spent.units)} units`),
            note(`spent ${short(spent.units)}`),
            [],
          ],
    age: age === undefined ? [[]] : ageForms(ageText(age), isStale),
  };
}

function whoOf({ sandbox, profile, hasKey }: HeadState["identity"]): Forms {
  if (sandbox) return [[span(" SANDBOX made-up data ", "sandbox")], [span(" SANDBOX ", "sandbox")]];
  const name = safeText(profile ?? "default");
  const key: Line = hasKey ? [] : [span("no key", "bad")];
  const wide: Line = [span(`profile ${name}`, "note"), ...(hasKey ? [] : [span(" "), ...key])];
  return [wide, hasKey ? [span(name, "note")] : key];
}

function requestsOf({ left, of }: NonNullable<Gauge["requests"]>, rate: Identity["rate"]): Forms {
  const role = left <= of * SCARCE ? "warning" : "note";
  const window = rate === undefined ? "" : ` in ${rate.seconds}s`;
  return [
    [span(`${left}/${of} requests${window}`, role)],
    [span(`${left}/${of} req`, role)],
    [span(`${left} req`, role)],
  ];
}

function unitsOf({ left, of }: NonNullable<Gauge["units"]>): Forms {
  const role = left <= of * SCARCE ? "warning" : "note";
  return [[span(`${short(left)} units left`, role)], [span(`${short(left)} units`, role)], []];
}

function ageForms(text: string, isStale: boolean): Forms {
  const stale: Span = span(isStale ? "stale " : "", "warning");
  const isNow = text === "now";
  return [[stale, span(isNow ? "fresh" : `${text} old`, "note")], [stale, span(isNow ? "fresh" : text, "note")], []];
}

/** The crumbs in at most so many cells: the oldest are left out first, the one on view is cut last. */
export function crumbsOf(crumbs: readonly string[], room: number, unicode: boolean): Line {
  const [sign, more] = unicode ? [" › ", "… › "] : [" > ", "... > "];
  const last = crumbs.at(-1) ?? "";
  let shown: Line = [span(clip(last, Math.max(0, room)), "active")];
  for (let at = crumbs.length - 2; at >= 0; at -= 1) {
    const longer = [span(`${crumbs[at]}${sign}`), ...shown];
    const mark = at > 0 ? [span(more, "note")] : [];
    if (widthOf([...mark, ...longer]) > room) {
      const marked = [span(more, "note"), ...shown];
      return widthOf(marked) <= room ? marked : shown;
    }
    shown = longer;
  }
  return shown;
}

const UNITS = [
  [86_400, "d"],
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
function short(count: number): string {
  const [size, letter] = SCALES.find(([least]) => count >= least) ?? [1, ""];
  const value = count / size;
  const places = letter === "" ? 0 : Math.max(0, 2 - Math.floor(Math.log10(value)));
  // Rounded down: what is left is never shown as more than it is.
  return `${Math.floor(value * 10 ** places) / 10 ** places}${letter}`;
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

const TICK_MS = 1000;

/** Drawn anew when what it says changes, which is looked at each second; most seconds nothing does. */
export function Head({ width }: { width: number }) {
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
  const shown = useSyncExternalStore(subscribe, () =>
    JSON.stringify(headLine(stateOf(explorer), width, services.unicode)),
  );
  return <Lines lines={[JSON.parse(shown)]} width={width} height={HEAD_HEIGHT} />;
}

/** Crumbs that are looked at: more never fit. */
const MOST_CRUMBS = 12;

/** What the head knows now. */
export function stateOf({ services, navigation, data, subject }: Explorer): HeadState {
  const trail = navigation.trail();
  const crumbs = trail.slice(-MOST_CRUMBS).map(({ place }) => titleOf(place));
  const { requests, units, waitingUntil } = data.gauge();
  const now = services.now();
  const request = subject()?.request;
  const entry = request && data.read(request);
  const waiting = waitingUntil === undefined ? 0 : Math.ceil((waitingUntil - now) / 1000);
  return {
    crumbs: trail.length > MOST_CRUMBS ? ["…", ...crumbs] : crumbs,
    identity: services.identity,
    requests,
    units,
    waiting: waiting > 0 ? waiting : undefined,
    spent: data.spent(),
    age: entry?.at === undefined ? undefined : now - entry.at,
    isStale: entry?.answer !== undefined && entry.problem !== undefined,
  };
}
