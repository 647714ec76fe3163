/** What the explorer remembers, as JSON, and back again: hand-checked, because the file may hold anything. */
import { isArray, isObject, isRawNumber, type Json, type JsonObject, numericText } from "../../base/json.ts";
import { endpointByRoute, type ParameterValues } from "../../catalogue/index.ts";
import { ENTITY_KINDS, type EntityKind, type PageName, type Route } from "../../ui/app/route.ts";
import type { Bookmark } from "../../ui/app/services.ts";

const HALLS: Readonly<Record<PageName, true>> = { home: true, leaderboard: true, usage: true, bookmarks: true };

/** Characters of a text that are taken: identifiers and names are far shorter. */
const LONGEST = 500;
/** Items of a list that are taken. */
const MOST_ITEMS = 100;

const isText = (value: Json | undefined): value is string =>
  typeof value === "string" && value !== "" && value.length <= LONGEST;

/** A place; undefined where it is none that this version knows. */
export function placeOf(value: Json | undefined): Route | undefined {
  if (!isObject(value)) return undefined;
  const { kind, hall, thing, id, tab, route, params } = value;
  if (kind === "hall") return isText(hall) && Object.hasOwn(HALLS, hall) ? { kind, page: hall as PageName } : undefined;
  if (kind === "thing") {
    if (!isText(id) || !ENTITY_KINDS.some((known) => known === thing)) return undefined;
    return { kind, entity: thing as EntityKind, id, ...(isText(tab) ? { tab } : {}) };
  }
  if (kind !== "endpoint" || !isText(route)) return undefined;
  const endpoint = endpointByRoute(route);
  return endpoint && { kind, endpointRoute: endpoint.route, params: paramsOf(params) };
}

function paramsOf(value: Json | undefined): ParameterValues {
  if (!isObject(value)) return {};
  const pairs = Object.entries(value).map(([name, given]) => [name, paramOf(given)] as const);
  return Object.fromEntries(pairs.filter(([, given]) => given !== undefined));
}

function paramOf(value: Json): unknown {
  if (!isArray(value)) return scalarOf(value);
  return value.slice(0, MOST_ITEMS).flatMap((item) => scalarOf(item) ?? []);
}

function scalarOf(value: Json): string | number | boolean | undefined {
  if (isRawNumber(value)) return numericText(value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  return isText(value) ? value : undefined;
}

/** A place as JSON. */
export function placeJson(place: Route): JsonObject {
  if (place.kind !== "endpoint") return { ...place } as JsonObject;
  const pairs = Object.entries(place.params).map(([name, given]) => [name, plain(given)] as const);
  return {
    kind: place.kind,
    route: place.endpointRoute,
    params: Object.fromEntries(pairs.filter(([, given]) => given !== null)),
  };
}

function plain(value: unknown): Json {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "bigint") return String(value);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}

/** A bookmark; undefined where it is none. */
export function bookmarkOf(value: Json | undefined): Bookmark | undefined {
  if (!isObject(value)) return undefined;
  const place = placeOf(value.place);
  return place && isText(value.name) ? { route: place, name: value.name } : undefined;
}

/** A bookmark as JSON. */
export function bookmarkJson({ route: place, name }: Bookmark): JsonObject {
  return { name: name.slice(0, LONGEST), place: placeJson(place) };
}

/** The chosen columns by route; what is no list of texts is left out. */
export function columnsOf(value: Json | undefined): Readonly<Record<string, readonly string[]>> {
  if (!isObject(value)) return {};
  const pairs = Object.entries(value).flatMap(([route, paths]) => {
    const known = isArray(paths) ? paths.filter(isText).slice(0, MOST_ITEMS) : [];
    return isArray(paths) && known.length === paths.length ? [[route, known] as const] : [];
  });
  return Object.fromEntries(pairs);
}
