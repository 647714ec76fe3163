/** Metadata of tokens. */
import { type Json, type JsonObject, omitMissing, parseJson } from "../../../../base/index.ts";
import { WRAPPED_SOL } from "../../../../catalogue/index.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import type { Query } from "../query.ts";
import { addressOf, asText, columnNumber, columnText, unixTimeOf, volumeOf } from "../sql.ts";
import { findTokens, MARKET_CAP_RANK, requireToken } from "./mints.ts";
import { percentChange, priceChange } from "./prices.ts";

const META = `SELECT t.name, t.symbol, t.icon, t.decimals, t.creator_id, t.mint_authority_id, t.freeze_authority_id,
  t.metadata_uri, t.metadata, t.extensions, ${asText("s.supply")} AS supply, s.holders, s.price, s.price_prev, s.market_cap, s.trades_24h AS trades,
  ${asText("s.volume_24h")} AS volume, ${asText("s.volume_prev_24h")} AS volume_prev, ${MARKET_CAP_RANK} AS rank,
  c.signature AS create_tx, cb.time AS created_time, m.signature AS mint_tx, mb.time AS mint_time
FROM tokens t LEFT JOIN token_stats s ON s.token_id = t.id
  LEFT JOIN transactions c ON c.id = t.created LEFT JOIN blocks cb ON cb.slot = c.slot
  LEFT JOIN transactions m ON m.id = t.first_mint LEFT JOIN blocks mb ON mb.slot = m.slot
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
export const WRAPPED_SOL_SYMBOL = "WSOL";

/** Returns a token as the entity `TokenMeta`. */
export function metaOf(db: LedgerReader, address: string, token: number): JsonObject {
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
  return { data: metaOf(db, address, requireToken(db, address)) };
};

/** `/token/meta/multi`: several tokens in the order of the request; unknown ones are omitted. */
export const metaMulti: Query = ({ db, params }) => ({
  data: findTokens(db, params.list("address")).map(([address, token]) => metaOf(db, address, token)),
});
