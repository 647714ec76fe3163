/** The state of a list and its transitions. Pure: each key builds on the latest state, however fast keys arrive. */

import type { Json } from "../../../base/index.ts";
import type { ParameterValues } from "../../../catalogue/index.ts";
import { itemAfter, type Movement, scrollTop } from "../viewport.ts";
import { type ColumnWidths, firstScrolledColumn } from "./column-layout.ts";
import type { CellFilter } from "./filters/cell-filter.ts";
import { FIRST_PAGE, type PageRef } from "./pages/paging.ts";

/** The order that the user chose. */
export interface ListSort {
  /** The key of the column. */
  readonly column: string;
  readonly isDescending: boolean;
  /** The sort key of the API; undefined when the screen sorts the rows it has. */
  readonly api: string | undefined;
}

/** The input at the bottom. */
export type ListPrompt =
  | { readonly kind: "filter" }
  /** The number of a page to open, or of pages to load; nothing stands for all pages. */
  | { readonly kind: "page" | "load"; readonly text: string };

/** The answers so far. */
export interface AnswerHistory {
  /** The latest answer: its request, itself, the keys of its rows. */
  readonly request: string;
  readonly answer: object;
  readonly keys: readonly string[];
  /** Keys of the rows that a refresh added. */
  readonly newKeys: ReadonlySet<string>;
  /** The answers that were counted, and their cost. */
  readonly counted: ReadonlySet<string>;
  readonly requests: number;
  readonly units: number;
}

/** The request of a list when loading began; orders of the screen do not change it. */
export interface LoadedList {
  /** Its parameters without those of a page, and those of the page that was displayed. */
  readonly params: ParameterValues;
  readonly queryParams: ParameterValues;
}

/** The state of a list. */
export interface ListState {
  /** The key of the row at the cursor, and its index when that row is gone. */
  readonly rowKey: string | undefined;
  readonly row: number;
  /** The first visible row and the first visible column after the frozen one. */
  readonly top: number;
  readonly firstScrolled: number;
  /** The column of the cursor; undefined until it is moved, when it is in the column that the list is sorted by. */
  readonly column: number | undefined;
  readonly filter: string;
  /** The values that the rows on the screen are filtered by. */
  readonly cellFilters: readonly CellFilter[];
  readonly prompt: ListPrompt | undefined;
  readonly sort: ListSort | undefined;
  /** Marked rows by key, of all pages. */
  readonly marks: ReadonlyMap<string, Json>;
  /** The page size as a parameter; it does not change with the window. */
  readonly pageSize: ParameterValues | undefined;
  readonly page: PageRef;
  /** The pages that were opened before this one. */
  readonly pageHistory: readonly PageRef[];
  /** The parameters of the filter form; undefined when it was not used. */
  readonly formParams: ParameterValues | undefined;
  /** The list that is loaded beyond one page; undefined while pages are shown. */
  readonly loaded: LoadedList | undefined;
  /** Whether the user opened or closed the preview; undefined for the default. */
  readonly hasPreview: boolean | undefined;
  readonly isAutoRefreshing: boolean;
  /** The columns that the user chose for this history entry. */
  readonly chosenColumns: readonly string[] | undefined;
  /** The widths that the user chose for this history entry, by column. */
  readonly widths: ColumnWidths | undefined;
  readonly answers: AnswerHistory | undefined;
}

/** The initial state. */
export const INITIAL_LIST_STATE: ListState = {
  rowKey: undefined,
  row: 0,
  top: 0,
  firstScrolled: 1,
  column: undefined,
  filter: "",
  cellFilters: [],
  prompt: undefined,
  sort: undefined,
  marks: new Map(),
  pageSize: undefined,
  page: FIRST_PAGE,
  pageHistory: [],
  formParams: undefined,
  loaded: undefined,
  hasPreview: undefined,
  isAutoRefreshing: false,
  chosenColumns: undefined,
  widths: undefined,
  answers: undefined,
};

