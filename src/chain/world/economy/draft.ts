/** The part of every transaction: its keys, compute budget, instructions and end. See transaction.ts. */

import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type { BalanceChangeFact, KeyUse } from "../../ledger/index.ts";
import type { WorldTransaction } from "../facts.ts";
import {
  type Account,
  type AccountFactory,
  type Holding,
  LOOKUP,
  SIGNER,
  type Stake,
  Token,
  WRITABLE,
} from "./accounts.ts";
import { ActivityLog } from "./activities.ts";
import { InstructionList, TOP_LEVEL } from "./instructions.ts";
import { type Roles, resolveAccounts } from "./roles.ts";

type SharedAccounts = Pick<
  AccountFactory,
  "random" | "programs" | "sysvars" | "account" | "derive" | "createAssociated" | "createVault" | "delegateOf"
>;

/** Holds what all transactions share and publishes their effects in the current block. */
export interface TransactionHost extends SharedAccounts {
  readonly sol: Token;
  readonly wrapped: Token;
  readonly lookupTables: { request(account: Account): void };
  publishAccount(account: Account): void;
  publishToken(token: Token): void;
  publishTokenAccount(holding: Holding): void;
  publishStake(stake: Stake): void;
  /** Adds a finished transaction to the block; `baseFee` in lamports. */
  addTransaction(fact: WorldTransaction, baseFee: number): void;
}

/** The error of a transaction that has used up its compute units. */
export const OUT_OF_UNITS = "Computational budget exceeded";

/** Default compute units for each top-level instruction, and the maximum of a transaction. */
const UNITS_EACH = 200_000;
const UNITS_MAX = 1_400_000;
const MICRO = 1_000_000;

interface ComputeBudget {
  /** Compute units that the transaction used. */
  readonly consumed: number;
  /** Lamports: the limit times the price, rounded up. */
  readonly priorityFee: number;
}

/**
 * Decides the limit and the price of compute units, and enters them into the instructions that set them.
 * @param priority lamports to pay for priority, about; 0 for the default limit and no price
 */
function settleBudget(
  host: TransactionHost,
  instructions: InstructionList,
  { priority, exhausted }: { priority: number; exhausted: boolean },
): ComputeBudget {
  // Runs of the same program differ a little, and wallets request more than they need.
  const spread = () => host.random.word() & 0xff;
  const needed = Math.floor(instructions.units * (0.86 + spread() * 0.0011)) + instructions.nativeUnits;
  if (priority === 0) {
    const limit = Math.min(UNITS_MAX, UNITS_EACH * Math.max(1, instructions.topCount));
    return { consumed: exhausted ? limit : Math.min(needed, limit), priorityFee: 0 };
  }
  const limit = Math.min(
    UNITS_MAX,
    exhausted ? Math.floor(needed * 0.8) : Math.ceil(needed * (1.05 + spread() * 0.0016)),
  );
  const price = Math.max(1, Math.floor((priority * MICRO) / limit));
  instructions.setBudget(limit, price);
  return { consumed: exhausted ? limit : Math.min(needed, limit), priorityFee: Math.ceil((limit * price) / MICRO) };
}

/** Ranks of key flags: signers, writable keys, the others; keys from lookup tables last. */
const RANKS: readonly number[] = Array.from({ length: 8 }, (_, flags) =>
  flags & LOOKUP ? (flags & WRITABLE ? 4 : 5) : flags & SIGNER ? (flags & WRITABLE ? 0 : 1) : flags & WRITABLE ? 2 : 3,
);

/** Number of ranks, and the first rank of keys from lookup tables, which are in the order of the tables. */
const RANK_COUNT = 6;
const FIRST_LOOKUP_RANK = 4;

class AccountJournal {
  protected readonly host: TransactionHost;
  /** Number of the transaction, unique in its world. */
  readonly #id: number;
  readonly #accounts: Account[] = [];
  readonly #holdings: Holding[] = [];
  readonly #rollbackSteps: (() => void)[] = [];

  constructor(host: TransactionHost, id: number) {
    this.host = host;
    this.#id = id;
  }

  /** Adds an account to the keys; flags add up ({@link SIGNER}, {@link WRITABLE}). */
  publish(account: Account, flags = 0): void {
    if (account.touchedBy !== this.#id) {
      account.touchedBy = this.#id;
      account.preLamports = account.lamports;
      account.flags = 0;
      this.#accounts.push(account);
      if (!account.published) this.host.publishAccount(account);
    }
    account.flags |= flags;
  }

