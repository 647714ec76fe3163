/**
 * The transaction builder: the only code, apart from block rewards, that moves balances. `economy.begin(payer)` returns
 * the current transaction; its methods add instructions, move balances and record activities; `commit()` or
 * `fail(error)` ends it. Methods that need a token account open it first, at the payer's cost.
 *
 * ```ts
 * const tx = economy.begin(buyer, { priority: 20_000 });
 * tx.openTokenAccount(buyer, nft);                                     // before the program is called, as wallets do
 * const sale = tx.instruction(programs.tensor, "buySingleListing", "tensor:buy");
 * tx.transferSol(buyer, seller, price, sale);                          // inner instruction of `sale`
 * tx.transferToken(escrow, buyer, nft, 1n, sale);
 * tx.activities.addNft({ type: "ACTIVITY_NFT_SOLD", nft, collection, from: seller, to: buyer, marketplace, price, currency });
 * if (tx.commit()) sold(nft);                                          // false: it failed; only the fee was paid
 * ```
 *
 * Spending more than the balance throws nothing: the transaction fails when it is committed, as on the chain. Actors must
 * therefore update their own state only after `commit()` has returned true. Mints and stakes: see mints.ts and stakes.ts.
 */
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type { BalanceChangeFact, TransactionFact } from "../../source/source.ts";
import { type Account, Holding, SIGNER, type Stake, Token, WRITABLE } from "./accounts.ts";
import { ActivityLog } from "./activities.ts";
import type { TransactionHost } from "./host.ts";
import { InstructionList, OUT_OF_UNITS, TOP_LEVEL } from "./instructions.ts";
import { AccountJournal } from "./journal.ts";

/** Lamports of a signature. */
const BASE_FEE = 5000;
/** Lamports that a token account holds for its rent. */
const TOKEN_RENT = 2_039_280n;

/** Transfer activities by their index in the catalogue. */
const TRANSFER = 0;
const BURN = 1;
const MINT = 2;
const CREATE = 3;
const CLOSE = 4;
const SET_OWNER = 9;

const NO_LAMPORTS = "insufficient lamports";
const NO_FUNDS = "custom program error: 0x1";
const NOT_EMPTY = "custom program error: 0xb";
const IMMUTABLE_OWNER = "custom program error: 0x22";

const sender = ({ owner, account }: Holding) => ({ from: owner.address, fromAccount: account.address });
const receiver = ({ owner, account }: Holding) => ({ to: owner.address, toAccount: account.address });

/** How a transaction is sent. */
export interface SendOptions {
  /** Priority fee in lamports; adds an instruction that sets the price of compute units. */
  readonly priority?: number;
  /** Whether keys other than signers and programs come from lookup tables (version 0). */
  readonly lookup?: boolean;
  readonly vote?: boolean;
  /** A fixed signature; random by default. */
  readonly signature?: string;
}

/** A transaction that is being built. */
export class Transaction {
  readonly signature: string;
  readonly payer: Account;
  readonly activities: ActivityLog;
  readonly #host: TransactionHost;
  readonly #options: SendOptions;
  readonly #journal: AccountJournal;
  readonly #instructions = new InstructionList();
  readonly #changed = new Set<Token | Stake>();
  /** Why the transaction cannot succeed. */
  #failure: string | undefined;

  /** @param id number of the transaction, unique in its world */
  constructor(host: TransactionHost, id: number, signature: string, payer: Account, options: SendOptions) {
    this.#host = host;
    this.#options = options;
    this.#journal = new AccountJournal(host, id);
    this.activities = new ActivityLog(this.#journal);
    this.signature = signature;
    this.payer = payer;
    this.key(payer, SIGNER | WRITABLE);
    if (options.priority) {
      const { computeBudget } = host.programs;
      this.key(computeBudget);
      this.#instructions.addPrice(computeBudget);
    }
  }

  /** Adds an account to the keys; flags add up ({@link SIGNER}, {@link WRITABLE}). */
  key(account: Account, flags = 0): void {
    this.#journal.addKey(account, flags);
  }

  /** Users sign top-level instructions; programs sign for their own accounts. */
  #sign(account: Account, parent: number): void {
    this.key(account, parent === TOP_LEVEL && account.onCurve ? SIGNER : 0);
  }

  /** Adds a step that runs when the transaction fails: for state other than balances. */
  onRollback(step: () => void): void {
    this.#journal.onRollback(step);
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
    this.key(program);
    return this.#instructions.add(program, type, parsedType, parent, info);
  }

