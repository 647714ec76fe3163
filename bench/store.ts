/**
 * A ledger in ClickHouse: what writers store in a second, the bytes of a transaction, and how long endpoints take as it
 * grows. A writer ships blocks; more of them are copies that ClickHouse makes (see store/copies.ts), without which it
 * would take hours. The engine is chdb, which has to be installed: `node scripts/chdb.ts`.
 * Usage: node bench/store.ts [transactions …], by default 100,000, 1,000,000 and 10,000,000
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connectToStore, type StoreServer } from "../src/chain/ledger/clickhouse/server.ts";
import { SHIPPED_TABLES } from "../src/chain/ledger/clickhouse/tables.ts";
import { openStoreWriter } from "../src/chain/ledger/clickhouse/writer.ts";
import { startClickHouse, storeAt } from "../tests/support/clickhouse/start.ts";
import { quantile, report } from "./report.ts";
import { FIRST_SLOT, mixedBlocks } from "./store/blocks.ts";
import { copyRange } from "./store/copies.ts";
import { findSubjects, measureEndpoints } from "./store/latency.ts";
import type { WriterOptions, WriterTimes } from "./store/writer.ts";

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100_000, 1_000_000, 10_000_000];
const [BLOCKS, PER_BLOCK] = [40, 1250];
const SHIPPED = BLOCKS * PER_BLOCK;
const RANGE = { from: FIRST_SLOT, end: FIRST_SLOT + BLOCKS };
const WRITERS = 4;
const GOALS = { bytes: 300, p95: 100 };

const folder = mkdtempSync(join(tmpdir(), "solx-bench-store-"));
const cleanups: (() => Promise<void>)[] = [];
const say = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
const engine = await startClickHouse((stop) => cleanups.push(stop), { folder: join(folder, "data") });
const addressOf = (database: string) => storeAt(engine.url, database);

/** Starts writers of parts of the same blocks, and returns their times when all have written. */
async function runWriters(database: string, count: number): Promise<readonly WriterTimes[]> {
  const created = await openStoreWriter(addressOf(database));
  await created.close();
  const blocks = BLOCKS / count;
  const children = Array.from({ length: count }, (_, n): ChildProcess => {
    const options: WriterOptions = {
      ...{ url: engine.url, database, path: join(folder, `${database}-${n}.db`) },
      ...{ from: FIRST_SLOT + n * blocks, blocks, perBlock: PER_BLOCK },
    };
    const script = fileURLToPath(new URL("store/writer.ts", import.meta.url));
    return fork(script, [JSON.stringify(options)], { stdio: ["pipe", "pipe", "inherit", "ipc"] });
  });
  const lines = children.map((child) => {
    let text = "";
    child.stdout?.on("data", (data) => {
      text += data;
    });
    return () => text.split("\n").filter(Boolean);
  });
  await Promise.all(children.map(async (child) => once(child.stdout as NodeJS.ReadableStream, "data")));
  for (const child of children) child.stdin?.write("go\n");
  await Promise.all(children.map(async (child) => once(child, "close")));
  return lines.map((read) => JSON.parse(read().at(-1) ?? ""));
}

const rowTables = SHIPPED_TABLES.map(({ target }) => target);

async function numberFrom(server: StoreServer, sql: string): Promise<number> {
  return Number((await server.ask({ sql, texts: {} })).data[0]?.[0]);
}

const countRows = (server: StoreServer, database: string) =>
  numberFrom(
    server,
    `SELECT sum(rows) FROM system.parts WHERE active AND database = '${database}' AND table IN (${rowTables.map((table) => `'${table}'`).join()})`,
  );
const countBytes = (server: StoreServer, database: string) =>
  numberFrom(server, `SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = '${database}'`);

/** Waits until ClickHouse has merged what it wants to merge. */
async function mergesEnd(server: StoreServer): Promise<void> {
  while ((await numberFrom(server, "SELECT count() FROM system.merges")) > 0) await delay(500);
}

const sizeName = (size: number) => (size < 1e6 ? `${size / 1000} k` : `${size / 1e6} M`);

