/** What a list remembers, and what keys make of it. Pure functions: however fast keys come, each builds on the last. */

import type { Json } from "../../../base/json.ts";
import type { ParameterValues } from "../../../catalogue/index.ts";
import { itemAfter, type Movement, scrollTop } from "../viewport.ts";
import { sideWindow } from "./column-layout.ts";
import { FIRST_PAGE, type Spot } from "./paging.ts";

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
export interface Arrived {
  /** The newest one: what was asked, the answer itself, its rows. */
  readonly request: string;
  readonly answer: object;
  readonly keys: readonly string[];
  /** Rows that a refresh brought. */
  readonly fresh: ReadonlySet<string>;
  /** The answers so far, and what they cost. */
  readonly paid: ReadonlySet<string>;
  readonly requests: number;
  readonly units: number;
}

/** What a list remembers. */
export interface ListState {
  /** The row of the cursor by its identity, and its place where that row is gone. */
  readonly rowKey: string | undefined;
  readonly row: number;
  /** The first row and the first column (after the frozen one) on view. */
  readonly first: number;
  readonly left: number;
  readonly column: number;
  readonly filter: string;
  readonly prompt: Prompt | undefined;
  readonly sort: ListSort | undefined;
  /** Marked rows by their identity, of all pages. */
  readonly marks: ReadonlyMap<string, Json>;
  /** The size of the pages, as a parameter: it stays when the window changes. */
  readonly size: ParameterValues | undefined;
  readonly spot: Spot;
  /** The pages on the way here. */
  readonly trail: readonly Spot[];
  /** What the filter form asks; undefined where it was not used. */
  readonly asked: ParameterValues | undefined;
  readonly hasPreview: boolean;
  readonly isAuto: boolean;
  /** The columns that the user chose on this visit. */
  readonly chosen: readonly string[] | undefined;
  readonly arrived: Arrived | undefined;
}

/** What a list remembers at first. */
export const LIST_START: ListState = {
  rowKey: undefined,
  row: 0,
  first: 0,
  left: 1,
  column: 0,
  filter: "",
  prompt: undefined,
  sort: undefined,
  marks: new Map(),
  size: undefined,
  spot: FIRST_PAGE,
  trail: [],
  asked: undefined,
  hasPreview: false,
  isAuto: false,
  chosen: undefined,
  arrived: undefined,
};

/** What is on view while a key is pressed. */
export interface Sight {
  /** The identities of the rows, filtered and sorted. */
  readonly keys: readonly string[];
  /** Lines for rows. */
  readonly height: number;
  /** The narrowest widths of the columns, and the room for them. */
  readonly least: readonly number[];
  readonly width: number;
}

/** The place of the cursor among rows: its own row where that is still there. */
export function selectedRow({ rowKey, row }: ListState, keys: readonly string[]): number {
  const own = rowKey === undefined ? -1 : keys.indexOf(rowKey);
  return own >= 0 ? own : Math.max(0, Math.min(row, keys.length - 1));
}

/** Moves the cursor to a row. */
export function toRow(state: ListState, row: number, { keys, height }: Sight): ListState {
  const to = Math.max(0, Math.min(row, keys.length - 1));
  return { ...state, row: to, rowKey: keys[to], first: scrollTop({ count: keys.length }, height, state.first, to) };
}

/** Moves the cursor by some rows. */
export function byRows(state: ListState, rows: number, sight: Sight): ListState {
  return toRow(state, selectedRow(state, sight.keys) + rows, sight);
}

/** Moves the cursor as keys and the wheel do. */
export function moveRows(state: ListState, movement: Movement, sight: Sight): ListState {
  const { keys, height } = sight;
  return toRow(state, itemAfter({ count: keys.length }, height, selectedRow(state, keys), movement), sight);
}

/** Moves the cursor by some columns. */
export function byColumns(state: ListState, columns: number, { least, width }: Sight): ListState {
  const last = Math.max(0, least.length - 1);
  const column = Math.max(0, Math.min(Math.min(state.column, last) + columns, last));
  return { ...state, column, left: sideWindow(least, width, state.left, column) };
}

/** Moves the cursor to a column. */
export function toColumn(state: ListState, column: number, sight: Sight): ListState {
  return byColumns({ ...state, column }, 0, sight);
}

/** Other rows from the start: the cursor and the pages begin anew. */
function anew(state: ListState): ListState {
  return { ...state, row: 0, rowKey: undefined, first: 0, spot: FIRST_PAGE, trail: [] };
}

