/** What holds for each kind of source, and how far it answers the endpoints. */
import type { Endpoint } from "../catalogue/index.ts";
import { type DataFacts, FULL_SUPPORT, type Source, type Support } from "../client/index.ts";
import { nodeSupport } from "./node/index.ts";

/** The kinds of sources. */
export type SourceKind = "api" | "sandbox" | "index" | "rpc";

/** What a source is called. */
export interface SourceName {
  readonly kind: SourceKind;
  /** Of the API its server, of the sandbox its seed, of an index its name, of a node its cluster or host. */
  readonly name: string;
}

/** A source before it is opened. */
export type SourceInfo = Pick<Source, "supports"> & { readonly facts: DataFacts };

type KindFacts = Omit<DataFacts, "scope" | "title" | "cluster">;

const KINDS: Readonly<Record<SourceKind, KindFacts>> = {
  api: {
    noun: "the API",
    key: "required",
    chargesUnits: true,
    isInProcess: false,
    isSimulated: false,
    omitsUnknown: false,
  },
  sandbox: {
    noun: "the sandbox",
    key: "built-in",
    chargesUnits: true,
    isInProcess: true,
    isSimulated: true,
    omitsUnknown: false,
  },
  index: {
    noun: "an index",
    key: "built-in",
    chargesUnits: false,
    isInProcess: true,
    isSimulated: false,
    omitsUnknown: false,
  },
  rpc: {
    noun: "a Solana node",
    key: "none",
    chargesUnits: false,
    isInProcess: false,
    isSimulated: false,
    omitsUnknown: true,
  },
};

const TITLES: Readonly<Record<SourceKind, (name: string) => string>> = {
  api: () => "Solana",
  sandbox: () => "Sandbox (simulated data)",
  index: (name) => `Index ${name}`,
  rpc: (name) => `Solana (${name})`,
};

/** Describes a source, without opening it. */
export function describeSource({ kind, name }: SourceName): SourceInfo {
  // The simulated chain imitates the cluster that the API covers.
  const cluster = { api: "mainnet", sandbox: "mainnet", index: undefined, rpc: name }[kind];
  return {
    facts: { ...KINDS[kind], scope: `${kind} ${name}`, title: TITLES[kind](name), cluster },
    supports: kind === "rpc" ? nodeSupport : ledgerSupport,
  };
}

/** What to do for a client that has no node, but needs one. */
export const NO_NODE_HINT =
  "Set one: --rpc mainnet, devnet, testnet, localnet or a URL, or createClient({ rpc: url }).";

/** Returns how far everything but a node answers an endpoint. */
function ledgerSupport({ family, command }: Endpoint): Support {
  if (family !== "node") return FULL_SUPPORT;
  const reason = `"${command}" needs a Solana node.`;
  const refusal = { code: "NO_NODE", reason, instead: NO_NODE_HINT, isUsage: true };
  return { level: "none", missing: [], isWalk: false, refusal };
}