  /** Records a token account before it changes. */
  protected touch(holding: Holding): void {
    this.publish(holding.account, WRITABLE);
    if (holding.touchedBy === this.#id) return;
    holding.touchedBy = this.#id;
    holding.preAmount = holding.amount;
    holding.preWithheld = holding.withheld;
    holding.preOpen = holding.open;
    holding.preOwner = holding.owner;
    this.#holdings.push(holding);
    if (!holding.owner.published) this.host.publishAccount(holding.owner);
  }

  /** Adds a step that runs, the last one first, when the transaction fails: for state other than balances. */
  onRollback(step: () => void): void {
    this.#rollbackSteps.push(step);
  }

  /** Restores the state before the transaction. */
  protected rollBack(): void {
    for (let index = this.#rollbackSteps.length - 1; index >= 0; index--) this.#rollbackSteps[index]?.();
    for (const account of this.#accounts) account.lamports = account.preLamports;
    for (const holding of this.#holdings) {
      holding.amount = holding.preAmount;
      holding.withheld = holding.preWithheld;
      holding.open = holding.preOpen;
      holding.owner = holding.preOwner;
    }
  }

  /** Publishes token accounts that are new or closed or have another owner. */
  protected publishTokenAccounts(): void {
    for (const holding of this.#holdings) this.host.publishTokenAccount(holding);
  }

  protected isSigner(account: Account): boolean {
    return account.touchedBy === this.#id && (account.flags & SIGNER) !== 0;
  }

  protected get signerCount(): number {
    let count = 0;
    for (const account of this.#accounts) count += account.flags & SIGNER;
    return count;
  }

  /** Returns the balances that differ from those before the transaction. */
  protected changes(): BalanceChangeFact[] {
    const changes: BalanceChangeFact[] = [];
    for (const { address, preLamports: pre, lamports } of this.#accounts) {
      if (pre !== lamports) changes.push({ account: address, owner: address, token: NATIVE_SOL, pre, post: lamports });
    }
    for (const { account, owner, token, preAmount: pre, amount, preOwner } of this.#holdings) {
      if (pre === amount && (owner === preOwner || amount === 0n)) continue;
      changes.push({ account: account.address, owner: owner.address, token: token.address, pre, post: amount });
    }
    return changes;
  }

  /**
   * Returns the keys in the order of the message.
   * @param usesLookupTable whether the keys that lookup tables contain come from there; signers and programs never do
   */
  protected keyUses(usesLookupTable: boolean): KeyUse[] {
    const uses: KeyUse[] = [];
    if (usesLookupTable) this.markLookups();
    const byRank = Array.from({ length: RANK_COUNT }, (): Account[] => []);
    for (const account of this.#accounts) byRank[RANKS[account.flags] as number]?.push(account);
    for (const accounts of byRank.slice(FIRST_LOOKUP_RANK)) {
      accounts.sort((a, b) => (a.lookup?.tableNumber ?? 0) - (b.lookup?.tableNumber ?? 0));
    }
    for (const account of byRank.flat()) account.keyIndex = uses.push(account.keyUse) - 1;
    return uses;
  }

  /** The number of accounts that the transaction locks. */
  protected get keyCount(): number {
    return this.#accounts.length;
  }

  /** Returns the bytes of the keys and the signatures in a message. */
  protected keyBytes(usesLookupTable: boolean): number {
    let bytes = 0;
    const tables = new Set<Account>();
    for (const { flags, shared, kind, lookup } of this.#accounts) {
      if (flags & SIGNER) bytes += KEY_BYTES + SIGNATURE_BYTES;
      else if (usesLookupTable && lookup && isLoadable({ flags, shared, kind })) {
        bytes += 1;
        tables.add(lookup.table);
      } else bytes += KEY_BYTES;
    }
    return bytes + tables.size * (KEY_BYTES + 2);
  }

  /** Loads keys from the lookup tables that have them, and requests that tables have the others. */
  protected markLookups(): void {
    for (const account of this.#accounts) {
      if (!isLoadable(account)) continue;
      if (account.lookup) account.flags |= LOOKUP;
      else this.host.lookupTables.request(account);
    }
  }
}

/** Whether lookup tables may contain an account. */
const isLoadable = ({ shared, flags, kind }: Pick<Account, "shared" | "flags" | "kind">): boolean =>
  shared && !(flags & SIGNER) && kind !== "program";

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** Bytes of a packet of the network, without those of the header and the block hash. */
const PACKET_BYTES = 1232 - 40;
/** Accounts that a transaction may lock. */
const MAX_LOCKS = 64;

/** Lamports of a signature. */
const BASE_FEE = 5000;
const NO_LAMPORTS = "insufficient lamports";

/** How a transaction is sent. */
export interface SendOptions {
  /** About the priority fee in lamports; adds the instructions that set the limit and the price of compute units. */
  readonly priority?: number;
  /** Whether the keys that lookup tables contain come from there (version 0). */
  readonly usesLookupTable?: boolean;
  /** A fixed signature; random by default. */
  readonly signature?: string;
  /** The value of a nonce account in place of the hash of a recent block; the first instruction advances the account. */
  readonly nonce?: string;
}

/** A transaction that is being built: what does not depend on its instructions. */
export class TransactionDraft extends AccountJournal {
  readonly signature: string;
  readonly payer: Account;
  readonly activities: ActivityLog;
  readonly #options: SendOptions;
  protected readonly instructions = new InstructionList();
  readonly #changed = new Set<Token | Stake>();
  #budget: ComputeBudget | undefined;
  /** Why the transaction cannot succeed. */
  #failure: string | undefined;

  /** @param id number of the transaction, unique in its world */
  constructor(host: TransactionHost, id: number, signature: string, payer: Account, options: SendOptions) {
    super(host, id);
    this.#options = options;
    this.activities = new ActivityLog(this);
    this.signature = signature;
    this.payer = payer;
    this.publish(payer, SIGNER | WRITABLE);
    if (options.priority) {
      const { computeBudget } = host.programs;
      this.publish(computeBudget);
      this.instructions.addBudget(computeBudget);
    }
  }

  /** Adds an account to an instruction, by default the last one, unless it is among its accounts. */
  key(account: Account, flags = 0, instruction: number = this.instructions.last): void {
    this.publish(account, flags);
    if (!this.instructions.has(instruction, account)) this.instructions.addAccount(instruction, account);
  }

  /** Adds a top-level instruction with its accounts, of which those of the payer and other users sign. */
  add(program: Account, type: string, parsedType: string, accounts: readonly Account[]): number {
    const index = this.instruction(program, type, parsedType);
    this.addAccounts(index, ...accounts);
    return index;
  }

  /** Adds the accounts of an instruction in the order of its program. */
  addAccounts(instruction: number, ...accounts: readonly Account[]): void {
    for (const account of accounts) {
      this.publish(account);
      this.instructions.addAccount(instruction, account);
    }
  }

  /** Returns the index of the first instruction of a program, or of this type; -1 without one. */
  findInstruction(program: Account, type?: string): number {
    return this.instructions.find(program, type);
  }

  /**
   * Returns the account that signs for an owner: users sign top-level instructions, programs for their own accounts. A
   * program that moves what belongs to a user who did not sign is the user's delegate.
   */
  protected authority(owner: Account, parent: number): Account {
    for (const signer of owner.signers) this.publish(signer, SIGNER);
    if (!owner.onCurve || owner.signers.length > 0) return owner;
    const program = this.programOf(parent);
    if (program && !this.isSigner(owner)) return this.host.delegateOf(program);
    this.publish(owner, SIGNER);
    return owner;
  }

  /** Records why the transaction cannot succeed; the first reason counts. */
  protected fails(reason: string): void {
    this.#failure ??= reason;
  }

  /** Has the new state of a token or a stake account published when the transaction succeeds. */
  markChanged(changed: Token | Stake): void {
    this.#changed.add(changed);
  }

  /**
   * Adds an instruction and returns its index.
   * @param parsedType the explorer's label; the same as `type` when it has none
   * @param parent index of the calling instruction; inner ones must follow their caller before the next top-level one
   */
  instruction(
    program: Account,
    type: string,
    parsedType: string,
    parent: number = TOP_LEVEL,
    info?: Readonly<Record<string, unknown>>,
  ): number {
    this.publish(program);
    return this.instructions.add(program, type, parsedType, parent, info);
  }

  /** Adds an instruction whose accounts are those of the program's interface, and returns its index. */
  call(
    program: Account,
    type: string,
    parsedType: string,
    roles: Roles,
    parent: number = TOP_LEVEL,
    info?: Readonly<Record<string, unknown>>,
  ): number {
    const index = this.instruction(program, type, parsedType, parent, info);
    for (const [account, flags] of resolveAccounts(this.host, program, type, roles) ?? []) {
      this.publish(account, flags);
      this.instructions.addAccount(index, account);
    }
    return index;
  }

  protected programOf(instruction: number): Account | undefined {
    return instruction === TOP_LEVEL ? undefined : this.instructions.programOf(instruction);
  }

  /**
   * Ends the transaction and returns whether it succeeded. It fails when an account spent more than its balance, and is
   * dropped when the payer cannot pay even the fee, or when it does not fit into a packet.
   */
  commit(): boolean {
    if (this.#isTooLarge) {
      if (this.#options.usesLookupTable) this.markLookups();
      this.rollBack();
      return false;
    }
    const fee = this.#settleFee(this.#failure);
    if (this.payer.lamports < fee) this.fails(NO_LAMPORTS);
    if (this.#failure !== undefined) {
      this.fail(this.#failure);
      return false;
    }
    this.payer.lamports -= fee;
    for (const changed of this.#changed) {
      if (changed instanceof Token) this.host.publishToken(changed);
      else this.host.publishStake(changed);
    }
    this.publishTokenAccounts();
    this.#finish(this.changes());
    return true;
  }

  /** Ends the transaction as failed, because the program of an instruction returned an error. */
  failAt(instruction: number, code: number): void {
    this.fail(JSON.stringify({ InstructionError: [this.instructions.topIndexOf(instruction), { Custom: code }] }));
  }

  /** Ends the transaction as failed: it changes nothing but the payer's SOL, by the fee. */
  fail(error: string): void {
    const isTooLarge = this.#isTooLarge;
    this.rollBack();
    const { payer } = this;
    const fee = this.#settleFee(error);
    if (payer.lamports < fee || isTooLarge) return;
    payer.lamports -= fee;
    this.publishTokenAccounts();
    const change = { account: payer.address, owner: payer.address, token: NATIVE_SOL };
    this.#finish([{ ...change, pre: payer.preLamports, post: payer.lamports }], error);
  }

  get #isTooLarge(): boolean {
    if (this.keyCount > MAX_LOCKS) return true;
    return this.keyBytes(this.#options.usesLookupTable === true) + this.instructions.topBytes > PACKET_BYTES;
  }

  get #baseFee(): number {
    return this.signerCount * BASE_FEE;
  }

  /** Decides the compute budget and returns the fee. */
  #settleFee(error: string | undefined): bigint {
    const { priority = 0 } = this.#options;
    this.#budget ??= settleBudget(this.host, this.instructions, { priority, exhausted: error === OUT_OF_UNITS });
    return BigInt(this.#baseFee + this.#budget.priorityFee);
  }

  /** States the amounts in the instructions of a failed transaction, of which no transfers and activities remain. */
  #stateAmounts(): void {
    for (const { instruction, amount } of this.activities.transfers) {
      this.instructions.state(instruction, { amount: String(amount) });
    }
    for (const { instruction, amount1, amount2 } of this.activities.defi) {
      const output = amount2 === undefined ? {} : { amountOut: String(amount2) };
      this.instructions.state(instruction, { amountIn: String(amount1), ...output });
    }
  }

  #finish(changes: readonly BalanceChangeFact[], error?: string): void {
    const { usesLookupTable = false } = this.#options;
    const { consumed = 0, priorityFee = 0 } = this.#budget ?? {};
    const { transfers, defi, nfts } = this.activities;
    const failed = error !== undefined;
    const baseFee = this.#baseFee;
    const keys = this.keyUses(usesLookupTable);
    if (failed) this.#stateAmounts();
    const fact: WorldTransaction = {
      signature: this.signature,
      fee: baseFee + priorityFee,
      priorityFee,
      computeUnits: consumed,
      keys,
      instructions: this.instructions.toFacts(),
      transfers: failed ? [] : transfers,
      changes,
      defi: failed ? [] : defi,
      nfts: failed ? [] : nfts,
      error,
      version: usesLookupTable ? 0 : undefined,
      recentBlockhash: this.#options.nonce,
    };
    this.host.addTransaction(fact, baseFee);
  }
}
