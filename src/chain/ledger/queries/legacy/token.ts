/** The legacy token and market endpoints. */

import { omitMissing } from "../../../../base/index.ts";
import { amountDistance } from "../../store/amounts.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import { SOL } from "../../store/schema.ts";
import type { QueriesByRoute, Query } from "../query.ts";
import {
  amountOf,
  asText,
  columnNumber,
  columnText,
  idOrUnknown,
  isTokenAccount,
  joinBlock,
  sliceLimits,
  sortById,
  volumeOf,
  WhereClause,
} from "../sql.ts";
import { countHolders, holderConditions, readHolders } from "../token/holders.ts";
import { addTradedTokens, poolRows } from "../token/markets.ts";
import { MARKET_CAP_RANK, requireToken } from "../token/mints.ts";
import { priceChange } from "../token/prices.ts";
import { legacyChangeOf } from "./account-transfers.ts";
import { legacyTokenList, linksOf, tagsOf } from "./token-list.ts";

/**
 * Selects the changes of a token other than SOL, optionally of one wallet or token account; an index has each in chain
 * order.
 */
function changeConditions(db: LedgerReader, token: number, address: string | undefined): WhereClause {
  const where = new WhereClause().add("token_id = ?", token);
  if (address === undefined) return where.add(`token_id <> ${SOL}`);
  const id = idOrUnknown(db, address);
  return where.add(isTokenAccount(db, id) ? "account_id = ?" : "owner_id = ?", id);
}

const changesSql = (where: WhereClause) => `SELECT c.id, c.account_id, c.owner_id, c.token_id,
  ${asText("c.pre")} AS pre, ${asText("c.post")} AS post, ${asText(amountDistance("c.post", "c.pre"))} AS amount, c.post >= c.pre AS grows,
  x.slot, x.signature, ${asText("x.fee")} AS fee, b.time, n.decimals, n.symbol
FROM (SELECT id FROM balance_changes ${where.sql} ORDER BY id DESC LIMIT ? OFFSET ?) p
  CROSS JOIN balance_changes c ON c.id = p.id ${joinBlock("c.id")} CROSS JOIN tokens n ON n.id = c.token_id`;

/**
 * `/token/transfer`: balance changes of a token, optionally of one wallet or token account, newest first. SOL has none
 * because it is not a token of the token program.
 */
const transfer: Query = ({ db, params }) => {
  const token = requireToken(db, params.required("tokenAddress"));
  if (token === SOL) return { data: { total: 0, data: [] } };
  const where = changeConditions(db, token, params.text("address"));
  const counted = db.get(`SELECT count(*) AS total FROM balance_changes ${where.sql}`, ...where.values);
  const rows = sortById(db.all(changesSql(where), ...where.values, ...sliceLimits(params)), "DESC");
  return { data: { total: Number(counted?.total), data: rows.map((row) => legacyChangeOf(db, row)) } };
};

const TOKEN = `SELECT t.name, t.symbol, t.icon, t.decimals, t.metadata, t.mint_authority_id, l.tags,
  ${asText("s.supply")} AS supply, s.holders, s.price, s.price_prev, s.market_cap, s.trades_24h AS trades,
  ${asText("s.volume_24h")} AS volume, ${MARKET_CAP_RANK} AS rank
FROM tokens t LEFT JOIN token_stats s ON s.token_id = t.id LEFT JOIN labels l ON l.account_id = t.id WHERE t.id = ?`;

const tokenRow = (db: LedgerReader, token: number): LedgerRow => db.get(TOKEN, token) ?? {};

/** `/token/meta`. */
const meta: Query = ({ db, params }) => {
  const address = params.required("tokenAddress");
  const row = tokenRow(db, requireToken(db, address));
  const unknown = db.facts.assume(0);
  const data = {
    ...omitMissing({
      symbol: columnText(row.symbol),
      address,
      name: columnText(row.name),
      icon: columnText(row.icon),
      ...linksOf(address, row),
      decimals: columnNumber(row.decimals),
      price: columnNumber(row.price),
      volume: volumeOf(db, row.volume, row.trades),
    }),
    tokenAuthority: row.mint_authority_id === null ? null : db.addressOf(Number(row.mint_authority_id)),
    ...omitMissing({ supply: columnText(row.supply ?? unknown) }),
    type: "token_address",
    ...omitMissing({ holder: columnNumber(row.holders ?? unknown) }),
    tag: tagsOf(row),
  };
  return { data };
};

/** `/token/holders`: token accounts with a balance, largest first. Total and rank count within the filter. */
const holders: Query = ({ db, params }) => {
  const token = requireToken(db, params.required("tokenAddress"));
  const where = holderConditions(token, [params.text("fromAmount"), params.text("toAmount")]);
  const [limit, offset] = sliceLimits(params);
  const decimals = columnNumber(tokenRow(db, token).decimals);
  const data = readHolders(db, where, limit, offset).map((row, n) =>
    omitMissing({
      address: db.addressOf(Number(row.account_id)),
      amount: amountOf(row.amount),
      decimals,
      owner: db.addressOf(Number(row.owner_id)),
      rank: offset + n + 1,
    }),
  );
  return { data: { total: countHolders(db, where), data } };
};

/** `/market/token/{tokenAddress}`: null where the token has no price; pools by volume. */
const market: Query = ({ db, params }) => {
  const token = requireToken(db, params.required("tokenAddress"));
  const row = tokenRow(db, token);
  const data = {
    priceUsdt: row.price as number | null,
    ...omitMissing({ volumeUsdt: volumeOf(db, row.volume, row.trades) }),
    marketCapFD: row.market_cap as number | null,
    marketCapRank: row.rank as number | null,
    priceChange24h: row.price === null ? null : priceChange(row),
    markets: poolRows(db, addTradedTokens(new WhereClause(), [token]), "volume", ...sliceLimits(params)),
  };
  return { data };
};

/** Queries of the legacy `/token/…` and `/market/token/…`. */
export const legacyTokenQueries: QueriesByRoute = {
  "token-holders": holders,
  "token-meta": meta,
  "token-transfer": transfer,
  "token-list": legacyTokenList,
  "market-token-detail": market,
};
