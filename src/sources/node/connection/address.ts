/** The address of a node. Its path, query and user can be keys of a provider: only the host is ever displayed. */

import { nearestName, sha256, UsageError } from "../../../base/index.ts";
import { NODES, nodeUrl, type Rate } from "../../../catalogue/index.ts";
import type { Commitment } from "../../../chain/solana/index.ts";
import { isLoopback } from "../../../client/index.ts";
import { maskKey } from "../../api/index.ts";

/** A Solana node and how it is used. */
export interface RpcOptions {
  /**
   * The URL of the node, or the name of a cluster: `mainnet`, `devnet`, `testnet`, `localnet`. Path, query and user of
   * the URL may contain a provider's key, which no message repeats.
   */
  readonly url: string;
  /** How far a state must be confirmed to be used (default `confirmed`). */
  readonly commitment?: Commitment | undefined;
  /** Calls per seconds that the node accepts; by default those of the public nodes for these, else no limit. */
  readonly rate?: Rate | "off" | undefined;
}

/** The limits of calls to a node; undefined for no limit. */
interface NodeRates {
  /** For all methods together. */
  readonly rate: Rate | undefined;
  /** For each method. */
  readonly methodRate: Rate | undefined;
}

/** A node, resolved from options. */
export interface NodeAddress extends NodeRates {
  /** Where calls are sent, without user and password; it may contain a key. */
  readonly url: URL;
  /** The header of user and password; empty without. */
  readonly headers: Readonly<Record<string, string>>;
  /** The node for display: scheme and host. */
  readonly origin: string;
  /** The node in messages: its host. */
  readonly name: string;
  /** Identifies the address with its keys, without containing them. */
  readonly id: string;
  readonly isLocal: boolean;
  readonly commitment: Commitment;
  /** Masks everything in a text that may be a key. */
  readonly mask: (text: string) => string;
}

/** Other names of clusters. */
const ALIASES: Readonly<Record<string, string>> = { "mainnet-beta": "mainnet", localhost: "localnet" };

/** What the public nodes accept from one address (Solana's documentation of clusters). */
const PUBLIC_RATES: NodeRates = {
  rate: { requests: 100, seconds: 10 },
  methodRate: { requests: 40, seconds: 10 },
};
const UNLIMITED: NodeRates = { rate: undefined, methodRate: undefined };

const PUBLIC_HOST = /^api\.(mainnet-beta|devnet|testnet)\.solana\.com$/;

/** Resolves the options of a node. @throws UsageError for a URL that is not one of a JSON-RPC server */
export function resolveNode({ url: text, commitment = "confirmed", rate }: RpcOptions): NodeAddress {
  const url = parseNodeUrl(text.trim());
  const secrets = findSecrets(url);
  const { origin, host: name, username, password } = url;
  const user = `${decode(username)}:${decode(password)}`;
  const credentials = username === "" && password === "" ? undefined : Buffer.from(user).toString("base64");
  const id = sha256(url.href);
  [url.username, url.password, url.hash] = ["", "", ""];
  return {
    url,
    headers: credentials === undefined ? {} : { authorization: `Basic ${credentials}` },
    origin,
    name,
    id,
    isLocal: isLoopback(url.hostname),
    commitment,
    ...chooseRates(url, rate),
    mask: createMask(credentials === undefined ? secrets : [...secrets, credentials]),
  };
}

function chooseRates({ hostname }: URL, rate: Rate | "off" | undefined): NodeRates {
  if (rate !== undefined) return { rate: rate === "off" ? undefined : rate, methodRate: undefined };
  return PUBLIC_HOST.test(hostname) ? PUBLIC_RATES : UNLIMITED;
}

function parseNodeUrl(text: string): URL {
  const name = text.toLowerCase();
  const url = URL.parse(nodeUrl(ALIASES[name] ?? name) === name ? text : nodeUrl(ALIASES[name] ?? name));
  if (url?.protocol === "ws:" || url?.protocol === "wss:") {
    const scheme = url.protocol === "ws:" ? "http" : "https";
    throw nodeUrlError(`is a websocket address (${url.protocol}//${url.host})`, `Use ${scheme}:// instead.`);
  }
  if (url && (url.protocol === "http:" || url.protocol === "https:")) return url;
  const names = [...Object.keys(NODES), ...Object.keys(ALIASES)];
  const near = nearestName(name, names);
  // A text that is not a URL can be a key that was pasted alone, so only words are repeated.
  const typed = /^[a-z-]{1,16}$/.test(name) ? ` "${name}"` : "";
  throw nodeUrlError(
    `${typed} is neither a URL nor the name of a cluster`.trimStart(),
    near === undefined ? `Use https://host, or one of ${Object.keys(NODES).join(", ")}.` : `Did you mean ${near}?`,
  );
}

function nodeUrlError(problem: string, hint: string): UsageError {
  return new UsageError(`The Solana node ${problem}.`, { code: "BAD_NODE", hint });
}

/** Parts of a path or query that name a product, a version or a cluster, and are no keys. */
const PUBLIC_PART =
  /^((json-?)?rpc|solana|api|nodes?|public|https?|v\d+|(solana[-_])?(main-?net([-_]beta)?|dev-?net|test-?net))$/i;

/** Returns everything in the URL that may be a key, the longest first. */
function findSecrets(url: URL): readonly string[] {
  const segments = url.pathname.split("/").map(decode);
  const parts = [...segments, ...url.searchParams.values(), decode(url.username), decode(url.password)];
  const keys = parts.filter((part) => part !== "" && !PUBLIC_PART.test(part));
  const whole = url.pathname + url.search;
  return [...new Set([...(keys.length > 0 ? [whole] : []), ...keys])].toSorted((a, b) => b.length - a.length);
}

const createMask = (secrets: readonly string[]) => (text: string) =>
  secrets.reduce((masked, secret) => maskKey(masked, secret), text);

/** Decodes a part of a URL; an invalid one is returned unchanged. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
