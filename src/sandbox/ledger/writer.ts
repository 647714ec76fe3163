/** Writes the blocks of a source into a ledger. */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextIteration } from "node:timers/promises";
import { throwIfAborted } from "../../base/index.ts";
import { NATIVE_SOL } from "../../catalogue/index.ts";
import type { Source, SourceBlock } from "../source/source.ts";
import { parseWorldId } from "../source/world-id.ts";
import { FactWriter, LatestBalances, type TouchedIds } from "./facts.ts";
import { createIdRegistry, type IdRegistry, SourceError } from "./registry.ts";
import { createTableWriters } from "./row-writer.ts";
import {
  DERIVED_TABLES,
  firstRow,
  INDEXES,
  LEDGER_VERSION,
  ROWS_PER_TRANSACTION,
  SLOTS_PER_EPOCH,
  SOL,
  SYSTEM_PROGRAM,
  TABLES,
  transactionOfRow,
} from "./schema.ts";
import { createSettler } from "./settle.ts";
import { TransactionWriter } from "./transactions.ts";

/** Creates the tables of an empty database, with native SOL (1) and the System Program (2). */
export function createTables(db: DatabaseSync): void {
  db.exec(TABLES + DERIVED_TABLES);
  db.exec(`
    INSERT INTO accounts VALUES (1, '${NATIVE_SOL}', 'mint', 2, 0, 0), (2, '${SYSTEM_PROGRAM}', 'program', 2, 1, 1);
    INSERT INTO tokens (id, kind, name, symbol, decimals, program_id, reputation)
      VALUES (1, 'fungible', 'SOL', 'SOL', 9, 2, 100);
  `);
}

/** Adds blocks to a ledger. */
export interface Ingester {
  /** Adds the next block of the chain. @throws SourceError when the source breaks its contract */
  add(block: SourceBlock): void;
  /** Writes pending rows and brings the derived tables up to date. */
  settle(): void;
  /** Returns the steps of `settle`, for callers that pause between them. */
  settleSteps(): readonly (() => void)[];
}

/**
 * Creates the ingester of a ledger: an empty one that has its tables, or one that contains blocks. The caller manages
 * transactions.
 */
export function createIngester(db: DatabaseSync): Ingester {
  const registry = createIdRegistry(db);
  const touched: TouchedIds = { accounts: new Set(), tokens: new Set([1]), nfts: new Set() };
  const facts = new FactWriter(db, registry, touched);
  const balances = new LatestBalances(db);
  const transactions = new TransactionWriter(db, registry, balances);
  const settle = createSettler(db);
  const tables = createTableWriters(db, { blocks: 11, rewards: 8 });
  let next = nextTransaction(db);
  let since = firstRow(next);
  const startEpoch = createEpochStarter(db);
  const settleSteps = () => {
    for (const writer of [facts, transactions, ...Object.values(tables)]) writer.flush();
    const steps = settle(since, touched, balances);
    since = firstRow(next);
    for (const set of Object.values(touched)) set.clear();
    return steps;
  };
  return {
    add(block) {
      const first = next;
      const { slot, votes = [] } = block;
      // Ids are positions in the block: votes are between the other transactions.
      let vote = 0;
      const votesBefore = (at: number) => {
        while ((votes[vote]?.after ?? Number.POSITIVE_INFINITY) <= at) vote++;
        return vote;
      };
      const ids = block.transactions.map((_, at) => first + at + votesBefore(at));
      registry.registerTransactions(
        new Map(block.transactions.map(({ signature }, at) => [signature, ids[at] as number])),
      );
      facts.add(block.facts);
      startEpoch(Math.floor(block.slot / SLOTS_PER_EPOCH), () => facts.flush());
      block.transactions.forEach((transaction, at) => {
        transactions.add(ids[at] as number, slot, transaction);
      });
      votes.forEach((fact, at) => {
        transactions.addVote(first + at + fact.after, slot, fact);
      });
      next = first + ids.length + votes.length;
      addBlock(tables.blocks, registry, block, first);
      // Rewards have separate ids after the transactions of their block, so that they belong to the block.
      block.rewards.forEach(({ account, kind, epoch, amount, post, commission }, n) => {
        const [id, holder] = [firstRow(next) + n, registry.accountId(account)];
        tables.rewards.add(id, block.slot, holder, kind, epoch, amount, post, commission ?? null);
        balances.set(holder, SOL, holder, post);
      });
      next += Math.ceil(block.rewards.length / ROWS_PER_TRANSACTION);
    },
    settle() {
      for (const step of settleSteps()) step();
    },
    settleSteps,
  };
}

