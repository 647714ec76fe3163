/** The API as data. Everything that solx knows about an endpoint is here, once. */
import type { Endpoint, Family } from "./endpoint.ts";
import { legacy } from "./endpoints/legacy.ts";
import { publicFamily } from "./endpoints/public.ts";
import { v2Account } from "./endpoints/v2-account.ts";
import { v2Block } from "./endpoints/v2-block.ts";
import { v2Market } from "./endpoints/v2-market.ts";
import { v2Monitor } from "./endpoints/v2-monitor.ts";
import { v2Nft } from "./endpoints/v2-nft.ts";
import { v2Program } from "./endpoints/v2-program.ts";
import { v2Token } from "./endpoints/v2-token.ts";
import { v2Transaction } from "./endpoints/v2-transaction.ts";
import type { Param } from "./param.ts";

export type { ParameterValues } from "./param.ts";

/** Every endpoint, in the order of the specification, with its literal type. */
export const catalogue = [
  ...publicFamily,
  ...legacy,
  ...v2Account,
  ...v2Token,
  ...v2Nft,
  ...v2Transaction,
  ...v2Block,
  ...v2Market,
  ...v2Program,
  ...v2Monitor,
] as const;

/** Every endpoint, in the order of the specification. */
export const endpoints: readonly Endpoint[] = catalogue;

/** A route without the marks that people leave out or write otherwise. */
const plainRoute = (text: string) => text.replace(/[\s/_-]/g, "").toLowerCase();

/**
 * The endpoint of a documentation route (specification §2), however it is written: `v2-account-balance-change`,
 * `/v2-account-balance_change`, `V2/account/balanceChange`.
 */
export function endpointByRoute(text: string): Endpoint | undefined {
  const wanted = plainRoute(text);
  return endpoints.find((endpoint) => plainRoute(endpoint.route) === wanted);
}

/** The endpoint that a concrete path belongs to; a literal segment wins over a path parameter. */
export function endpointByPath(family: Family, path: string): Endpoint | undefined {
  const own = endpoints.filter((endpoint) => endpoint.family === family);
  return own.find((endpoint) => endpoint.path === path) ?? own.find((endpoint) => matches(endpoint.path, path));
}

function matches(template: string, path: string): boolean {
  const [expected, given] = [template.split("/"), path.split("/")];
  return (
    expected.length === given.length &&
    expected.every((segment, at) => (segment.startsWith("{") ? given[at] !== "" : segment === given[at]))
  );
}

/** The endpoint that takes many identifiers where this one takes one. */
export function multiEndpointOf(endpoint: Endpoint): Endpoint | undefined {
  return endpoints.find(({ family, path }) => family === endpoint.family && path === `${endpoint.path}/multi`);
}

/** Families in the order in which a path without a family is looked up: the newest first. */
const LOOKUP: readonly Family[] = ["v2", "public", "legacy"];

/** Where newer servers of the public family have more than the specification lists. */
const NEWER_PUBLIC = "/analytics/";

/**
 * The family that knows a path. Paths that two families share are the newer one's; so are paths that only a path
 * parameter of the older one would fit, unless the segment is a value and no word.
 */
export function familyOfPath(path: string): Family {
  if (path.startsWith(NEWER_PUBLIC)) return "public";
  const literal = LOOKUP.find((family) => endpointByPath(family, path)?.path === path);
  if (literal) return literal;
  const isValue = /\d|[A-Z]/.test(path.split("/").at(-1) ?? "");
  return (isValue && LOOKUP.find((family) => endpointByPath(family, path))) || "v2";
}

/** The parameter that the command takes as an argument, with its name. */
export function positionalOf(endpoint: Endpoint): readonly [name: string, param: Param] | undefined {
  return Object.entries(endpoint.query).find(([, param]) => param.positional);
}
