/** NFTs of a collection with their last trade or their listing. */
import { DAY_SECONDS, type JsonObject, omitMissing, parseJson } from "../../../../base/index.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import { notFoundError, type Query } from "../query.ts";
import { asText, columnNumber, columnText, joinBlock, pageLimits, toUnixTime } from "../sql.ts";
import { LATEST_ROW, lamportsOf, priceColumns } from "./amounts.ts";
import { collectionId, SALE_TYPE } from "./collections.ts";

/** The ids of an NFT and of the activity that it is listed with. */
interface ItemRef {
  readonly nft: number;
  readonly activity: number | undefined;
}

/** Reads NFTs by their last trade, newest first; those without a trade come last. */
function readByTrade(db: LedgerReader, collection: number, limit: number, offset: number): readonly ItemRef[] {
  const rows = db.all(
    `SELECT nft_id, last_sale_id FROM nft_markets WHERE collection_id = ?
    ORDER BY last_sale_id DESC NULLS LAST, nft_id LIMIT ? OFFSET ?`,
    collection,
    limit,
    offset,
  );
  return rows.map((row) => ({ nft: Number(row.nft_id), activity: idOf(row.last_sale_id) }));
}

/** Reads NFTs by listing price, lowest first; those without a listing come last. */
function readByListing(db: LedgerReader, collection: number, limit: number, offset: number): readonly ItemRef[] {
  const listed = db
    .all(
      `SELECT m.nft_id, m.listing_id, ${priceColumns(db, LATEST_ROW, "m.listing_price")} FROM nft_markets m
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

/** Returns a sale, or a listing, which has neither a time nor a buyer. */
function tradeJson(db: LedgerReader, activity: number): JsonObject {
  const row = db.get(
    `SELECT a.type, a.from_id, a.to_id, a.marketplace_id, ${asText("a.price")} AS price, a.currency_id, n.decimals,
      x.signature, b.time
    FROM nft_activities a CROSS JOIN tokens n ON n.id = a.currency_id
    ${joinBlock("a.id")} WHERE a.id = ?`,
    activity,
  );
  if (!row) return {};
  const isSale = row.type === SALE_TYPE;
  return {
    ...(isSale ? { trade_time: toUnixTime(db.clock, row.time) } : {}),
    signature: String(row.signature),
    market_id: db.addressOf(Number(row.marketplace_id)),
    type: isSale ? "Buy" : "Listing",
    price: String(row.price),
    currency_token: db.addressOf(Number(row.currency_id)),
    ...omitMissing({ currency_decimals: columnNumber(row.decimals) }),
    seller: addressOrEmpty(db, row.from_id),
    ...(isSale ? { buyer: addressOrEmpty(db, row.to_id) } : {}),
  };
}

/** Returns an address, or "" for a missing side, as the API does. */
export const addressOrEmpty = (db: LedgerReader, id: unknown): string => (id === null ? "" : db.addressOf(Number(id)));

/** An NFT without its trades. */
export interface NftDetails {
  readonly name: string;
  readonly symbol: string;
  readonly collection: LedgerRow;
  readonly data: JsonObject;
  readonly meta: JsonObject;
  readonly mintTx: string;
  /** The caller's Unix seconds. */
  readonly created: number;
  /** Whether it was minted in the first day of the ledger: lists of a collection do not know when. */
  readonly isOld: boolean;
}

/** Returns an NFT by its id. */
export function nftDetails(db: LedgerReader, nft: number): NftDetails | undefined {
  const row = db.get(
    `SELECT t.name, t.symbol, n.data, n.meta, c.account_id, c.hex, c.name AS collection, x.signature, b.time,
      (SELECT min(time) FROM blocks) AS begin FROM nfts n
    CROSS JOIN tokens t ON t.id = n.token_id CROSS JOIN nft_collections c ON c.account_id = n.collection_id
    CROSS JOIN transactions x ON x.id = n.minted CROSS JOIN blocks b ON b.slot = x.slot WHERE n.token_id = ?`,
    nft,
  );
  return (
    row && {
      name: columnText(row.name) ?? "",
      symbol: columnText(row.symbol) ?? "",
      collection: row,
      data: parseJson(String(row.data)) as JsonObject,
      meta: parseJson(String(row.meta)) as JsonObject,
      mintTx: String(row.signature),
      created: toUnixTime(db.clock, row.time),
      isOld: Number(row.time) < Number(row.begin) + DAY_SECONDS,
    }
  );
}

function itemJson(db: LedgerReader, { nft, activity }: ItemRef): readonly JsonObject[] {
  const details = nftDetails(db, nft);
  if (!details) return [];
  const trade = activity === undefined ? undefined : tradeJson(db, activity);
  const info = {
    address: db.addressOf(nft),
    token_name: details.name,
    token_symbol: details.symbol,
    collection_id: String(details.collection.hex),
    data: details.data,
    meta: details.meta,
    mint_tx: details.mintTx,
    created_time: details.isOld ? null : details.created,
  };
  return [trade ? { info, tradeInfo: trade, stats: trade } : { info }];
}

/** `/nft/collection/items`: NFTs of a collection; those without a trade or listing come last. */
export const collectionItems: Query = ({ db, params }) => {
  const collection = collectionId(db, params.required("collection"));
  if (!db.get("SELECT 1 FROM nft_collections WHERE account_id = ?", collection)) throw notFoundError("Collection");
  const readItems = params.text("sort_by") === "listing_price" ? readByListing : readByTrade;
  return { data: readItems(db, collection, ...pageLimits(params)).flatMap((place) => itemJson(db, place)) };
};
