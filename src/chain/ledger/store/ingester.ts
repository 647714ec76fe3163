/** Adds blocks to a ledger. */
import type { DatabaseSync } from "node:sqlite";
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type { Facts, SourceBlock } from "../source/source.ts";
import { addAmountFunctions, storedAmount } from "./amounts.ts";
import { FactWriter, LatestBalances, type TouchedIds } from "./facts.ts";
import { createIdRegistry, type IdRegistry, SourceError } from "./registry.ts";
import { createTableWriters, type TableWriters } from "./row-writer.ts";
import {
  firstRow,
  firstRowOfSlot,
  INDEX_END,
  SLOT_END,
  SLOTS_PER_EPOCH,
  SOL,
  SYSTEM_PROGRAM,
  TABLES,
  transactionAt,
} from "./schema.ts";
import { createSettler, type LedgerEnd, type Settler, type SettlerOptions } from "./settle.ts";
import { type StoredHash, TransactionWriter } from "./transactions.ts";
import { hasVoters, VoterBalances } from "./voters.ts";

/** Creates the tables of an empty database, with native SOL (1) and the System Program (2). */
export function createTables(db: DatabaseSync): void {
  db.exec(TABLES);
  db.exec(`
    INSERT INTO accounts VALUES (1, '${NATIVE_SOL}', 'mint', 2, 0, 0, NULL),
      (2, '${SYSTEM_PROGRAM}', 'program', 2, 1, 1, NULL);
    INSERT INTO tokens (id, kind, name, symbol, decimals, program_id, reputation)
      VALUES (1, 'fungible', 'SOL', 'SOL', 9, 2, 100);
  `);
}

