/**
 * The rows of an export through the paged endpoint beside it: `/account/transfer` for `/account/transfer/export`. Its
 * rows are written as the export writes them: the same columns, text in every cell. A column that pages do not have is
 * empty.
 */
import { UsageError } from "../../base/errors.ts";
import { isArray, isNumeric, type Json, type JsonObject, numericText, stringifyJson } from "../../base/json.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { endpointByPath } from "../../catalogue/index.ts";
import type { Page } from "../paging/read-pages.ts";
import { valueAt } from "../paging/row-keys.ts";

/** Where a cell comes from: a path into the row, or several of which the first one present counts. */
interface Origin {
  readonly path: string;
  /** How its words are written in the export. */
  readonly words?: (text: string) => string;
}

type Columns = Readonly<Record<string, Origin>>;

const at = (path: string, words?: Origin["words"]): Origin => ({ path, ...(words && { words }) });
const leg = (name: string) => at(`amount_info.${name}|routers.${name}`);

/** The columns that every export of events begins with. */
const PLACE: Columns = { Signature: at("trans_id"), "Block Time": at("block_time"), "Human Time": at("time") };

/** The columns of exports, by their entities, as the rows of pages have them. */
const ORIGINS: Readonly<Record<string, Columns>> = {
  TransferExportRow: {
    ...PLACE,
    Action: at("activity_type", (text) => text.replace("ACTIVITY_SPL_", "")),
    From: at("from_address"),
    To: at("to_address"),
    Amount: at("amount"),
    Flow: at("flow"),
    Value: at("value"),
    Decimals: at("token_decimals"),
    "Token Address": at("token_address"),
  },
  DefiExportRow: {
    ...PLACE,
    Action: at("activity_type", (text) => text.replace("ACTIVITY_", "").replaceAll("_", " ")),
    From: at("from_address"),
    Token1: leg("token1"),
    Amount1: leg("amount1"),
    TokenDecimals1: leg("token1_decimals"),
    Token2: leg("token2"),
    Amount2: leg("amount2"),
    TokenDecimals2: leg("token2_decimals"),
    Value: at("value"),
    Platforms: at("platform"),
    Sources: at("sources"),
  },
};

/** The paged endpoint that has the rows of an export too. */
export function pagedSibling({ family, path, returns }: Endpoint): Endpoint | undefined {
  const plain = path.replace(/\/export$/, "");
  const sibling = plain === path ? undefined : endpointByPath(family, plain);
  const isPaged = sibling?.returns.shape === "rows" && sibling.paging !== "none";
  return isPaged && ORIGINS[returns.entity] ? sibling : undefined;
}

/**
 * The paged endpoint of an export, where it takes the parameters.
 * @throws UsageError where there is none, or it does not know a parameter
 */
export function requirePagedSibling(endpoint: Endpoint, params: Readonly<Record<string, unknown>> = {}): Endpoint {
  const sibling = pagedSibling(endpoint);
  if (!sibling) {
    throw new UsageError(`No paged endpoint has the rows of ${endpoint.command}: they come by export alone.`, {
      hint: "Leave --via away.",
    });
  }
  const unknown = Object.keys(params).find((name) => params[name] !== undefined && !Object.hasOwn(sibling.query, name));
  if (unknown === undefined) return sibling;
  throw new UsageError(`${sibling.command} does not take ${unknown}: with it, rows come by export alone.`, {
    hint: "Leave --via away.",
  });
}

/** Columns of an export that the rows of pages do not have. */
export async function findMissingColumns(endpoint: Endpoint): Promise<readonly string[]> {
  const [entities, { listFields: fieldsOf }] = await Promise.all([
    import("../../catalogue/entities/index.ts"),
    import("../../catalogue/fields.ts"),
  ]);
  const known = new Set(fieldsOf(entities[requirePagedSibling(endpoint).returns.entity]).map(({ path }) => path));
  const columns = Object.entries(ORIGINS[endpoint.returns.entity] ?? {});
  return columns.filter(([, { path }]) => !path.split("|").some((one) => known.has(one))).map(([name]) => name);
}

/** The pages of the paged endpoint as the export has them. */
export async function* toExportPages({ returns }: Endpoint, pages: AsyncIterable<Page>): AsyncGenerator<Page, void> {
  const columns = Object.entries(ORIGINS[returns.entity] ?? {});
  const written = (row: Json) => Object.fromEntries(columns.map(([name, origin]) => [name, cellOf(row, origin)]));
  for await (const page of pages) {
    const rows: readonly JsonObject[] = page.rows.map(written);
    const answer = { ...page.answer, envelope: undefined, data: rows, rows, at: undefined };
    yield page.answer.rows === undefined ? page : { ...page, rows, answer, next: undefined };
  }
}

function cellOf(row: Json, { path, words = (text) => text }: Origin): string {
  const values = path.split("|").map((one) => valueAt(row, one));
  return words(textOf(values.find((value) => value !== undefined && value !== null) ?? null));
}

function textOf(value: Json): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (isNumeric(value)) return numericText(value);
  return isArray(value) ? value.map(textOf).join("|") : stringifyJson(value);
}