/** Goes on to a page. */
export function toPage(state: ListState, spot: Spot): ListState {
  return { ...anew(state), spot, trail: [...state.trail, state.spot] };
}

/** Goes back to the page before; `fallback` where the way here does not tell. */
export function backPage(state: ListState, fallback: Spot): ListState {
  return { ...anew(state), spot: state.trail.at(-1) ?? fallback, trail: state.trail.slice(0, -1) };
}

/** A column that may be sorted by. */
export interface SortChoice {
  readonly column: string;
  /** Whether the first look is from the greatest down. */
  readonly greatestFirst: boolean;
  /** The sort key of the API, and whether it sorts upwards as well. */
  readonly api: string | undefined;
  readonly apiAscends: boolean;
}

/** Sorts by a column: in one direction, then in the other, then not at all. */
export function sortBy(state: ListState, choice: SortChoice): ListState {
  const { sort } = state;
  const { column, api, apiAscends } = choice;
  const isSame = sort?.column === column;
  const first = choice.greatestFirst || api !== undefined;
  if (isSame && sort.isDescending !== first) return afterSort(state, undefined);
  const isDescending = isSame ? !first : first;
  return afterSort(state, { column, isDescending, api: isDescending || apiAscends ? api : undefined });
}

/** Where the API sorts, pages begin anew; on one page the cursor goes to the first row. */
function afterSort(state: ListState, sort: ListSort | undefined): ListState {
  const next = { ...state, sort, row: 0, rowKey: undefined, first: 0 };
  return (state.sort?.api ?? sort?.api) === undefined ? next : anew(next);
}

/** Another filter of this page. */
export function withFilter(state: ListState, filter: string): ListState {
  return { ...state, filter, first: 0 };
}

/** Asks what the filter form says: other rows from the first page on. */
export function withAsked(state: ListState, asked: ParameterValues | undefined): ListState {
  return { ...anew(state), asked, filter: "", marks: new Map() };
}

/** Marks a row, or takes the mark away, and goes to the next one. */
export function toggleMark(state: ListState, row: Json, sight: Sight): ListState {
  const key = sight.keys[selectedRow(state, sight.keys)];
  if (key === undefined) return state;
  const marks = new Map(state.marks);
  if (!marks.delete(key)) marks.set(key, row);
  return byRows({ ...state, marks }, 1, sight);
}

/** An answer that came. */
export interface News {
  /** What was asked, and which of its answers this is. */
  readonly request: string;
  readonly answer: object;
  /** When it came, in milliseconds since the epoch: the same answer is paid once. */
  readonly at: number;
  readonly keys: readonly string[];
  readonly units: number;
}

/** An answer that came: what it brought that the one before to the same request had not, and what it cost. */
export function withAnswer(state: ListState, news: News): ListState {
  const { request, answer, keys, units } = news;
  const { arrived = NOTHING_YET } = state;
  if (arrived.request === request && arrived.answer === answer) return state;
  const before = arrived.request === request ? new Set(arrived.keys) : undefined;
  const fresh = new Set(before ? keys.filter((key) => !before.has(key)) : []);
  const visit = `${request} ${news.at}`;
  const isPaid = arrived.paid.has(visit) || units === 0;
  return {
    ...state,
    arrived: {
      request,
      answer,
      keys,
      fresh,
      paid: new Set(arrived.paid).add(visit),
      requests: arrived.requests + (isPaid ? 0 : 1),
      units: arrived.units + (isPaid ? 0 : units),
    },
  };
}

const NOTHING_YET: Arrived = {
  request: "",
  answer: {},
  keys: [],
  fresh: new Set(),
  paid: new Set(),
  requests: 0,
  units: 0,
};

/** Types at the bottom. */
export function typed(state: ListState, text: string): ListState {
  if (state.prompt?.kind === "filter") return withFilter(state, state.filter + text);
  if (state.prompt?.kind !== "page") return state;
  const digits = text.replace(/\D/g, "");
  return { ...state, prompt: { kind: "page", text: (state.prompt.text + digits).slice(0, 9) } };
}

/** Takes the last character away; from an empty line, the line itself. */
export function erased(state: ListState): ListState {
  const { prompt } = state;
  const text = prompt?.kind === "page" ? prompt.text : state.filter;
  if (text === "") return { ...state, prompt: undefined };
  const rest = [...text].slice(0, -1).join("");
  return prompt?.kind === "page" ? { ...state, prompt: { kind: "page", text: rest } } : withFilter(state, rest);
}
