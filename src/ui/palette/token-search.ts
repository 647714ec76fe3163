/** Token search by name or symbol. Servers without a search have a token list, which is searched instead. */

import { isObject, type Json } from "../../base/index.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import { type Clock, compactNumber, formatValue } from "../../output/index.ts";
import { shortId } from "../navigation/route.ts";
import { endpointAt } from "../widgets/cells.ts";
import type { Candidate } from "./candidates.ts";

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
    keywords: "",
    action: { type: "open", route: { kind: "entity", entity: "token", id: row.address } },
  };
  return [{ rank: warning === undefined ? at : rank.length, candidate }];
}

const compactAmount = (amount: string) => compactNumber(amount) ?? amount;
const lowerCase = (value: Json | undefined) => (typeof value === "string" ? value.toLowerCase() : "");
