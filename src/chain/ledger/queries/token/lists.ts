/** Metadata, search and lists of tokens. */

import type { SQLInputValue } from "node:sqlite";
import { type Json, type JsonObject, omitMissing, parseJson } from "../../../../base/index.ts";
import { MAX_LISTED_TOKENS, MAX_TOKEN_LIST_ITEMS, type QueryParams, WRAPPED_SOL } from "../../../../catalogue/index.ts";
import { type LedgerReader, type LedgerRow, mapRows } from "../../store/reader.ts";
import { slotSql } from "../../store/schema.ts";
import { MIN_TRUSTED_REPUTATION } from "../account/state.ts";
import type { Query } from "../query.ts";
import {
  addressOf,
  asText,
  columnNumber,
  columnText,
  pageLimits,
  sortDirection,
  unixTimeOf,
  volumeOf,
} from "../sql.ts";
import { findTokens, IS_LISTED, MARKET_CAP_RANK, percentChange, priceChange, requireToken } from "./prices.ts";

const META = `SELECT t.name, t.symbol, t.icon, t.decimals, t.creator_id, t.mint_authority_id, t.freeze_authority_id,
  t.metadata_uri, t.metadata, t.extensions, ${asText("s.supply")} AS supply, s.holders, s.price, s.price_prev, s.market_cap, s.trades_24h AS trades,
  ${asText("s.volume_24h")} AS volume, ${asText("s.volume_prev_24h")} AS volume_prev, ${MARKET_CAP_RANK} AS rank,
  c.signature AS create_tx, cb.time AS created_time, m.signature AS mint_tx, mb.time AS mint_time
FROM tokens t LEFT JOIN token_stats s ON s.token_id = t.id
  LEFT JOIN transactions c ON c.id = t.created LEFT JOIN blocks cb ON cb.slot = ${slotSql("t.created")}
  LEFT JOIN transactions m ON m.id = t.first_mint LEFT JOIN blocks mb ON mb.slot = ${slotSql("t.first_mint")}
WHERE t.id = ?`;

const jsonOf = (text: unknown): Json => (text === null ? null : parseJson(String(text)));

/** Returns the origin of a token: all of it, or none for a token that is older than the ledger. */
function originOf(db: LedgerReader, row: LedgerRow): JsonObject {
  if (db.facts.isComplete && (row.creator_id === null || row.create_tx === null || row.mint_tx === null)) return {};
  return omitMissing({
    creator: addressOf(db, row.creator_id),
    create_tx: columnText(row.create_tx),
    created_time: unixTimeOf(db, row.created_time),
    first_mint_tx: columnText(row.mint_tx),
    first_mint_time: unixTimeOf(db, row.mint_time),
  });
}

/** Returns the market fields; without trades there is no price and nothing derived from it. */
function marketOf(db: LedgerReader, row: LedgerRow): JsonObject {
  const volume = volumeOf(db, row.volume, row.trades);
  return omitMissing({
    price: columnNumber(row.price),
    volume_24h: volume,
    market_cap: columnNumber(row.market_cap),
    market_cap_rank: columnNumber(row.rank),
    price_change_24h: row.price === null ? undefined : priceChange(row),
    total_dex_vol_24h: volume,
    dex_vol_change_24h: volume === undefined ? undefined : percentChange(Number(row.volume), Number(row.volume_prev)),
  });
}

/** The symbol of wrapped SOL in metadata; lists call it SOL. */
const WRAPPED_SOL_SYMBOL = "WSOL";

function readMeta(db: LedgerReader, address: string, token: number): JsonObject {
  const row = db.get(META, token) as LedgerRow;
  const authority = (id: unknown) => (id === null ? null : db.addressOf(Number(id)));
  const extensions = jsonOf(row.extensions);
  return {
    address,
    ...omitMissing({
      name: columnText(row.name),
      symbol: address === WRAPPED_SOL ? WRAPPED_SOL_SYMBOL : columnText(row.symbol),
      icon: columnText(row.icon),
      decimals: columnNumber(row.decimals),
      ...marketOf(db, row),
      supply: columnText(row.supply) ?? db.facts.assume("0"),
      holder: columnNumber(row.holders) ?? db.facts.assume(0),
      ...originOf(db, row),
    }),
    metadata: jsonOf(row.metadata),
    metadata_uri: row.metadata === null && db.facts.isComplete ? "" : String(row.metadata_uri ?? ""),
    mint_authority: authority(row.mint_authority_id),
    freeze_authority: authority(row.freeze_authority_id),
    ...(extensions === null ? {} : { extensions, onchain_extensions: extensions }),
  };
}

