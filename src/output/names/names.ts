/**
 * Names of addresses: the user's own, built in, and collected from the symbols and labels in answers. The one resolver of
 * tables and of the explorer. No request is sent for names.
 */
import { createEmitter, type Json } from "../../base/index.ts";
import { type KnownAddress, knownAddress, knownAddresses, WELL_KNOWN_TOKENS } from "../../catalogue/index.ts";
import { detectLookalike } from "../text/lookalike.ts";
import type { AddressName, NameOf } from "./address-name.ts";
import { collectNames, type LearnedName } from "./collect-names.ts";
import { indexOwnNames, type OwnNames } from "./own-names.ts";

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
  /** Returns the addresses with a name, ignoring case; well-known tokens come first. */
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
      return [...addresses()].filter((address) => of(address)?.name.toLowerCase() === target);
    },
    tokens: () => symbolsOf(learned.values()),
    learned: () => learned.values(),
    version: () => version,
    subscribe: changes.on,
  };
}

/** Returns the symbols of tokens by mint, those of well-known tokens first. */
function symbolsOf(learned: Iterable<LearnedName>): ReadonlyMap<string, string> {
  return new Map([
    ...[...WELL_KNOWN_TOKENS.values()].map(({ mint, symbol }) => [mint, symbol] as const),
    ...[...learned].flatMap(({ address, kind, name }) =>
      kind === "token" && !WELL_KNOWN_TOKENS.has(address) ? [[address, name] as const] : [],
    ),
  ]);
}

/** Returns the name of a well-known token, a program, or an account with a fixed role. */
function builtInName(address: string): AddressName | undefined {
  const token = WELL_KNOWN_TOKENS.get(address);
  if (token) return { name: token.symbol, kind: "token", source: "built-in" };
  const known = knownAddress(address);
  return known && !known.yields ? knownName(known) : undefined;
}

/** Returns the name of an address for which answers may have a better one. */
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
