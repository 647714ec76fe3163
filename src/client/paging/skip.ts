/**
 * Starts lists at any row. Where pages have numbers or offsets, the first request is of the page that has the row; the
 * rows before it are left out. Lists with a cursor, and those of a single answer, are read from their start.
 */
import type { JsonObject } from "../../base/index.ts";
import { type Endpoint, findParamByRole, type Param, type ParameterValues } from "../../catalogue/index.ts";
import type { Page, PagingOptions } from "./page.ts";
import { integerParam } from "./page-strategy.ts";

/** A list that starts at a row of a page. */
interface ListStart<Options> {
  readonly params: ParameterValues;
  readonly options: Options;
  /** Rows of the list to leave out. */
  readonly skip: number;
}

/**
 * Returns the parameters and options that read a list from a row. Of the sizes of pages, it selects the one that needs
 * the fewest requests. A page among the parameters counts rows in pages of the requested size, else of the default.
 */
export function startAtRow<O extends PagingOptions>(
  endpoint: Endpoint,
  params: ParameterValues,
  options: O,
): ListStart<O> {
  const { skip = 0, limit } = options;
  const [offset] = findParamByRole(endpoint, "offset") ?? [];
  const [page] = findParamByRole(endpoint, "page") ?? [];
  if (offset !== undefined)
    return {
      params: skip === 0 ? params : { ...params, [offset]: (integerParam(params, offset) ?? 0) + skip },
      options,
      skip: 0,
    };
  const first = page === undefined ? undefined : pageOfRow(endpoint, params, options);
  const rest = first ? first.skip : skip;
  return {
    params: { ...params, ...first?.params },
    options: limit === undefined || !(limit >= 1) ? options : { ...options, limit: limit + rest },
    skip: rest,
  };
}

/** Returns the page where reading starts, as parameters, and the rows of it to leave out; undefined for the first one. */
function pageOfRow(endpoint: Endpoint, params: ParameterValues, { skip = 0, limit, all }: PagingOptions) {
  const [page = "page"] = findParamByRole(endpoint, "page") ?? [];
  const [name, size] = findParamByRole(endpoint, "size") ?? [];
  if (name === undefined || size === undefined) return undefined;
  const requested = integerParam(params, name);
  const standard = Number(requested ?? size.default);
  const start = ((integerParam(params, page) ?? 1) - 1) * standard + skip;
  const isPage = skip === 0 && (requested !== undefined || (limit === undefined && !all));
  if (start === 0 || isPage || !Number.isSafeInteger(start)) return undefined;
  const rows = limit ?? Number.MAX_SAFE_INTEGER;
  const requests = (one: number) => Math.ceil(((start % one) + rows) / one);
  const cost = (one: number) => requests(one) + (start % one) / (start + 1);
  const sizes = requested === undefined ? sizesOf(size) : [requested];
  const best = sizes.reduce((a, b) => (cost(b) < cost(a) ? b : a));
  return { params: { [page]: Math.floor(start / best) + 1, [name]: best }, skip: start % best };
}

/** Returns the valid sizes of pages, the smallest first. */
function sizesOf({ values, min = 1, max = min }: Param): readonly number[] {
  if (values) return values.map(Number).toSorted((a, b) => a - b);
  return Array.from({ length: max - min + 1 }, (_, at) => min + at);
}

/** Leaves out the first rows of a list; of one with the oldest row first, the last ones. */
export async function* skipRows(
  pages: AsyncIterable<Page>,
  { oldestFirst }: Endpoint,
  { skip, resume }: { readonly skip: number; readonly resume: JsonObject | undefined },
): AsyncGenerator<Page, void> {
  let left = resume === undefined ? skip : Number(resume.skip ?? 0);
  for await (const page of pages) {
    const count = Math.min(left, page.rows.length);
    left -= count;
    const [rest, { rows, state }] = [left, page];
    // In place: a page is large, and whoever reads it empties it.
    if (count > 0) Object.assign(page, { rows: oldestFirst ? rows.slice(0, -count) : rows.slice(count) });
    if (rest > 0) Object.assign(page, { state: () => ({ ...state(), skip: rest }) });
    yield page;
  }
}