  /** Returns the program of an instruction; undefined at the top level. */
  #programOf(instruction: number): Account | undefined {
    return instruction === TOP_LEVEL ? undefined : this.#instructions.programOf(instruction);
  }

  /** Sends lamports by the System Program. */
  transferSol(from: Account, to: Account, lamports: bigint, parent: number = TOP_LEVEL): void {
    const index = this.instruction(this.#host.programs.system, "transfer", "sol-transfer", parent);
    this.#sign(from, parent);
    this.moveSol(index, TRANSFER, from, to, lamports);
  }

  /** Creates an account at `payer`'s cost by the System Program. */
  createAccount(payer: Account, account: Account, lamports: bigint, parent: number = TOP_LEVEL): void {
    const index = this.instruction(this.#host.programs.system, "createAccount", "createAccount", parent);
    this.#sign(payer, parent);
    this.moveSol(index, CREATE, payer, account, lamports);
  }

  /** Moves lamports on behalf of an instruction. `type`: index among the catalogue's transfer activities. */
  moveSol(instruction: number, type: number, from: Account, to: Account, lamports: bigint): void {
    this.key(from, WRITABLE);
    this.key(to, WRITABLE);
    if (from.lamports < lamports) this.#failure ??= NO_LAMPORTS;
    from.lamports -= lamports;
    to.lamports += lamports;
    this.activities.addTransfer({ instruction, type, from: from.address, to: to.address }, this.#host.sol, lamports);
  }

  /** Returns the owner's associated token account, and opens it first if necessary. */
  openTokenAccount(owner: Account, token: Token, parent: number = TOP_LEVEL): Holding {
    let holding = owner.holdings.get(token);
    if (holding?.open) return holding;
    if (!holding?.associated) {
      holding = this.#host.createAssociated(owner, token);
      owner.holdings.set(token, holding);
    }
    const { associatedToken, system } = this.#host.programs;
    const caller = this.instruction(associatedToken, "createIdempotent", "createAssociatedAccount", parent);
    const index = this.instruction(system, "createAccount", "createAccount", caller);
    this.#openHolding(holding, index);
    return holding;
  }

  /**
   * Opens a token account other than the owner's associated one: a vault or an escrow. The program of the calling
   * instruction derives its address; without one it has a key pair.
   */
  openVault(owner: Account, token: Token, parent: number = TOP_LEVEL): Holding {
    const holding = this.#host.createVault(owner, token, this.#programOf(parent));
    const index = this.instruction(this.#host.programs.system, "createAccount", "createAccount", parent);
    this.instruction(token.program, "initializeAccount3", "initializeAccount3", parent);
    this.#openHolding(holding, index);
    return holding;
  }

  #openHolding(holding: Holding, instruction: number): void {
    this.#journal.touch(holding);
    holding.open = true;
    this.moveSol(instruction, CREATE, this.payer, holding.account, TOKEN_RENT);
  }

  #source(from: Account | Holding, token: Token, amount: bigint, parent: number): Holding {
    const source = from instanceof Holding ? from : this.openTokenAccount(from, token, parent);
    this.#journal.touch(source);
    if (source.amount < amount || !source.open) this.#failure ??= NO_FUNDS;
    return source;
  }

  #target(to: Account | Holding, token: Token, parent: number): Holding {
    const target = to instanceof Holding ? to : this.openTokenAccount(to, token, parent);
    this.#journal.touch(target);
    return target;
  }

  /**
   * Sends tokens between the associated token accounts of owners, or between specific token accounts. Opens the
   * receiver's if necessary. Native SOL is sent by {@link transferSol}.
   */
  transferToken(
    from: Account | Holding,
    to: Account | Holding,
    token: Token,
    amount: bigint,
    parent: number = TOP_LEVEL,
  ): void {
    if (token.native) {
      this.transferSol(
        from instanceof Holding ? from.account : from,
        to instanceof Holding ? to.account : to,
        amount,
        parent,
      );
      return;
    }
    const source = this.#source(from, token, amount, parent);
    const target = this.#target(to, token, parent);
    const instruction = this.instruction(token.program, "transferChecked", "spl-transfer", parent);
    this.#sign(source.owner, parent);
    source.amount -= amount;
    target.amount += amount;
    this.activities.addTransfer({ instruction, type: TRANSFER, ...sender(source), ...receiver(target) }, token, amount);
  }

  /** Mints to an owner's associated token account or to a specific one. */
  mint(token: Token, to: Account | Holding, amount: bigint, parent: number = TOP_LEVEL): void {
    const target = this.#target(to, token, parent);
    const instruction = this.instruction(token.program, "mintTo", "mintTo", parent);
    const authority = token.authority ?? this.payer;
    this.#sign(authority, parent);
    this.#supply(token, amount);
    if (token.firstMint === undefined && token.created !== undefined) {
      token.firstMint = this.signature;
      this.onRollback(() => {
        token.firstMint = undefined;
      });
      this.markChanged(token);
    }
    target.amount += amount;
    this.activities.addTransfer(
      { instruction, type: MINT, from: authority.address, ...receiver(target) },
      token,
      amount,
    );
  }

  /** Burns from an owner's associated token account or from a specific one. */
  burn(token: Token, from: Account | Holding, amount: bigint, parent: number = TOP_LEVEL): void {
    const source = this.#source(from, token, amount, parent);
    const instruction = this.instruction(token.program, "burnChecked", "burn", parent);
    this.#sign(source.owner, parent);
    this.#supply(token, -amount);
    source.amount -= amount;
    this.activities.addTransfer({ instruction, type: BURN, ...sender(source), to: token.address }, token, amount);
  }

  #supply(token: Token, difference: bigint): void {
    this.key(token.account, WRITABLE);
    token.supply += difference;
    this.onRollback(() => {
      token.supply -= difference;
    });
  }

  /** Closes an empty or wrapped SOL token account: all its lamports go to the owner. */
  closeAccount(holding: Holding, parent: number = TOP_LEVEL): void {
    const { account, owner, token } = holding;
    const instruction = this.instruction(token.program, "closeAccount", "closeAccount", parent);
    this.#sign(owner, parent);
    this.#journal.touch(holding);
    if (token === this.#host.wrapped) {
      account.lamports += holding.amount;
      holding.amount = 0n;
    } else if (holding.amount !== 0n) this.#failure ??= NOT_EMPTY;
    if (!holding.open) this.#failure ??= NO_FUNDS;
    holding.open = false;
    this.moveSol(instruction, CLOSE, account, owner, account.lamports);
  }

  /** Wraps SOL in the owner's associated token account. */
  wrap(owner: Account, lamports: bigint): void {
    const holding = this.openTokenAccount(owner, this.#host.wrapped);
    this.#journal.touch(holding);
    this.transferSol(owner, holding.account, lamports);
    this.instruction(holding.token.program, "syncNative", "syncNative");
    holding.account.lamports -= lamports;
    holding.amount += lamports;
  }

  /** Unwraps all wrapped SOL of the owner by closing its token account, if that is open. */
  unwrap(owner: Account): void {
    const holding = owner.holdings.get(this.#host.wrapped);
    if (holding?.open) this.closeAccount(holding);
  }

  /** Transfers a token account with its balance to another owner; fails for an associated one. */
  setOwner(holding: Holding, to: Account, parent: number = TOP_LEVEL): void {
    const { owner: from, token } = holding;
    const sent = sender(holding);
    const instruction = this.instruction(token.program, "setAuthority", "setAuthority", parent);
    this.#sign(from, parent);
    this.#journal.touch(holding);
    this.key(to);
    if (holding.associated) this.#failure ??= IMMUTABLE_OWNER;
    const isUsed = from.holdings.get(token) === holding;
    const isFirst = !to.holdings.has(token);
    if (isUsed) from.holdings.delete(token);
    if (isFirst) to.holdings.set(token, holding);
    this.onRollback(() => {
      if (isUsed) from.holdings.set(token, holding);
      if (isFirst) to.holdings.delete(token);
    });
    holding.owner = to;
    const parties = { ...sent, ...receiver(holding) };
    this.activities.addTransfer({ instruction, type: SET_OWNER, ...parties }, token, holding.amount);
  }

  /**
   * Ends the transaction and returns whether it succeeded. It fails when an account spent more than its balance, and is
   * dropped when the payer cannot pay even the fee.
   */
  commit(): boolean {
    if (this.payer.lamports < this.#fee) this.#failure ??= NO_LAMPORTS;
    if (this.#failure !== undefined) {
      this.fail(this.#failure);
      return false;
    }
    this.payer.lamports -= this.#fee;
    this.#journal.publishTokenAccounts();
    for (const changed of this.#changed) {
      if (changed instanceof Token) this.#host.publishToken(changed);
      else this.#host.publishStake(changed);
    }
    this.#finish(this.#journal.changes());
    return true;
  }

  /** Ends the transaction as failed, because the program of an instruction returned an error of its own. */
  failAt(instruction: number, code: number): void {
    this.fail(JSON.stringify({ InstructionError: [this.#instructions.topIndexOf(instruction), { Custom: code }] }));
  }

  /** Ends the transaction as failed: it changes nothing but the payer's SOL, by the fee. */
  fail(error: string): void {
    this.#journal.rollBack();
    const { payer } = this;
    const fee = this.#fee;
    if (payer.lamports < fee) return;
    payer.lamports -= fee;
    this.#journal.publishTokenAccounts();
    const change = { account: payer.address, owner: payer.address, token: NATIVE_SOL };
    this.#finish([{ ...change, pre: payer.preLamports, post: payer.lamports }], error);
  }

  get #baseFee(): number {
    return this.#journal.signerCount * BASE_FEE;
  }

  get #fee(): bigint {
    return BigInt(this.#baseFee + (this.#options.priority ?? 0));
  }

  #finish(changes: readonly BalanceChangeFact[], error?: string): void {
    const { priority = 0, lookup = false, vote } = this.#options;
    const instructions = this.#instructions;
    const { transfers, defi, nfts } = this.activities;
    const failed = error !== undefined;
    const baseFee = this.#baseFee;
    instructions.setPrice(priority);
    const fact: TransactionFact = {
      signature: this.signature,
      fee: baseFee + priority,
      priorityFee: priority,
      computeUnits: error === OUT_OF_UNITS ? instructions.unitLimit : this.#host.jitter(instructions.units),
      keys: this.#journal.keyUses(lookup),
      instructions: instructions.facts,
      transfers: failed ? [] : transfers,
      changes,
      defi: failed ? [] : defi,
      nfts: failed ? [] : nfts,
      ...(failed && { error }),
      ...(vote && { vote }),
      ...(lookup && { version: 0 }),
    };
    this.#host.addTransaction(fact, baseFee);
  }
}
