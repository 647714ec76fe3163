/** What endpoints need that not every source knows, so that a refusal can say what is missing and who can answer. */
import type { Hints } from "../base/index.ts";
import type { Endpoint } from "./endpoint.ts";

/** The sources of facts: the API, a Solana node, a local index. */
type FactSource = "api" | "rpc" | "index";

/** What an endpoint needs, as in "needs prices", and the sources that know it. */
interface EndpointNeed {
  readonly facts: string;
  readonly sources: readonly FactSource[];
}

const PRICES = { facts: "prices in US dollars, which no chain contains", sources: ["api"] } as const;
const COLLECTIONS = { facts: "the collections of NFTs", sources: ["api", "index"] } as const;

/** By route. */
const NEEDS: Readonly<Record<string, EndpointNeed>> = {
  "v2-token-price": PRICES,
  "v2-token-price-multi": PRICES,
  "v2-token-price-latest": PRICES,
  "v2-token-price-history": PRICES,
  "v2-token-price-ohlcv": PRICES,
  "v2-account-leaderboard": { facts: "the balances of all accounts, and their prices", sources: ["api", "rpc"] },
  "v2-nft-news": COLLECTIONS,
  "v2-nft-activities": { facts: "the marketplaces of NFTs", sources: ["api"] },
  "v2-nft-collection-lists": COLLECTIONS,
  "v2-nft-collection-items": { facts: "the collections of NFTs", sources: ["api", "rpc", "index"] },
  "v2-market-positions": { facts: "the positions that pools keep in their accounts", sources: ["api"] },
  "v2-account-data-decoded": { facts: "the data of accounts, not their transactions", sources: ["api", "rpc"] },
  "analytics-stake": { facts: "the stakes of all validators on each day", sources: ["api"] },
  "v2-monitor-usage": { facts: "an API key, whose usage it reports", sources: ["api"] },
};

/** What is left of the API: sums over everything that happened. */
const HISTORY: EndpointNeed = { facts: "the transactions of all accounts", sources: ["api", "index"] };

/** Returns what an endpoint needs that a source may lack. */
const needOf = ({ route }: Pick<Endpoint, "route">): EndpointNeed => NEEDS[route] ?? HISTORY;

/** Whether an index, which has the transactions of a chain, cannot answer an endpoint. */
export const isUnknownToIndex = (endpoint: Pick<Endpoint, "route">): boolean =>
  !needOf(endpoint).sources.includes("index") && endpoint.route !== "v2-monitor-usage";

const NOUNS: Readonly<Record<FactSource, string>> = { api: "The API", rpc: "A Solana node", index: "An index" };
const WAYS = {
  command: { rpc: "a Solana node (--rpc <node>)", index: "an index of your own cluster (solx index)" },
  program: { rpc: "a Solana node (createClient({ rpc }))", index: "an index of your own cluster" },
} as const;

/** Returns why a source cannot answer an endpoint, and what can. */
export function refusalBy(
  source: "rpc" | "index",
  endpoint: Endpoint,
): { readonly reason: string; readonly instead: Hints } {
  const { facts, sources } = needOf(endpoint);
  const others = sources.filter((each) => each !== source);
  const instead = (ways: Readonly<Record<FactSource, string>>) =>
    `Use ${others.map((each) => ways[each]).join(", or ")}.`;
  return {
    reason: `${NOUNS[source]} cannot answer "${endpoint.command}": it needs ${facts}.`,
    instead: {
      command: instead({ ...WAYS.command, api: `the API (omit --${source})` }),
      program: instead({ ...WAYS.program, api: `the API (a client without ${source})` }),
      tool: instead({ ...WAYS.command, api: `the API (the user starts this server without --${source})` }),
    },
  };
}
