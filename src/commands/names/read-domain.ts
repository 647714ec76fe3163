/** Reads the owner of a `.sol` name from the Solana node of the run. */
import { isMissing, NotFoundError, UsageError } from "../../base/index.ts";
import { decodeAccount, domainAddress, domainOwner, isDomain, isOnCurve, objectOf } from "../../chain/solana/index.ts";
import type { Settings } from "../../config/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";

/** What `.sol` names are read with. */
export interface DomainSources {
  readonly settings: () => Promise<Settings>;
  readonly client: () => Promise<ConnectedClient>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the address that owns a `.sol` name.
 * @throws UsageError without a node, for a name of another form, and for one that a program holds; NotFoundError for a name
 * that is not registered
 */
export async function readDomain(sources: DomainSources, domain: string): Promise<string> {
  if (!isDomain(domain)) {
    throw new UsageError(`invalid name "${domain}": expected name.sol or subdomain.name.sol`, { code: "DOMAIN" });
  }
  if (!(await sources.settings()).node()) throw noNodeError(domain);
  const node = (await sources.client()).node();
  const address = await domainAddress(domain);
  const options = { encoding: "base64", commitment: node.commitment };
  const result = await node.call("getAccountInfo", [address, options], { signal: sources.signal });
  const { value } = objectOf(result, "result");
  const owner = isMissing(value) ? undefined : domainOwner(decodeAccount(address, value));
  if (owner === undefined) {
    throw new NotFoundError(`${domain} is not registered.`, {
      code: "DOMAIN_NOT_FOUND",
      hint: `It would be the account ${address} of ${node.name}. Names of .sol are registered on mainnet.`,
    });
  }
  // The owner of a name that is wrapped as an NFT, or for sale, is the account of a program.
  if (!isOnCurve(owner)) {
    throw new UsageError(`${domain} is held by a program (${owner}): it is wrapped as an NFT, or for sale.`, {
      code: "DOMAIN_HELD_BY_PROGRAM",
      hint: "Give the address of its holder.",
    });
  }
  return owner;
}

function noNodeError(domain: string): UsageError {
  const name = domain.replace(/\.sol$/, "").replaceAll(".", "-");
  return new UsageError(`${domain} cannot be resolved: the API has no names of .sol, a Solana node has.`, {
    code: "DOMAIN_NEEDS_NODE",
    hint: `Add --rpc mainnet, or store the address under a name: solx names add ${name} ${domain} --rpc mainnet`,
  });
}
