/** A ledger that continues to grow: new blocks arrive while it is queried. */
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextIteration, setTimeout as sleep } from "node:timers/promises";
import { inTransaction, openDatabase, throwIfAborted } from "../../base/index.ts";
import type { Source, SourceBlock } from "../source/source.ts";
import { Ingester } from "./ingester.ts";
import { createLedgerReader } from "./reader.ts";
import type { Ledger } from "./store.ts";
import { MAX_BLOCKING_MS } from "./writer.ts";

/** Options for opening a live ledger. */
export interface LiveLedgerOptions {
  /** The ledger to start from; it is not modified. */
  readonly ledger: Ledger;
  /** The source of its blocks. */
  readonly source: Source;
  readonly signal?: AbortSignal | undefined;
}

/** Options for adding blocks at an interval. */
export interface FollowOptions {
  /** Milliseconds between blocks. */
  readonly interval: number;
  readonly signal?: AbortSignal | undefined;
  readonly onBlock?: ((block: SourceBlock) => void) | undefined;
}

/** A growing ledger. The end of its clock moves with each block; the shift is constant. */
export interface LiveLedger extends Ledger {
  /**
   * Adds the next block. Returns false when the source has no more.
   * @throws InterruptedError when the signal fires
   */
  advance(): Promise<boolean>;
  /** Adds a block per interval until the signal fires or the source ends. Does not keep the process alive. */
  follow(options: FollowOptions): Promise<void>;
}

/** A private copy of a ledger to which blocks can be added. The end of its clock moves with them, the shift does not. */
export interface LedgerCopy extends Ledger {
  /** Adds a block after the last one. */
  append(block: SourceBlock): void;
}

/** Opens a copy of a ledger in a temporary file that disappears with the process. The ledger is not modified. */
export async function openLedgerCopy(ledger: Ledger): Promise<LedgerCopy> {
  const { db, discard } = await copyToTempFile(ledger);
  const ingester = new Ingester(db);
  const clock = { ...ledger.reader.clock };
  return {
    reader: createLedgerReader(db, () => ({ ...clock })),
    db,
    path: undefined,
    meta: ledger.meta,
    append(block) {
      const write = () => {
        ingester.add(block);
        ingester.settle();
      };
      inTransaction(db, write, "deferred");
      clock.end = block.time ?? clock.end;
    },
    close() {
      if (db.isOpen) db.close();
      discard();
    },
  };
}

/** Opens a copy of a ledger that continues with the blocks of its source. */
export async function openLiveLedger({ ledger, source, signal }: LiveLedgerOptions): Promise<LiveLedger> {
  const copy = await openLedgerCopy(ledger);
  const last = Number(copy.db.prepare("SELECT MAX(slot) AS slot FROM blocks").get()?.slot);
  const blocks = blocksAfter(source, last, signal);
  const ingestNextBlock = async () => {
    const { value: block } = await blocks.next();
    if (!block || !copy.db.isOpen) return undefined;
    copy.append(block);
    return block;
  };
  // Blocks are added one after another, also when several callers request one at the same time.
  let lastStep: Promise<SourceBlock | undefined> = Promise.resolve(undefined);
  const next = () => {
    lastStep = lastStep.then(ingestNextBlock);
    return lastStep;
  };
  return {
    ...copy,
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

/** Yields the blocks of a source after a slot. */
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
    await nextIteration();
    lastPause = performance.now();
  }
  return undefined;
}

/** Copies the ledger to a temporary file that disappears with the process. */
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
    // Where open files can be deleted, nothing is left behind even when the process is killed.
    await discard();
    return { db, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}
