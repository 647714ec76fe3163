/** An endpoint as data, and the names that are derived from it. */

import { isNumeric, type Json } from "../base/index.ts";
import type { ApiVersion, CachePolicy, Family } from "./constants.ts";
import type * as entities from "./entities/index.ts";
import { optionName, type Param, type ParameterValues } from "./param.ts";
import { type Cost, findCost } from "./plans.ts";

export type { Family } from "./constants.ts";

type Entities = typeof entities;

/** The name of an entity: a zod object of `entities/`. */
export type EntityName = {
  [K in keyof Entities]: Entities[K] extends { readonly shape: object } ? K : never;
}[keyof Entities];

/** The structure of an answer's `data`. */
export interface Returns {
  /** One object, a list of rows, CSV text with a header, or a bare number. */
  readonly shape: "object" | "rows" | "csv" | "number";
  /** The entity of the object or of a row; for a bare number, an entity whose only field describes it. */
  readonly entity: EntityName;
  /** The field of `data` with the rows, when `data` is an object around them. */
  readonly at?: string;
  /** The field beside the rows with their total number. */
  readonly total?: string;
  /** The entity of what else is beside the rows. */
  readonly beside?: EntityName;
  /** Whether `data` can also be the rows themselves, without the object around them. */
  readonly unwrapped?: true;
}

/** `data` is one object. */
export const object = (entity: EntityName): Returns => ({ shape: "object", entity });
/** `data` is a list of rows, or an object with the rows in the field `at`. */
export const rows = (entity: EntityName, options: Omit<Returns, "shape" | "entity"> = {}): Returns => ({
  shape: "rows",
  entity,
  ...options,
});
/** The answer is CSV text. */
export const csv = (entity: EntityName): Returns => ({ shape: "csv", entity });

/** `data` is a bare number; the only field of the entity names and describes it. */
export const number = (entity: EntityName): Returns => ({ shape: "number", entity });

/** Whether an endpoint returns a list of rows, as JSON or CSV, rather than one object or number. */
export const returnsList = ({ returns: { shape } }: { readonly returns: Returns }): boolean =>
  shape === "rows" || shape === "csv";

/**
 * A column of a table: a path into the row, with a heading where the path's last part is not suitable. Where servers
 * differ in a field's name, `|` separates alternative paths; the first one present is used.
 */
export type Column = string | { readonly path: string; readonly head: string };

/** Where a cell of an export comes from in the rows of the paged endpoint. */
export interface CellSource {
  readonly path: string;
  /** The prefix that the export drops. */
  readonly withoutPrefix?: string;
  /** Whether the export writes spaces instead of underscores. */
  readonly spaced?: true;
}

/** The paged endpoint that has the rows of an export too. */
interface PagedSource {
  /** The path of that endpoint, in the same family. */
  readonly path: string;
  /** The columns of the export. Columns without an entry do not exist in the paged rows. */
  readonly columns: Readonly<Record<string, CellSource>>;
}

/** Returns the data of an answer as an object, with a bare number in the field that its only column names. */
export function recordOf({ returns, columns }: Pick<Endpoint, "returns" | "columns">, data: Json): Json {
  const [column] = columns;
  if (returns.shape !== "number" || column === undefined || !isNumeric(data)) return data;
  return { [typeof column === "string" ? column : column.path]: data };
}

/** How an endpoint is paged. */
export type Paging = "none" | "page" | "offset" | "cursor" | "limit";

/** Whether an endpoint is read in pages, rather than with one request. */
export const hasPages = ({ paging }: Pick<Endpoint, "paging">): boolean => paging !== "none" && paging !== "limit";

/** Whether a list may take more than one request: pages, or exports that do not contain all rows. */
export const mayContinue = (endpoint: Pick<Endpoint, "paging" | "returns">): boolean =>
  endpoint.returns.shape === "csv" || hasPages(endpoint);

/** The names of an endpoint. All but family, path and aliases are derived. */
interface EndpointNames {
  readonly family: Family;
  /** The path of the specification, with `{name}` for path parameters. */
  readonly path: string;
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
  readonly aliases?: readonly string[];
}

interface EndpointTexts {
  /** One line without a full stop. */
  readonly summary: string;
  readonly description?: string;
  /** Limits, pitfalls and differences between servers that a user should know. */
  readonly notes?: readonly string[];
  readonly examples: readonly { readonly about: string; readonly params: ParameterValues }[];
}

