/** Servers of the API and their keys: syntax, the error without one, and how they are masked. */
import { AuthError, encodeBase58, type Hints } from "../base/index.ts";
import type { Family } from "./constants.ts";

/** The public Solana nodes by the name of their cluster, and the one of a local validator. */
export const NODES = {
  mainnet: "https://api.mainnet-beta.solana.com",
  devnet: "https://api.devnet.solana.com",
  testnet: "https://api.testnet.solana.com",
  localnet: "http://127.0.0.1:8899",
} as const;

/** The names of the public clusters by their genesis hash. */
export const CLUSTERS: Readonly<Record<string, string>> = {
  "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d": "mainnet",
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: "devnet",
  "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY": "testnet",
};

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
type NodeName = keyof typeof NODES;

/** Returns the URL of a node that is given by the name of its cluster or by its URL. */
export const nodeUrl = (node: string): string => (Object.hasOwn(NODES, node) ? NODES[node as NodeName] : node);

const MAX_LENGTH = 4096;

/** Returns why a text cannot be a key, as the end of a sentence without the key itself; undefined when it can. */
export function keyProblem(key: string): string | undefined {
  if (key === "") return "is empty";
  if (key.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (/[\r\n]/.test(key)) return "contains a line break";
  if (/\s/.test(key)) return "contains white space";
  if (/["'`]/.test(key)) return "contains quotes";
  const invalid = [...key].find((character) => !/^[!-~]$/.test(character));
  if (invalid === undefined) return undefined;
  const code = (invalid.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `contains a character that is not plain ASCII (U+${code})`;
}

/** How a key is set by those who are not at a command line. */
export const PASS_KEY = {
  program: "Pass a valid API key: createClient({ key }).",
  tool:
    "The user sets the key: SOLX_API_KEY in the configuration of this server, or solx auth login in a terminal. " +
    "Without a key, start the server with --sandbox to use simulated data.",
} as const satisfies Hints;

/**
 * Returns the error for a missing key.
 * @param login the command that saves a key
 */
export function missingKeyError(login = "solx auth login"): AuthError {
  const ways = [
    [login, "saves it"],
    ["export SOLX_API_KEY=<key>", "for this shell"],
  ] as const;
  const width = Math.max(...ways.map(([way]) => way.length));
  const lines = ways.map(([way, use]) => `  ${way.padEnd(width)}   ${use}`);
  return new AuthError("No API key is set.", {
    code: "NO_KEY",
    hint: { command: ["Set a key in one of these ways:", ...lines].join("\n"), ...PASS_KEY },
  });
}

/** Replaces a key wherever it would be displayed. */
export const KEY_MASK = "***";
/** Characters of a part of a key that is masked; shorter keys are not masked, because they match innocent words. */
const MIN_MASKED = { part: 12, key: 6 } as const;

/**
 * Masks a key and its long parts in a text: what was typed may be the key, and a server may repeat it in upper case, in
 * Base64 or in part.
 */
export function maskSecret(text: string, key: string): string {
  if (key.length < MIN_MASKED.key) return text;
  let [masked, end] = ["", 0];
  for (const part of findParts(lowerCase(text), splitKey(key))) {
    if (part.start > end || end === 0) masked += text.slice(end, part.start) + KEY_MASK;
    end = Math.max(end, part.end);
  }
  return masked + text.slice(end);
}

/** Where a piece of a key or of its hexadecimal, Base58 and Base64 forms is, all in lower case. */
interface Piece {
  readonly form: string;
  readonly at: number;
}

interface Pieces {
  readonly key: string;
  /** Characters of a piece: wherever a masked part starts in a text, it covers a whole block of this size. */
  readonly size: number;
  readonly places: ReadonlyMap<string, readonly Piece[]>;
}

/** The pieces of the latest key: a process has few keys. */
let latest: Pieces | undefined;

function splitKey(key: string): Pieces {
  if (latest?.key === key) return latest;
  const size = Math.floor((Math.min(MIN_MASKED.part, key.length) + 1) / 2);
  const bytes = Buffer.from(key);
  const pieces = [key, bytes.toString("hex"), encodeBase58(bytes), ...base64Forms(key)]
    .map(lowerCase)
    .flatMap((form) => Array.from({ length: form.length - size + 1 }, (_, at): Piece => ({ form, at })));
  latest = { key, size, places: Map.groupBy(pieces, ({ form, at }) => form.slice(at, at + size)) };
  return latest;
}

/** Returns the parts of a text to mask, by their start. Each block of the text is looked up once. */
function findParts(
  text: string,
  { size, places }: Pieces,
): readonly { readonly start: number; readonly end: number }[] {
  const parts: { start: number; end: number }[] = [];
  for (let block = 0; block + size <= text.length; block += size) {
    for (const { form, at } of places.get(text.slice(block, block + size)) ?? []) {
      let [before, after] = [0, size];
      while (at > before && block > before && text[block - before - 1] === form[at - before - 1]) before += 1;
      while (at + after < form.length && text[block + after] === form[at + after]) after += 1;
      if (before + after < Math.min(MIN_MASKED.part, form.length)) continue;
      parts.push({ start: block - before, end: block + after });
    }
  }
  return parts.sort((a, b) => a.start - b.start);
}

/** Returns a text in lower case, with every character where it was: some become several. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Returns the characters of Base64 text that depend on the key alone, for each position of it in three bytes. */
function base64Forms(key: string): readonly string[] {
  const bytes = Buffer.byteLength(key);
  return [0, 1, 2].flatMap((offset) => {
    const standard = Buffer.from("\0".repeat(offset) + key).toString("base64");
    const form = standard.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes) * 4) / 3));
    const forUrls = form.replaceAll("+", "-").replaceAll("/", "_");
    return [...new Set([form, forUrls, encodeURIComponent(form), form.replaceAll("/", "\\/")])];
  });
}
