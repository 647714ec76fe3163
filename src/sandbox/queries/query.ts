/** The input and the result of queries. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { Endpoint, Param, Returns } from "../../catalogue/index.ts";
import type { LedgerReader } from "../ledger/reader.ts";

/** Thrown by a query when the ledger does not contain what was requested; see {@link answerQuery}. */
export class UnknownSubjectError extends Error {}

/** Creates the error for something that does not exist. */
export const notFoundError = (subject: string): UnknownSubjectError => new UnknownSubjectError(`${subject} not found`);

/** The parameters of a validated request, with the defaults of the catalogue. */
export class QueryParams {
  readonly #definitions: Readonly<Record<string, Param>>;
  readonly #values: ReadonlyMap<string, readonly string[]>;

  /** @param values wire values by name, one entry per value (comma-separated lists are split) */
  constructor(definitions: Readonly<Record<string, Param>>, values: ReadonlyMap<string, readonly string[]>) {
    this.#definitions = definitions;
    this.#values = values;
  }

  /** Returns the values of a list or range; none when it is absent. */
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

  /** Returns a whole number, or the catalogue's default. */
  integer(name: string): number | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : Number(value);
  }

  /** Returns a boolean; false when it is absent. */
  flag(name: string): boolean {
    return this.text(name)?.toLowerCase() === "true";
  }
}

/** The API key of a request. */
export interface ApiCaller {
  /** Returns the data of `/monitor/usage` for the key. */
  usage(): JsonObject;
}

/** The input of a query. */
export interface QueryContext {
  readonly db: LedgerReader;
  readonly params: QueryParams;
  readonly caller: ApiCaller;
}

/** The cells of a CSV record. */
export type CsvRecord = readonly (string | number)[];

/** The result of a query: data for the envelope, or the records of a CSV text with the header first. */
export type QueryResult =
  | { readonly data: Json; readonly metadata?: JsonObject }
  | { readonly csv: readonly CsvRecord[] };

/**
 * Answers a request. What does not exist is no error: the API answers an empty object, or an empty list where the
 * endpoint returns rows. It documents this for some endpoints (a statistic, candles, staking rewards, the tokens of a
 * multi request); the others are assumed to do the same.
 */
export function answerQuery(query: Query, { returns }: Pick<Endpoint, "returns">, context: QueryContext): QueryResult {
  try {
    return query(context);
  } catch (error) {
    if (error instanceof UnknownSubjectError) return { data: emptyData(returns) };
    throw error;
  }
}

/** Returns the data of an answer about something that does not exist. */
function emptyData({ shape, at, total }: Returns): Json {
  if (shape === "object") return {};
  if (shape === "number") return 0;
  return at === undefined ? [] : { ...(total === undefined ? {} : { [total]: 0 }), [at]: [] };
}

/** Answers one endpoint. */
export type Query = (context: QueryContext) => QueryResult;

/** Queries by the catalogue's route. */
export type QueriesByRoute = Readonly<Record<string, Query>>;
