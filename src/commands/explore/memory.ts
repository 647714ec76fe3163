/**
 * The state that the explorer saves between runs: bookmarks, recent pages, columns, widths and orders of lists, and switches.
 * One JSON file in the state folder has a section for each data source, so that the sandbox never mixes with the chain. The
 * file is optional and may hold anything: every value is checked, any problem is logged, and the session continues.
 */
import { renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  isArray,
  isObject,
  isRawNumber,
  type Json,
  type JsonObject,
  listOf,
  numericText,
  toSentence,
} from "../../base/index.ts";
import { endpointByRoute, type ParameterValues } from "../../catalogue/index.ts";
import { type Paths, readJsonFile, type Settings, updateJsonFile } from "../../config/index.ts";
import {
  type Bookmark,
  ENTITY_KINDS,
  type EntityKind,
  type ExplorerMemory,
  type ListSettings,
  PAGE_NAMES,
  type PageName,
  type Route,
  type SwitchName,
} from "../../ui/index.ts";
import { sourceOf } from "../run/data-source.ts";

/**
 * Merges concurrent changes of a list: returns the local list with the items that other processes added since `before`,
 * without those that they removed.
 * @param before the list when it was last read
 * @param current the list in the file now
 */
export function mergeLists<T>(
  before: readonly T[],
  local: readonly T[],
  current: readonly T[],
  keyOf: (item: T) => string,
): readonly T[] {
  const [known, currentKeys, localKeys] = [before, current, local].map((list) => new Set(list.map(keyOf)));
  const remaining = local.filter((item) => !known?.has(keyOf(item)) || currentKeys?.has(keyOf(item)));
  const others = current.filter((item) => !known?.has(keyOf(item)) && !localKeys?.has(keyOf(item)));
  return [...remaining, ...others];
}

/** Merges concurrent changes of named values: locally changed names win. Removed names get an empty value. */
function mergeRecords<T>(
  before: Readonly<Record<string, T>>,
  local: Readonly<Record<string, T>>,
  current: Readonly<Record<string, T>>,
  empty: T,
): Readonly<Record<string, T>> {
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(local[name]);
  const names = new Set([...Object.keys(before), ...Object.keys(local)]);
  const changes = [...names].filter(isChanged).map((name) => [name, local[name] ?? empty] as const);
  return { ...current, ...Object.fromEntries(changes) };
}

/** Input of {@link createMemory}. */
interface MemoryOptions {
  readonly paths: Pick<Paths, "state">;
  /** The data source: the profile with its server, or the sandbox with its seed. */
  readonly scope: string;
  readonly log: (text: string) => void;
}

const MAX_RECENT = 100;
const MAX_BOOKMARKS = 1000;

/** Delay before a change is written, so that drawing comes first and several changes are combined. */
const WRITE_DELAY_MS = 50;

/** Returns the name of the data source, which separates saved pages of different sources. */
export function memoryScope(settings: Settings): string {
  const { key, scope } = sourceOf(settings).facts;
  return key === "required" ? `${settings.profile} ${scope}` : scope;
}

/** Returns the path of the file; undefined without a state folder. */
export function memoryFilePath({ state }: Pick<Paths, "state">): string | undefined {
  return state && join(state, "explorer.json");
}

interface MemoryState {
  readonly bookmarks: readonly Bookmark[];
  readonly recent: readonly Route[];
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly lists: Readonly<Record<string, ListSettings>>;
  readonly switches: Readonly<Partial<Record<SwitchName, boolean>>>;
}

const EMPTY: MemoryState = { bookmarks: [], recent: [], columns: {}, lists: {}, switches: {} };

/**
 * Creates the memory. The file is read on first use. Changes apply at once and are written in the background, merged with
 * those of other processes. The promises resolve when a change is written, or its failure is logged.
 */
export function createMemory({ paths, scope, log }: MemoryOptions): ExplorerMemory {
  const path = memoryFilePath(paths);
  /** The content of the file when it was last read or written, from which local changes are determined. */
  let savedState: MemoryState | undefined;
  let state = EMPTY;
  let writing: Promise<void> | undefined;

  const loadState = (): MemoryState => {
    if (savedState === undefined) {
      savedState = path === undefined ? EMPTY : parseState(read(path, log), scope);
      state = savedState;
    }
    return state;
  };
  const write = async (): Promise<void> => {
    await delay(WRITE_DELAY_MS);
    // Changes made while the file is being written are combined into another write.
    while (path !== undefined && savedState !== undefined && savedState !== state) {
      const [before, local] = [savedState, state];
      let after = local;
      const problem = await attempt(() =>
        updateJsonFile(path, (data) => {
          const section = mergeSection(sectionOf(data, scope), before, local);
          const changed = Object.entries(local.switches).filter(([name, isOn]) => isOn !== switchOf(before, name));
          const merged = {
            ...data,
            switches: { ...objectIn(data, "switches"), ...Object.fromEntries(changed) },
            scopes: { ...objectIn(data, "scopes"), [scope]: section },
          };
          after = parseState(merged, scope);
          return merged;
        }),
      );
      if (problem) {
        log(`The explorer's memory was not saved: ${toSentence(problem)}`);
        return;
      }
      // Later local changes are relative to what was just written, not to what other processes added.
      savedState = state === local ? after : local;
      if (state === local) state = after;
    }
  };
  const change = (part: Partial<MemoryState>): Promise<void> => {
    state = { ...loadState(), ...part };
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  };
  return {
    bookmarks: () => loadState().bookmarks,
    setBookmarks: (bookmarks) => change({ bookmarks: bookmarks.slice(0, MAX_BOOKMARKS) }),
    recent: () => loadState().recent,
    setRecent: (recent) => change({ recent: recent.slice(0, MAX_RECENT) }),
    columns: () => loadState().columns,
    setColumns: (columns) => change({ columns }),
    lists: () => loadState().lists,
    setLists: (lists) => change({ lists }),
    switches: () => loadState().switches,
    setSwitch: (name, isOn) => change({ switches: { ...loadState().switches, [name]: isOn } }),
  };
}

