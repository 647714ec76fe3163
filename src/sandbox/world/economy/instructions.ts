/** The inside of a transaction: its keys, instructions and moves of SOL, and how it ends. */
import { NATIVE_SOL } from "../../../catalogue/samples.ts";
import type {
  BalanceChangeFact,
  DefiFact,
  InstructionFact,
  KeyUse,
  NftActivityFact,
  TokenAccountFact,
  TransactionFact,
  TransferFact,
} from "../../source/source.ts";
import { type Account, type Holding, LOOKUP, SIGNER, type Stake, type Token, WRITABLE } from "./accounts.ts";
import type { Economy } from "./economy.ts";
import { OUT_OF_UNITS, unitPrice, unitsOf } from "./fees.ts";

/** Parent of instructions at the top. */
export const TOP = -1;
/** Lamports of a signature. */
const BASE_FEE = 5000;
/** Transfer activities by their index in the catalogue. */
export const TRANSFER = 0;
export const BURN = 1;
export const MINT = 2;
export const CREATE = 3;
export const CLOSE = 4;
export const SET_OWNER = 9;

/** How a transaction is sent. */
export interface Sending {
  /** Lamports beyond the base fee; with them comes an instruction to the compute budget. */
  readonly priority?: number;
  /** Keys beside signers and programs come from lookup tables: version 0. */
  readonly lookup?: boolean;
  readonly vote?: boolean;
  /** For transactions that have to have a certain name. */
  readonly signature?: string;
}

/** Order of keys: signers, then writable ones, then the others; those of lookup tables last. By flags. */
const RANKS: readonly number[] = Array.from({ length: 8 }, (_, flags) =>
  flags & LOOKUP ? (flags & WRITABLE ? 4 : 5) : flags & SIGNER ? (flags & WRITABLE ? 0 : 1) : flags & WRITABLE ? 2 : 3,
);

/** What every transaction is made of. See {@link Transaction} for the methods that actors use. */
export class Steps {
  protected readonly economy: Economy;
  /** Its number, unique while the world runs. */
  id = 0;
  signature = "";
  payer: Account;
  #sending: Sending = {};
  #units = 0;
  #keys: Account[] = [];
  #holdings: Holding[] = [];
  #instructions: InstructionFact[] = [];
  #tokens: Token[] = [];
  #stakes: Stake[] = [];
  #undo: (() => void)[] = [];
  /** What is said of the price of compute units; known at the end. */
  #price: { microLamports: number } | undefined;
  protected broken: string | undefined;
  protected transfers: TransferFact[] = [];
  protected activities: DefiFact[] = [];
  protected events: NftActivityFact[] = [];

  constructor(economy: Economy, payer: Account) {
    this.economy = economy;
    this.payer = payer;
  }

