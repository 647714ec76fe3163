/**
 * Address lookup tables: transactions of version 0 load the keys that a table contains instead of listing them. Accounts
 * that many transactions use are added at the end of a block; transactions of later blocks load them.
 */
import { Buffer } from "node:buffer";
import type { LookupEntryFact } from "../../ledger/index.ts";
import { rentOf } from "../../solana/index.ts";
import type { ProgramName } from "../data/programs.ts";
import type { Account, LookupEntry, Seeds } from "./accounts.ts";
import type { SendOptions } from "./draft.ts";
import { TOP_LEVEL } from "./instructions.ts";
import type { Transaction } from "./transaction.ts";

/** Number of uses after which an account is added to a table. */
const USES = 3;
/** Number of addresses that one transaction adds, and that a table holds. */
const BATCH = 16;
const CAPACITY = 256;
/** Size of a table without addresses, and of an address. */
const HEADER_SIZE = 56;
const ADDRESS_SIZE = 32;

/** The part of the economy that lookup tables use. */
interface LookupHost {
  readonly programs: Readonly<Record<ProgramName, Account>>;
  readonly position: { readonly parentSlot: number };
  readonly facts: { readonly lookupEntries: LookupEntryFact[] };
  wallet(): Account;
  derive(program: Account, seeds: Seeds): Account;
  begin(payer: Account, options: SendOptions): Transaction;
}

/** The lookup tables of a world. */
export class LookupTables {
  readonly #host: LookupHost;
  /** Pays for the tables and adds addresses. */
  readonly operator: Account;
  #pending: Account[] = [];
  #table: Account | undefined;
  #tableCount = 0;
  #length = 0;

  constructor(host: LookupHost) {
    this.#host = host;
    this.operator = host.wallet();
  }

  /** Records that a transaction could have loaded an account. */
  request(account: Account): void {
    account.lookupRequests += 1;
    if (account.lookupRequests === USES) this.#pending.push(account);
  }

  /** Adds the accounts that were requested often, in transactions of the current block. */
  extend(): void {
    while (this.#pending.length >= BATCH) {
      const batch = this.#pending.slice(0, BATCH);
      this.#pending = this.#pending.slice(BATCH);
      this.#extendBy(batch);
    }
  }

  #extendBy(accounts: readonly Account[]): void {
    const tx = this.#host.begin(this.operator, { priority: 1000 });
    const isFull = this.#length + accounts.length > CAPACITY;
    const table = isFull || !this.#table ? this.#create(tx) : this.#table;
    const first = table === this.#table ? this.#length : 0;
    const newAddresses = accounts.map(({ address }) => address);
    const instruction = this.#call(tx, "extendLookupTable", table, { newAddresses });
    const rent = rentOf(HEADER_SIZE + ADDRESS_SIZE * accounts.length) - rentOf(HEADER_SIZE);
    tx.transferSol(this.operator, table, rent, instruction);
    if (!tx.commit()) return;
    if (table !== this.#table) this.#tableCount += 1;
    this.#table = table;
    this.#length = first + accounts.length;
    for (const [index, account] of accounts.entries()) {
      const entry: LookupEntry = { table, tableNumber: this.#tableCount, position: first + index };
      account.lookup = entry;
      this.#host.facts.lookupEntries.push({
        address: account.address,
        table: table.address,
        position: entry.position,
      });
    }
  }

  #create(tx: Transaction): Account {
    const { programs, position } = this.#host;
    const recentSlot = Buffer.alloc(8);
    recentSlot.writeBigUInt64LE(BigInt(position.parentSlot));
    const seeds = [this.operator, recentSlot, Buffer.of(this.#tableCount % 256)];
    const table = this.#host.derive(programs.lookupTable, seeds);
    const instruction = this.#call(tx, "createLookupTable", table, { recentSlot: position.parentSlot });
    tx.createAccount(this.operator, table, rentOf(HEADER_SIZE), instruction);
    return table;
  }

  #call(tx: Transaction, type: string, table: Account, info: Readonly<Record<string, unknown>>): number {
    const roles = { lookupTableAccount: table, lookupTableAuthority: this.operator, payerAccount: this.operator };
    return tx.call(this.#host.programs.lookupTable, type, type, roles, TOP_LEVEL, info);
  }
}