/** The visible part of a list while a key is pressed. */
export interface Viewport {
  /** The keys of the rows, filtered and sorted. */
  readonly keys: readonly string[];
  /** Number of lines for rows. */
  readonly height: number;
  /** The column of the cursor. */
  readonly columnIndex: number;
  /** Minimum widths of the columns, and the width for them. */
  readonly minWidths: readonly number[];
  readonly width: number;
}

/** Returns the index of the row at the cursor, by its key when that still exists. */
export function selectedRow({ rowKey, row }: ListState, keys: readonly string[]): number {
  const ofKey = rowKey === undefined ? -1 : keys.indexOf(rowKey);
  return ofKey >= 0 ? ofKey : Math.max(0, Math.min(row, keys.length - 1));
}

/** Moves the cursor to a row. */
export function moveToRow(state: ListState, row: number, { keys, height }: Viewport): ListState {
  const to = Math.max(0, Math.min(row, keys.length - 1));
  return { ...state, row: to, rowKey: keys[to], top: scrollTop({ count: keys.length }, height, state.top, to) };
}

/** Moves the cursor by a number of rows. */
export function moveByRows(state: ListState, rows: number, viewport: Viewport): ListState {
  return moveToRow(state, selectedRow(state, viewport.keys) + rows, viewport);
}

/** Moves the cursor by keys and the mouse wheel. */
export function moveCursor(state: ListState, movement: Movement, viewport: Viewport): ListState {
  const { keys, height } = viewport;
  return moveToRow(state, itemAfter({ count: keys.length }, height, selectedRow(state, keys), movement), viewport);
}

/** Moves the cursor by a number of columns. */
export function moveByColumns(
  state: ListState,
  columns: number,
  { minWidths, width, columnIndex }: Viewport,
): ListState {
  const last = Math.max(0, minWidths.length - 1);
  const column = Math.max(0, Math.min(Math.min(state.column ?? columnIndex, last) + columns, last));
  return { ...state, column, firstScrolled: firstScrolledColumn(minWidths, width, state.firstScrolled, column) };
}

/** Moves the cursor to a column. */
export function moveToColumn(state: ListState, column: number, viewport: Viewport): ListState {
  return moveByColumns({ ...state, column }, 0, viewport);
}

/** Resets the cursor and the pages for other rows. */
function toFirstPage(state: ListState): ListState {
  return { ...state, row: 0, rowKey: undefined, top: 0, page: FIRST_PAGE, pageHistory: [] };
}

/** Opens a page. */
export function openPage(state: ListState, page: PageRef): ListState {
  return { ...toFirstPage(state), page, pageHistory: [...state.pageHistory, state.page] };
}

/** Opens the previous page; `fallback` when the page history is empty. */
export function openPreviousPage(state: ListState, fallback: PageRef): ListState {
  return {
    ...toFirstPage(state),
    page: state.pageHistory.at(-1) ?? fallback,
    pageHistory: state.pageHistory.slice(0, -1),
  };
}

/** A column that can be sorted by. */
export interface SortChoice {
  readonly column: string;
  /** Whether the first order is from highest to lowest. */
  readonly highestFirst: boolean;
  /** The sort key of the API, and whether the API sorts in ascending order as well. */
  readonly api: string | undefined;
  readonly apiAscends: boolean;
}

/** Cycles the order of a column: first direction, other direction, unsorted. */
export function sortBy(state: ListState, choice: SortChoice): ListState {
  const { sort } = state;
  const { column, api, apiAscends } = choice;
  const isSame = sort?.column === column;
  const first = choice.highestFirst || api !== undefined;
  if (isSame && sort.isDescending !== first) return afterSort(state, undefined);
  const isDescending = isSame ? !first : first;
  return afterSort(state, { column, isDescending, api: isDescending || apiAscends ? api : undefined });
}

