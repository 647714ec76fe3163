/** NFT collections and their markets. */

import { DAY_SECONDS, type JsonObject } from "../../../../base/index.ts";
import { NFT_ACTIVITIES } from "../../../../catalogue/index.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import type { Query } from "../query.ts";
import { idOrUnknown, pageLimits, sortDirection } from "../sql.ts";
import { LATEST_ROW, lamportsOf, priceColumns, solIds, solOf } from "./amounts.ts";

/** The number of the activity type "sold". */
export const SALE_TYPE = NFT_ACTIVITIES.indexOf("ACTIVITY_NFT_SOLD");

/** Returns the id of a collection by its identifier or address; −1 when it is unknown. */
export function collectionId(db: LedgerReader, text: string): number {
  const row = db.get("SELECT account_id FROM nft_collections WHERE hex = ?", text.toLowerCase());
  return row ? Number(row.account_id) : idOrUnknown(db, text);
}

/** Lamports by collection id. */
type LamportsByCollection = Map<number, bigint>;

/** Returns the sales between two row ids; those in other currencies count with their value at the time. */
function readVolumes(db: LedgerReader, from: number, to: number): LamportsByCollection {
  const sol = solIds(db).join();
  const sales = `FROM nft_activities a CROSS JOIN tokens n ON n.id = a.currency_id
    WHERE a.type = ${SALE_TYPE} AND a.id >= ? AND a.id < ? AND a.currency_id`;
  const rows = db.all(
    `SELECT a.collection_id, ${priceColumns(db, "a.id", "SUM(a.price)")} ${sales} IN (${sol}) GROUP BY a.collection_id
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

/** Returns the lowest current listing prices. */
function readFloorPrices(db: LedgerReader): LamportsByCollection {
  const rows = db.all(
    `SELECT c.account_id AS collection_id, ${priceColumns(db, LATEST_ROW, "MIN(m.listing_price)")} FROM nft_collections c
    CROSS JOIN nft_markets m ON m.collection_id = c.account_id AND m.listing_id > 0
    CROSS JOIN nft_activities a ON a.id = m.listing_id CROSS JOIN tokens n ON n.id = a.currency_id
    GROUP BY c.account_id, a.currency_id`,
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

interface CollectionStats {
  readonly id: number;
  readonly row: LedgerRow;
  readonly items: number;
  readonly floor_price: bigint;
  readonly volumes: bigint;
  readonly day: bigint;
  readonly dayBefore: bigint;
}

/** Returns the change in percent as text; none after a day without sales. */
function changeOf({ day, dayBefore }: CollectionStats): JsonObject {
  if (dayBefore === 0n) return day === 0n ? { volumes_change_24h: "0.00" } : {};
  return { volumes_change_24h: ((Number(day - dayBefore) / Number(dayBefore)) * 100).toFixed(2) };
}

const collectionJson = (db: LedgerReader, collection: CollectionStats): JsonObject => ({
  collection_id: String(collection.row.hex),
  name: String(collection.row.name),
  symbol: collection.row.symbol === "" ? null : String(collection.row.symbol),
  floor_price: solOf(collection.floor_price),
  items: collection.items,
  marketplaces: marketplaces(db, collection.id),
  volumes: solOf(collection.volumes),
  total_vol_prev_24h: solOf(collection.dayBefore),
  ...changeOf(collection),
});

function readCollections(db: LedgerReader, days: number, selectedId: number | undefined): readonly CollectionStats[] {
  const { end } = db.clock;
  const [now, day, before] = [end + 1, end + 1 - DAY_SECONDS, end + 1 - 2 * DAY_SECONDS].map((time) =>
    db.firstRowAt(time),
  ) as [number, number, number];
  const [today, yesterday] = [readVolumes(db, day, now), readVolumes(db, before, day)];
  const range = days === 1 ? today : readVolumes(db, db.firstRowAt(end + 1 - days * DAY_SECONDS), now);
  const floorPrices = readFloorPrices(db);
  const counted = db.all("SELECT collection_id, COUNT(*) AS items FROM nfts GROUP BY collection_id");
  const itemCounts = new Map(counted.map((row) => [Number(row.collection_id), Number(row.items)]));
  const rows = db.all(
    `SELECT account_id, hex, name, symbol FROM nft_collections ${selectedId === undefined ? "" : "WHERE account_id = ?"} ORDER BY account_id`,
    ...(selectedId === undefined ? [] : [selectedId]),
  );
  return rows.map((row) => {
    const id = Number(row.account_id);
    return {
      id,
      row,
      items: itemCounts.get(id) ?? 0,
      floor_price: floorPrices.get(id) ?? 0n,
      volumes: range.get(id) ?? 0n,
      day: today.get(id) ?? 0n,
      dayBefore: yesterday.get(id) ?? 0n,
    };
  });
}

/**
 * `/nft/collection/lists`: collections by volume, number of items or floor price. Volumes and floors are in SOL,
 * converted from other currencies. The floor of a collection without listings is 0.
 */
export const collectionLists: Query = ({ db, params }) => {
  const selectedId = params.text("collection");
  const matches = readCollections(
    db,
    params.integer("range") ?? 1,
    selectedId === undefined ? undefined : collectionId(db, selectedId),
  );
  const key = (params.text("sort_by") ?? "volumes") as "items" | "floor_price" | "volumes";
  const sign = sortDirection(params) === "ASC" ? 1 : -1;
  const [limit, offset] = pageLimits(params);
  const sorted = matches.toSorted((a, b) => (a[key] < b[key] ? -sign : a[key] > b[key] ? sign : a.id - b.id));
  return { data: sorted.slice(offset, offset + limit).map((collection) => collectionJson(db, collection)) };
};
