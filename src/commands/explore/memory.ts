/**
 * The state that the explorer saves between runs: bookmarks, recent pages, what was chosen for lists, and switches.
 * One JSON file in the state folder has a section for each data source, so that the sandbox never mixes with the chain. The
 * file is optional and may hold anything: every value is checked, any problem is logged, and the session continues.
 */
import { renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isArray, isObject, type Json, type JsonObject, listOf, toSentence } from "../../base/index.ts";
import { endpointByRoute, type ParameterValues } from "../../catalogue/index.ts";
import { type Paths, readJsonFile, type Settings, updateJsonFile } from "../../config/index.ts";
import {
  type Bookmark,
  ENTITY_KINDS,
  type EntityKind,
  type ExplorerMemory,
  MAX_COMPARED,
  PAGE_NAMES,
  type PageName,
  parseListSettings,
  parseLook,
  type Route,
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

/** Merges concurrent changes of named values: names that were changed or removed locally win. */
function mergeRecords(before: JsonObject, local: JsonObject, current: JsonObject): JsonObject {
  const names = [...Object.keys(before), ...Object.keys(local)];
  const changed = new Set(names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(local[name])));
  const isChanged = ([name]: readonly [string, Json]) => changed.has(name);
  const others = Object.entries(current).filter((entry) => !isChanged(entry));
  return Object.fromEntries([...others, ...Object.entries(local).filter(isChanged)]);
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

/**
 * What is saved for a source, as it is in the file: `bookmarks`, `recent`, `lists`, and `switches`, which all
 * sources share. Values that this version does not know stay among them.
 */
type SavedMembers = JsonObject;

function membersOf(data: JsonObject, scope: string): SavedMembers {
  return { ...objectIn(objectIn(data, "scopes"), scope), switches: objectIn(data, "switches") };
}

function withMembers(data: JsonObject, scope: string, { switches = {}, ...section }: SavedMembers): JsonObject {
  return { ...data, switches, scopes: { ...objectIn(data, "scopes"), [scope]: section } };
}

/** Applies the local changes to what is in the file now. */
function mergeMembers(before: SavedMembers, local: SavedMembers, current: SavedMembers): SavedMembers {
  const changed = Object.entries(local).filter(([name, value]) => value !== before[name]);
  const merge = ([name, value]: readonly [string, Json]): readonly [string, Json] => [
    name,
    isArray(value)
      ? mergeLists(listOf(before[name]), value, listOf(current[name]), itemKey)
      : mergeRecords(objectIn(before, name), objectIn(local, name), objectIn(current, name)),
  ];
  return { ...current, ...Object.fromEntries(changed.map(merge)) };
}

/** Bookmarks with the same name and route are the same bookmark, whatever the state of its page. */
const itemKey = (item: Json): string =>
  JSON.stringify(isObject(item) && item.route !== undefined ? [item.name ?? null, item.route] : item);

/**
 * Creates the memory. The file is read on first use. Changes apply at once and are written in the background, merged with
 * those of other processes. The promises resolve when a change is written, or its failure is logged.
 */
export function createMemory({ paths, scope, log }: MemoryOptions): ExplorerMemory {
  const path = memoryFilePath(paths);
  /** The content of the file when it was last read or written, from which local changes are determined. */
  let saved: SavedMembers | undefined;
  let members: SavedMembers = {};
  let writing: Promise<void> | undefined;

  const load = (): SavedMembers => {
    if (saved === undefined) {
      saved = path === undefined ? {} : membersOf(read(path, log), scope);
      members = saved;
    }
    return members;
  };
  const write = async (): Promise<void> => {
    await delay(WRITE_DELAY_MS);
    // Changes made while the file is being written are combined into another write.
    while (path !== undefined && saved !== undefined && saved !== members) {
      const [before, local] = [saved, members];
      let after = local;
      try {
        await updateJsonFile(path, (data) => {
          after = mergeMembers(before, local, membersOf(data, scope));
          return withMembers(data, scope, after);
        });
      } catch (error) {
        log(`The explorer's memory was not saved: ${toSentence(error as Error)}`);
        return;
      }
      // Later local changes are relative to what was just written, not to what other processes added.
      saved = members === local ? after : local;
      if (members === local) members = after;
    }
  };
  const change = (name: string, value: Json): Promise<void> => {
    members = { ...load(), [name]: value };
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  };
  /** Replaces the items of a list; those that this version does not know stay behind them. */
  const changeList = (name: string, items: readonly Json[], parse: (item: Json) => unknown, limit: number) => {
    const unknown = listOf(load()[name]).filter((item) => parse(item) === undefined);
    return change(name, [...items.slice(0, limit), ...unknown.slice(0, limit)]);
  };
  /** Replaces named values; those that this version does not know stay. */
  const changeRecord = (name: string, values: JsonObject, parse: (value: Json) => unknown) => {
    const unknown = Object.entries(objectIn(load(), name)).filter(([, value]) => parse(value) === undefined);
    return change(name, { ...Object.fromEntries(unknown), ...values });
  };
  const [bookmarks, recent] = [parseOnChange(listParser(parseBookmark)), parseOnChange(listParser(parseRoute))];
  const lists = parseOnChange(recordParser(parseListSettings));
  const switches = parseOnChange(recordParser(parseSwitch));
  return {
    bookmarks: () => bookmarks(load().bookmarks),
    setBookmarks: (all) => changeList("bookmarks", all.map(toJson), parseBookmark, MAX_BOOKMARKS),
    recent: () => recent(load().recent),
    setRecent: (routes) => changeList("recent", routes.map(toJson), parseRoute, MAX_RECENT),
    lists: () => lists(load().lists),
    setLists: (all) => changeRecord("lists", all as Readonly<Record<string, JsonObject>>, parseListSettings),
    switches: () => switches(load().switches),
    setSwitch: (name, isOn) => change("switches", { ...objectIn(load(), "switches"), [name]: isOn }),
  };
}

type Parser<T> = (value: Json | undefined) => T;

/** Returns a parser that returns the same result for the same value: components compare it. */
function parseOnChange<T>(parse: Parser<T>): Parser<T> {
  let last: { readonly value: Json | undefined; readonly result: T } | undefined;
  return (value) => {
    if (last === undefined || last.value !== value) last = { value, result: parse(value) };
    return last.result;
  };
}

/** Returns the parser of a list; items that are unknown are skipped. */
const listParser =
  <T>(parse: Parser<T | undefined>): Parser<readonly T[]> =>
  (value) =>
    listOf(value).flatMap((item) => parse(item) ?? []);

/** Returns the parser of named values; values that are unknown are skipped. */
const recordParser =
  <T>(parse: Parser<T | undefined>): Parser<Readonly<Record<string, T>>> =>
  (value) =>
    Object.fromEntries(
      Object.entries(isObject(value) ? value : {}).flatMap(([name, inner]) => {
        const parsed = parse(inner);
        return parsed === undefined ? [] : [[name, parsed]];
      }),
    );

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

function objectIn(data: JsonObject, key: string): JsonObject {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  return isObject(value) ? value : {};
}

/** Returns what is saved as it is in the file. */
const toJson = (value: Route | Bookmark): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

/** Maximum length of a text in characters; identifiers and names are far shorter. */
const MAX_TEXT_LENGTH = 500;
/** Maximum number of items read from a list. */
const MAX_ITEMS = 100;

const isShortText = (value: Json | undefined): value is string =>
  typeof value === "string" && value !== "" && value.length <= MAX_TEXT_LENGTH;

/** Reads a route; undefined when this version does not know it. */
function parseRoute(value: Json | undefined): Route | undefined {
  if (!isObject(value)) return undefined;
  const { kind, page, entity, id, tab, others, endpointRoute, params } = value;
  if (kind === "page") return PAGE_NAMES.some((known) => known === page) ? { kind, page: page as PageName } : undefined;
  if (kind === "entity") {
    if (!isShortText(id) || !ENTITY_KINDS.some((known) => known === entity)) return undefined;
    const compared = isArray(others) && others.length < MAX_COMPARED && others.every(isShortText) ? { others } : {};
    return { kind, entity: entity as EntityKind, id, ...(isShortText(tab) ? { tab } : {}), ...compared };
  }
  if (kind !== "endpoint" || !isShortText(endpointRoute)) return undefined;
  const endpoint = endpointByRoute(endpointRoute);
  return endpoint && { kind, endpointRoute: endpoint.route, params: parseParams(params) };
}

/** Reads parameters: texts, numbers and switches, and lists of them; others are skipped. */
function parseParams(value: Json | undefined): ParameterValues {
  const isScalar = (one: Json) => typeof one === "number" || typeof one === "boolean" || isShortText(one);
  const isKnown = (one: Json) => (isArray(one) ? one.length <= MAX_ITEMS && one.every(isScalar) : isScalar(one));
  return Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([, one]) => isKnown(one)));
}

/** Maximum length of the state of a bookmark in characters of JSON: far more than filters and columns have. */
const MAX_STATE_LENGTH = 50_000;

const isKeptState = (state: Json | undefined): state is JsonObject =>
  isObject(state) && Object.keys(state).length > 0 && JSON.stringify(state).length <= MAX_STATE_LENGTH;

/** Reads a bookmark; undefined when it is not one. The parts of the page check their states. */
function parseBookmark(value: Json | undefined): Bookmark | undefined {
  if (!isObject(value)) return undefined;
  const route = parseRoute(value.route);
  const { name, state } = value;
  const seen = parseLook(value.seen);
  if (!route || !isShortText(name)) return undefined;
  return { route, name, ...(isKeptState(state) && { state }), ...(seen && { seen }) };
}

const parseSwitch = (value: Json | undefined) => (typeof value === "boolean" ? value : undefined);
