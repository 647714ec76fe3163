/**
 * Names of addresses: the user's own, built in, and collected from the symbols and labels in answers. The one resolver of
 * tables and of the explorer. No request is sent for names.
 */
import { createEmitter, type Json, splitIntoBatches } from "../../base/index.ts";
import {
  detectLookalike,
  type Endpoint,
  endpointByPath,
  isAddress,
  type KnownAddress,
  knownAddress,
  knownAddresses,
  type ParameterValues,
  WELL_KNOWN_TOKENS,
} from "../../catalogue/index.ts";
import type { IdentifierUse } from "../types.ts";
import { type AddressName, collectNames, type LearnedName, type NameOf } from "./collect-names.ts";

/** The names that are known in a run. */
export interface Names {
  readonly of: NameOf;
  /** Replaces the user's own names, which precede all others. */
  setOwn(names: OwnNames): void;
  /** Collects the names in an answer. */
  learn(value: Json): void;
  /** Adds names that were collected earlier, such as by another run; those of this run precede them. */
  restore(entries: readonly LearnedName[]): void;
  /** Returns all addresses with a name; well-known tokens come first. */
  addresses(): ReadonlySet<string>;
  /** Returns the addresses with a name, ignoring case; well-known tokens come first. None where all imitate another name. */
  addressesOf(name: string): readonly string[];
  /** Returns the symbols of tokens by mint, those of well-known tokens first. */
  tokens(): ReadonlyMap<string, string>;
  /** Returns the names in answers, newest last. */
  learned(): Iterable<LearnedName>;
  /** Returns a number that grows whenever a name is new or changes. */
  version(): number;
  /** Subscribes to new and changed names; returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

/** The most names that are remembered; the oldest are dropped first. */
export const MAX_NAMES = 5000;

/** Creates names; only the user's own and the built-in ones are known at first. */
export function createNames(ownNames: OwnNames = new Map()): Names {
  const learned = new Map<string, LearnedName>();
  let own = indexOwnNames(ownNames);
  const changes = createEmitter();
  let version = 0;
  const add = (entry: LearnedName) => {
    const before = learned.get(entry.address);
    learned.delete(entry.address);
    learned.set(entry.address, entry);
    if (before?.name !== entry.name || before.kind !== entry.kind) version += 1;
    for (const old of learned.keys()) {
      if (learned.size <= MAX_NAMES) break;
      learned.delete(old);
    }
  };
  /** Notifies the listeners once after all changes of an action. */
  const change = (action: () => void) => {
    const before = version;
    action();
    if (version !== before) changes.emit();
  };
  const nameOf: NameOf = (address) =>
    builtInName(address) ?? learnedName(learned.get(address), of) ?? fallbackName(address);
  const of: NameOf = (address) => own.select(address, nameOf);
  const addresses = () => {
    const tokens = [...WELL_KNOWN_TOKENS.values()].map(({ mint }) => mint);
    return new Set([...tokens, ...own.addresses, ...knownAddresses(), ...learned.keys()]);
  };
  return {
    of,
    setOwn: (names) =>
      change(() => {
        own = indexOwnNames(names);
        version += 1;
      }),
    learn: (value) =>
      change(() => {
        for (const entry of collectNames(value)) add(entry);
      }),
    restore: (entries) =>
      change(() => {
        const newer = [...learned.values()];
        for (const entry of entries) if (!learned.has(entry.address)) add(entry);
        for (const entry of newer) add(entry);
      }),
    addresses,
    addressesOf(name) {
      const target = name.trim().toLowerCase();
      const matches = [...addresses()].filter((address) => of(address)?.name.toLowerCase() === target);
      return matches.every((address) => of(address)?.warning !== undefined) ? [] : matches;
    },
    tokens: () => collectSymbols(learned.values()),
    learned: () => learned.values(),
    version: () => version,
    subscribe: changes.on,
  };
}

function collectSymbols(learned: Iterable<LearnedName>): ReadonlyMap<string, string> {
  return new Map([
    ...[...WELL_KNOWN_TOKENS.values()].map(({ mint, symbol }) => [mint, symbol] as const),
    ...[...learned].flatMap(({ address, kind, name }) =>
      kind === "token" && !WELL_KNOWN_TOKENS.has(address) ? [[address, name] as const] : [],
    ),
  ]);
}

function builtInName(address: string): AddressName | undefined {
  const token = WELL_KNOWN_TOKENS.get(address);
  if (token) return { name: token.symbol, kind: "token", source: "built-in" };
  const known = knownAddress(address);
  return known && !known.yields ? knownName(known) : undefined;
}

function fallbackName(address: string): AddressName | undefined {
  const known = knownAddress(address);
  return known && knownName(known);
}

function knownName({ title, shortTitle, kind }: KnownAddress): AddressName {
  return { name: shortTitle ?? title, kind, source: "built-in" };
}

function learnedName(entry: LearnedName | undefined, of: NameOf): AddressName | undefined {
  if (entry === undefined) return undefined;
  const { address, kind } = entry;
  if (kind === "market") return marketName(entry, of);
  // Labels and names of programs are not symbols: only a token, or an NFT, can use the symbol of another one.
  const warning = detectLookalike(entry.name, kind === "token" || kind === "nft" ? address : undefined);
  return { name: entry.name, kind, source: "answer", ...(warning !== undefined && { warning }) };
}

/** Returns the name of a pool by its tokens, `JUP/USDC`; undefined unless both are known. */
function marketName({ name }: LearnedName, of: NameOf): AddressName | undefined {
  const tokens = name.split("/").map(of);
  const names = tokens.flatMap((token) => (token === undefined ? [] : [token.name]));
  if (names.length !== tokens.length) return undefined;
  const warning = tokens.find((token) => token?.warning !== undefined)?.warning;
  return { name: names.join("/"), kind: "market", source: "answer", ...(warning !== undefined && { warning }) };
}

/** The addresses that the user named, by name. */
export type OwnNames = ReadonlyMap<string, string>;

/** Indexes names; of several names of an address, the first one is displayed. */
function indexOwnNames(names: OwnNames) {
  const byAddress = new Map([...names].reverse().map(([name, address]) => [address, name]));
  const folded = new Set([...names.keys()].map(foldName));
  return {
    addresses: [...byAddress.keys()],
    /** Returns the own name of an address; else the name that others give it, with a warning when it imitates an own one. */
    select(address: string, nameOf: NameOf): AddressName | undefined {
      const known = nameOf(address);
      const name = byAddress.get(address);
      if (name !== undefined) return { name, kind: known?.kind ?? "account", source: "own" };
      if (known?.source !== "answer" || folded.size === 0 || !folded.has(foldName(known.name))) return known;
      return { ...known, warning: "is your name of another address" };
    },
  };
}

/** Returns a name without case, style, separators and marks: `★ Treasury` reads as `treasury`. */
const foldName = (name: string) =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

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