/** What the rows of an answer are. */
interface EndpointRows {
  readonly returns: Returns;
  readonly columns: readonly Column[];
  /** The field of a row that repeats the requested identifier. */
  readonly echo?: string;
  /** Fields that together identify a row. */
  readonly identity?: readonly string[];
  /**
   * The path in a row to the identifier of what the row is about, where that is not the first field of its identity: the
   * owner of a token account.
   */
  readonly subject?: string;
  /** Whether amounts are lamports and not of a token, as those of stakes and their rewards. */
  readonly amountsInSol?: true;
  /** The parameters that select failed transactions, where the API can. */
  readonly failedOnly?: ParameterValues;
  /** Whether it takes several identifiers and returns a row for each; by default if the path ends in `/multi`. */
  readonly isMulti: boolean;
}

/** How rows follow each other. */
interface EndpointOrder {
  readonly paging: Paging;
  /** For cursor paging: the field of the last row that the next request sends. */
  readonly cursorField?: string;
  /** For cursor paging: the field beside the rows that the next request sends. */
  readonly cursorAt?: string;
  /**
   * Whether the rows of a page are in ascending order although the next page has older ones. Longer lists are returned
   * newest first, so that they are one sequence.
   */
  readonly ascendingPages?: true;
  /** Whether the rows are in ascending order of time in a single answer: a limit then selects the last ones. */
  readonly oldestFirst?: true;
  /** Whether rows are sorted newest first, for endpoints without a sort key. */
  readonly newestFirst?: true;
  /** For exports: the paged endpoint with the same rows. */
  readonly pagedSource?: PagedSource;
}

/** An endpoint with its derived names. */
export interface Endpoint extends EndpointNames, EndpointTexts, EndpointRows, EndpointOrder {
  /** The parameters by their names. */
  readonly query: Readonly<Record<string, Param>>;
  /** Parameters that published clients send, and servers ignore. */
  readonly ignored?: readonly string[];
  /** How answers are cached; by default exports never are, and everything else is `live`. */
  readonly cachePolicy: CachePolicy;
  /** The price of a request. */
  readonly cost: Cost;
  /** `newer` for endpoints of today's service that the specification lacks. */
  readonly since: ApiVersion;
  /** HTTP statuses with another meaning than elsewhere (specification §8). */
  readonly statuses?: Readonly<Record<number, "rateLimited">>;
}

type Derived = Exclude<keyof EndpointNames, "aliases"> | "paging" | "cost";
type Optional = "isMulti" | "cachePolicy" | "since";
type Written = "columns" | "identity" | "examples";

/** The entry of an endpoint in the catalogue; {@link endpoint} derives the rest. */
interface EndpointDefinition extends Omit<Endpoint, Derived | Optional | Written>, Partial<Pick<Endpoint, Optional>> {
  /** Paths, with headings where their last part is none: `block_time, fee_rewards as fees`. */
  readonly columns: string;
  readonly identity?: string;
  /** Parameters of requests by what these are for. */
  readonly examples: Readonly<Record<string, ParameterValues>>;
}

const kebab = (segment: string) => (segment.startsWith("{") ? "detail" : optionName(segment));

const listOf = (text: string): readonly string[] => (text === "" ? [] : text.split(/,\s+/));

function parseColumn(text: string): Column {
  const [path = "", head] = text.split(" as ");
  return head === undefined ? path : { path, head };
}

/** Creates an endpoint from its definition: derives names, route, command, paging and cost. */
export function endpoint(
  family: Family,
  path: string,
  { columns, identity, examples, ...definition }: EndpointDefinition,
): Endpoint {
  const segments = path.slice(1).split("/");
  const group = segments.length > 1 ? (segments[0] as string) : "";
  const name = segments
    .slice(group ? 1 : 0)
    .map(kebab)
    .join("-");
  const plain = group ? `${group}-${name}` : name;
  const command = group ? `${group} ${name}` : name;
  const isMulti = definition.isMulti ?? path.endsWith("/multi");
  const { query, returns } = definition;
  return {
    ...definition,
    family,
    path,
    method: "GET",
    group,
    name,
    route: family === "v2" ? `v2-${plain}` : plain,
    command: family === "legacy" ? `legacy ${command}` : command,
    call: name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    columns: listOf(columns).map(parseColumn),
    ...(identity !== undefined && { identity: listOf(identity) }),
    examples: Object.entries(examples).map(([about, params]) => ({ about, params })),
    paging: detectPaging(query),
    since: definition.since ?? (family === "node" ? "newer" : "specification"),
    isMulti,
    cost: findCost(family, path, isMulti),
    cachePolicy: definition.cachePolicy ?? (returns.shape === "csv" ? "never" : "live"),
  };
}

function detectPaging(query: Endpoint["query"]): Paging {
  const roles = Object.values(query).map((param) => param.role);
  if (roles.includes("page")) return "page";
  if (roles.includes("offset")) return "offset";
  if (roles.includes("cursor")) return "cursor";
  return roles.includes("size") ? "limit" : "none";
}