/** `/token/meta`: any token, including NFTs and SOL. */
export const meta: Query = ({ db, params }) => {
  const address = params.required("address");
  return { data: readMeta(db, address, requireToken(db, address)) };
};

/** `/token/meta/multi`: several tokens in the order of the request; unknown ones are omitted. */
export const metaMulti: Query = ({ db, params }) => ({
  data: mapRows(findTokens(db, params.list("address")), ([address, token]) => readMeta(db, address, token)),
});

interface MatchingIds {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** Follows every character of an address in the order of texts. */
const AFTER_ADDRESSES = "~";

function byText(column: "name" | "symbol", keyword: string, isFuzzy: boolean): readonly MatchingIds[] {
  const condition = isFuzzy ? `instr(lower(${column}), lower(?)) > 0` : `${column} = ? COLLATE NOCASE`;
  return [{ sql: `SELECT id FROM tokens WHERE kind = 'fungible' AND ${condition}`, values: [keyword] }];
}

/** Wrapped SOL has two symbols; the ledger contains that of SOL. */
function bySymbol(keyword: string, isFuzzy: boolean): readonly MatchingIds[] {
  const [symbol, part] = [WRAPPED_SOL_SYMBOL.toLowerCase(), keyword.toLowerCase()];
  const isWrapped = isFuzzy ? symbol.includes(part) : symbol === part;
  return [...byText("symbol", keyword, isFuzzy), ...(isWrapped ? byAddress(WRAPPED_SOL, false) : [])];
}

function byAddress(keyword: string, isFuzzy: boolean): readonly MatchingIds[] {
  const end = isFuzzy ? keyword + AFTER_ADDRESSES : keyword;
  return [
    {
      sql: "SELECT id FROM accounts WHERE address BETWEEN ? AND ? AND +id IN (SELECT id FROM tokens)",
      values: [keyword, end],
    },
  ];
}

function selectMatches(params: QueryParams): readonly MatchingIds[] {
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
  const matches = selectMatches(params);
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
  const { mint_authority, freeze_authority, extensions, onchain_extensions, ...fields } = readMeta(
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
  const items = mapRows(matches.slice(offset, offset + limit), (token) => searchResult(db, token));
  return { data: { total: matches.length, items } };
};

const TOP_ROWS = 50;

/** Returns the SQL for a page of ids `p`. Tokens older than the ledger have its age unless theirs is known. */
const listSql = (
  { facts }: LedgerReader,
  page: string,
) => `SELECT t.id, t.name, t.symbol, t.decimals, t.creator_id, t.platform,
  s.market_cap, s.price, s.price_prev, s.holders,
  coalesce(b.time, t.founded, ${!facts.isComplete ? "NULL" : "(SELECT min(time) FROM blocks)"}) AS created_time
FROM (${page}) p CROSS JOIN tokens t ON t.id = p.id LEFT JOIN token_stats s ON s.token_id = t.id
  LEFT JOIN blocks b ON b.slot = ${slotSql("t.created")}`;

function nameFields(db: LedgerReader, row: LedgerRow) {
  return omitMissing({
    address: db.addressOf(Number(row.id)),
    decimals: columnNumber(row.decimals),
    name: columnText(row.name),
    symbol: columnText(row.symbol),
  });
}

const originFields = (db: LedgerReader, row: LedgerRow): JsonObject =>
  omitMissing({ created_time: unixTimeOf(db, row.created_time), creator: addressOf(db, row.creator_id) });

/** Returns a token of a list; without an earlier price the change is 0. */
const listedTokenJson = (db: LedgerReader, row: LedgerRow): JsonObject => ({
  ...nameFields(db, row),
  ...omitMissing({
    market_cap: columnNumber(row.market_cap),
    price: columnNumber(row.price),
    price_24h_change: row.price === null ? undefined : priceChange(row),
    holder: columnNumber(row.holders),
  }),
  ...originFields(db, row),
});

/** Returns a token that may have no market. */
const latestTokenJson = (db: LedgerReader, row: LedgerRow): JsonObject => ({
  ...nameFields(db, row),
  ...(row.price === null ? {} : omitMissing({ market_cap: columnNumber(row.market_cap), price: Number(row.price) })),
  ...(row.price === null || row.price_prev === null ? {} : { price_24h_change: priceChange(row) }),
  ...omitMissing({ holder: columnNumber(row.holders) }),
  ...originFields(db, row),
  ...omitMissing({ platform: columnText(row.platform) }),
});

/** The SQL condition that a token of `token_stats s` has a price. Tokens of a chain need none. */
const hasPrice = ({ facts }: LedgerReader): string => (!facts.hasPrices ? "true" : "s.market_cap IS NOT NULL");

/** Returns the SQL for tokens by statistics; ties are broken by id, and tokens without a value come last. */
const byStatistics = (
  db: LedgerReader,
  columns: readonly string[],
  direction: "ASC" | "DESC",
  condition = hasPrice(db),
) =>
  `SELECT t.id AS id FROM token_stats s CROSS JOIN tokens t ON t.id = s.token_id WHERE ${condition} AND ${IS_LISTED}
  ORDER BY ${[...columns, "s.token_id"].map((column) => `${column} ${direction}${db.facts.nullsLast}`).join()}
  LIMIT ? OFFSET ?`;

/** Returns the SQL for tokens by age; those older than the ledger are the oldest. */
const byAge = (db: LedgerReader, direction: "ASC" | "DESC") =>
  `SELECT t.id AS id FROM tokens t CROSS JOIN token_stats s ON s.token_id = t.id WHERE ${IS_LISTED} AND ${hasPrice(db)}
  ORDER BY t.created ${direction} NULLS ${direction === "ASC" ? "FIRST" : "LAST"}, t.founded ${direction} NULLS ${direction === "ASC" ? "LAST" : "FIRST"}, t.id ${direction} LIMIT ? OFFSET ?`;

/** `/token/list`: fungible tokens that have a price (of a chain: all), with SOL in its wrapped form. */
export const list: Query = ({ db, params }) => {
  const [limit, offset] = pageLimits(params);
  const [key, direction] = [params.text("sort_by"), sortDirection(params)];
  const page =
    key === "created_time"
      ? byAge(db, direction)
      : byStatistics(db, [key === "holder" ? "s.holders" : "s.market_cap"], direction);
  const rows = Math.max(0, Math.min(limit, MAX_TOKEN_LIST_ITEMS - offset));
  return { data: db.all(listSql(db, page), rows, offset).map((row) => listedTokenJson(db, row)) };
};

/**
 * `/token/top`: the first 50 tokens by market capitalisation. The total counts all tokens that have one, so that it may
 * exceed the number of rows.
 */
export const top: Query = ({ db }) => {
  const items = db
    .all(listSql(db, byStatistics(db, ["s.market_cap"], "DESC")), TOP_ROWS, 0)
    .map((row) => listedTokenJson(db, row));
  // Every token has statistics.
  const priced = db.facts.hasPrices ? "CROSS JOIN token_stats s ON s.token_id = t.id" : "";
  const counted = db.get(`SELECT count(*) AS total FROM tokens t ${priced} WHERE ${hasPrice(db)} AND ${IS_LISTED}`);
  return { data: { total: Number(counted?.total), items } };
};

/**
 * `/token/trending`: tokens by distinct traders of the last 24 hours, then by volume; tokens without traders are
 * omitted.
 */
export const trending: Query = ({ db, params }) => {
  const traded = `${hasPrice(db)} AND s.traders_24h > 0`;
  const page = byStatistics(db, ["s.traders_24h", "s.volume_24h"], "DESC", traded);
  return { data: db.all(listSql(db, page), params.integer("limit") ?? 10, 0).map((row) => nameFields(db, row)) };
};

/**
 * `/token/latest`: the newest tokens of one launch platform or of all; tokens launched elsewhere are omitted. Of a chain
 * platforms are unknown: without one, all tokens that were created in the ledger are listed.
 */
export const latest: Query = ({ db, params }) => {
  const platform = params.text("platform_id");
  const page = `SELECT t.id AS id FROM tokens t WHERE t.kind = 'fungible' AND ${platform !== undefined ? "t.platform = ?" : !db.facts.isComplete ? "t.created IS NOT NULL" : "t.platform IS NOT NULL"}
    ORDER BY t.created DESC, t.id DESC LIMIT ? OFFSET ?`;
  const values = platform === undefined ? [] : [platform];
  return { data: db.all(listSql(db, page), ...values, ...pageLimits(params)).map((row) => latestTokenJson(db, row)) };
};
