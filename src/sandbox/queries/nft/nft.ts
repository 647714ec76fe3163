/** The v2 NFT endpoints. */
import type { JsonObject } from "../../../base/index.ts";
import { NFT_ACTIVITIES } from "../../../catalogue/index.ts";
import type { Reader, Row } from "../../ledger/reader.ts";
import type { Params, Queries, Query } from "../query.ts";
import {
  amountOf,
  between,
  exact,
  idOrUnknown,
  idsOf,
  joinBlock,
  pageOf,
  placeOf,
  Where,
  windowOf,
  within,
} from "../sql.ts";
import { collectionId, collectionLists } from "./collections.ts";
import { addressOrEmpty, collectionItems, nftFacts } from "./items.ts";

/** The newest NFTs. */
const news: Query = ({ db, params }) => {
  const rows = db.all(
    "SELECT token_id FROM nfts ORDER BY minted DESC, token_id DESC LIMIT ? OFFSET ?",
    ...pageOf(params),
  );
  const data = rows.flatMap((row) => {
    const nft = Number(row.token_id);
    const facts = nftFacts(db, nft);
    if (!facts) return [];
    const { collection, created, data, meta, mintTx } = facts;
    const info = {
      address: db.addressOf(nft),
      collection: String(collection.collection),
      collectionId: String(collection.hex),
      collectionKey: db.addressOf(Number(collection.account_id)),
      createdTime: created,
      data,
      meta,
      mintTx,
    };
    return [{ info }];
  });
  return { data };
};

function filter(db: Reader, params: Params): Where {
  const where = within(new Where(), db, "a.id", ...windowOf(params));
  where.among("a.from_id", idsOf(db, params.list("from")));
  where.among("a.to_id", idsOf(db, params.list("to")));
  where.among("a.marketplace_id", idsOf(db, params.list("source")));
  where.among("a.nft_id", idsOf(db, params.list("token")));
  where.among(
    "a.type",
    params.list("activity_type").map((type) => (NFT_ACTIVITIES as readonly string[]).indexOf(type)),
  );
  const collection = params.text("collection");
  if (collection !== undefined) where.add("a.collection_id = ?", collectionId(db, collection));
  const currency = params.text("currency_token");
  if (currency === undefined) return where;
  const id = idOrUnknown(db, currency);
  const decimals = db.get("SELECT decimals FROM tokens WHERE id = ?", id)?.decimals;
  return between(where.add("a.currency_id = ?", id), "a.price", params.list("price"), Number(decimals ?? 0));
}

const activityJson = (db: Reader, row: Row): JsonObject => ({
  ...placeOf(db, row),
  activity_type: NFT_ACTIVITIES[Number(row.type)] ?? "",
  from_address: addressOrEmpty(db, row.from_id),
  to_address: addressOrEmpty(db, row.to_id),
  token_address: db.addressOf(Number(row.nft_id)),
  marketplace_address: db.addressOf(Number(row.marketplace_id)),
  collection_address: String(row.hex),
  amount: 1,
  price: amountOf(row.price),
  currency_token: db.addressOf(Number(row.currency_id)),
  currency_decimals: Number(row.decimals),
});

/** Sales, listings and bids, newest first. Prices are filtered in whole units of the currency and given in base units. */
const activities: Query = ({ db, params }) => {
  const where = filter(db, params);
  const rows = db.all(
    `SELECT a.type, a.from_id, a.to_id, a.nft_id, a.marketplace_id, ${exact("a.price")} AS price, a.currency_id,
      n.decimals, c.hex, x.slot, x.signature, b.time
    FROM (SELECT a.id FROM nft_activities a ${where.sql} ORDER BY a.id DESC LIMIT ? OFFSET ?) p
    CROSS JOIN nft_activities a ON a.id = p.id CROSS JOIN tokens n ON n.id = a.currency_id
    CROSS JOIN nft_collections c ON c.account_id = a.collection_id
    ${joinBlock("a.id")}
    ORDER BY a.id DESC`,
    ...where.values,
    ...pageOf(params),
  );
  return { data: rows.map((row) => activityJson(db, row)) };
};

/** The v2 NFT endpoints. */
export const nftQueries: Queries = {
  "v2-nft-news": news,
  "v2-nft-activities": activities,
  "v2-nft-collection-lists": collectionLists,
  "v2-nft-collection-items": collectionItems,
};
