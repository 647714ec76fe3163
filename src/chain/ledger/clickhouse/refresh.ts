/**
 * Brings the statistics of a database up to date. A table is replaced as a whole, and its comment names the slots that
 * it is about: whoever computes it next, after an interruption too, adds what has come since.
 */
import { randomUUID } from "node:crypto";
import { isOfFork, readForks, readHead, seenRows } from "./seen.ts";
import type { StoreServer } from "./server.ts";
import { mergeSlots, type SlotRange, subtractSlots } from "./slots.ts";
import { STATISTICS, type Statistic, slotAfter } from "./statistics.ts";
import { deletionSql, OPENINGS, onCluster, REPLACED, SHIPPED_TABLES, UNFINISHED } from "./tables.ts";

/** What follows the name of a table in that of the table that replaces it. */
const NEXT = "_next_";

/** The slot before which the opening was; 0 without one. */
const OPENING_SLOT = `SELECT ifNull(minOrNull(known_at) - 1, 0) FROM (${OPENINGS})`;

/** Minutes after which blocks that the chain has dropped are removed. */
const DROPPED_MINUTES = 10;

/** How many times as long as its computation a table is left as it is. */
const REST = 10;

/**
 * Computes statistics.
 * @param isAll whether those are computed, too, that take long and were computed a moment ago
 */
export type RefreshStatistics = (isAll: boolean) => Promise<void>;

/** Creates what brings the statistics of a database up to date. Several programs may do so at the same time. */
export function createRefresh(server: StoreServer): RefreshStatistics {
  const { cluster } = server.address;
  const everywhere = onCluster(cluster);
  const dueAt = new Map<Statistic, number>();
  const rowsOf = async (sql: string, seen?: Readonly<Record<string, string>>) =>
    (await server.ask({ sql, texts: {} }, seen)).data;
  const readSlots = async (sql: string): Promise<readonly SlotRange[]> =>
    mergeSlots((await rowsOf(sql)).map(([from, end]) => ({ from: Number(from), end: Number(end) })));
  const commentOf = async (table: string): Promise<string> =>
    String(
      (
        await rowsOf(`SELECT comment FROM system.tables WHERE database = currentDatabase() AND name = '${table}'`)
      )[0]?.[0],
    );

  /** Removes what programs left that were interrupted while they computed statistics. */
  const removeNextTables = async () => {
    const sql = `SELECT name FROM system.tables WHERE database = currentDatabase() AND position(name, '${NEXT}') > 0
      AND metadata_modification_time < now() - INTERVAL 1 HOUR`;
    for (const [name] of await rowsOf(sql)) await server.run(`DROP TABLE IF EXISTS ${name}${everywhere}`);
  };

  /** Removes what the chain has dropped, after the last answer that could see it. */
  const removeDropped = async () => {
    const isOld = `at < now() - INTERVAL ${DROPPED_MINUTES} MINUTE`;
    for (const range of await readForks(server, `${REPLACED} AND ${isOld}`)) {
      for (const table of SHIPPED_TABLES) await server.run(deletionSql(table.target, cluster, isOfFork(table, range)));
      await server.run(`INSERT INTO dropped SELECT from, end, writer, fork, 1, at FROM dropped FINAL
        WHERE fork = ${range.fork}`);
    }
  };

  const refresh = async (
    statistic: Statistic,
    covered: readonly SlotRange[],
    openingSlot: number,
    seen: Readonly<Record<string, string>>,
  ) => {
    const { table, partitions, seconds } = statistic;
    const comment = await commentOf(table);
    const [, slotsText = "[]", openingText] = comment.split(" ");
    const known = JSON.parse(slotsText) as readonly SlotRange[];
    const isAnew = known.length === 0 || openingText !== `${openingSlot}`;
    const since = seconds === undefined ? 0 : Number((await rowsOf(`SELECT ${slotAfter(seconds)}`, seen))[0]?.[0]);
    // What others write again has been added once.
    const slots = subtractSlots(mergeSlots([...covered, ...known]), [{ from: 0, end: since }]);
    const before = isAnew ? [] : known;
    const sql = statistic.sql({
      known: isAnew ? `(SELECT * FROM ${table} WHERE false)` : table,
      isAnew,
      before,
      added: subtractSlots(slots, before),
      removed: subtractSlots(before, slots),
      openingSlot,
    });
    const id = randomUUID().replaceAll("-", "");
    const next = `${table}${NEXT}${id}`;
    await server.run(
      `CREATE TABLE ${next}${everywhere} AS ${table} COMMENT '${id} ${JSON.stringify(slots)} ${openingSlot}'`,
    );
    await server.run(`INSERT INTO ${next} ${sql}`, seen);
    for (const partition of partitions ?? [])
      await server.run(`ALTER TABLE ${table}${everywhere} REPLACE PARTITION ${partition} FROM ${next}
        SETTINGS allow_replace_partition_from_empty_source = 1`);
    // Otherwise another program has replaced the table, and what was added may have been added to that.
    if (partitions === undefined && (await commentOf(table)) === comment)
      await server.run(`EXCHANGE TABLES ${table} AND ${next}${everywhere}`);
    await server.run(`DROP TABLE IF EXISTS ${next}${everywhere}`);
  };

  return async (isAll) => {
    await removeNextTables();
    await removeDropped();
    const covered = subtractSlots(await readSlots("SELECT from, end FROM covered"), await readSlots(UNFINISHED));
    const seen = seenRows(await readHead(server, "final"));
    const openingSlot = Number((await rowsOf(OPENING_SLOT, seen))[0]?.[0]);
    for (const statistic of STATISTICS) {
      const begun = performance.now();
      if (!isAll && begun < (dueAt.get(statistic) ?? 0)) continue;
      await refresh(statistic, covered, openingSlot, seen);
      dueAt.set(statistic, begun + (REST + 1) * (performance.now() - begun));
    }
  };
}
