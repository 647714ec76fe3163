/** NFTs: collections, their items and activities. */

import { DAY_SECONDS, type JsonObject, omitMissing, parseJson } from "../../../base/index.ts";
import { NATIVE_SOL, NFT_ACTIVITIES, type QueryParams, WRAPPED_SOL } from "../../../catalogue/index.ts";
import { type LedgerReader, type LedgerRow, mapRows } from "../store/reader.ts";
import { slotSql } from "../store/schema.ts";
import { notFoundError, type QueriesByRoute, type Query, UnknownFactError } from "./query.ts";
import {
  addRange,
  addTimeWindow,
  amountOf,
  asText,
  columnNumber,
  columnText,
  idOrUnknown,
  idsOrUnknown,
  joinBlock,
  pageLimits,
  positionFields,
  readPage,
  solOf,
  sortDirection,
  timeWindow,
  toUnixTime,
  WhereClause,
} from "./sql.ts";

const LAMPORTS = 1_000_000_000;

/** A row id after all others, for the latest prices. */
const LATEST_ROW = String(Number.MAX_SAFE_INTEGER);

const solIds = (db: LedgerReader): readonly [native: number, wrapped: number] => [
  idOrUnknown(db, NATIVE_SOL),
  idOrUnknown(db, WRAPPED_SOL),
];

/**
 * Returns the columns that {@link lamportsOf} reads: the price of an activity `a`, the decimals of its currency from
 * the token `n`, and the prices of the currency and of SOL at a row, where the currency is not SOL.
 * @param row the row id, as SQL
 */
function priceColumns(db: LedgerReader, row: string, price = "a.price"): string {
  const [native, wrapped] = solIds(db);
  const isSol = `a.currency_id IN (${native}, ${wrapped})`;
  const dollars = (token: string | number) =>
    `CASE WHEN ${isSol} THEN NULL ELSE (SELECT p.price FROM prices p WHERE p.token_id = ${token} AND p.id <= ${row}
    ORDER BY p.id DESC LIMIT 1) END`;
  return `${asText(price)} AS price, n.decimals, ${isSol} AS is_sol,
    ${dollars("a.currency_id")} AS own_price, ${dollars(wrapped)} AS sol_price`;
}

/** Returns a price in lamports, converted by dollar prices if not in SOL; undefined where those are unknown. */
function lamportsOf(row: LedgerRow): bigint | undefined {
  if (row.is_sol === 1) return BigInt(String(row.price));
  const [own, sol] = [Number(row.own_price), Number(row.sol_price)];
  if (row.own_price === null || sol === 0) return undefined;
  return BigInt(Math.round(((Number(row.price) * own) / sol / Number(`1e${row.decimals}`)) * LAMPORTS));
}

const SALE_TYPE = NFT_ACTIVITIES.indexOf("ACTIVITY_NFT_SOLD");

function collectionId(db: LedgerReader, text: string): number {
  const row = db.get("SELECT account_id FROM nft_collections WHERE hex = ?", text.toLowerCase());
  return row ? Number(row.account_id) : idOrUnknown(db, text);
}

type LamportsByCollection = Map<number, bigint>;

/** @throws UnknownFactError for an order by sales or listings, of which the blocks of a chain say nothing */
function requireOrder({ db, params }: Parameters<Query>[0], known: string): void {
  const [order] = params.list("sort_by");
  if (!db.facts.isGenerated && order !== undefined && order !== known)
    throw new UnknownFactError(`An index cannot sort by "${order}": it needs the marketplaces of NFTs.`);
}

/** Returns the sales between two row ids; those in other currencies count with their value at the time. */
function readVolumes(db: LedgerReader, from: number, to: number): LamportsByCollection {
  const sol = solIds(db).join();
  const sales = `FROM nft_activities a CROSS JOIN tokens n ON n.id = a.currency_id
    WHERE a.type = ${SALE_TYPE} AND a.id >= ? AND a.id < ? AND a.currency_id`;
  const rows = db.all(
    `SELECT a.collection_id, ${priceColumns(db, "a.id", "SUM(a.price)")} ${sales} IN (${sol}) GROUP BY a.collection_id, a.currency_id, n.decimals
    UNION ALL SELECT a.collection_id, ${priceColumns(db, "a.id")} ${sales} NOT IN (${sol})`,
    ...[from, to, from, to],
  );
  const sums: LamportsByCollection = new Map();
  for (const row of rows) {
    const collection = Number(row.collection_id);
    sums.set(collection, (sums.get(collection) ?? 0n) + (lamportsOf(row) ?? 0n));
  }
  return sums;
}

