/**
 * What the explorer remembers between runs: bookmarks, recent places, chosen columns. One JSON file in the state
 * folder, a section for each set of data, so that the sandbox never mixes with the chain. The explorer can do without:
 * whatever is wrong with the file is logged, and the session goes on with what it holds itself.
 */
import { renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { toSentence } from "../../base/errors.ts";
import { isArray, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { readJsonFile } from "../../config/file.ts";
import type { Paths } from "../../config/paths.ts";
import { updateJsonFile } from "../../config/write.ts";
import type { Route } from "../../ui/app/route.ts";
import type { Bookmark, ExplorerMemory } from "../../ui/app/services.ts";
import { bookmarkToJson, parseBookmark, parseColumns, parseRoute, routeToJson } from "./memory-json.ts";
/** Two processes that change one list: what each added and took away counts, whoever writes last. Pure. */

/**
 * The list that is wanted, with what others added since `before` and without what others took away.
 * @param before what was there when it was last looked at
 * @param current what is there now
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

/** The same for named values: of each name, the value of who changed it. Names that were taken away become empty lists. */
export function mergeRecords(
  before: Readonly<Record<string, readonly string[]>>,
  local: Readonly<Record<string, readonly string[]>>,
  current: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> {
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(local[name]);
  const names = new Set([...Object.keys(before), ...Object.keys(local)]);
  const changes = [...names].filter(isChanged).map((name) => [name, local[name] ?? []] as const);
  return { ...current, ...Object.fromEntries(changes) };
}

export interface MemoryOptions {
  readonly paths: Pick<Paths, "state">;
  /** Whose data it is: the profile with its server, or the sandbox with its seed. */
  readonly scope: string;
  /** Takes a line about what could not be read or written. */
  readonly log: (text: string) => void;
}

/** Recent places that are kept. */
const MAX_RECENT = 100;
/** Bookmarks that are kept: the file has to stay readable. */
const MAX_BOOKMARKS = 1000;

/** Milliseconds before a change is written: the screen goes first, and several changes become one. */
const WRITE_DELAY_MS = 50;

/** The file; undefined without a state folder. */
export function memoryFilePath({ state }: Pick<Paths, "state">): string | undefined {
  return state && join(state, "explorer.json");
}

/** What is remembered, as it stands in a section of the file. */
interface MemoryState {
  readonly bookmarks: readonly Bookmark[];
  readonly recent: readonly Route[];
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

const EMPTY: MemoryState = { bookmarks: [], recent: [], columns: {} };

/**
 * The memory. The file is read when something is first asked for. Changes count at once and are written behind; what
 * another process wrote since is kept. The promises resolve when a change is written, or logged as lost.
 */
export function createMemory({ paths, scope, log }: MemoryOptions): ExplorerMemory {
  const path = memoryFilePath(paths);
  /** What the file held when it was last read or written: the changes of this process are told by it. */
  let savedState: MemoryState | undefined;
  let state = EMPTY;
  let writing: Promise<void> | undefined;

  const loadState = (): MemoryState => {
    if (savedState === undefined) {
      savedState = path === undefined ? EMPTY : parseSection(sectionOf(read(path, log), scope));
      state = savedState;
    }
    return state;
  };
  const write = async (): Promise<void> => {
    await delay(WRITE_DELAY_MS);
    // All that changes while the file is being written is written together, once more.
    while (path !== undefined && savedState !== undefined && savedState !== state) {
      const [before, local] = [savedState, state];
      let after = local;
      const problem = await attempt(() =>
        updateJsonFile(path, (data) => {
          const section = mergeSection(sectionOf(data, scope), before, local);
          after = parseSection(section);
          return { ...data, scopes: { ...objectIn(data, "scopes"), [scope]: section } };
        }),
      );
      if (problem) {
        log(`The explorer's memory was not saved: ${toSentence(problem)}`);
        return;
      }
      // What changed meanwhile is told by what was wanted before: what others added was not taken away by it.
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
  };
}

/** The whole file; nothing where there is none. A damaged one is moved aside, never written over. */
function read(path: string, log: (text: string) => void): JsonObject {
  const { data, problem, mode } = readJsonFile(path);
  if (!problem) return data;
  log(`The explorer's memory was not read: ${problem.message}`);
  // What the system does not give to read may be whole; only what is no such file is moved.
  if (mode !== undefined && problem.cause === undefined) moveAside(path, log);
  return {};
}

function moveAside(path: string, log: (text: string) => void): void {
  const aside = `${path}.damaged-${Date.now()}`;
  try {
    renameSync(path, aside);
    log(`It was kept as ${aside}.`);
  } catch (error) {
    log(`It could not be moved away: ${toSentence(error as Error)}`);
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

function listIn(section: JsonObject, key: string): readonly Json[] {
  const value = section[key];
  return isArray(value) ? value : [];
}

/** What of a section this version understands. */
function parseSection(section: JsonObject): MemoryState {
  return {
    bookmarks: listIn(section, "bookmarks").flatMap((item) => parseBookmark(item) ?? []),
    recent: listIn(section, "recent")
      .flatMap((item) => parseRoute(item) ?? [])
      .slice(0, MAX_RECENT),
    columns: parseColumns(section.columns),
  };
}

/** The section with the changes of this process; what it does not understand stays. */
function mergeSection(section: JsonObject, before: MemoryState, local: MemoryState): JsonObject {
  const { bookmarks, recent, columns } = parseSection(section);
  const unknownItems = (key: string, known: (item: Json) => unknown) =>
    listIn(section, key).filter((item) => known(item) === undefined);
  const bookmarkKey = ({ route: place }: Bookmark) => JSON.stringify(routeToJson(place));
  const routeKey = (place: Route) => JSON.stringify(routeToJson(place));
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
    columns: { ...objectIn(section, "columns"), ...mergeRecords(before.columns, local.columns, columns) },
  };
}