/** When the API sorts, the list starts at its first page; otherwise the cursor moves to the first row. */
function afterSort(state: ListState, sort: ListSort | undefined): ListState {
  const next = { ...state, sort, row: 0, rowKey: undefined, top: 0 };
  return (state.sort?.api ?? sort?.api) === undefined ? next : toFirstPage(next);
}

/** Replaces the filter of the page. */
export function withFilter(state: ListState, filter: string): ListState {
  return { ...state, filter, top: 0 };
}

/** Replaces the parameters with those of the filter form and opens the first page. */
export function withFormParams(state: ListState, formParams: ParameterValues | undefined): ListState {
  return { ...toFirstPage(state), formParams, loaded: undefined, marks: new Map() };
}

/** Replaces the filters by values. */
export function withCellFilters(state: ListState, cellFilters: readonly CellFilter[]): ListState {
  return { ...state, cellFilters, row: 0, top: 0 };
}

/** Shows the rows that are loaded of a list; undefined shows its first page. */
export function withLoaded(state: ListState, loaded: LoadedList | undefined): ListState {
  return loaded ? { ...state, loaded } : { ...toFirstPage(state), loaded };
}

/** Marks or unmarks the row at the cursor and moves to the next one. */
export function toggleMark(state: ListState, row: Json, viewport: Viewport): ListState {
  const key = viewport.keys[selectedRow(state, viewport.keys)];
  if (key === undefined) return state;
  const marks = new Map(state.marks);
  if (!marks.delete(key)) marks.set(key, row);
  return moveByRows({ ...state, marks }, 1, viewport);
}

/** An answer that arrived. */
export interface AnswerEvent {
  /** The key of its request, and the answer itself. */
  readonly request: string;
  readonly answer: object;
  /** Time of arrival in milliseconds since the epoch, so that each answer is counted once. */
  readonly at: number;
  readonly keys: readonly string[];
  /** Undefined for an answer from the cache. */
  readonly units: number | undefined;
}

/** Records an answer: the rows that the previous answer to the same request did not have, and its cost. */
export function withAnswer(state: ListState, event: AnswerEvent): ListState {
  const { request, answer, keys, units } = event;
  const { answers = NO_ANSWERS } = state;
  if (answers.request === request && answers.answer === answer) return state;
  const before = answers.request === request ? new Set(answers.keys) : undefined;
  const newKeys = new Set(before ? keys.filter((key) => !before.has(key)) : []);
  const id = `${request} ${event.at}`;
  const cost = answers.counted.has(id) ? undefined : units;
  return {
    ...state,
    answers: {
      request,
      answer,
      keys,
      newKeys,
      counted: new Set(answers.counted).add(id),
      requests: answers.requests + (cost === undefined ? 0 : 1),
      units: answers.units + (cost ?? 0),
    },
  };
}

const NO_ANSWERS: AnswerHistory = {
  request: "",
  answer: {},
  keys: [],
  newKeys: new Set(),
  counted: new Set(),
  requests: 0,
  units: 0,
};

/** Appends text to the prompt. */
export function typeText(state: ListState, text: string): ListState {
  if (state.prompt?.kind === "filter") return withFilter(state, state.filter + text);
  if (!state.prompt) return state;
  const digits = text.replace(/\D/g, "");
  return { ...state, prompt: { ...state.prompt, text: (state.prompt.text + digits).slice(0, 9) } };
}

/** Removes the last character of the prompt; closes an empty prompt. */
export function eraseCharacter(state: ListState): ListState {
  const { prompt } = state;
  if (!prompt) return state;
  const text = prompt.kind === "filter" ? state.filter : prompt.text;
  if (text === "") return { ...state, prompt: undefined };
  const rest = [...text].slice(0, -1).join("");
  return prompt.kind === "filter" ? withFilter(state, rest) : { ...state, prompt: { ...prompt, text: rest } };
}
