/** The part of every transaction: its keys, instructions, compute budget and end. See transaction.ts. */
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type { BalanceChangeFact } from "../../ledger/index.ts";
import type { WorldTransaction } from "../facts.ts";
import { type Account, SIGNER, type Stake, Token, WRITABLE } from "./accounts.ts";
import { ActivityLog } from "./activities.ts";
import { type ComputeBudget, OUT_OF_UNITS, settleBudget } from "./budget.ts";
import type { TransactionHost } from "./host.ts";
import { InstructionList, TOP_LEVEL } from "./instructions.ts";
import { AccountJournal } from "./journal.ts";

/** Lamports of a signature. */
const BASE_FEE = 5000;
const NO_LAMPORTS = "insufficient lamports";

/** How a transaction is sent. */
export interface SendOptions {
  /** About the priority fee in lamports; adds the instructions that set the limit and the price of compute units. */
  readonly priority?: number;
  /** Whether the keys that lookup tables contain come from there (version 0). */
  readonly lookup?: boolean;
  readonly vote?: boolean;
  /** A fixed signature; random by default. */
  readonly signature?: string;
}

/** A transaction that is being built: what does not depend on its instructions. */
export class TransactionDraft {
  readonly signature: string;
  readonly payer: Account;
  readonly activities: ActivityLog;
  protected readonly host: TransactionHost;
  readonly #options: SendOptions;
  protected readonly journal: AccountJournal;
  protected readonly instructions = new InstructionList();
  readonly #changed = new Set<Token | Stake>();
  #budget: ComputeBudget | undefined;
  /** Why the transaction cannot succeed. */
  #failure: string | undefined;

  /** @param id number of the transaction, unique in its world */
  constructor(host: TransactionHost, id: number, signature: string, payer: Account, options: SendOptions) {
    this.host = host;
    this.#options = options;
    this.journal = new AccountJournal(host, id);
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

  /** Adds an account to the keys; flags add up ({@link SIGNER}, {@link WRITABLE}). */
  publish(account: Account, flags = 0): void {
    this.journal.addKey(account, flags);
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
    if (!owner.onCurve) return owner;
    const program = this.programOf(parent);
    if (program && !this.journal.isSigner(owner)) return this.host.delegateOf(program);
    this.publish(owner, SIGNER);
    return owner;
  }

  /** Adds a step that runs when the transaction fails: for state other than balances. */
  onRollback(step: () => void): void {
    this.journal.onRollback(step);
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

  /** Returns the program of an instruction; undefined at the top level. */
  protected programOf(instruction: number): Account | undefined {
    return instruction === TOP_LEVEL ? undefined : this.instructions.programOf(instruction);
  }

  /**
   * Ends the transaction and returns whether it succeeded. It fails when an account spent more than its balance, and is
   * dropped when the payer cannot pay even the fee.
   */
  commit(): boolean {
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
    this.journal.publishTokenAccounts();
    this.#finish(this.journal.changes());
    return true;
  }

  /** Ends the transaction as failed, because the program of an instruction returned an error. */
  failAt(instruction: number, code: number): void {
    this.fail(JSON.stringify({ InstructionError: [this.instructions.topIndexOf(instruction), { Custom: code }] }));
  }

  /** Ends the transaction as failed: it changes nothing but the payer's SOL, by the fee. */
  fail(error: string): void {
    this.journal.rollBack();
    const { payer } = this;
    const fee = this.#settleFee(error);
    if (payer.lamports < fee) return;
    payer.lamports -= fee;
    this.journal.publishTokenAccounts();
    const change = { account: payer.address, owner: payer.address, token: NATIVE_SOL };
    this.#finish([{ ...change, pre: payer.preLamports, post: payer.lamports }], error);
  }

  get #baseFee(): number {
    return this.journal.signerCount * BASE_FEE;
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
    const { lookup = false, vote } = this.#options;
    const { consumed = 0, priorityFee = 0 } = this.#budget ?? {};
    const { transfers, defi, nfts } = this.activities;
    const failed = error !== undefined;
    const baseFee = this.#baseFee;
    const keys = this.journal.keyUses(lookup);
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
      ...(failed && { error }),
      ...(vote && { vote }),
      ...(lookup && { version: 0 }),
    };
    this.host.addTransaction(fact, baseFee);
  }
}