  /** Starts afresh; {@link Economy.begin} calls it. */
  begin(id: number, signature: string, payer: Account, sending: Sending): void {
    this.id = id;
    this.signature = signature;
    this.payer = payer;
    this.#sending = sending;
    this.#units = 0;
    this.#keys = [];
    this.#holdings = [];
    this.#instructions = [];
    this.#tokens = [];
    this.#stakes = [];
    this.#undo = [];
    this.#price = undefined;
    this.broken = undefined;
    this.transfers = [];
    this.activities = [];
    this.events = [];
    this.key(payer, SIGNER | WRITABLE);
    if (sending.priority) {
      this.#price = { microLamports: 0 };
      const { computeBudget } = this.economy.programs;
      this.instruction(computeBudget, "setComputeUnitPrice", "setComputeUnitPrice", TOP, this.#price);
    }
  }

  /** Names an account among the keys; flags add up ({@link SIGNER}, {@link WRITABLE}). */
  key(account: Account, flags = 0): void {
    if (account.stamp !== this.id) {
      account.stamp = this.id;
      account.pre = account.lamports;
      account.flags = 0;
      this.#keys.push(account);
      if (!account.introduced) this.economy.introduce(account);
    }
    account.flags |= flags;
  }

  /** Names a token account that is about to change. */
  protected touch(holding: Holding): void {
    this.key(holding.account, WRITABLE);
    if (holding.stamp === this.id) return;
    holding.stamp = this.id;
    holding.pre = holding.amount;
    holding.preOpen = holding.open;
    holding.preOwner = holding.owner;
    this.#holdings.push(holding);
    if (!holding.owner.introduced) this.economy.introduce(holding.owner);
  }

  /** People sign at the top; programs sign for their own. */
  protected sign(account: Account, parent: number): void {
    this.key(account, parent === TOP && account.onCurve ? SIGNER : 0);
  }

  /** Says how to take back what {@link fail} does not know of. */
  undo(step: () => void): void {
    this.#undo.push(step);
  }

  /** Has the source told of a token as it will be after the transaction. */
  changed(token: Token): void {
    if (!this.#tokens.includes(token)) this.#tokens.push(token);
  }

  /** Has the source told of a stake account as it will be after the transaction. */
  changedStake(stake: Stake): void {
    if (!this.#stakes.includes(stake)) this.#stakes.push(stake);
  }

  /**
   * Adds an instruction and gives its index. `parsedType` is the explorer's label, the same as `type` where it has none.
   * @param parent index of the calling instruction; inner ones must follow their caller before the next one at the top
   */
  instruction(
    program: Account,
    type: string,
    parsedType: string,
    parent: number = TOP,
    info?: Readonly<Record<string, unknown>>,
  ): number {
    this.key(program);
    this.#units += program.units;
    const fact: InstructionFact =
      info === undefined
        ? { program: program.address, type, parsedType, parent }
        : { program: program.address, type, parsedType, parent, info };
    return this.#instructions.push(fact) - 1;
  }

  /** Sends lamports by the System Program. */
  transferSol(from: Account, to: Account, lamports: bigint, parent: number = TOP): void {
    const index = this.instruction(this.economy.programs.system, "transfer", "sol-transfer", parent);
    this.sign(from, parent);
    this.moveSol(index, TRANSFER, from, to, lamports);
  }

  /** Makes an account at `payer`'s cost by the System Program. */
  createAccount(payer: Account, account: Account, lamports: bigint, parent: number = TOP): void {
    const index = this.instruction(this.economy.programs.system, "createAccount", "createAccount", parent);
    this.sign(payer, parent);
    this.moveSol(index, CREATE, payer, account, lamports);
  }

  /** Moves lamports on behalf of an instruction. `type`: index among the catalogue's transfer activities. */
  moveSol(instruction: number, type: number, from: Account, to: Account, lamports: bigint): void {
    this.key(from, WRITABLE);
    this.key(to, WRITABLE);
    if (from.lamports < lamports) this.broken ??= "insufficient lamports";
    from.lamports -= lamports;
    to.lamports += lamports;
    this.transfers.push({
      instruction,
      type,
      from: from.address,
      to: to.address,
      token: NATIVE_SOL,
      amount: lamports,
      value: this.economy.sol.value(lamports),
    });
  }

  /**
   * Ends the transaction.
   * @returns whether it succeeded. It fails when somebody spent more than there was; where the payer cannot even pay the
   * fee, it never happened.
   */
  commit(): boolean {
    if (this.payer.lamports < this.#fee()) this.broken ??= "insufficient lamports";
    if (this.broken !== undefined) {
      this.fail(this.broken);
      return false;
    }
    this.payer.lamports -= this.#fee();
    this.#publish();
    for (const token of this.#tokens) this.economy.facts.tokens.push(token.fact);
    for (const stake of this.#stakes) this.economy.tellStake(stake);
    this.#finish(this.#changes(), undefined);
    return true;
  }

  /** Ends the transaction as one that failed: nothing moves but the fee. */
  fail(error: string): void {
    for (let index = this.#undo.length - 1; index >= 0; index--) this.#undo[index]?.();
    for (const account of this.#keys) account.lamports = account.pre;
    for (const holding of this.#holdings) {
      holding.amount = holding.pre;
      holding.open = holding.preOpen;
      holding.owner = holding.preOwner;
    }
    const fee = this.#fee();
    const { payer } = this;
    if (payer.lamports < fee) return;
    payer.lamports -= fee;
    this.#publish();
    this.transfers = [];
    this.activities = [];
    this.events = [];
    const change = { account: payer.address, owner: payer.address, token: NATIVE_SOL };
    this.#finish([{ ...change, pre: payer.pre, post: payer.lamports }], error);
  }

  #fee(): bigint {
    return BigInt(this.#baseFee() + (this.#sending.priority ?? 0));
  }

  #baseFee(): number {
    let signers = 0;
    for (const account of this.#keys) signers += account.flags & SIGNER;
    return signers * BASE_FEE;
  }

  /** Tells of token accounts that are new, closed or somebody else's. */
  #publish(): void {
    for (const holding of this.#holdings) {
      if (holding.toldOwner === holding.owner && holding.toldOpen === holding.open) continue;
      holding.toldOwner = holding.owner;
      holding.toldOpen = holding.open;
      const fact: TokenAccountFact = {
        address: holding.account.address,
        token: holding.token.address,
        owner: holding.owner.address,
      };
      this.economy.facts.tokenAccounts.push(holding.open ? fact : { ...fact, closed: true });
    }
  }

  #changes(): BalanceChangeFact[] {
    const changes: BalanceChangeFact[] = [];
    for (const { address, pre, lamports } of this.#keys) {
      if (pre !== lamports) changes.push({ account: address, owner: address, token: NATIVE_SOL, pre, post: lamports });
    }
    for (const { account, owner, token, pre, amount, preOwner } of this.#holdings) {
      if (pre === amount && (owner === preOwner || amount === 0n)) continue;
      changes.push({ account: account.address, owner: owner.address, token: token.address, pre, post: amount });
    }
    return changes;
  }

  #keyUses(lookup: boolean): KeyUse[] {
    const uses: KeyUse[] = [];
    const keys = this.#keys;
    if (lookup) {
      for (const account of keys) {
        if ((account.flags & SIGNER) === 0 && account.kind !== "program") account.flags |= LOOKUP;
      }
    }
    for (let rank = 0; rank < 6; rank++) {
      for (const account of keys) if (RANKS[account.flags] === rank) uses.push(account.use);
    }
    return uses;
  }

  #finish(changes: readonly BalanceChangeFact[], error: string | undefined): void {
    const { priority = 0, lookup = false, vote } = this.#sending;
    const base = this.#baseFee();
    if (this.#price) this.#price.microLamports = unitPrice(priority, this.#instructions);
    const fact: TransactionFact = {
      signature: this.signature,
      fee: base + priority,
      priorityFee: priority,
      computeUnits: error === OUT_OF_UNITS ? unitsOf(this.#instructions) : this.economy.jitter(this.#units),
      keys: this.#keyUses(lookup),
      instructions: this.#instructions,
      transfers: this.transfers,
      changes,
      defi: this.activities,
      nfts: this.events,
      ...(error !== undefined && { error }),
      ...(vote && { vote }),
      ...(lookup && { version: 0 }),
    };
    this.economy.finish(fact, base);
  }
}
