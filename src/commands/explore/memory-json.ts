/** Converts what the explorer remembers to JSON and back; every value is checked, since the file may hold anything. */
import { isArray, isObject, isRawNumber, type Json, type JsonObject, listOf, numericText } from "../../base/index.ts";
import { endpointByRoute, type ParameterValues } from "../../catalogue/index.ts";
import {
  type Bookmark,
  ENTITY_KINDS,
  type EntityKind,
  type ListSettings,
  PAGE_NAMES,
  type PageName,
  type Route,
} from "../../ui/index.ts";

/** Maximum length of a text in characters; identifiers and names are far shorter. */
const MAX_TEXT_LENGTH = 500;
/** Maximum number of items read from a list. */
const MAX_ITEMS = 100;

const isShortText = (value: Json | undefined): value is string =>
  typeof value === "string" && value !== "" && value.length <= MAX_TEXT_LENGTH;

/**
 * Reads a route; undefined when this version does not know it. The names in the file (`hall`, `thing`, `place`) are part
 * of its format and independent of the names in the code.
 */
export function parseRoute(value: Json | undefined): Route | undefined {
  if (!isObject(value)) return undefined;
  const { kind, hall, thing, id, tab, route, params } = value;
  if (kind === "hall")
    return isShortText(hall) && PAGE_NAMES.some((page) => page === hall)
      ? { kind: "page", page: hall as PageName }
      : undefined;
  if (kind === "thing") {
    if (!isShortText(id) || !ENTITY_KINDS.some((known) => known === thing)) return undefined;
    return { kind: "entity", entity: thing as EntityKind, id, ...(isShortText(tab) ? { tab } : {}) };
  }
  if (kind !== "endpoint" || !isShortText(route)) return undefined;
  const endpoint = endpointByRoute(route);
  return endpoint && { kind, endpointRoute: endpoint.route, params: parseParams(params) };
}

function parseParams(value: Json | undefined): ParameterValues {
  if (!isObject(value)) return {};
  const pairs = Object.entries(value).map(([name, input]) => [name, parseParam(input)] as const);
  return Object.fromEntries(pairs.filter(([, input]) => input !== undefined));
}

function parseParam(value: Json): unknown {
  if (!isArray(value)) return parseScalar(value);
  return value.slice(0, MAX_ITEMS).flatMap((item) => parseScalar(item) ?? []);
}

function parseScalar(value: Json): string | number | boolean | undefined {
  if (isRawNumber(value)) return numericText(value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  return isShortText(value) ? value : undefined;
}

/** Returns a route in the format of the file. */
export function routeToJson(route: Route): JsonObject {
  if (route.kind === "page") return { kind: "hall", hall: route.page };
  if (route.kind === "entity") {
    return { kind: "thing", thing: route.entity, id: route.id, ...(route.tab === undefined ? {} : { tab: route.tab }) };
  }
  const pairs = Object.entries(route.params).map(([name, input]) => [name, toJson(input)] as const);
  const params = Object.fromEntries(pairs.filter(([, input]) => input !== null));
  return { kind: "endpoint", route: route.endpointRoute, params };
}

function toJson(value: unknown): Json {
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "bigint") return String(value);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}

/** Reads a bookmark; undefined when it is not one. */
export function parseBookmark(value: Json | undefined): Bookmark | undefined {
  if (!isObject(value)) return undefined;
  const route = parseRoute(value.place);
  return route && isShortText(value.name) ? { route, name: value.name } : undefined;
}

/** Returns a bookmark in the format of the file. */
export function bookmarkToJson({ route, name }: Bookmark): JsonObject {
  return { name: name.slice(0, MAX_TEXT_LENGTH), place: routeToJson(route) };
}

/** Reads what else was chosen for lists, by endpoint route; invalid parts are skipped. */
export function parseLists(value: Json | undefined): Readonly<Record<string, ListSettings>> {
  if (!isObject(value)) return {};
  const pairs = Object.entries(value).map(([route, settings]) => [route, parseList(settings)] as const);
  return Object.fromEntries(pairs.filter(([, settings]) => Object.keys(settings).length > 0));
}

function parseList(value: Json): ListSettings {
  if (!isObject(value)) return {};
  const { widths, sort } = value;
  const known = isObject(widths) ? Object.entries(widths).slice(0, MAX_ITEMS) : [];
  const valid = known.flatMap(([key, width]) =>
    typeof width === "number" && Number.isSafeInteger(width) && width > 0 ? [[key, width] as const] : [],
  );
  return {
    ...(valid.length > 0 && { widths: Object.fromEntries(valid) }),
    ...(isObject(sort) &&
      isShortText(sort.column) &&
      typeof sort.isDescending === "boolean" && {
        sort: {
          column: sort.column,
          isDescending: sort.isDescending,
          ...(isShortText(sort.api) && { api: sort.api }),
        },
      }),
  };
}

/** Returns what was chosen for lists in the format of the file. */
export function listsToJson(lists: Readonly<Record<string, ListSettings>>): JsonObject {
  const toObject = ({ widths, sort }: ListSettings): JsonObject => ({
    ...(widths && { widths: { ...widths } }),
    ...(sort && { sort: { ...sort } }),
  });
  return Object.fromEntries(Object.entries(lists).map(([route, settings]) => [route, toObject(settings)]));
}

/** Reads the selected columns by endpoint route; anything but a list of texts is skipped. */
export function parseColumns(value: Json | undefined): Readonly<Record<string, readonly string[]>> {
  if (!isObject(value)) return {};
  const pairs = Object.entries(value).flatMap(([route, paths]) => {
    const known = listOf(paths).filter(isShortText).slice(0, MAX_ITEMS);
    return isArray(paths) && known.length === paths.length ? [[route, known] as const] : [];
  });
  return Object.fromEntries(pairs);
}
