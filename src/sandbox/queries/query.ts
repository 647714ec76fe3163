/** What a query is given and what it answers. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { Param } from "../../catalogue/index.ts";
import type { LedgerReader } from "../ledger/reader.ts";

/** A refusal, in the API's own form (specification §8). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Something that is asked for and not there. */
export const notFoundError = (subject: string): ApiError => new ApiError(404, 404, `${subject} not found`);

/** The parameters of a request that was checked; defaults of the catalogue are filled in. */
export class QueryParams {
  readonly #query: Readonly<Record<string, Param>>;
  readonly #given: ReadonlyMap<string, readonly string[]>;

  /** @param values wire values by name, each value on its own (comma lists are split) */
  constructor(definitions: Readonly<Record<string, Param>>, values: ReadonlyMap<string, readonly string[]>) {
    this.#query = definitions;
    this.#given = values;
  }

  /** The values of a list or range; none when it is not given. */
  list(name: string): readonly string[] {
    return this.#given.get(name) ?? [];
  }

  /** A value, or the catalogue's default. */
  text(name: string): string | undefined {
    const value = this.#given.get(name)?.[0] ?? this.#query[name]?.default;
    return value === undefined ? undefined : String(value);
  }

  /** A value that the check has seen to. */
  required(name: string): string {
    return this.text(name) ?? "";
  }

  /** A whole number, or the catalogue's default. */
  integer(name: string): number | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : Number(value);
  }

  /** A flag; false when it is not given. */
  flag(name: string): boolean {
    return this.text(name)?.toLowerCase() === "true";
  }
}

/** The key that a request came with. */
export interface ApiCaller {
  /** What `/monitor/usage` says of it, made from the log. */
  usage(): JsonObject;
}

/** What a query works with. */
export interface QueryContext {
  readonly db: LedgerReader;
  readonly params: QueryParams;
  readonly caller: ApiCaller;
}

/** What a query answers: data for the envelope, or the records of a CSV text, the header first. */
export type QueryResult =
  | { readonly data: Json; readonly metadata?: JsonObject }
  | { readonly csv: readonly (readonly (string | number)[])[] };

/** Answers one endpoint. */
export type Query = (context: QueryContext) => QueryResult;

/** Queries by the catalogue's route. */
export type QueriesByRoute = Readonly<Record<string, Query>>;
