/** The v2 NFT endpoints. */
import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import { NFT_ACTIVITIES, type QueryParams } from "../../../../catalogue/index.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import type { QueriesByRoute, Query } from "../query.ts";
import {
  addRange,
  addTimeWindow,
  amountOf,
  asText,
  columnNumber,
  idOrUnknown,
  idsOrUnknown,
  joinBlock,
  pageLimits,
  positionFields,
  timeWindow,
  WhereClause,
} from "../sql.ts";
import { collectionId, collectionLists } from "./collections.ts";
import { addressOrEmpty, collectionItems, nftDetails } from "./items.ts";

/** Retries until the published metadata was read: sandboxes read it at once. */
const RETRIES = 0;

/** `/nft/news`: the newest NFTs. The explorer adds the number in the edition and its retries to their published metadata. */
const newestNfts: Query = ({ db, params }) => {
  const rows = db.all(
    "SELECT token_id FROM nfts ORDER BY minted DESC, token_id DESC LIMIT ? OFFSET ?",
    ...pageLimits(params),
  );
  const data = rows.flatMap((row) => {
    const nft = Number(row.token_id);
    const details = nftDetails(db, nft);
    if (!details) return [];
    const { collection, created, data, meta, mintTx } = details;
    const info = {
      address: db.addressOf(nft),
      collection: String(collection.collection),
      collectionId: String(collection.hex),
      collectionKey: db.addressOf(Number(collection.account_id)),
      createdTime: created,
      data,
      meta: { ...meta, ...(data.id === undefined ? {} : { tokenId: data.id }), retried: RETRIES },
      mintTx,
      retried: RETRIES,
    };
    return [{ info }];
  });
  return { data };
};

function conditionsOf(db: LedgerReader, params: QueryParams): WhereClause {
  const where = addTimeWindow(new WhereClause(), db, "a.id", ...timeWindow(params));
  where.addIn("a.from_id", idsOrUnknown(db, params.list("from")));
  where.addIn("a.to_id", idsOrUnknown(db, params.list("to")));
  where.addIn("a.marketplace_id", idsOrUnknown(db, params.list("source")));
  where.addIn("a.nft_id", idsOrUnknown(db, params.list("token")));
  where.addIn(
    "a.type",
    params.list("activity_type").map((type) => (NFT_ACTIVITIES as readonly string[]).indexOf(type)),
  );
  const collection = params.text("collection");
  if (collection !== undefined) where.add("a.collection_id = ?", collectionId(db, collection));
  const currency = params.text("currency_token");
  if (currency === undefined) return where;
  const id = idOrUnknown(db, currency);
  const decimals = db.get("SELECT decimals FROM tokens WHERE id = ?", id)?.decimals;
  return addRange(where.add("a.currency_id = ?", id), "a.price", params.list("price"), Number(decimals ?? 0));
}

const activityJson = (db: LedgerReader, row: LedgerRow): JsonObject =>
  omitMissing({
    ...positionFields(db, row),
    activity_type: NFT_ACTIVITIES[Number(row.type)] ?? "",
    from_address: addressOrEmpty(db, row.from_id),
    to_address: addressOrEmpty(db, row.to_id),
    token_address: db.addressOf(Number(row.nft_id)),
    marketplace_address: db.addressOf(Number(row.marketplace_id)),
    collection_address: String(row.hex),
    amount: 1,
    price: amountOf(row.price),
    currency_token: db.addressOf(Number(row.currency_id)),
    currency_decimals: columnNumber(row.decimals),
  });

/**
 * `/nft/activities`: sales, listings and bids, newest first. Prices are filtered in whole units of the currency and
 * returned in base units.
 */
const activities: Query = ({ db, params }) => {
  const where = conditionsOf(db, params);
  const rows = db.all(
    `SELECT a.type, a.from_id, a.to_id, a.nft_id, a.marketplace_id, ${asText("a.price")} AS price, a.currency_id,
      n.decimals, c.hex, x.slot, x.signature, b.time
    FROM (SELECT a.id FROM nft_activities a ${where.sql} ORDER BY a.id DESC LIMIT ? OFFSET ?) p
    CROSS JOIN nft_activities a ON a.id = p.id CROSS JOIN tokens n ON n.id = a.currency_id
    CROSS JOIN nft_collections c ON c.account_id = a.collection_id
    ${joinBlock("a.id")}
    ORDER BY a.id DESC`,
    ...where.values,
    ...pageLimits(params),
  );
  return { data: rows.map((row) => activityJson(db, row)) };
};

/** The v2 NFT endpoints. */
export const nftQueries: QueriesByRoute = {
  "v2-nft-news": newestNfts,
  "v2-nft-activities": activities,
  "v2-nft-collection-lists": collectionLists,
  "v2-nft-collection-items": collectionItems,
};