/** Adds blocks to a ledger: an empty one that has its tables, or one that contains blocks. The caller manages transactions. */
export class Ingester {
  readonly #db: DatabaseSync;
  readonly #isChain: boolean;
  readonly #touched: TouchedIds = {
    accounts: new Set(),
    tokens: new Set([SOL]),
    nfts: new Set(),
    openings: new Set(),
  };
  readonly #balances: LatestBalances;
  readonly #registry: IdRegistry;
  readonly #facts: FactWriter;
  readonly #transactions: TransactionWriter;
  readonly #tables: TableWriters;
  readonly #hashes: RecentHashes;
  readonly #startEpoch: (epoch: number, flush: () => void) => void;
  readonly #settle: Settler;
  #voters: VoterBalances | undefined;
  #end: LedgerEnd;
  /** The first row since the last settlement, and the end of the ledger at that time. */
  #since: number;
  #settled: LedgerEnd;

  constructor(db: DatabaseSync, { isChain = false, derives = "all" }: Partial<SettlerOptions> = {}) {
    addAmountFunctions(db);
    const [touched, balances, tables] = [this.#touched, new LatestBalances(db), createTableWriters(db)];
    const registry = createIdRegistry(db, isChain ? () => this.#facts.unknown : undefined);
    this.#isChain = isChain;
    this.#balances = balances;
    this.#registry = registry;
    this.#facts = new FactWriter({ db, tables, registry, touched, balances, isChain });
    this.#transactions = new TransactionWriter(tables, registry, balances);
    this.#tables = tables;
    this.#hashes = new RecentHashes(db);
    this.#startEpoch = createEpochStarter(db);
    this.#settle = createSettler(db, { isChain, derives });
    this.#end = readEnd(db);
    this.#since = firstRowOfSlot(this.#end.slot + 1);
    this.#settled = this.#end;
    this.#db = db;
    if (hasVoters(db)) this.#voters = new VoterBalances(db, this.#end.slot);
  }

  /** Adds facts about what exists before the first block. */
  addOpening(facts: Facts): void {
    this.#facts.add(facts);
  }

  /** Adds the next block of the chain. @throws SourceError when the source breaks its contract */
  add(block: SourceBlock): void {
    const ids = transactionIds(block);
    this.#registry.registerTransactions(
      new Map(block.transactions.map(({ signature }, at) => [signature, ids[at] as number])),
    );
    this.#facts.add(block.facts);
    // Of a chain, not all stakes are known.
    if (!this.#isChain)
      this.#startEpoch(Math.floor(block.slot / SLOTS_PER_EPOCH), () => this.#tables.stake_accounts.flush());
    block.transactions.forEach((transaction, at) => {
      const recent = this.#hashes.stored(transaction.recentBlockhash, block.parentHash);
      this.#transactions.add(ids[at] as number, transaction, recent);
    });
    this.#end = { slot: block.slot, time: Math.max(this.#end.time, block.time ?? this.#end.time) };
    this.#addBlock(block);
    this.#hashes.add(block);
    this.#addRewards(block);
    if (block.facts.voters?.length) {
      this.#flush();
      this.#voters = new VoterBalances(this.#db, block.slot - 1);
    }
    this.#voters?.add(block);
  }

  #flush(): void {
    for (const table of Object.values(this.#tables)) table.flush();
  }

  /** Writes pending rows and brings the derived tables up to date. */
  settle(): void {
    for (const step of this.settleSteps()) step();
  }

  /** Returns the steps of `settle`, for callers that pause between them. */
  settleSteps(): readonly (() => void)[] {
    this.#flush();
    this.#registry.trim();
    const [touched, balances, end] = [this.#touched, this.#balances, this.#end];
    const lamports = this.#voters?.settle(balances) ?? 0;
    const steps = this.#settle({ since: this.#since, before: this.#settled, end, touched, balances, lamports });
    this.#begin(end);
    return steps;
  }

  /** Returns the steps that derive the tables of a ledger of which nothing is derived yet. */
  settleAllSteps(): readonly (() => void)[] {
    const before = { slot: -1, time: Number.NEGATIVE_INFINITY };
    const unsettled = { since: 0, before, end: this.#end, balances: this.#balances, lamports: 0 };
    return this.#settle({ ...unsettled, touched: "all" });
  }

  #begin(end: LedgerEnd): void {
    [this.#since, this.#settled] = [firstRowOfSlot(end.slot + 1), end];
    for (const set of Object.values(this.#touched)) set.clear();
  }

  #addBlock(block: SourceBlock): void {
    const stored = block.transactions.length;
    const votes = block.transactions.filter(({ isVote }) => isVote).length;
    const { slot, height = null, time = null, hash, parentSlot, parentHash, leader, feeRewards = null, totals } = block;
    this.#tables.blocks.add(
      ...[slot, height, time, hash, parentSlot, parentHash, this.#registry.optionalAccountId(leader), feeRewards],
      ...[
        totals?.transactions ?? stored,
        totals ? (totals.votes ?? null) : votes,
        stored,
        Number(block.isPartial === true),
      ],
    );
  }

  #addRewards({ slot, rewards }: SourceBlock): void {
    rewards.forEach(({ account, kind, epoch, amount, post, commission = null }, n) => {
      const [id, holder] = [firstRow(transactionAt(slot, INDEX_END)) + n, this.#registry.accountId(account)];
      this.#tables.rewards.add(id, holder, kind, epoch, amount, storedAmount(post), commission);
      this.#balances.set(holder, SOL, holder, post);
    });
  }
}

/** Blocks whose hashes transactions can refer to: a blockhash is valid for 150 blocks, and nodes accept some more. */
const RECENT_BLOCKS = 400;

/** The slots of the recent blocks by their hashes. */
class RecentHashes {
  readonly #slots = new Map<string, number>();

  constructor(db: DatabaseSync) {
    const rows = db.prepare("SELECT hash, slot FROM blocks ORDER BY slot DESC LIMIT ?").all(RECENT_BLOCKS).reverse();
    for (const { hash, slot } of rows) this.#slots.set(String(hash), Number(slot));
  }

  add({ hash, slot }: SourceBlock): void {
    if (this.#slots.size >= RECENT_BLOCKS) this.#slots.delete(this.#slots.keys().next().value as string);
    this.#slots.set(hash, slot);
  }

  /** Returns the recent blockhash of a transaction as its row says it. */
  stored(hash: string | undefined, parentHash: string): StoredHash {
    if (hash === undefined || hash === parentHash) return [null, null];
    const slot = this.#slots.get(hash);
    return slot === undefined ? [null, hash] : [slot, null];
  }
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

function readEnd(db: DatabaseSync): LedgerEnd {
  const { slot, time } = db.prepare("SELECT MAX(slot) AS slot, MAX(time) AS time FROM blocks").get() ?? {};
  return { slot: Number(slot ?? -1), time: Number(time ?? Number.NEGATIVE_INFINITY) };
}

/** Returns the ids of the transactions of a block. @throws SourceError when it has more than a ledger has ids for */
function transactionIds({ slot, transactions, rewards }: SourceBlock): readonly number[] {
  const ids = transactions.map(({ index }, at) => transactionAt(slot, index ?? at));
  const isBeyond = slot >= SLOT_END || (ids.at(-1) ?? 0) >= transactionAt(slot, INDEX_END);
  if (isBeyond || firstRow(transactionAt(slot, INDEX_END)) + rewards.length > firstRowOfSlot(slot + 1))
    throw new SourceError(`The block of slot ${slot} has more transactions or rewards than a ledger has ids for.`);
  return ids;
}
