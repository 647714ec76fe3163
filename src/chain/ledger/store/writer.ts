/** Writes the blocks of a source into a ledger. */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextIteration } from "node:timers/promises";
import { throwIfAborted } from "../../../base/index.ts";
import type { BlockSource } from "../source/source.ts";
import { createTables, Ingester } from "./ingester.ts";
import { INDEXES, LEDGER_VERSION } from "./schema.ts";

/** Returns the property of ledgers of a chain. */
const chainMeta = ({ isChain = false }: Pick<BlockSource, "isChain">) => (isChain ? { chain: 1 } : {});

interface WriteLedgerOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** The shares of the work after the rows, and after the indexes; derived tables are the rest. */
const [ROWS_SHARE, INDEXES_SHARE] = [0.7, 0.8];
/** Maximum time in milliseconds without yielding to the event loop. */
export const MAX_BLOCKING_MS = 40;

/**
 * Fills an empty database with the blocks of a source up to its end. Without a journal, a failed transaction cannot be
 * rolled back: the caller discards the database when this fails.
 * @throws InterruptedError when the signal fires
 */
export async function writeLedger(
  db: DatabaseSync,
  source: BlockSource,
  options: WriteLedgerOptions = {},
): Promise<void> {
  db.exec(
    "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE",
  );
  db.exec("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536");
  createTables(db);
  db.exec("BEGIN");
  const insertMeta = db.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
  insertMeta.run("source", source.id);
  const ingester = new Ingester(db, { isChain: source.isChain ?? false });
  for await (const facts of source.opening?.() ?? []) ingester.addOpening(facts);
  const end = await addBlocks(ingester, source, options);
  const run = async (steps: readonly (() => void)[], start: number, end: number) => {
    for (const [done, step] of steps.entries()) {
      options.onProgress?.(start + ((end - start) * done) / steps.length);
      await pause(options.signal);
      step();
    }
  };
  const indexing = INDEXES.split(";").map((sql) => () => db.exec(sql));
  // The settlement uses the indexes from its first statement on.
  await run(indexing, ROWS_SHARE, INDEXES_SHARE);
  await run(ingester.settleSteps(), INDEXES_SHARE, 1);
  const metadata = { version: LEDGER_VERSION, source: source.id, end, ...chainMeta(source), ...source.details };
  for (const [name, value] of Object.entries(metadata)) insertMeta.run(name, String(value));
  db.exec("COMMIT");
  await pause(options.signal);
  options.onProgress?.(1);
}

async function addBlocks(ingester: Ingester, source: BlockSource, options: WriteLedgerOptions): Promise<number> {
  let [first, last] = [Number.NaN, Number.NaN];
  let lastPause = performance.now();
  for await (const block of source.blocks()) {
    const { time = last } = block;
    if (time > source.end) break;
    ingester.add(block);
    last = time;
    if (Number.isNaN(first)) first = last;
    if (performance.now() - lastPause < MAX_BLOCKING_MS) continue;
    options.onProgress?.((ROWS_SHARE * (last - first)) / (source.end - first));
    await pause(options.signal);
    lastPause = performance.now();
  }
  return last;
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await nextIteration();
  throwIfAborted(signal);
}
