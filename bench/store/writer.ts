/**
 * Writes blocks into a ledger in SQLite, ships it into ClickHouse, and prints how long both took. It begins when it
 * reads a line. Argument: `WriterOptions` as JSON.
 */
import { once } from "node:events";
import process from "node:process";
import { ledgerToShip } from "../../src/chain/ledger/clickhouse/shipping.ts";
import { openStoreWriter } from "../../src/chain/ledger/clickhouse/writer.ts";
import type { SourceBlock } from "../../src/chain/ledger/source/source.ts";
import { openChainLedger } from "../../src/chain/ledger/store/chain-writer.ts";
import { storeAt } from "../../tests/support/clickhouse/start.ts";
import { mixedBlocks, writeBlocks } from "./blocks.ts";

/** What a writer writes, and where. */
export interface WriterOptions {
  readonly url: string;
  readonly database: string;
  readonly path: string;
  readonly from: number;
  readonly blocks: number;
  readonly perBlock: number;
}

/** What a writer prints. */
export interface WriterTimes {
  /** Milliseconds since the epoch. */
  readonly begun: number;
  readonly written: number;
  readonly shipped: number;
  readonly bytes: number;
}

const { url, database, path, from, blocks, perBlock }: WriterOptions = JSON.parse(process.argv[2] ?? "");
const list: SourceBlock[] = [];
for await (const block of mixedBlocks(from, blocks, perBlock)) list.push(block);
const store = await openStoreWriter(storeAt(url, database));
const ledger = openChainLedger(path, "chain:bench", true);
console.log("ready");
await once(process.stdin, "data");
const begun = Date.now();
writeBlocks(ledger, list);
const written = Date.now();
await store.ship(ledgerToShip(ledger), { from, end: from + blocks, isComplete: true, writer: `bench-${from}` });
const shipped = Date.now();
console.log(JSON.stringify({ begun, written, shipped, bytes: ledger.bytes } satisfies WriterTimes));
await store.close();
ledger.close();
process.exit();
