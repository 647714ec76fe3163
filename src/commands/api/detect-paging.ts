/**
 * Detects from the first answer how a path is paged that the catalogue does not know:
 *  - by a cursor, if the answer has the field of one, in `data`, in `metadata` or beside them;
 *  - by offset, if the request has `offset`, or `limit` without a page, or the answer repeats `offset`;
 *  - by page number otherwise.
 */
import { isObject, type Json, type JsonObject } from "../../base/index.ts";
import { endpoint as defineEndpoint, type Endpoint, integer, type Param, rows, text } from "../../catalogue/index.ts";
import type { Answer, PreparedRequest } from "../../client/index.ts";

/** Query parameters by name, without brackets. */
export type QueryValues = Readonly<Record<string, string | readonly string[]>>;

/** Fields of answers with the cursor of the next page. The parameter of the next request is `cursor`, or has their name. */
const CURSOR_FIELDS = ["cursor", "next_cursor", "nextCursor"];
const PAGE_SIZES = ["page_size", "pageSize", "per_page", "size"];

/** The parameters of paging, and where a server returns the cursor. */
interface DetectedPaging {
  readonly query: Readonly<Record<string, Param>>;
  readonly cursorAt?: string;
}

/** Returns a path that the catalogue does not know as an endpoint with a list that is not paged. */
export const unpagedEndpoint = (request: PreparedRequest, values: QueryValues): Endpoint =>
  createEndpoint(request, values, { query: {} });

/** Returns a path that the catalogue does not know as an endpoint that is paged as its first answer shows. */
export const detectPaging = (request: PreparedRequest, answer: Answer, values: QueryValues): Endpoint =>
  createEndpoint(request, values, detect(answer, values));

function createEndpoint({ family, path }: PreparedRequest, values: QueryValues, paging: DetectedPaging): Endpoint {
  const params = Object.entries(values).map(([name, value]) => [name, unknownParam(value)] as const);
  return defineEndpoint({
    family,
    path,
    summary: "",
    query: { ...Object.fromEntries(params), ...paging.query },
    returns: rows("Transfer", { total: "total" }),
    columns: [],
    examples: [],
    // Without fields, rows are compared as a whole.
    ...(paging.cursorAt === undefined ? {} : { cursorAt: paging.cursorAt, identity: [] }),
  });
}

function detect(answer: Answer, values: QueryValues): DetectedPaging {
  const echoes = placesBesideRows(answer);
  const cursorAt = CURSOR_FIELDS.find((field) => echoes.some((place) => Object.hasOwn(place, field)));
  if (cursorAt !== undefined) {
    const name = Object.hasOwn(values, cursorAt) ? cursorAt : "cursor";
    return {
      query: { [name]: text("", { role: "cursor" }), ...sizeParam(values, [...PAGE_SIZES, "limit"]) },
      cursorAt,
    };
  }
  const isPaged = [...PAGE_SIZES, "page"].some((name) => Object.hasOwn(values, name));
  const isByOffset =
    Object.hasOwn(values, "offset") ||
    (!isPaged && (Object.hasOwn(values, "limit") || echoes.some((place) => Object.hasOwn(place, "offset"))));
  return isByOffset
    ? { query: { offset: integer("", { min: 0, default: 0, role: "offset" }), ...sizeParam(values, ["limit"]) } }
    : { query: { page: integer("", { min: 1, default: 1, role: "page" }), ...sizeParam(values, PAGE_SIZES) } };
}

/** Returns the objects of an answer that can describe its paging. */
function placesBesideRows({ data, envelope }: Answer): readonly JsonObject[] {
  return [data, envelope?.metadata, envelope].filter(
    (place: Json | undefined) => place !== undefined && isObject(place),
  );
}

function sizeParam(values: QueryValues, names: readonly string[]): Readonly<Record<string, Param>> {
  const name = names.find((one) => Object.hasOwn(values, one));
  return name === undefined ? {} : { [name]: integer("", { min: 1, role: "size" }) };
}

const unknownParam = (value: QueryValues[string]): Param =>
  typeof value === "string" ? text("") : { ...text(""), arity: "list", wire: "brackets" };
