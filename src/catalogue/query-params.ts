/** The input and the empty result of anything that answers requests: the values of parameters, and nothing. */
import type { Json } from "../base/index.ts";
import type { Returns } from "./endpoint.ts";
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

  /** Returns the same request with other values; undefined removes a parameter. */
  with(changes: Readonly<Record<string, readonly string[] | undefined>>): QueryParams {
    const values = new Map(this.#values);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) values.delete(name);
      else values.set(name, value);
    }
    return new QueryParams(this.#definitions, values);
  }

  /** Returns the given values by name, without defaults. */
  get values(): ReadonlyMap<string, readonly string[]> {
    return this.#values;
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

/** Returns the data of an answer about something that does not exist. */
export function emptyData({ shape, at, total }: Returns): Json {
  if (shape === "object") return {};
  if (shape === "number") return 0;
  return at === undefined ? [] : { ...(total === undefined ? {} : { [total]: 0 }), [at]: [] };
}
