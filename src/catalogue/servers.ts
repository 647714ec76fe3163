/** Servers of the API and the header of the API key. */
import type { Family } from "./constants.ts";

/** The public Solana nodes by the name of their cluster, and the one of a local validator. */
export const NODES = {
  mainnet: "https://api.mainnet-beta.solana.com",
  devnet: "https://api.devnet.solana.com",
  testnet: "https://api.testnet.solana.com",
  localnet: "http://127.0.0.1:8899",
} as const;

/** The base URL of each family. */
export const SERVERS: Readonly<Record<Family, string>> = {
  v2: "https://pro-api.solscan.io/v2.0",
  legacy: "https://pro-api.solscan.io/v1.0",
  public: "https://public-api.solscan.io",
  node: NODES.mainnet,
};

/** The base path of each family on a server that serves all of them. */
export const FAMILY_PATHS: Readonly<Record<Family, string>> = { v2: "/v2.0", legacy: "/v1.0", public: "", node: "" };

/** The request header of the API key. */
export const KEY_HEADER = "token";

/** The default port of the sandbox. */
export const SANDBOX_PORT = 8787;

/** Returns the key of the sandbox with a seed. Characters that a header cannot contain become underscores. */
export const sandboxKey = (seed: string): string => `sandbox-key-${seed.replace(/[^\w.-]/g, "_").slice(0, 64)}`;

/** The name of a cluster that stands for its public node. */
export type NodeName = keyof typeof NODES;

/** Returns the URL of a node that is given by the name of its cluster or by its URL. */
export const nodeUrl = (node: string): string => (Object.hasOwn(NODES, node) ? NODES[node as NodeName] : node);
