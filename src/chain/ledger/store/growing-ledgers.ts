/**
 * Ledgers that grow: private copies to which blocks can be added, in a temporary file or in one that outlives the process,
 * copies that follow their source, and ledgers in memory that answer single requests.
 */
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextIteration } from "node:timers/promises";
import {
  describeError,
  inTransaction,
  isBusy,
  monotonicMs,
  openDatabase,
  replaceFile,
  SolxError,
  throwIfAborted,
  UsageError,
} from "../../../base/index.ts";
import type { BlockSource, ChainDecoder, Facts, SourceBlock } from "../source/source.ts";
import { createTables, Ingester } from "./ingester.ts";
import { createLedgerReader } from "./reader.ts";
import { INDEXES } from "./schema.ts";
import type { Ledger } from "./store.ts";
import { MAX_BLOCKING_MS } from "./writer.ts";

/** A copy of a ledger to which blocks can be added. The end of its clock moves with them, the shift does not. */
export interface LedgerCopy extends Ledger {
  append(...blocks: readonly SourceBlock[]): void;
  /** Text that is stored with the copy; undefined at first. */
  readonly state: string | undefined;
  /** Replaces the text, unless the copy is closed. */
  saveState(text: string): void;
}

/** The properties of a copy. */
const [SHIFT, STATE] = ["copy:shift", "copy:state"];

/**
 * Opens a copy of a ledger, which is not modified.
 * @param path the file of the copy, which is created if it does not exist; a temporary file by default
 * @throws UsageError when the file is in use, cannot be written, or is no copy of this ledger
 */
export async function openLedgerCopy(ledger: Ledger, path?: string): Promise<LedgerCopy> {
  const { db, discard } = path === undefined ? await copyToTempFile(ledger) : await openFile(ledger, path);
  const ingester = new Ingester(db);
  const select = db.prepare("SELECT value FROM meta WHERE name = ?");
  const save = (name: string, value: string | number) =>
    db.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)").run(name, String(value));
  const end = Number(db.prepare("SELECT MAX(time) AS time FROM blocks").get()?.time);
  const clock = { end, shift: Number(select.get(SHIFT)?.value ?? ledger.reader.clock.shift) };
  save(SHIFT, clock.shift);
  return {
    reader: createLedgerReader(db, () => ({ ...clock })),
    db,
    path,
    meta: ledger.meta,
    append(...blocks) {
      const write = () => {
        for (const block of blocks) ingester.add(block);
        ingester.settle();
      };
      inTransaction(db, write, "deferred");
      clock.end = blocks.at(-1)?.time ?? clock.end;
    },
    get state() {
      return select.get(STATE)?.value as string | undefined;
    },
    saveState(text) {
      if (db.isOpen) save(STATE, text);
    },
    close() {
      if (db.isOpen) db.close();
      discard();
    },
  };
}

async function copyTo(path: string, { path: original, db }: Ledger): Promise<void> {
  if (original !== undefined) return copyFile(original, path);
  db.exec("PRAGMA query_only = 0");
  db.prepare("VACUUM INTO ?").run(path);
}

const CACHE = "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536; PRAGMA locking_mode = EXCLUSIVE;";

