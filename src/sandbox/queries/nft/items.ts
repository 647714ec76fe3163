/** The NFTs of a collection with their last trade or their listing. */
import { type Json, type JsonObject, parseJson } from "../../../base/index.ts";
import type { Reader, Row } from "../../ledger/reader.ts";
import { notFound, type Query } from "../query.ts";
import { exact, joinBlock, pageOf, unixOf } from "../sql.ts";
import { lamportsOf, NOW, worthColumns } from "./amounts.ts";
import { collectionId, SOLD } from "./collections.ts";

/** An NFT and the activity that it is listed with, as row ids. */
interface Place {
  readonly nft: number;
  readonly activity: number | undefined;
}

/** Those traded last first; those never traded come last. */
function byTrade(db: Reader, collection: number, limit: number, offset: number): readonly Place[] {
  const rows = db.all(
    `SELECT nft_id, last_sale_id FROM nft_markets WHERE collection_id = ?
    ORDER BY last_sale_id DESC NULLS LAST, nft_id LIMIT ? OFFSET ?`,
    collection,
    limit,
    offset,
  );
  return rows.map((row) => ({ nft: Number(row.nft_id), activity: idOf(row.last_sale_id) }));
}

/** Those asked the least for first; those that are not for sale come last. */
function byListing(db: Reader, collection: number, limit: number, offset: number): readonly Place[] {
  const listed = db
    .all(
      `SELECT m.nft_id, m.listing_id, ${worthColumns(db, NOW, "m.listing_price")} FROM nft_markets m
      CROSS JOIN nft_activities a ON a.id = m.listing_id CROSS JOIN tokens n ON n.id = a.currency_id
      WHERE m.collection_id = ? AND m.listing_id > 0`,
      collection,
    )
    .map((row) => ({
      nft: Number(row.nft_id),
      activity: Number(row.listing_id),
      worth: Number(lamportsOf(row) ?? Number.POSITIVE_INFINITY),
    }))
    .sort((a, b) => (a.worth === b.worth ? a.nft - b.nft : a.worth - b.worth));
  const page = listed.slice(offset, offset + limit);
  const rest = db.all(
    "SELECT nft_id FROM nft_markets WHERE collection_id = ? AND listing_id IS NULL ORDER BY nft_id LIMIT ? OFFSET ?",
    collection,
    limit - page.length,
    Math.max(0, offset - listed.length),
  );
  return [...page, ...rest.map((row) => ({ nft: Number(row.nft_id), activity: undefined }))];
}

const idOf = (id: unknown): number | undefined => (id === null ? undefined : Number(id));

/** A sale, or a listing, which has neither a time nor a buyer. */
function tradeJson(db: Reader, activity: number): JsonObject {
  const row = db.get(
    `SELECT a.type, a.from_id, a.to_id, a.marketplace_id, ${exact("a.price")} AS price, a.currency_id, n.decimals,
      x.signature, b.time
    FROM nft_activities a CROSS JOIN tokens n ON n.id = a.currency_id
    ${joinBlock("a.id")} WHERE a.id = ?`,
    activity,
  );
  if (!row) return {};
  const isSale = row.type === SOLD;
  return {
    ...(isSale ? { trade_time: unixOf(db.clock, row.time) } : {}),
    signature: String(row.signature),
    market_id: db.addressOf(Number(row.marketplace_id)),
    type: isSale ? "Buy" : "Listing",
    price: String(row.price),
    currency_token: db.addressOf(Number(row.currency_id)),
    currency_decimals: Number(row.decimals),
    seller: addressOrEmpty(db, row.from_id),
    ...(isSale ? { buyer: addressOrEmpty(db, row.to_id) } : {}),
  };
}

/** The API has no null for a side that is missing. */
export const addressOrEmpty = (db: Reader, id: unknown): string => (id === null ? "" : db.addressOf(Number(id)));

/** What is known of an NFT, without its collection. */
export interface NftFacts {
  readonly name: string;
  readonly symbol: string;
  readonly collection: Row;
  readonly data: Json;
  readonly meta: Json;
  readonly mintTx: string;
  /** The caller's Unix seconds. */
  readonly created: number;
}

/** An NFT by its number. */
export function nftFacts(db: Reader, nft: number): NftFacts | undefined {
  const row = db.get(
    `SELECT t.name, t.symbol, n.data, n.meta, c.account_id, c.hex, c.name AS collection, x.signature, b.time FROM nfts n
    CROSS JOIN tokens t ON t.id = n.token_id CROSS JOIN nft_collections c ON c.account_id = n.collection_id
    CROSS JOIN transactions x ON x.id = n.minted CROSS JOIN blocks b ON b.slot = x.slot WHERE n.token_id = ?`,
    nft,
  );
  return (
    row && {
      name: String(row.name),
      symbol: String(row.symbol),
      collection: row,
      data: parseJson(String(row.data)),
      meta: parseJson(String(row.meta)),
      mintTx: String(row.signature),
      created: unixOf(db.clock, row.time),
    }
  );
}

function itemJson(db: Reader, { nft, activity }: Place): readonly JsonObject[] {
  const facts = nftFacts(db, nft);
  if (!facts) return [];
  const trade = activity === undefined ? undefined : tradeJson(db, activity);
  const info = {
    address: db.addressOf(nft),
    token_name: facts.name,
    token_symbol: facts.symbol,
    collection_id: String(facts.collection.hex),
    data: facts.data,
    meta: facts.meta,
    mint_tx: facts.mintTx,
    created_time: facts.created,
  };
  return [trade ? { info, tradeInfo: trade, stats: trade } : { info }];
}

/** NFTs of a collection; those without a trade, or without a listing, come last. */
export const collectionItems: Query = ({ db, params }) => {
  const collection = collectionId(db, params.need("collection"));
  if (!db.get("SELECT 1 FROM nft_collections WHERE account_id = ?", collection)) throw notFound("Collection");
  const places = params.text("sort_by") === "listing_price" ? byListing : byTrade;
  return { data: places(db, collection, ...pageOf(params)).flatMap((place) => itemJson(db, place)) };
};
