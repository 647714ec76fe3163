/** Search by name: of names that are known without a request, and of tokens. */

import { isObject, type Json } from "../../base/index.ts";
import { NATIVE_SOL, type ParameterValues, WELL_KNOWN_TOKENS } from "../../catalogue/index.ts";
import {
  type AddressName,
  type Clock,
  compactNumber,
  formatValue,
  type Names,
  WARNING_MARK,
} from "../../output/index.ts";
import { type EntityKind, entityPage } from "../navigation/entity-pages.ts";
import { shortId } from "../navigation/route.ts";
import { endpointAt } from "../widgets/cells.ts";
import type { Candidate } from "./candidates.ts";

const MAX_RESULTS = 12;

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
    .toSorted((a, b) => rankName(a, plain) - rankName(b, plain) || a.name.length - b.name.length)
    .slice(0, MAX_RESULTS)
    .map((one) => nameCandidate(one, plain, isShared(one)));
}

interface NamedAddress extends AddressName {
  readonly address: string;
}

/** Lower ranks come first. */
function rankName({ name, kind, warning }: NamedAddress, query: string): number {
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
    matched: Array.from(query, (_, at) => from + at),
    action: { type: "open", route: { kind: "entity", entity, id: address } },
  };
}

/** The search for tokens. */
export const TOKEN_SEARCH = endpointAt("/token/search");

/** Returns the parameters of {@link TOKEN_SEARCH}: the best reputation first. */
export const tokenSearchParams = (query: string): ParameterValues => ({
  keyword: query.trim().replace(/^\$/, ""),
  search_mode: "fuzzy",
  page_size: 40,
});

/** The list that is searched: one page of the tokens with the highest market cap. */
export const TOKEN_LIST = endpointAt("/token/list");
/** The parameters of {@link TOKEN_LIST}. */
export const TOKEN_LIST_PARAMS: ParameterValues = { sort_by: "market_cap", page_size: 100 };

const METAS = {
  name: { kind: "text", description: "Name" },
  usd: { kind: "usd", description: "Price" },
} as const;

/** Returns the tokens whose symbol or name contains the query: exact symbols first, suspicious tokens last. */
export function searchTokens(rows: readonly Json[], query: string, clock: Clock): readonly Candidate[] {
  const plain = query.trim().toLowerCase();
  const matches = rows.flatMap((row) => rankToken(row, plain, clock));
  return matches.sort((a, b) => a.rank - b.rank).map(({ candidate }) => candidate);
}

interface Ranked {
  readonly rank: number;
  readonly candidate: Candidate;
}

function rankToken(row: Json, query: string, clock: Clock): readonly Ranked[] {
  if (!isObject(row) || typeof row.address !== "string") return [];
  const symbol = lowerCase(row.symbol);
  const name = lowerCase(row.name);
  const rank = [
    symbol === query,
    symbol.startsWith(query),
    name.startsWith(query),
    `${symbol} ${name}`.includes(query),
  ];
  const at = rank.indexOf(true);
  if (at < 0) return [];
  const format = (key: string, meta: keyof typeof METAS) => formatValue(row[key], METAS[meta], row, clock);
  const cells = [format("symbol", "name"), format("name", "name")];
  const warning = cells.find((cell) => cell.warning !== undefined)?.warning;
  const facts = [
    warning === undefined ? "" : `⚠ ${warning}`,
    shortId(row.address),
    typeof row.is_verified === "boolean" ? (row.is_verified ? "verified" : "not verified") : "",
    `price ${format("price", "usd").text}`,
    `market cap ${compactAmount(format("market_cap", "usd").text)}`,
  ];
  const candidate: Candidate = {
    kind: "token",
    title: cells.map(({ text }) => text).join(" · "),
    about: facts.filter(Boolean).join("  "),
    action: { type: "open", route: { kind: "entity", entity: "token", id: row.address } },
  };
  return [{ rank: warning === undefined ? at : rank.length, candidate }];
}

const compactAmount = (amount: string) => compactNumber(amount) ?? amount;
const lowerCase = (value: Json | undefined) => (typeof value === "string" ? value.toLowerCase() : "");
