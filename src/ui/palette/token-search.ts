/** Tokens that a name or symbol may mean. The API has no search by name, so it is looked for in its list of tokens. */

import { isObject, type Json } from "../../base/json.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import { NATIVE_SOL } from "../../catalogue/samples.ts";
import { WELL_KNOWN_TOKENS } from "../../output/text/well-known-tokens.ts";
import { formatValue } from "../../output/values/cell.ts";
import { compactNumber } from "../../output/values/number.ts";
import type { Clock } from "../../output/values/time.ts";
import { shortId } from "../app/route.ts";
import { endpointAt } from "../widgets/cells.ts";
import type { Candidate } from "./candidates.ts";

/** The list that is searched: the tokens of the greatest market value, as many as one request gives. */
export const TOKEN_LIST = endpointAt("/token/list");
export const TOKEN_LIST_PARAMS: ParameterValues = { sort_by: "market_cap", page_size: 100 };

const METAS = {
  name: { kind: "text", description: "Name" },
  usd: { kind: "usd", description: "Price" },
} as const;

/** The tokens whose symbol or name holds what is wanted; exact symbols first, pretenders last, else as listed. */
export function tokensLike(rows: readonly Json[], wanted: string, clock: Clock): readonly Candidate[] {
  const plain = wanted.trim().toLowerCase();
  const found = rows.flatMap((row) => tokenOf(row, plain, clock));
  return found.sort((a, b) => a.rank - b.rank).map(({ candidate }) => candidate);
}

/** Symbols of fewer letters are in too much. */
const LEAST_WANTED = 2;
const MOST_KNOWN = 8;

/**
 * The tokens that are known without asking and whose symbol holds what is wanted, those that begin so first; each with
 * its mint, and a warning where several are called the same and it is not the famous one: anybody may take any symbol.
 */
export function knownTokens(symbols: ReadonlyMap<string, string>, wanted: string): readonly Candidate[] {
  const plain = wanted.trim().toLowerCase();
  if (plain.length < LEAST_WANTED) return [];
  const all = [...new Map([...WELL_KNOWN_TOKENS, ...symbols, ...WELL_KNOWN_TOKENS])]
    .filter(([mint]) => mint !== NATIVE_SOL)
    .map(([mint, symbol]) => ({ mint, symbol }));
  const found = all.filter(({ symbol }) => symbol.toLowerCase().includes(plain));
  const begins = ({ symbol }: (typeof all)[number]) => (symbol.toLowerCase().startsWith(plain) ? 0 : 1);
  return found
    .toSorted((a, b) => begins(a) - begins(b) || a.symbol.length - b.symbol.length)
    .slice(0, MOST_KNOWN)
    .map(({ mint, symbol }): Candidate => {
      const namesakes = found.filter((one) => one.symbol.toLowerCase() === symbol.toLowerCase()).length;
      const isDoubtful = namesakes > 1 && !WELL_KNOWN_TOKENS.has(mint);
      return {
        kind: "token",
        title: symbol,
        about: [shortId(mint), ...(isDoubtful ? [`⚠ one of ${namesakes} called so`] : []), mint].join("  "),
        words: "",
        effect: { do: "open", place: { kind: "thing", thing: "token", id: mint } },
      };
    });
}

interface Ranked {
  readonly rank: number;
  readonly candidate: Candidate;
}

function tokenOf(row: Json, wanted: string, clock: Clock): readonly Ranked[] {
  if (!isObject(row) || typeof row.address !== "string") return [];
  const symbol = textOf(row.symbol);
  const name = textOf(row.name);
  const rank = [
    symbol === wanted,
    symbol.startsWith(wanted),
    name.startsWith(wanted),
    `${symbol} ${name}`.includes(wanted),
  ];
  const at = rank.indexOf(true);
  if (at < 0) return [];
  const shown = (key: string, meta: keyof typeof METAS) => formatValue(row[key], METAS[meta], row, clock);
  const cells = [shown("symbol", "name"), shown("name", "name")];
  const warning = cells.find((cell) => cell.warning !== undefined)?.warning;
  const facts = [
    warning === undefined ? "" : `⚠ ${warning}`,
    shortId(row.address),
    `price ${shown("price", "usd").text}`,
    `market value ${short(shown("market_cap", "usd").text)}`,
  ];
  const candidate: Candidate = {
    kind: "token",
    title: cells.map(({ text }) => text).join(" · "),
    about: facts.filter(Boolean).join("  "),
    words: "",
    effect: { do: "open", place: { kind: "thing", thing: "token", id: row.address } },
  };
  return [{ rank: warning === undefined ? at : rank.length, candidate }];
}

const short = (amount: string) => compactNumber(amount) ?? amount;
const textOf = (value: Json | undefined) => (typeof value === "string" ? value.toLowerCase() : "");