try {
  for (const [database, count] of [
    ["four", WRITERS],
    ["one", 1],
  ] as const) {
    say(`${count} writers …`);
    const times = await runWriters(database, count);
    const begun = Math.min(...times.map((each) => each.begun));
    const [written, shipped] = [times.map((each) => each.written), times.map((each) => each.shipped)];
    const server = await connectToStore(addressOf(database));
    const rows = await countRows(server, database);
    const seconds = (Math.max(...shipped) - begun) / 1000;
    const shipping = Math.max(...times.map((each) => (each.shipped - each.written) / 1000));
    const of = (time: number, what: string) =>
      report({
        measure: `${count === 1 ? "one writer" : `${count} writers`}: ${what}`,
        value: SHIPPED / time,
        unit: "transactions/s",
        digits: 0,
        note: `${Math.round(rows / time)} rows/s, ${(rows / SHIPPED).toFixed(1)} rows a transaction`,
      });
    of((Math.max(...written) - begun) / 1000, "SQLite");
    of(shipping, "shipping");
    of(seconds, "SQLite and shipping");
    if (count === 1) {
      const file = times[0]?.bytes ?? 0;
      report({ measure: "SQLite file", value: file / SHIPPED, unit: "bytes a transaction", digits: 0 });
    }
    await server.close();
  }
  const writer = await openStoreWriter(addressOf("one"));
  const { server } = writer;
  const subjects = await findSubjects(join(folder, "subjects.db"), mixedBlocks(FIRST_SLOT, BLOCKS, PER_BLOCK));
  let copies = 1;
  const measured = new Map<string, string[]>();
  for (const size of SIZES) {
    const begun = performance.now();
    const wanted = Math.round(size / SHIPPED);
    await copyRange(server, RANGE, copies, wanted);
    copies = Math.max(copies, wanted);
    await mergesEnd(server);
    say(`copied to ${size} in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    const name = sizeName(size);
    const refresh = async (what: string) => {
      const refreshed = performance.now();
      await writer.refreshStatistics(true).catch((error: Error) => say(`statistics: ${error.message}`));
      report({ measure: `${name}: ${what}`, value: (performance.now() - refreshed) / 1000, unit: "s" });
    };
    await refresh("statistics, most of them new");
    await copyRange(server, RANGE, copies, copies + 1);
    copies += 1;
    await mergesEnd(server);
    await refresh(`statistics, ${SHIPPED} transactions new`);
    const bytes = await countBytes(server, "one");
    report({
      measure: `${name}: ClickHouse`,
      value: bytes / (copies * SHIPPED),
      unit: "bytes a transaction",
      digits: 0,
      atMost: GOALS.bytes,
      note: `${Math.round((await countRows(server, "one")) / 1e6)} M rows, indexes included`,
    });
    const results = await measureEndpoints(server, subjects);
    for (const [route, times] of results) {
      const texts = (["busy", "quiet"] as const).map((kind) =>
        [0.5, 0.95].map((share) => quantile(times[kind], share).toFixed(0)).join(" / "),
      );
      measured.set(route, [
        ...(measured.get(route) ?? []),
        `${name}: ${texts.join(", ")} (${times.runs} runs, ${times.statements})`.padEnd(52),
      ]);
    }
    for (const kind of ["busy", "quiet"] as const) {
      const all = [...results.values()].flatMap((times) => times[kind]);
      report({
        measure: `${name}: answers about ${kind} subjects, p95`,
        value: quantile(all, 0.95),
        unit: "ms",
        digits: 0,
        atMost: GOALS.p95,
        note: `${all.length} requests, median ${quantile(all, 0.5).toFixed(0)} ms`,
      });
    }
    const fast = [...results.values()].filter(({ busy, quiet }) => quantile([...busy, ...quiet], 0.95) <= GOALS.p95);
    report({
      measure: `${name}: endpoints within ${GOALS.p95} ms (p95)`,
      value: fast.length,
      unit: `of ${results.size}`,
    });
  }
  console.error("Milliseconds, p50 / p95: busy, quiet (most runs of a query, and statements)");
  for (const [route, texts] of measured) console.error(`${route.padEnd(44)} ${texts.join("").trimEnd()}`);
  await writer.close();
} finally {
  for (const stop of cleanups) await stop();
  rmSync(folder, { recursive: true, force: true });
}
