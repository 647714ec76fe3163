/** The requests for the names of addresses that are not known, and what they cost. They are planned here, not sent. */
import { splitIntoBatches } from "../../base/index.ts";
import { type Endpoint, endpointByPath, isAddress, type ParameterValues } from "../../catalogue/index.ts";
import type { IdentifierUse } from "../types.ts";
import type { NameOf } from "./address-name.ts";

/** A request for the names of several addresses. */
export interface NameRequest {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly addresses: readonly string[];
  /** The cost in compute units. */
  readonly units: number;
}

/** The endpoints that answer names: of tokens, and of all other accounts. */
const PATHS = { token: "/token/meta/multi", account: "/account/metadata/multi" } as const;

/** Returns the addresses without a name among identifiers, each once, those of tokens first. */
export function unnamedAddresses(uses: readonly IdentifierUse[], nameOf: NameOf): readonly IdentifierUse[] {
  const unnamed = uses.filter(({ id }) => isAddress(id) && nameOf(id) === undefined);
  // A mint is also the account that is created, and only as a token it has a symbol.
  const isToken = ({ role }: IdentifierUse) => role === "token";
  const ordered = [...unnamed.filter(isToken), ...unnamed.filter((use) => !isToken(use))];
  const unique = new Map<string, IdentifierUse>();
  for (const use of ordered) if (!unique.has(use.id)) unique.set(use.id, use);
  return [...unique.values()];
}

/** Returns the requests for the names of addresses. Equal sets of addresses are equal requests, which a cache answers. */
export function planNameRequests(
  uses: readonly IdentifierUse[],
  supports: (endpoint: Endpoint) => boolean = () => true,
): readonly NameRequest[] {
  return (["token", "account"] as const).flatMap((kind) => {
    const endpoint = endpointByPath("v2", PATHS[kind]);
    if (!endpoint || !supports(endpoint)) return [];
    const ids = uses.filter(({ role }) => (role === "token") === (kind === "token")).map(({ id }) => id);
    return splitIntoBatches(ids.toSorted(), endpoint.query.address?.maxItems ?? 1).map((addresses) => ({
      endpoint,
      params: { address: addresses },
      addresses,
      units: endpoint.cost.units * (endpoint.cost.per === "item" ? addresses.length : 1),
    }));
  });
}
