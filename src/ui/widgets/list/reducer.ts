/** What a list remembers, and what keys make of it. Pure functions: however fast keys come, each builds on the last. */

import type { Json } from "../../../base/json.ts";
import type { ParameterValues } from "../../../catalogue/index.ts";
import { itemAfter, type Movement, scrollTop } from "../viewport.ts";
import { firstScrolledColumn } from "./column-layout.ts";
import { FIRST_PAGE, type PageRef } from "./paging.ts";

/** The order that the user chose. */
export interface ListSort {
  /** The key of the column. */
  readonly column: string;
  readonly isDescending: boolean;
  /** The sort key of the API; undefined where only this page is sorted. */
  readonly api: string | undefined;
}

/** What is typed at the bottom. */
export type Prompt = { readonly kind: "filter" } | { readonly kind: "page"; readonly text: string };

/** What the answers so far were. */
export interface AnswerHistory {
  /** The newest one: what was asked, the answer itself, its rows. */
  readonly request: string;
  readonly answer: object;
  readonly keys: readonly string[];
  /** Rows that a refresh brought. */
  readonly newKeys: ReadonlySet<string>;
  /** The answers so far, and what they cost. */
  readonly counted: ReadonlySet<string>;
  readonly requests: number;
  readonly units: number;
}

/** What a list remembers. */
export interface ListState {
  /** The row of the cursor by its identity, and its place where that row is gone. */
  readonly rowKey: string | undefined;
  readonly row: number;
  /** The first row and the first column (after the frozen one) on view. */
  readonly top: number;
  readonly firstScrolled: number;
  readonly column: number;
  readonly filter: string;
  readonly prompt: Prompt | undefined;
  readonly sort: ListSort | undefined;
  /** Marked rows by their identity, of all pages. */
  readonly marks: ReadonlyMap<string, Json>;
  /** The size of the pages, as a parameter: it stays when the window changes. */
  readonly pageSize: ParameterValues | undefined;
  readonly page: PageRef;
  /** The pages on the way here. */
  readonly pageHistory: readonly PageRef[];
  /** What the filter form asks; undefined where it was not used. */
  readonly formParams: ParameterValues | undefined;
  readonly hasPreview: boolean;
  readonly isAutoRefreshing: boolean;
  /** The columns that the user chose on this visit. */
  readonly chosenColumns: readonly string[] | undefined;
  readonly answers: AnswerHistory | undefined;
}

/** What a list remembers at first. */
export const INITIAL_LIST_STATE: ListState = {
  rowKey: undefined,
  row: 0,
  top: 0,
  firstScrolled: 1,
  column: 0,
  filter: "",
  prompt: undefined,
  sort: undefined,
  marks: new Map(),
  pageSize: undefined,
  page: FIRST_PAGE,
  pageHistory: [],
  formParams: undefined,
  hasPreview: false,
  isAutoRefreshing: false,
  chosenColumns: undefined,
  answers: undefined,
};

/** What is on view while a key is pressed. */
export interface Viewport {
  /** The identities of the rows, filtered and sorted. */
  readonly keys: readonly string[];
  /** Lines for rows. */
  readonly height: number;
  /** The narrowest widths of the columns, and the room for them. */
  readonly minWidths: readonly number[];
  readonly width: number;
}

/** The place of the cursor among rows: its own row where that is still there. */
export function selectedRow({ rowKey, row }: ListState, keys: readonly string[]): number {
  const ofKey = rowKey === undefined ? -1 : keys.indexOf(rowKey);
  return ofKey >= 0 ? ofKey : Math.max(0, Math.min(row, keys.length - 1));
}

/** Moves the cursor to a row. */
export function moveToRow(state: ListState, row: number, { keys, height }: Viewport): ListState {
  const to = Math.max(0, Math.min(row, keys.length - 1));
  return { ...state, row: to, rowKey: keys[to], top: scrollTop({ count: keys.length }, height, state.top, to) };
}

/** Moves the cursor by some rows. */
export function moveByRows(state: ListState, rows: number, viewport: Viewport): ListState {
  return moveToRow(state, selectedRow(state, viewport.keys) + rows, viewport);
}

/** Moves the cursor as keys and the wheel do. */
export function moveCursor(state: ListState, movement: Movement, viewport: Viewport): ListState {
  const { keys, height } = viewport;
  return moveToRow(state, itemAfter({ count: keys.length }, height, selectedRow(state, keys), movement), viewport);
}

/** Moves the cursor by some columns. */
export function moveByColumns(state: ListState, columns: number, { minWidths, width }: Viewport): ListState {
  const last = Math.max(0, minWidths.length - 1);
  const column = Math.max(0, Math.min(Math.min(state.column, last) + columns, last));
  return { ...state, column, firstScrolled: firstScrolledColumn(minWidths, width, state.firstScrolled, column) };
}

