/** Collections of NFTs and their markets. */

import { DAY_SECONDS, type JsonObject } from "../../../base/index.ts";

import { NFT_ACTIVITIES } from "../../../catalogue/index.ts";
import type { Reader, Row } from "../../ledger/reader.ts";
import type { Query } from "../query.ts";
import { directionOf, idOrUnknown, pageOf } from "../sql.ts";
import { lamportsOf, NOW, solIds, solOf, worthColumns } from "./amounts.ts";

/** Number of a sale among the kinds of NFT activities. */
export const SOLD = NFT_ACTIVITIES.indexOf("ACTIVITY_NFT_SOLD");

/** The number of a collection by its identifier or by its address; −1 when nobody knows it. */
export function collectionId(db: Reader, text: string): number {
  const row = db.get("SELECT account_id FROM nft_collections WHERE hex = ?", text.toLowerCase());
  return row ? Number(row.account_id) : idOrUnknown(db, text);
}

/** Sums of lamports by collection. */
type Sums = Map<number, bigint>;

/** Sales from one place on the chain to another. Those in other currencies count by their value at the time. */
function volumes(db: Reader, from: number, to: number): Sums {
  const sol = solIds(db).join();
  const sales = `FROM nft_activities a CROSS JOIN tokens n ON n.id = a.currency_id
    WHERE a.type = ${SOLD} AND a.id >= ? AND a.id < ? AND a.currency_id`;
  const rows = db.all(
    `SELECT a.collection_id, ${worthColumns(db, "a.id", "SUM(a.price)")} ${sales} IN (${sol}) GROUP BY a.collection_id
    UNION ALL SELECT a.collection_id, ${worthColumns(db, "a.id")} ${sales} NOT IN (${sol})`,
    ...[from, to, from, to],
  );
  const sums: Sums = new Map();
  for (const row of rows) {
    const collection = Number(row.collection_id);
    sums.set(collection, (sums.get(collection) ?? 0n) + (lamportsOf(row) ?? 0n));
  }
  return sums;
}

/** The least prices asked now. */
function floors(db: Reader): Sums {
  const rows = db.all(
    `SELECT c.account_id AS collection_id, ${worthColumns(db, NOW, "MIN(m.listing_price)")} FROM nft_collections c
    CROSS JOIN nft_markets m ON m.collection_id = c.account_id AND m.listing_id > 0
    CROSS JOIN nft_activities a ON a.id = m.listing_id CROSS JOIN tokens n ON n.id = a.currency_id
    GROUP BY c.account_id, a.currency_id`,
  );
  const least: Sums = new Map();
  for (const row of rows) {
    const [collection, lamports] = [Number(row.collection_id), lamportsOf(row)];
    const known = least.get(collection);
    if (lamports !== undefined && (known === undefined || lamports < known)) least.set(collection, lamports);
  }
  return least;
}

/** Programs that the collection's activities are on; each is found by a step in the index. */
const marketplaces = (db: Reader, collection: number): readonly string[] =>
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

interface Collection {
  readonly id: number;
  readonly row: Row;
  readonly items: number;
  readonly floor_price: bigint;
  readonly volumes: bigint;
  readonly day: bigint;
  readonly dayBefore: bigint;
}

/** Percent as text; nothing is said of a day after one without sales. */
function changeOf({ day, dayBefore }: Collection): JsonObject {
  if (dayBefore === 0n) return day === 0n ? { volumes_change_24h: "0.00" } : {};
  return { volumes_change_24h: ((Number(day - dayBefore) / Number(dayBefore)) * 100).toFixed(2) };
}

const collectionJson = (db: Reader, collection: Collection): JsonObject => ({
  collection_id: String(collection.row.hex),
  name: String(collection.row.name),
  symbol: String(collection.row.symbol),
  floor_price: solOf(collection.floor_price),
  items: collection.items,
  marketplaces: marketplaces(db, collection.id),
  volumes: solOf(collection.volumes),
  total_vol_prev_24h: solOf(collection.dayBefore),
  ...changeOf(collection),
});

function collections(db: Reader, days: number, only: number | undefined): readonly Collection[] {
  const { end } = db.clock;
  const [now, day, before] = [end + 1, end + 1 - DAY_SECONDS, end + 1 - 2 * DAY_SECONDS].map((time) =>
    db.rowAt(time),
  ) as [number, number, number];
  const [today, yesterday] = [volumes(db, day, now), volumes(db, before, day)];
  const range = days === 1 ? today : volumes(db, db.rowAt(end + 1 - days * DAY_SECONDS), now);
  const least = floors(db);
  const counted = db.all("SELECT collection_id, COUNT(*) AS items FROM nfts GROUP BY collection_id");
  const counts = new Map(counted.map((row) => [Number(row.collection_id), Number(row.items)]));
  const rows = db.all(
    `SELECT account_id, hex, name, symbol FROM nft_collections ${only === undefined ? "" : "WHERE account_id = ?"} ORDER BY account_id`,
    ...(only === undefined ? [] : [only]),
  );
  return rows.map((row) => {
    const id = Number(row.account_id);
    return {
      id,
      row,
      items: counts.get(id) ?? 0,
      floor_price: least.get(id) ?? 0n,
      volumes: range.get(id) ?? 0n,
      day: today.get(id) ?? 0n,
      dayBefore: yesterday.get(id) ?? 0n,
    };
  });
}

/**
 * Collections by volume, size or floor price. Volumes and floors are SOL; what is asked or paid in another currency
 * counts by its value. A collection without listings has the floor 0.
 */
export const collectionLists: Query = ({ db, params }) => {
  const only = params.text("collection");
  const found = collections(db, params.integer("range") ?? 1, only === undefined ? undefined : collectionId(db, only));
  const key = (params.text("sort_by") ?? "volumes") as "items" | "floor_price" | "volumes";
  const sign = directionOf(params) === "ASC" ? 1 : -1;
  const [limit, offset] = pageOf(params);
  const sorted = found.toSorted((a, b) => (a[key] < b[key] ? -sign : a[key] > b[key] ? sign : a.id - b.id));
  return { data: sorted.slice(offset, offset + limit).map((collection) => collectionJson(db, collection)) };
};