/** Copies the ledger to a temporary file that disappears with the process. */
async function copyToTempFile(ledger: Ledger): Promise<{ db: DatabaseSync; discard(): void }> {
  const tempFolder = await mkdtemp(join(tmpdir(), "solx-live-"));
  const discard = () => rm(tempFolder, { recursive: true, force: true }).catch(() => undefined);
  try {
    const path = join(tempFolder, "ledger.db");
    await copyTo(path, ledger);
    const db = openDatabase(path);
    db.exec(`${CACHE} PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF`);
    // Where open files can be deleted, nothing is left behind even when the process is killed.
    await discard();
    return { db, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Opens the file of a copy, and creates it first if necessary. */
async function openFile(ledger: Ledger, path: string): Promise<{ db: DatabaseSync; discard(): void }> {
  let db: DatabaseSync | undefined;
  try {
    if (!existsSync(path)) await createFile(ledger, path);
    db = openDatabase(path);
    db.exec(`${CACHE} PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; COMMIT`);
    const select = db.prepare("SELECT value FROM meta WHERE name = ?");
    for (const name of ["source", "version"]) {
      if (select.get(name)?.value !== ledger.meta[name]) throw otherLedgerError(path);
    }
    return { db, discard: () => {} };
  } catch (cause) {
    db?.close();
    if (cause instanceof SolxError) throw cause;
    throw new UsageError(
      isBusy(cause)
        ? `the file ${path} is used by another sandbox`
        : `the file ${path} cannot be used: ${describeError(cause)}`,
      { code: "STATE_FILE", hint: "Choose another file.", cause },
    );
  }
}

/** Creates the file at once, so that an interrupted copy leaves none. */
async function createFile(ledger: Ledger, path: string): Promise<void> {
  const tempFolder = await mkdtemp(join(dirname(path), ".solx-state-"));
  try {
    const draft = join(tempFolder, "ledger.db");
    await copyTo(draft, ledger);
    await replaceFile(draft, path);
  } finally {
    await rm(tempFolder, { recursive: true, force: true });
  }
}

const otherLedgerError = (path: string): UsageError =>
  new UsageError(`the file ${path} holds the state of another world, or of another version of solx`, {
    code: "STATE_FILE",
    hint: "Start with the same seed, size and --hostile, or choose another file.",
  });

/** Options for opening a live ledger. */
export interface LiveLedgerOptions {
  /** The ledger to start from; it is not modified. */
  readonly ledger: Ledger;
  readonly source: BlockSource;
  readonly signal?: AbortSignal | undefined;
}

/** Blocks that are added at once at most: others that are due are left out. */
export const MAX_DUE_BLOCKS = 100;

/** A growing ledger. The end of its clock moves with each block; the shift is constant. */
interface LiveLedger extends Ledger {
  /**
   * Adds the next block. Returns false when the source has no more.
   * @throws InterruptedError when the signal fires
   */
  advance(): Promise<boolean>;
  /**
   * Adds the blocks that are due by the clock, in one step: many cost hardly more than one.
   * @param interval milliseconds between blocks
   * @throws InterruptedError when the signal fires
   */
  catchUp(interval: number): Promise<void>;
}

/** Opens a copy of a ledger that continues with the blocks of its source. */
export async function openLiveLedger({ ledger, source, signal }: LiveLedgerOptions): Promise<LiveLedger> {
  const copy = await openLedgerCopy(ledger);
  const last = Number(copy.db.prepare("SELECT MAX(slot) AS slot FROM blocks").get()?.slot);
  const blocks = blocksAfter(source, last, signal);
  const take = async (count: number): Promise<boolean> => {
    const due: SourceBlock[] = [];
    while (due.length < count) {
      const { value: block } = await blocks.next();
      if (!block || !copy.db.isOpen) break;
      due.push(block);
    }
    if (due.length > 0 && copy.db.isOpen) copy.append(...due);
    return due.length > 0;
  };
  // Blocks are added one after another, also when several callers request some at the same time.
  let lastStep: Promise<unknown> = Promise.resolve();
  const next = <T>(step: () => Promise<T>): Promise<T> => {
    const result = lastStep.then(step);
    lastStep = result;
    return result;
  };
  const opened = monotonicMs();
  let known = 0;
  return {
    ...copy,
    advance: () => next(() => take(1)),
    catchUp: (interval) =>
      next(async () => {
        const due = Math.floor((monotonicMs() - opened) / interval);
        const count = Math.min(MAX_DUE_BLOCKS, due - known);
        known = due;
        if (count > 0) await take(count);
      }),
  };
}

async function* blocksAfter(
  source: BlockSource,
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

/** Options for creating a ledger in memory. */
export interface MemoryLedgerOptions {
  readonly blocks?: readonly SourceBlock[];
  /** What exists before the first block. */
  readonly opening?: Facts | undefined;
  readonly decode?: ChainDecoder | undefined;
}

/** A ledger of a chain in memory. */
export interface MemoryLedger extends Ledger {
  /** Adds blocks, in the order of the chain; they need not follow each other. */
  add(...blocks: readonly SourceBlock[]): void;
}

/** Creates a ledger in memory from some blocks of a chain, in its order. */
export function createMemoryLedger({ blocks = [], opening, decode }: MemoryLedgerOptions = {}): MemoryLedger {
  const db = openDatabase(":memory:");
  createTables(db);
  db.exec(INDEXES);
  const ingester = new Ingester(db, { isChain: true, derives: "lists" });
  const clock = { shift: 0, end: 0 };
  const write = (facts: Facts, more: readonly SourceBlock[]) =>
    inTransaction(db, () => {
      ingester.addOpening(facts);
      for (const block of more) {
        ingester.add(block);
        clock.end = Math.max(clock.end, block.time ?? 0);
      }
      ingester.settle();
    });
  const add = (...more: readonly SourceBlock[]) => write({}, more);
  write(opening ?? {}, blocks);
  const reader = createLedgerReader(db, () => clock, { isChain: true, decode });
  return { reader, db, path: undefined, meta: { chain: "1" }, add, close: () => db.close() };
}
