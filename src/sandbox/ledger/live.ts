/** A ledger that goes on: new blocks arrive while it is asked. */
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { inTransaction, openDatabase, throwIfAborted } from "../../base/index.ts";

import type { Source, SourceBlock } from "../source/source.ts";
import { createLedgerReader } from "./reader.ts";
import type { Ledger } from "./store.ts";
import { createIngester } from "./writer.ts";

/** How a live ledger is opened. */
export interface LiveLedgerOptions {
  /** Where it begins; it stays as it is. */
  readonly ledger: Ledger;
  /** The source that filled it. */
  readonly source: Source;
  readonly signal?: AbortSignal | undefined;
}

/** How blocks arrive by themselves. */
export interface FollowOptions {
  /** Milliseconds between blocks. */
  readonly interval: number;
  readonly signal?: AbortSignal | undefined;
  readonly onBlock?: ((block: SourceBlock) => void) | undefined;
}

/** A ledger that grows; its reader's clock moves with it, its shift stays. */
export interface LiveLedger extends Ledger {
  /** Takes the next block; false when the source has no more. @throws InterruptedError when the signal fires */
  advance(): Promise<boolean>;
  /** Takes a block each time the interval is over, until the signal fires or the source ends. Keeps no process alive. */
  follow(options: FollowOptions): Promise<void>;
}

/** Milliseconds that others wait at most while known blocks are passed over. */
const MAX_BLOCKING_MS = 40;

/** Opens a copy of a ledger that goes on with its source. */
export async function openLiveLedger({ ledger, source, signal }: LiveLedgerOptions): Promise<LiveLedger> {
  const { db, discard } = await copyToTempFile(ledger);
  const ingester = createIngester(db);
  const last = db.prepare("SELECT MAX(slot) AS slot, MAX(time) AS time FROM blocks").get();
  const clock = { shift: ledger.reader.clock.shift, end: Number(last?.time) };
  const blocks = blocksAfter(source, Number(last?.slot), signal);
  const ingestNextBlock = async () => {
    const { value: block } = await blocks.next();
    if (!block || !db.isOpen) return undefined;
    const write = () => {
      ingester.add(block);
      ingester.settle();
    };
    inTransaction(db, write, "deferred");
    clock.end = block.time;
    return block;
  };
  // One after another, however they are asked for.
  let lastStep: Promise<SourceBlock | undefined> = Promise.resolve(undefined);
  const next = () => {
    lastStep = lastStep.then(ingestNextBlock);
    return lastStep;
  };
  return {
    reader: createLedgerReader(db, () => ({ ...clock })),
    db,
    path: undefined,
    meta: ledger.meta,
    close() {
      if (db.isOpen) db.close();
      discard();
    },
    advance: async () => (await next()) !== undefined,
    async follow({ interval, signal: stop = new AbortController().signal, onBlock }) {
      while (!stop.aborted) {
        await sleep(interval, undefined, { signal: stop, ref: false }).catch(() => undefined);
        const block = stop.aborted ? undefined : await next();
        if (!block) return;
        onBlock?.(block);
      }
    },
  };
}

/** The blocks of a source after a slot. */
async function* blocksAfter(
  source: Source,
  slot: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<SourceBlock, undefined> {
  let lastPause = performance.now();
  for await (const block of source.blocks()) {
    throwIfAborted(signal);
    if (block.slot > slot) yield block;
    if (performance.now() - lastPause < MAX_BLOCKING_MS) continue;
    await nextTurn();
    lastPause = performance.now();
  }
  return undefined;
}

/** A file of its own with the same content, which vanishes with the process. */
async function copyToTempFile(ledger: Ledger): Promise<{ db: DatabaseSync; discard(): void }> {
  const tempFolder = await mkdtemp(join(tmpdir(), "solx-live-"));
  const discard = () => rm(tempFolder, { recursive: true, force: true }).catch(() => undefined);
  try {
    const path = join(tempFolder, "ledger.db");
    if (ledger.path === undefined) {
      ledger.db.exec("PRAGMA query_only = 0");
      ledger.db.prepare("VACUUM INTO ?").run(path);
    } else await copyFile(ledger.path, path);
    const db = openDatabase(path);
    db.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE");
    db.exec("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536");
    // Where open files can be removed, nothing is left even of a process that is killed.
    await discard();
    return { db, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}