function readFloorPrices(db: LedgerReader): LamportsByCollection {
  const rows = db.all(
    `SELECT c.account_id AS collection_id, ${priceColumns(db, LATEST_ROW, "MIN(m.listing_price)")} FROM nft_collections c
    CROSS JOIN nft_markets m ON m.collection_id = c.account_id AND m.listing_id > 0
    CROSS JOIN nft_activities a ON a.id = m.listing_id CROSS JOIN tokens n ON n.id = a.currency_id
    GROUP BY c.account_id, a.currency_id, n.decimals`,
  );
  const floorPrices: LamportsByCollection = new Map();
  for (const row of rows) {
    const [collection, lamports] = [Number(row.collection_id), lamportsOf(row)];
    const known = floorPrices.get(collection);
    if (lamports !== undefined && (known === undefined || lamports < known)) floorPrices.set(collection, lamports);
  }
  return floorPrices;
}

/** Returns the marketplaces of a collection; each is found by one index lookup. */
const marketplaces = (db: LedgerReader, collection: number): readonly string[] =>
  db
    .all(
      `WITH RECURSIVE m(id) AS (
        SELECT MIN(marketplace_id) FROM nft_activities WHERE collection_id = ?
        UNION ALL SELECT (SELECT MIN(marketplace_id) FROM nft_activities WHERE collection_id = ? AND marketplace_id > m.id)
        FROM m WHERE m.id IS NOT NULL
      ) SELECT id FROM m WHERE id IS NOT NULL`,
      collection,
      collection,
    )
    .map((row) => db.addressOf(Number(row.id)));

type CollectionStats = ReturnType<typeof readCollections>[number];

/** Returns the change in percent as text; none after a day without sales. */
function changeOf({ day, dayBefore }: CollectionStats): JsonObject {
  if (dayBefore === 0n) return day === 0n ? { volumes_change_24h: "0.00" } : {};
  return { volumes_change_24h: ((Number(day - dayBefore) / Number(dayBefore)) * 100).toFixed(2) };
}

const collectionJson = (db: LedgerReader, collection: CollectionStats): JsonObject => ({
  collection_id: String(collection.row.hex),
  name: columnText(collection.row.name) || null,
  symbol: columnText(collection.row.symbol) || null,
  items: collection.items,
  ...(db.facts.isGenerated && marketJson(db, collection)),
});

const marketJson = (db: LedgerReader, collection: CollectionStats): JsonObject => ({
  floor_price: solOf(collection.floor_price),
  marketplaces: marketplaces(db, collection.id),
  volumes: solOf(collection.volumes),
  total_vol_prev_24h: solOf(collection.dayBefore),
  ...changeOf(collection),
});

/** The name and the symbol of a collection `c`: those of its mint `m` where it has none of its own. */
const NAMES = "ifnull(nullif(c.name, ''), m.name) AS name, ifnull(nullif(c.symbol, ''), m.symbol) AS symbol";

/** Returns the floor prices of collections and their volumes in a number of days, the last day and the day before. */
function readMarkets(db: LedgerReader, days: number) {
  const { end } = db.clock;
  const [now, day, before] = [end + 1, end + 1 - DAY_SECONDS, end + 1 - 2 * DAY_SECONDS].map((time) =>
    db.firstRowAt(time),
  ) as [number, number, number];
  const [today, yesterday] = [readVolumes(db, day, now), readVolumes(db, before, day)];
  const range = days === 1 ? today : readVolumes(db, db.firstRowAt(end + 1 - days * DAY_SECONDS), now);
  return { today, yesterday, range, floorPrices: readFloorPrices(db) };
}

function readCollections(db: LedgerReader, days: number, selectedId: number | undefined) {
  const markets = db.facts.isGenerated ? readMarkets(db, days) : undefined;
  const counted = db.all("SELECT collection_id, COUNT(*) AS items FROM nfts GROUP BY collection_id");
  const itemCounts = new Map(counted.map((row) => [Number(row.collection_id), Number(row.items)]));
  const rows = db.all(
    `SELECT c.account_id, c.hex, ${NAMES} FROM nft_collections c LEFT JOIN tokens m ON m.id = c.account_id
    ${selectedId === undefined ? "" : "WHERE c.account_id = ?"} ORDER BY c.account_id`,
    ...(selectedId === undefined ? [] : [selectedId]),
  );
  return mapRows(rows, (row) => {
    const id = Number(row.account_id);
    return {
      id,
      row,
      items: itemCounts.get(id) ?? 0,
      floor_price: markets?.floorPrices.get(id) ?? 0n,
      volumes: markets?.range.get(id) ?? 0n,
      day: markets?.today.get(id) ?? 0n,
      dayBefore: markets?.yesterday.get(id) ?? 0n,
    };
  });
}

/**
 * `/nft/collection/lists`: collections by volume, number of items or floor price. Volumes and floors are in SOL,
 * converted from other currencies. The floor of a collection without listings is 0.
 */
const collectionLists: Query = (context) => {
  const { db, params } = context;
  requireOrder(context, "items");
  const selectedId = params.text("collection");
  const matches = readCollections(
    db,
    params.integer("range") ?? 1,
    selectedId === undefined ? undefined : collectionId(db, selectedId),
  );
  const key = db.facts.isGenerated ? (params.required("sort_by") as "items" | "floor_price" | "volumes") : "items";
  const sign = sortDirection(params) === "ASC" ? 1 : -1;
  if (selectedId !== undefined && matches.length === 0) throw unknownCollection(context);
  const [limit, offset] = pageLimits(params);
  const sorted = matches.toSorted((a, b) => (a[key] < b[key] ? -sign : a[key] > b[key] ? sign : a.id - b.id));
  return { data: sorted.slice(offset, offset + limit).map((collection) => collectionJson(db, collection)) };
};

