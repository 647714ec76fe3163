/** The state of a list and its transitions. Pure: each key builds on the latest state, however fast keys arrive. */

import type { ParameterValues } from "../../../catalogue/index.ts";
import type { ColumnWidths } from "./column-layout.ts";
import { FIRST_PAGE, type PageRef } from "./paging.ts";
import { INITIAL_ROWS, type RowsState, type SortChoice, sortBy, toFirstRow, withFilter } from "./rows.ts";

/** The input at the bottom. */
export type ListPrompt =
  | { readonly kind: "filter" }
  /** The number of a page to open, or of pages to load; nothing stands for all pages. */
  | { readonly kind: "page" | "load"; readonly text: string };

interface AnswerHistory {
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
interface LoadedList {
  /** Its parameters without those of a page, and those of the page that was displayed. */
  readonly params: ParameterValues;
  readonly queryParams: ParameterValues;
}

/** The request of a list, as the user changed it. */
export interface ListQuery {
  /** The page size as a parameter; it does not change with the window. */
  readonly pageSize: ParameterValues | undefined;
  readonly page: PageRef;
  /** The pages that were opened before this one. */
  readonly pageHistory: readonly PageRef[];
  /** The parameters of the filter form; undefined when it was not used. */
  readonly formParams: ParameterValues | undefined;
  /** The list that is loaded beyond one page; undefined while pages are shown. */
  readonly loaded: LoadedList | undefined;
}

/** The state of a list. */
export interface ListState {
  readonly rows: RowsState;
  readonly query: ListQuery;
  readonly prompt: ListPrompt | undefined;
  readonly isAutoRefreshing: boolean;
  /** The columns that the user chose for this history entry. */
  readonly chosenColumns: readonly string[] | undefined;
  /** The widths that the user chose for this history entry, by column. */
  readonly widths: ColumnWidths | undefined;
  readonly answers: AnswerHistory | undefined;
}

/** The initial state. */
export const INITIAL_LIST_STATE: ListState = {
  rows: INITIAL_ROWS,
  query: { pageSize: undefined, page: FIRST_PAGE, pageHistory: [], formParams: undefined, loaded: undefined },
  prompt: undefined,
  isAutoRefreshing: false,
  chosenColumns: undefined,
  widths: undefined,
  answers: undefined,
};

/** Changes the rows of a list. */
export function withRows(state: ListState, change: (before: RowsState) => RowsState): ListState {
  const rows = change(state.rows);
  return rows === state.rows ? state : { ...state, rows };
}

/** Changes the request of a list; its first row is selected. */
function withQuery(state: ListState, query: Partial<ListQuery>): ListState {
  return { ...state, rows: toFirstRow(state.rows), query: { ...state.query, ...query } };
}

const TO_FIRST_PAGE = { page: FIRST_PAGE, pageHistory: [] } as const satisfies Partial<ListQuery>;

/** Opens a page. */
export function openPage(state: ListState, page: PageRef): ListState {
  return withQuery(state, { page, pageHistory: [...state.query.pageHistory, state.query.page] });
}

/** Opens the previous page; `fallback` when the page history is empty. */
export function openPreviousPage(state: ListState, fallback: PageRef): ListState {
  const { pageHistory } = state.query;
  return withQuery(state, { page: pageHistory.at(-1) ?? fallback, pageHistory: pageHistory.slice(0, -1) });
}

/** Cycles the order of a column; when the API sorts, the list starts at its first page. */
export function sortList(state: ListState, choice: SortChoice): ListState {
  const next = withRows(state, (rows) => sortBy(rows, choice));
  const isOfApi = (state.rows.sort?.api ?? next.rows.sort?.api) !== undefined;
  return isOfApi ? withQuery(next, TO_FIRST_PAGE) : next;
}

/** Replaces the parameters with those of the filter form and opens the first page. */
export function withFormParams(state: ListState, formParams: ParameterValues | undefined): ListState {
  const next = withQuery(state, { ...TO_FIRST_PAGE, formParams, loaded: undefined });
  return withRows(next, (rows) => ({ ...rows, marks: new Map() }));
}

/** Shows the rows that are loaded of a list; undefined shows its first page. */
export function withLoaded(state: ListState, loaded: LoadedList | undefined): ListState {
  return loaded
    ? { ...state, query: { ...state.query, loaded } }
    : withQuery(state, { ...TO_FIRST_PAGE, loaded: undefined });
}

interface AnswerEvent {
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

/** Changes the text of the prompt; undefined closes it. */
export function editPrompt(state: ListState, change: (before: string) => string | undefined): ListState {
  const { prompt, rows } = state;
  if (!prompt) return state;
  const text = change(prompt.kind === "filter" ? rows.filter : prompt.text);
  if (text === undefined) return { ...state, prompt: undefined };
  if (prompt.kind === "filter") return withRows(state, (before) => withFilter(before, text));
  return { ...state, prompt: { ...prompt, text: text.replace(/\D/g, "").slice(0, MAX_DIGITS) } };
}

const MAX_DIGITS = 9;
