/** The registry of endpoints, and how to find one. */
import type { Endpoint, Family } from "./endpoint.ts";
import { legacy, publicFamily } from "./endpoints/legacy.ts";
import { node } from "./endpoints/node.ts";
import { publicAnalytics } from "./endpoints/public-analytics.ts";
import { v2Account } from "./endpoints/v2-account.ts";
import { v2AccountActivity } from "./endpoints/v2-account-activity.ts";
import { v2Block, v2Monitor, v2Program, v2Transaction } from "./endpoints/v2-chain.ts";
import { v2Market } from "./endpoints/v2-market.ts";
import { v2Nft } from "./endpoints/v2-nft.ts";
import { v2Token } from "./endpoints/v2-token.ts";
import { v2TokenActivity, v2TokenPrice } from "./endpoints/v2-token-trade.ts";
import type { Param } from "./param.ts";

/** Every endpoint of the API. */
export const endpoints: readonly Endpoint[] = [
  ...publicFamily,
  ...legacy,
  ...v2Account,
  ...v2AccountActivity,
  ...v2Token,
  ...v2TokenPrice,
  ...v2TokenActivity,
  ...v2Nft,
  ...v2Transaction,
  ...v2Block,
  ...v2Market,
  ...v2Program,
  ...v2Monitor,
  ...publicAnalytics,
];

/** The endpoints that only a Solana node answers. */
export const nodeEndpoints: readonly Endpoint[] = node;

/** The endpoints of the API, and those that only a Solana node answers. */
export const allEndpoints: readonly Endpoint[] = [...endpoints, ...nodeEndpoints];

/** Returns a route without case and separators, which people vary. */
const normaliseRoute = (text: string) => text.replace(/[\s/_-]/g, "").toLowerCase();

/**
 * Finds the endpoint of a documentation route (specification §2) in any spelling: `v2-account-balance-change`,
 * `/v2-account-balance_change`, `V2/account/balanceChange`.
 */
export function endpointByRoute(text: string): Endpoint | undefined {
  const route = normaliseRoute(text);
  return allEndpoints.find((endpoint) => normaliseRoute(endpoint.route) === route);
}

/** Finds the endpoint of a concrete path; a literal segment wins over a path parameter. */
export function endpointByPath(family: Family, path: string): Endpoint | undefined {
  const candidates = allEndpoints.filter((endpoint) => endpoint.family === family);
  return (
    candidates.find((endpoint) => endpoint.path === path) ??
    candidates.find((endpoint) => matchesTemplate(endpoint.path, path))
  );
}

function matchesTemplate(template: string, path: string): boolean {
  const [expected, actual] = [template.split("/"), path.split("/")];
  return (
    expected.length === actual.length &&
    expected.every((segment, at) => (segment.startsWith("{") ? actual[at] !== "" : segment === actual[at]))
  );
}

/** Returns the multi endpoint of an endpoint that takes one identifier. */
export function multiEndpointOf({ family, path }: Endpoint): Endpoint | undefined {
  return endpoints.find(
    (endpoint) => endpoint.isMulti && endpoint.family === family && endpoint.path === `${path}/multi`,
  );
}

/** Returns the paged endpoint that has the rows of an export too. */
export function pagedSourceOf({ family, pagedSource }: Endpoint): Endpoint | undefined {
  return pagedSource && endpointByPath(family, pagedSource.path);
}

/** Families in the order in which a path without a family is searched: the newest first. */
const LOOKUP: readonly Family[] = ["v2", "public", "node", "legacy"];

/** Paths of the public family, also those that the catalogue lacks. */
const PUBLIC_PREFIX = "/analytics/";

/**
 * Returns the family of a path. A path that two families share belongs to the newer one; so does a path that matches
 * only a path parameter of the older one, unless the segment looks like a value rather than a word.
 */
export function familyOfPath(path: string): Family {
  if (path.startsWith(PUBLIC_PREFIX)) return "public";
  const literal = LOOKUP.find((family) => endpointByPath(family, path)?.path === path);
  if (literal) return literal;
  const isValue = /\d|[A-Z]/.test(path.split("/").at(-1) ?? "");
  return (isValue && LOOKUP.find((family) => endpointByPath(family, path))) || "v2";
}

/** Returns the parameter that the command takes as an argument, with its name. */
export function positionalOf(endpoint: Endpoint): readonly [name: string, param: Param] | undefined {
  return Object.entries(endpoint.query).find(([, param]) => param.positional);
}

/** Returns the parameter with a role in paging, and its name. */
export function findParamByRole(
  endpoint: Endpoint,
  role: Param["role"],
): readonly [name: string, param: Param] | undefined {
  return Object.entries(endpoint.query).find(([, param]) => param.role === role);
}

/** Returns the smallest value of a parameter, such as a page size, that covers a number of rows, or else its largest. */
export function fittingSize({ values, min = 1, max, default: standard = 1 }: Param, rows: number): number {
  const sizes = (values ?? []).map(Number).toSorted((a, b) => a - b);
  return sizes.find((size) => size >= rows) ?? sizes.at(-1) ?? Math.max(min, Math.min(rows, max ?? Number(standard)));
}