/** Returns the error for a collection of which nothing is known: that an index knows none does not mean there is none. */
const unknownCollection = ({ db }: Parameters<Query>[0]): Error =>
  db.facts.isGenerated
    ? notFoundError("Collection")
    : new UnknownFactError("The index knows no NFT of this collection: it has those that it saw, with their metadata.");

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
const addressOrEmpty = (db: LedgerReader, id: unknown): string => (id === null ? "" : db.addressOf(Number(id)));

/** Returns an NFT without its trades; `isOld` ones were minted in the first day of the ledger: lists do not know when. */
function nftDetails(db: LedgerReader, nft: number) {
  const row = db.get(
    `SELECT t.name, t.symbol, n.data, n.meta, c.account_id, c.hex, ifnull(nullif(c.name, ''), m.name) AS collection,
      x.signature, b.time, (SELECT min(time) FROM blocks) AS begin FROM nfts n
    CROSS JOIN tokens t ON t.id = n.token_id CROSS JOIN nft_collections c ON c.account_id = n.collection_id
    LEFT JOIN tokens m ON m.id = c.account_id LEFT JOIN transactions x ON x.id = n.minted
    LEFT JOIN blocks b ON b.slot = ${slotSql("x.id")} WHERE n.token_id = ?`,
    nft,
  );
  return (
    row && {
      name: columnText(row.name) ?? "",
      symbol: columnText(row.symbol) ?? "",
      collection: row,
      data: parseJson(String(row.data)) as JsonObject,
      meta: row.meta === null ? null : (parseJson(String(row.meta)) as JsonObject),
      mintTx: columnText(row.signature) ?? null,
      created: row.time === null ? null : toUnixTime(db.clock, row.time),
      isOld: db.facts.isGenerated && Number(row.time) < Number(row.begin) + DAY_SECONDS,
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
const collectionItems: Query = (context) => {
  const { db, params } = context;
  requireOrder(context, "last_trade");
  const collection = collectionId(db, params.required("collection"));
  if (!db.get("SELECT account_id FROM nft_collections WHERE account_id = ?", collection)) {
    throw unknownCollection(context);
  }
  const readItems = params.text("sort_by") === "listing_price" ? readByListing : readByTrade;
  return { data: readItems(db, collection, ...pageLimits(params)).flatMap((place) => itemJson(db, place)) };
};

/** Retries until the published metadata was read: sandboxes read it at once. */
const RETRIES = 0;

/** `/nft/news`: the newest NFTs. The explorer adds the number in the edition and its retries to their published metadata. */
const newestNfts: Query = ({ db, params }) => {
  const rows = db.all(
    "SELECT token_id FROM nfts WHERE minted IS NOT NULL ORDER BY minted DESC, token_id DESC LIMIT ? OFFSET ?",
    ...pageLimits(params),
  );
  const data = mapRows(rows, (row) => {
    const nft = Number(row.token_id);
    const details = nftDetails(db, nft);
    if (!details) return [];
    const { collection, created, data, meta, mintTx } = details;
    const info = {
      address: db.addressOf(nft),
      collection: columnText(collection.collection) ?? null,
      collectionId: String(collection.hex),
      collectionKey: db.addressOf(Number(collection.account_id)),
      createdTime: created,
      data,
      meta: meta && { ...meta, ...(data.id === undefined ? {} : { tokenId: data.id }), retried: RETRIES },
      mintTx,
      retried: RETRIES,
    };
    return [{ info }];
  }).flat();
  return { data };
};

function buildConditions(db: LedgerReader, params: QueryParams): WhereClause {
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
  const where = buildConditions(db, params);
  const page = {
    columns: `a.id, a.type, a.from_id, a.to_id, a.nft_id, a.marketplace_id, ${asText("a.price")} AS price, a.currency_id,
      n.decimals, c.hex, b.slot, x.signature, b.time`,
    ids: `SELECT a.id FROM nft_activities a ${where.sql}`,
    values: where.values,
    order: ["a.id"],
    joins: `CROSS JOIN nft_activities a ON a.id = p.id CROSS JOIN tokens n ON n.id = a.currency_id
      CROSS JOIN nft_collections c ON c.account_id = a.collection_id ${joinBlock("a.id")}`,
    direction: "DESC",
  } as const;
  return { data: mapRows(readPage(db, page, ...pageLimits(params)), (row) => activityJson(db, row)) };
};

/** The v2 NFT endpoints. */
export const nftQueries: QueriesByRoute = {
  "v2-nft-news": newestNfts,
  "v2-nft-activities": activities,
  "v2-nft-collection-lists": collectionLists,
  "v2-nft-collection-items": collectionItems,
};
