/** Views: pages as they were left. A history entry is one, and so is a bookmark, which has a name. */
import { isArray, isObject, type Json, type JsonObject } from "../../base/index.ts";
import { type Route, routeTitle } from "./route.ts";

/** A page as it was left. */
export interface View {
  readonly route: Route;
  /** The state of its parts by their names, such as the filters of a list; what is absent is as at first. */
  readonly state?: JsonObject | undefined;
}

/** A view that the user keeps. */
export interface Bookmark extends View {
  readonly name: string;
  /** The last look at it in the list of bookmarks. */
  readonly seen?: Look | undefined;
}

/** Numbers of earlier looks that are kept. */
export const MAX_LOOKS = 32;
const MAX_LOOK_KEY = 200;

/** What was seen of a view. */
export interface Look {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The number of the view at this look and at those before it. */
  readonly points: readonly number[];
  /** What identified the newest row of a list. */
  readonly key?: string | undefined;
}

/** What a view amounts to: its most important number, and of a list, what identifies its rows. */
export interface ViewSummary {
  readonly text: string;
  readonly value: number | undefined;
  /** The keys of the rows of a list with the newest first. */
  readonly keys?: readonly string[] | undefined;
}

/** Reads a look; undefined for JSON of anything else. */
export function parseLook(json: Json | undefined): Look | undefined {
  if (!isObject(json) || !Number.isFinite(json.at) || !isArray(json.points)) return undefined;
  const { at, points, key } = json;
  const isValid = points.length <= MAX_LOOKS && points.every((point) => Number.isFinite(point));
  if (!isValid || (key !== undefined && (typeof key !== "string" || key.length > MAX_LOOK_KEY))) return undefined;
  return { at: at as number, points: points as number[], ...(key !== undefined && { key }) };
}

/** How the state of a part is kept: as JSON, from which another session restores it. */
export interface StateFormat<S> {
  readonly toJson: (state: S) => Json | undefined;
  /** Returns the state; undefined for JSON of anything else, since files may hold it. */
  readonly fromJson: (json: Json) => S | undefined;
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);

const isSameType = (value: unknown, initial: unknown) => initial === undefined || typeof value === typeof initial;

/** Returns the format of states that are scalars, or objects of which the scalars are kept. */
export function scalarFormat<S>(initial: S): StateFormat<S> {
  return {
    toJson(state) {
      if (isScalar(state)) return state;
      if (!isObject(state)) return undefined;
      return Object.fromEntries(Object.entries(state as JsonObject).filter(([, value]) => isScalar(value)));
    },
    fromJson(json) {
      if (isScalar(json) && isSameType(json, initial)) return json as S;
      if (!isObject(json) || !isObject(initial)) return undefined;
      const members = Object.entries(json).filter(
        ([name, value]) => name in initial && isScalar(value) && isSameType(value, initial[name]),
      );
      return { ...(initial as object), ...Object.fromEntries(members) } as S;
    },
  };
}

/** Names the part of a page of an entity that says which tab is open; its route names the tab, too. */
export const TAB_PART = "tab";

/** Returns a view whose route names the tab that is open. */
export function withOpenTab({ route, state = {} }: View): View {
  const { [TAB_PART]: tab, ...rest } = state;
  return { route: route.kind === "entity" && typeof tab === "string" ? { ...route, tab } : route, state: rest };
}

/** Returns the title of a view: `account Binance Hot Wallet 3 transfers`. */
export function viewTitle({ route }: View, nameOf: (address: string) => string | undefined): string {
  const title = routeTitle(route, nameOf);
  return route.kind === "entity" && route.tab !== undefined ? `${title} ${route.tab}` : title;
}
