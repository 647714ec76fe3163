/** Pages of the public explorer. All its URLs are built here, from validated identifiers; none comes from data. */
import { isAddress, isSignature } from "./validate.ts";

/** The public explorer. */
export const WEB_SITE = "https://solscan.io";

const isSlot = (id: string) => /^\d{1,15}$/.test(id);
/** Addresses and hashes both identify collections. */
const isCollection = (id: string) => /^[0-9A-Za-z]{8,88}$/.test(id);

/** The path of the page of each kind of entity, and which identifiers have one. */
const WEB_PAGES = {
  account: { segment: "account", accepts: isAddress },
  token: { segment: "token", accepts: isAddress },
  transaction: { segment: "tx", accepts: isSignature },
  block: { segment: "block", accepts: isSlot },
  program: { segment: "account", accepts: isAddress },
  market: { segment: "account", accepts: isAddress },
  collection: { segment: "collection", accepts: isCollection },
} as const;

/** Clusters besides mainnet that the public explorer covers. */
const WEB_CLUSTERS: readonly string[] = ["devnet", "testnet"];

/**
 * Returns the URL of an entity's page; undefined for other kinds of entities, and for an invalid identifier.
 * @param cluster `devnet` or `testnet`; any other is mainnet
 */
export function webPageUrl(entity: string, id: string, cluster = ""): string | undefined {
  const page = Object.hasOwn(WEB_PAGES, entity) ? WEB_PAGES[entity as keyof typeof WEB_PAGES] : undefined;
  if (!page?.accepts(id)) return undefined;
  const query = WEB_CLUSTERS.includes(cluster) ? `?cluster=${cluster}` : "";
  return `${WEB_SITE}/${page.segment}/${id}${query}`;
}