/** Reads the file; an empty object when there is none. A damaged file is renamed, never overwritten. */
function read(path: string, log: (text: string) => void): JsonObject {
  const { data, problem, mode } = readJsonFile(path);
  if (!problem) return data;
  log(`The explorer's memory was not read: ${problem.message}`);
  // An unreadable file may be intact; only one with invalid content is renamed.
  if (mode !== undefined && problem.cause === undefined) moveAside(path, log);
  return {};
}

function moveAside(path: string, log: (text: string) => void): void {
  const aside = `${path}.damaged-${Date.now()}`;
  try {
    renameSync(path, aside);
    log(`The file was renamed to ${aside}.`);
  } catch (error) {
    log(`The file could not be renamed: ${toSentence(error as Error)}`);
  }
}

async function attempt(task: () => Promise<void>): Promise<Error | undefined> {
  try {
    await task();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function objectIn(data: JsonObject, key: string): JsonObject {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  return isObject(value) ? value : {};
}

function sectionOf(data: JsonObject, scope: string): JsonObject {
  return objectIn(objectIn(data, "scopes"), scope);
}

function parseState(data: JsonObject, scope: string): MemoryState {
  const switches = Object.entries(objectIn(data, "switches")).filter(([, isOn]) => typeof isOn === "boolean");
  return { ...parseSection(sectionOf(data, scope)), switches: Object.fromEntries(switches) };
}

const switchOf = ({ switches }: MemoryState, name: string) => switches[name as SwitchName];

function parseSection(section: JsonObject): Omit<MemoryState, "switches"> {
  return {
    bookmarks: listOf(section.bookmarks).flatMap((item) => parseBookmark(item) ?? []),
    recent: listOf(section.recent)
      .flatMap((item) => parseRoute(item) ?? [])
      .slice(0, MAX_RECENT),
    columns: parseColumns(section.columns),
    lists: parseLists(section.lists),
  };
}

/** Applies the local changes to a section; unknown items are preserved. */
function mergeSection(section: JsonObject, before: MemoryState, local: MemoryState): JsonObject {
  const { bookmarks, recent, columns, lists } = parseSection(section);
  const unknownItems = (key: string, known: (item: Json) => unknown) =>
    listOf(section[key]).filter((item) => known(item) === undefined);
  const bookmarkKey = ({ route }: Bookmark) => JSON.stringify(routeToJson(route));
  const routeKey = (route: Route) => JSON.stringify(routeToJson(route));
  return {
    ...section,
    bookmarks: [
      ...mergeLists(before.bookmarks, local.bookmarks, bookmarks, bookmarkKey).map(bookmarkToJson),
      ...unknownItems("bookmarks", parseBookmark),
    ],
    recent: [
      ...mergeLists(before.recent, local.recent, recent, routeKey).slice(0, MAX_RECENT).map(routeToJson),
      ...unknownItems("recent", parseRoute).slice(0, MAX_RECENT),
    ],
    columns: { ...objectIn(section, "columns"), ...mergeRecords(before.columns, local.columns, columns, []) },
    lists: { ...objectIn(section, "lists"), ...listsToJson(mergeRecords(before.lists, local.lists, lists, {})) },
  };
}

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
function parseRoute(value: Json | undefined): Route | undefined {
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
function routeToJson(route: Route): JsonObject {
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
function parseBookmark(value: Json | undefined): Bookmark | undefined {
  if (!isObject(value)) return undefined;
  const route = parseRoute(value.place);
  return route && isShortText(value.name) ? { route, name: value.name } : undefined;
}

/** Returns a bookmark in the format of the file. */
function bookmarkToJson({ route, name }: Bookmark): JsonObject {
  return { name: name.slice(0, MAX_TEXT_LENGTH), place: routeToJson(route) };
}

/** Reads what else was chosen for lists, by endpoint route; invalid parts are skipped. */
function parseLists(value: Json | undefined): Readonly<Record<string, ListSettings>> {
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
function listsToJson(lists: Readonly<Record<string, ListSettings>>): JsonObject {
  const toObject = ({ widths, sort }: ListSettings): JsonObject => ({
    ...(widths && { widths: { ...widths } }),
    ...(sort && { sort: { ...sort } }),
  });
  return Object.fromEntries(Object.entries(lists).map(([route, settings]) => [route, toObject(settings)]));
}

/** Reads the selected columns by endpoint route; anything but a list of texts is skipped. */
function parseColumns(value: Json | undefined): Readonly<Record<string, readonly string[]>> {
  if (!isObject(value)) return {};
  const pairs = Object.entries(value).flatMap(([route, paths]) => {
    const known = listOf(paths).filter(isShortText).slice(0, MAX_ITEMS);
    return isArray(paths) && known.length === paths.length ? [[route, known] as const] : [];
  });
  return Object.fromEntries(pairs);
}
