/** What a query is given and what it answers. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { Param } from "../../catalogue/index.ts";
import type { Reader } from "../ledger/reader.ts";

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
export const notFound = (what: string): ApiError => new ApiError(404, 404, `${what} not found`);

/** The parameters of a request that was checked; defaults of the catalogue are filled in. */
export class Params {
  readonly #query: Readonly<Record<string, Param>>;
  readonly #given: ReadonlyMap<string, readonly string[]>;

  /** @param given wire values by name, each value on its own (comma lists are split) */
  constructor(query: Readonly<Record<string, Param>>, given: ReadonlyMap<string, readonly string[]>) {
    this.#query = query;
    this.#given = given;
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
  need(name: string): string {
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
export interface Caller {
  /** What `/monitor/usage` says of it, made from the log. */
  usage(): JsonObject;
}

/** What a query works with. */
export interface Context {
  readonly db: Reader;
  readonly params: Params;
  readonly caller: Caller;
}

/** What a query answers: data for the envelope, or the records of a CSV text, the header first. */
export type Result =
  | { readonly data: Json; readonly metadata?: JsonObject }
  | { readonly csv: readonly (readonly (string | number)[])[] };

/** Answers one endpoint. */
export type Query = (context: Context) => Result;

/** Queries by the catalogue's route. */
export type Queries = Readonly<Record<string, Query>>;