function addBlock(
  rows: { add(...values: (string | number | bigint)[]): void },
  registry: IdRegistry,
  block: SourceBlock,
  first: number,
): void {
  const { length: compactVotes } = block.votes ?? [];
  const count = block.transactions.length + compactVotes;
  if (count === 0) throw new SourceError(`The block ${block.slot} has no transactions.`);
  const votes = block.transactions.filter(({ vote }) => vote).length + compactVotes;
  const { slot, height, time, hash, parentSlot, parentHash, leader, feeRewards } = block;
  rows.add(
    slot,
    height,
    time,
    hash,
    parentSlot,
    parentHash,
    registry.accountId(leader),
    feeRewards,
    first,
    count,
    votes,
  );
}

/**
 * Returns a function that records the active stake of an epoch, once, after a call that writes the pending facts. A
 * stake is active from the epoch after its activation to the one of its deactivation.
 */
function createEpochStarter(db: DatabaseSync): (epoch: number, flush: () => void) => void {
  let current = Number(db.prepare("SELECT MAX(epoch) AS epoch FROM epoch_stakes").get()?.epoch ?? -1);
  const insert = db.prepare(
    `INSERT INTO epoch_stakes SELECT :epoch, coalesce(SUM(delegated), 0) FROM stake_accounts
     WHERE activation_epoch < :epoch AND ifnull(deactivation_epoch, :epoch) >= :epoch`,
  );
  return (epoch, flush) => {
    if (epoch <= current) return;
    flush();
    insert.run({ epoch });
    current = epoch;
  };
}

/** Ids begin with 1. */
function nextTransaction(db: DatabaseSync): number {
  const last = (sql: string) => Number(db.prepare(sql).get()?.id ?? 0);
  const reward = last("SELECT MAX(id) AS id FROM rewards");
  return Math.max(last("SELECT MAX(id) AS id FROM transactions"), transactionOfRow(reward)) + 1;
}

/** Options for writing a ledger. */
export interface WriteLedgerOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the completed share, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** The share of the work that rows account for; indexes and derived tables are the rest. */
const ROWS_SHARE = 0.65;
/** Maximum time in milliseconds without yielding to the event loop. */
export const MAX_BLOCKING_MS = 40;

/**
 * Fills an empty database with the blocks of a source up to its end. Without a journal, a failed transaction cannot be
 * rolled back: the caller discards the database when this fails.
 * @throws InterruptedError when the signal fires
 */
export async function writeLedger(db: DatabaseSync, source: Source, options: WriteLedgerOptions = {}): Promise<void> {
  db.exec(
    "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE",
  );
  db.exec("PRAGMA temp_store = FILE; PRAGMA cache_size = -32768");
  createTables(db);
  db.exec("BEGIN");
  const ingester = createIngester(db);
  const end = await addBlocks(ingester, source, options);
  const indexing = INDEXES.split(";").map((sql) => () => db.exec(sql));
  const steps = [...indexing, ...ingester.settleSteps()];
  for (const [done, step] of steps.entries()) {
    options.onProgress?.(ROWS_SHARE + ((1 - ROWS_SHARE) * done) / steps.length);
    await pause(options.signal);
    step();
  }
  const metadata = { version: LEDGER_VERSION, source: source.id, end, ...parseWorldId(source.id) };
  const insertMeta = db.prepare("INSERT INTO meta VALUES (?, ?)");
  for (const [name, value] of Object.entries(metadata)) insertMeta.run(name, String(value));
  db.exec("COMMIT");
  await pause(options.signal);
  options.onProgress?.(1);
}

async function addBlocks(ingester: Ingester, source: Source, options: WriteLedgerOptions): Promise<number> {
  let [first, last] = [Number.NaN, Number.NaN];
  let lastPause = performance.now();
  for await (const block of source.blocks()) {
    if (block.time > source.end) break;
    ingester.add(block);
    last = block.time;
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
