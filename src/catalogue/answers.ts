/** What answers requests gets and returns: the values of parameters, and the body of an answer. */
import { type Json, type JsonObject, stringifyJson } from "../base/index.ts";
import type { Endpoint, Returns } from "./endpoint.ts";
import type { Param } from "./param.ts";

/** The parameters of a validated request, with the defaults of the catalogue. */
export class QueryParams {
  readonly #definitions: Readonly<Record<string, Param>>;
  readonly #values: ReadonlyMap<string, readonly string[]>;

  /** @param values wire values by name, one entry per value (comma-separated lists are split) */
  constructor(definitions: Readonly<Record<string, Param>>, values: ReadonlyMap<string, readonly string[]>) {
    this.#definitions = definitions;
    this.#values = values;
  }

  with(changes: Readonly<Record<string, readonly string[] | undefined>>): QueryParams {
    const values = new Map(this.#values);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) values.delete(name);
      else values.set(name, value);
    }
    return new QueryParams(this.#definitions, values);
  }

  get values(): ReadonlyMap<string, readonly string[]> {
    return this.#values;
  }

  list(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Returns a value, or the catalogue's default. */
  text(name: string): string | undefined {
    const value = this.#values.get(name)?.[0] ?? this.#definitions[name]?.default;
    return value === undefined ? undefined : String(value);
  }

  /** Returns a value that validation guarantees. */
  required(name: string): string {
    return this.text(name) ?? "";
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : Number(value);
  }

  flag(name: string): boolean {
    return this.text(name)?.toLowerCase() === "true";
  }
}

/** Returns the data of an answer about something that does not exist. */
export function emptyData({ shape, at, total }: Returns): Json {
  if (shape === "object") return {};
  if (shape === "number") return 0;
  return at === undefined ? [] : { ...(total === undefined ? {} : { [total]: 0 }), [at]: [] };
}

/** The cells of a CSV record. */
export type CsvRecord = readonly (string | number)[];

/** The result of a query: data and metadata for the envelope, or the records of a CSV text with the header first. */
export type QueryResult =
  | { readonly data: Json; readonly metadata?: JsonObject }
  | { readonly csv: readonly CsvRecord[] };

/** Endpoints whose envelopes have `metadata`, empty unless the query has some: groups of v2, and single paths. */
const GROUPS_WITH_METADATA: ReadonlySet<string> = new Set(["token", "nft", "program"]);
const PATHS_WITH_METADATA: ReadonlySet<string> = new Set([
  ...["/account/portfolio", "/account/stake", "/account/transfer/total"],
  ...["/transaction/detail", "/transaction/detail/multi", "/transaction/actions", "/transaction/actions/multi"],
]);
const PATHS_WITHOUT_METADATA: ReadonlySet<string> = new Set(["/program/popular/platforms"]);

function hasMetadata({ family, group, path }: Endpoint): boolean {
  if (family !== "v2") return family === "public" || family === "node";
  return PATHS_WITH_METADATA.has(path) || (GROUPS_WITH_METADATA.has(group) && !PATHS_WITHOUT_METADATA.has(path));
}

/**
 * Returns the body for a result: in the envelope, as CSV (RFC 4180 except that lines end with LF and the last one has no
 * line end, as in the API), or bare as in the legacy family.
 */
export function answerBody(
  result: QueryResult,
  endpoint: Endpoint,
  hasEnvelope: boolean = endpoint.family !== "legacy",
): string {
  if ("csv" in result) return result.csv.map((record) => record.map(csvCell).join(",")).join("\n");
  if (!hasEnvelope) return stringifyJson(result.data);
  const { data, metadata = hasMetadata(endpoint) ? {} : undefined } = result;
  return stringifyJson(metadata === undefined ? { success: true, data } : { success: true, data, metadata });
}

function csvCell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