/** Moves the cursor to a column. */
export function moveToColumn(state: ListState, column: number, viewport: Viewport): ListState {
  return moveByColumns({ ...state, column }, 0, viewport);
}

/** Other rows from the start: the cursor and the pages begin anew. */
function toFirstPage(state: ListState): ListState {
  return { ...state, row: 0, rowKey: undefined, top: 0, page: FIRST_PAGE, pageHistory: [] };
}

/** Goes on to a page. */
export function openPage(state: ListState, page: PageRef): ListState {
  return { ...toFirstPage(state), page, pageHistory: [...state.pageHistory, state.page] };
}

/** Goes back to the page before; `fallback` where the way here does not tell. */
export function openPreviousPage(state: ListState, fallback: PageRef): ListState {
  return {
    ...toFirstPage(state),
    page: state.pageHistory.at(-1) ?? fallback,
    pageHistory: state.pageHistory.slice(0, -1),
  };
}

/** A column that may be sorted by. */
export interface SortChoice {
  readonly column: string;
  /** Whether the first look is from the greatest down. */
  readonly highestFirst: boolean;
  /** The sort key of the API, and whether it sorts upwards as well. */
  readonly api: string | undefined;
  readonly apiAscends: boolean;
}

/** Sorts by a column: in one direction, then in the other, then not at all. */
export function sortBy(state: ListState, choice: SortChoice): ListState {
  const { sort } = state;
  const { column, api, apiAscends } = choice;
  const isSame = sort?.column === column;
  const first = choice.highestFirst || api !== undefined;
  if (isSame && sort.isDescending !== first) return afterSort(state, undefined);
  const isDescending = isSame ? !first : first;
  return afterSort(state, { column, isDescending, api: isDescending || apiAscends ? api : undefined });
}

/** Where the API sorts, pages begin anew; on one page the cursor goes to the first row. */
function afterSort(state: ListState, sort: ListSort | undefined): ListState {
  const next = { ...state, sort, row: 0, rowKey: undefined, top: 0 };
  return (state.sort?.api ?? sort?.api) === undefined ? next : toFirstPage(next);
}

/** Another filter of this page. */
export function withFilter(state: ListState, filter: string): ListState {
  return { ...state, filter, top: 0 };
}

/** Asks what the filter form says: other rows from the first page on. */
export function withFormParams(state: ListState, formParams: ParameterValues | undefined): ListState {
  return { ...toFirstPage(state), formParams, filter: "", marks: new Map() };
}

/** Marks a row, or takes the mark away, and goes to the next one. */
export function toggleMark(state: ListState, row: Json, viewport: Viewport): ListState {
  const key = viewport.keys[selectedRow(state, viewport.keys)];
  if (key === undefined) return state;
  const marks = new Map(state.marks);
  if (!marks.delete(key)) marks.set(key, row);
  return moveByRows({ ...state, marks }, 1, viewport);
}

/** An answer that came. */
export interface AnswerEvent {
  /** What was asked, and which of its answers this is. */
  readonly request: string;
  readonly answer: object;
  /** When it came, in milliseconds since the epoch: the same answer is paid once. */
  readonly at: number;
  readonly keys: readonly string[];
  readonly units: number;
}

/** An answer that came: what it brought that the one before to the same request had not, and what it cost. */
export function withAnswer(state: ListState, event: AnswerEvent): ListState {
  const { request, answer, keys, units } = event;
  const { answers = NO_ANSWERS } = state;
  if (answers.request === request && answers.answer === answer) return state;
  const before = answers.request === request ? new Set(answers.keys) : undefined;
  const newKeys = new Set(before ? keys.filter((key) => !before.has(key)) : []);
  const id = `${request} ${event.at}`;
  const isCounted = answers.counted.has(id) || units === 0;
  return {
    ...state,
    answers: {
      request,
      answer,
      keys,
      newKeys,
      counted: new Set(answers.counted).add(id),
      requests: answers.requests + (isCounted ? 0 : 1),
      units: answers.units + (isCounted ? 0 : units),
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

/** Types at the bottom. */
export function typeText(state: ListState, text: string): ListState {
  if (state.prompt?.kind === "filter") return withFilter(state, state.filter + text);
  if (state.prompt?.kind !== "page") return state;
  const digits = text.replace(/\D/g, "");
  return { ...state, prompt: { kind: "page", text: (state.prompt.text + digits).slice(0, 9) } };
}

/** Takes the last character away; from an empty line, the line itself. */
export function eraseCharacter(state: ListState): ListState {
  const { prompt } = state;
  const text = prompt?.kind === "page" ? prompt.text : state.filter;
  if (text === "") return { ...state, prompt: undefined };
  const rest = [...text].slice(0, -1).join("");
  return prompt?.kind === "page" ? { ...state, prompt: { kind: "page", text: rest } } : withFilter(state, rest);
}
