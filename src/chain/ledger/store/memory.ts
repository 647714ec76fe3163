/** Ledgers in memory that answer single requests: they have what lists are read from, and no statistics. */
import { inTransaction, openDatabase } from "../../../base/index.ts";
import type { Facts, InstructionDecoder, SourceBlock } from "../source/source.ts";
import { createTables, Ingester } from "./ingester.ts";
import { createLedgerReader } from "./reader.ts";
import { INDEXES } from "./schema.ts";
import type { Ledger } from "./store.ts";

/** Options for creating a ledger in memory. */
export interface MemoryLedgerOptions {
  readonly blocks?: readonly SourceBlock[];
  /** What exists before the first block. */
  readonly opening?: Facts | undefined;
  readonly decode?: InstructionDecoder | undefined;
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
  const ingester = new Ingester(db, { isChain: true, listsOnly: true });
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
