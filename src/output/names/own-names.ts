/** The user's own names, which precede all others, and what imitates them. */
import type { AddressName, NameOf } from "./address-name.ts";

/** The addresses that the user named, by name. */
export type OwnNames = ReadonlyMap<string, string>;

/** Own names by address, in front of the names of others. */
export interface OwnNameIndex {
  readonly addresses: Iterable<string>;
  /** Returns the own name of an address; else the name that others give it, with a warning when it imitates an own one. */
  select(address: string, nameOf: NameOf): AddressName | undefined;
}

/** Indexes names; of several names of an address, the first one is displayed. */
export function indexOwnNames(names: OwnNames): OwnNameIndex {
  const byAddress = new Map([...names].reverse().map(([name, address]) => [address, name]));
  const folded = new Set([...names.keys()].map(foldName));
  return {
    addresses: [...byAddress.keys()],
    select(address, nameOf) {
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
