/** Search for names that are known without a request: symbols of tokens, labels of accounts, programs, markets, … */
import { NATIVE_SOL, WELL_KNOWN_TOKENS } from "../../catalogue/index.ts";
import { type AddressName, type Names, WARNING_MARK } from "../../output/index.ts";
import { type EntityKind, entityPage } from "../navigation/entity-pages.ts";
import type { Candidate } from "./candidates.ts";

const MAX_RESULTS = 12;

/** What is opened for a kind of name. */
const ENTITIES: Readonly<Record<AddressName["kind"], EntityKind>> = {
  token: "token",
  program: "program",
  account: "account",
  validator: "account",
  market: "market",
  nft: "token",
  collection: "collection",
};

/**
 * Returns the entities whose name contains a text: equal names first, then names that start with it, tokens before others.
 * A token that shares its symbol with others is marked unless it is the well-known one, since symbols are not unique.
 */
export function searchKnownNames(names: Names, query: string): readonly Candidate[] {
  const plain = query.trim().toLowerCase().replace(/^\$/, "");
  if (plain === "") return [];
  const matches = [...names.addresses()].flatMap((address): readonly NamedAddress[] => {
    const known = address === NATIVE_SOL ? undefined : names.of(address);
    return known?.name.toLowerCase().includes(plain) ? [{ address, ...known }] : [];
  });
  const groups = Map.groupBy(matches, ({ kind, name }) => `${kind} ${name.toLowerCase()}`);
  const isShared = ({ address, kind, name }: NamedAddress) =>
    kind === "token" &&
    !WELL_KNOWN_TOKENS.has(address) &&
    (groups.get(`${kind} ${name.toLowerCase()}`)?.length ?? 0) > 1;
  return matches
    .toSorted((a, b) => rankOf(a, plain) - rankOf(b, plain) || a.name.length - b.name.length)
    .slice(0, MAX_RESULTS)
    .map((one) => nameCandidate(one, plain, isShared(one)));
}

interface NamedAddress extends AddressName {
  readonly address: string;
}

/** Lower ranks come first. */
function rankOf({ name, kind, warning }: NamedAddress, query: string): number {
  const text = name.toLowerCase();
  const match = text === query ? 0 : text.startsWith(query) ? 1 : text.includes(` ${query}`) ? 2 : 3;
  return (warning === undefined ? 0 : 8) + 2 * match + (kind === "token" ? 0 : 1);
}

function nameCandidate({ address, name, kind, warning }: NamedAddress, query: string, isShared: boolean): Candidate {
  const entity = ENTITIES[kind];
  const from = name.toLowerCase().indexOf(query);
  const problem = warning ?? (isShared ? "shared symbol" : undefined);
  return {
    kind: kind === "token" ? "token" : "name",
    title: name,
    role: problem === undefined ? entityPage(entity).role : "warning",
    about: [
      problem === undefined ? "" : `${WARNING_MARK} ${problem} `,
      kind === "token" ? "" : `${kind} `,
      address,
    ].join(""),
    keywords: "",
    matched: Array.from(query, (_, at) => from + at),
    action: { type: "open", route: { kind: "entity", entity, id: address } },
  };
}
