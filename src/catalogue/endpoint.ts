/** An endpoint as data, and everything that its names follow from. */

import type { CachePolicy } from "./cache-policy.ts";
import type { Family } from "./constants.ts";
import type * as entities from "./entities/index.ts";
import type { Param, ParamsOf } from "./param.ts";
import { type Cost, costOf } from "./plans.ts";

export type { Family } from "./constants.ts";

type Entities = typeof entities;

/** The name of an entity: a zod object of `entities/`. */
export type EntityName = {
  [K in keyof Entities]: Entities[K] extends { readonly shape: object } ? K : never;
}[keyof Entities];

/** The form of an answer's `data`. */
export interface Returns {
  /** One object, a list of rows, or CSV text with a header. */
  readonly shape: "object" | "rows" | "csv";
  /** The entity of the object or of a row. */
  readonly entity: EntityName;
  /** Where the rows are inside `data`, when `data` is an object around them. */
  readonly at?: string;
  /** The field beside the rows that counts all of them. */
  readonly total?: string;
}

/** `data` is one object. */
export const object = <const N extends EntityName>(entity: N) => ({ shape: "object", entity }) as const;
/** `data` is a list of rows, or an object with the rows `at` a field. */
export const rows = <const N extends EntityName, const O extends { at?: string; total?: string }>(
  entity: N,
  options: O = {} as O,
) => ({ shape: "rows", entity, ...options }) as const;
/** The answer is CSV text. */
export const csv = <const N extends EntityName>(entity: N) => ({ shape: "csv", entity }) as const;

/**
 * A column of the table view: a path into the row, with its own heading where the path's last part is not good. Where
 * servers differ in a field's name, the paths are alternatives, separated by `|`: the first one present counts.
 */
export type Column = string | { readonly path: string; readonly head: string };

/** An example of a request: what it is for, and its parameters. */
export interface Example {
  readonly about: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What an endpoint's author writes. */
export interface EndpointDefinition {
  readonly family: Family;
  /** The path of the specification, with `{name}` for path parameters. */
  readonly path: string;
  /** One line, no full stop. */
  readonly summary: string;
  /** More, when a line is not enough. */
  readonly description?: string;
  readonly query: Readonly<Record<string, Param>>;
  readonly returns: Returns;
  /** How long an answer stays true; without it, exports are never kept and everything else is live. */
  readonly cachePolicy?: CachePolicy;
  readonly columns: readonly Column[];
  readonly examples: readonly Example[];
  /** Facts that a user should know: limits, pitfalls, disagreements of the sources. */
  readonly notes?: readonly string[];
  /** For cursor paging: the field of the last row that the next request names. */
  readonly cursorField?: string;
  /** The field of a row that repeats the identifier asked for. */
  readonly echo?: string;
  /** Fields that together tell two rows apart. */
  readonly identity?: readonly string[];
  /** Whether the rows come newest first where no sort key says how they come. */
  readonly newestFirst?: true;
  /** Statuses that mean something else here than elsewhere (specification §8). */
  readonly statuses?: Readonly<Record<number, "rateLimited">>;
  /** Other names of the command. */
  readonly aliases?: readonly string[];
}

/** How an endpoint is paged. */
export type Paging = "none" | "page" | "offset" | "cursor" | "limit";

/** An endpoint with its derived names. */
export interface Endpoint extends EndpointDefinition {
  readonly method: "GET";
  /** `account`, `token`, …; empty for endpoints without a group (`/chaininfo`). */
  readonly group: string;
  /** `transfer`, `defi-activities-export`, … */
  readonly name: string;
  /** The documentation route, as in specification §2: `v2-account-transfer`, `account-tokens`, `chaininfo`. */
  readonly route: string;
  /** The command as typed after `solx`: `account transfer`, `legacy account tokens`. */
  readonly command: string;
  /** The name of the client's method: `defiActivitiesExport`. */
  readonly call: string;
  readonly paging: Paging;
  readonly cost: Cost;
  readonly cachePolicy: CachePolicy;
}

type Capital<S extends string> = S extends `${infer A}-${infer B}` ? `${Capitalize<A>}${Capital<B>}` : Capitalize<S>;
type Word<S extends string> = S extends `{${string}}`
  ? "Detail"
  : S extends `${infer A}_${infer B}`
    ? `${Capital<A>}${Word<B>}`
    : Capital<S>;
type Words<P extends string> = P extends `/${infer A}/${infer B}`
  ? `${Word<A>}${Words<`/${B}`>}`
  : P extends `/${infer A}`
    ? Word<A>
    : "";
/** The group of a path, as a type. */
export type GroupOf<P extends string> = P extends `/${infer A}/${string}` ? A : "";
/** The name of the client's method for a path, as a type. */
export type CallOf<P extends string> = P extends `/${string}/${infer B}`
  ? Uncapitalize<Words<`/${B}`>>
  : Uncapitalize<Words<P>>;

const kebab = (segment: string) =>
  segment.startsWith("{") ? "detail" : segment.replaceAll("_", "-").replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);

/** Makes an endpoint: names, route, command, paging and cost follow from the definition. */
export function endpoint<const D extends EndpointDefinition>(definition: D) {
  const segments = definition.path.slice(1).split("/");
  const group = segments.length > 1 ? (segments[0] as string) : "";
  const name = segments
    .slice(group ? 1 : 0)
    .map(kebab)
    .join("-");
  const plain = group ? `${group}-${name}` : name;
  const words = group ? `${group} ${name}` : name;
  const derived = {
    method: "GET",
    group,
    name,
    route: definition.family === "v2" ? `v2-${plain}` : plain,
    command: definition.family === "legacy" ? `legacy ${words}` : words,
    call: name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    paging: pagingOf(definition.query),
    cost: costOf(definition.family, definition.path),
    cachePolicy: definition.cachePolicy ?? (definition.returns.shape === "csv" ? "never" : "live"),
  };
  return { ...definition, ...derived } as unknown as D &
    Omit<Endpoint, keyof D | "group" | "call"> & {
      readonly group: GroupOf<D["path"]>;
      readonly call: CallOf<D["path"]>;
    };
}

function pagingOf(query: EndpointDefinition["query"]): Paging {
  const roles = Object.values(query).map((param) => param.role);
  if (roles.includes("page")) return "page";
  if (roles.includes("offset")) return "offset";
  if (roles.includes("cursor")) return "cursor";
  return roles.includes("size") ? "limit" : "none";
}

/** The arguments of an endpoint's client method. */
export type ArgumentsOf<E extends EndpointDefinition> = ParamsOf<E["query"]>;

type EntityOf<N extends EntityName> = Entities[N] extends { readonly _zod: { readonly output: infer T } } ? T : never;

/** A row of an endpoint's answer. */
export type RowOf<E extends EndpointDefinition> = EntityOf<E["returns"]["entity"]>;

/** The `data` of an endpoint's answer. */
export type DataOf<E extends EndpointDefinition> = E["returns"] extends { readonly shape: "object" }
  ? RowOf<E>
  : E["returns"] extends { readonly at: infer A extends string }
    ? { readonly [K in A]: RowOf<E>[] } & (E["returns"] extends { readonly total: infer T extends string }
        ? { readonly [K in T]: number }
        : unknown)
    : RowOf<E>[];
