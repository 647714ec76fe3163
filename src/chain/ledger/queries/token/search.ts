/** Search of tokens by name, symbol or address. */
import type { SQLInputValue } from "node:sqlite";
import type { JsonObject } from "../../../../base/index.ts";
import { MAX_LISTED_TOKENS, type QueryParams, WRAPPED_SOL } from "../../../../catalogue/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { MIN_TRUSTED_REPUTATION } from "../account/state.ts";
import type { Query } from "../query.ts";
import { pageLimits, sortDirection } from "../sql.ts";
import { metaOf, WRAPPED_SOL_SYMBOL } from "./meta.ts";
import { IS_LISTED } from "./mints.ts";

/** A statement that selects the ids of matching tokens. */
interface MatchingIds {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** Follows every character of an address in the order of texts. */
const AFTER_ADDRESSES = "~";

const tokensWhere = (condition: string) => `SELECT id FROM tokens WHERE kind = 'fungible' AND ${condition}`;

/** Returns the statements for names or symbols that are the keyword, or contain it; upper and lower case are equal. */
function byText(column: "name" | "symbol", keyword: string, isFuzzy: boolean): readonly MatchingIds[] {
  const condition = isFuzzy ? `instr(lower(${column}), lower(?)) > 0` : `${column} = ? COLLATE NOCASE`;
  return [{ sql: tokensWhere(condition), values: [keyword] }];
}

/** Wrapped SOL has two symbols; the ledger contains that of SOL. */
function bySymbol(keyword: string, isFuzzy: boolean): readonly MatchingIds[] {
  const [symbol, part] = [WRAPPED_SOL_SYMBOL.toLowerCase(), keyword.toLowerCase()];
  const isWrapped = isFuzzy ? symbol.includes(part) : symbol === part;
  return [...byText("symbol", keyword, isFuzzy), ...(isWrapped ? byAddress(WRAPPED_SOL, false) : [])];
}

/** Returns the statement for the address, or for addresses that begin with the keyword. */
function byAddress(keyword: string, isFuzzy: boolean): readonly MatchingIds[] {
  const end = isFuzzy ? keyword + AFTER_ADDRESSES : keyword;
  return [{ sql: "SELECT id FROM accounts WHERE address BETWEEN ? AND ?", values: [keyword, end] }];
}

function matchesOf(params: QueryParams): readonly MatchingIds[] {
  const [keyword, field] = [params.required("keyword"), params.required("search_by")];
  const isFuzzy = params.text("search_mode") === "fuzzy";
  const isSearched = (name: string) => field === name || field === "combination";
  return [
    ...(isSearched("address") ? byAddress(keyword, isFuzzy) : []),
    ...(isSearched("name") ? byText("name", keyword, isFuzzy) : []),
    ...(isSearched("symbol") ? bySymbol(keyword, isFuzzy) : []),
  ];
}

/** Columns of `tokens t` and `token_stats s` by sort key. Tokens without a value sort as if it were 0. */
const SORT_COLUMNS: Readonly<Record<string, string>> = {
  reputation: "coalesce(t.reputation, 0)",
  market_cap: "coalesce(s.market_cap, 0)",
  volume_24h: "coalesce(s.volume_24h, 0)",
};

/** Returns the ids of all matches in the requested order, up to the maximum total; ties by reputation, size and age. */
function findMatches(db: LedgerReader, params: QueryParams): readonly number[] {
  const matches = matchesOf(params);
  const direction = sortDirection(params);
  const keys = [SORT_COLUMNS[params.required("sort_by")], ...Object.values(SORT_COLUMNS), "coalesce(s.holders, 0)"];
  const isVerified = params.flag("exclude_unverified_token")
    ? `AND ifnull(t.reputation, 100) >= ${MIN_TRUSTED_REPUTATION}`
    : "";
  const rows = db.all(
    `SELECT t.id FROM (${matches.map(({ sql }) => sql).join(" UNION ")}) m CROSS JOIN tokens t ON t.id = m.id
      LEFT JOIN token_stats s ON s.token_id = t.id WHERE ${IS_LISTED} ${isVerified}
    ORDER BY ${keys.map((key) => `${key} ${direction}`).join()}, t.id ${direction} LIMIT ${MAX_LISTED_TOKENS}`,
    ...matches.flatMap(({ values }) => values),
  );
  return rows.map(({ id }) => Number(id));
}

/** Returns a token as the entity `TokenSearchResult`: its metadata without authorities and extensions. */
function searchResult(db: LedgerReader, token: number): JsonObject {
  const { mint_authority, freeze_authority, extensions, onchain_extensions, ...fields } = metaOf(
    db,
    db.addressOf(token),
    token,
  );
  const { reputation } = db.get("SELECT reputation FROM tokens WHERE id = ?", token) ?? {};
  return { ...fields, ...(reputation == null ? {} : { is_verified: Number(reputation) >= MIN_TRUSTED_REPUTATION }) };
}

/** `/token/search`: tokens whose name, symbol or address is the keyword or, with fuzzy, contains it. */
export const search: Query = ({ db, params }) => {
  const matches = findMatches(db, params);
  const [limit, offset] = pageLimits(params);
  const items = matches.slice(offset, offset + limit).map((token) => searchResult(db, token));
  return { data: { total: matches.length, items } };
};
