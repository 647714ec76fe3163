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
 * therefore update their own state only after `commit()` has returned true. Stakes: see stakes.ts.
 */
import type { JsonObject } from "../../../base/index.ts";
import { EVENT_CALL } from "../../ledger/index.ts";
import { rentOf } from "../../solana/index.ts";
import { type Account, Holding, mintSize, SIGNER, Token, type TokenSpec, WRITABLE } from "./accounts.ts";
import { TransactionDraft } from "./draft.ts";
import { initializerOf, isAddedLater, ownMetadata } from "./extensions.ts";
import { TOP_LEVEL } from "./instructions.ts";

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

/** Options of {@link Transaction.createMint}. */
interface MintOptions {
  readonly spec: TokenSpec;
  readonly creator: Account;
  /** The mint authority; the creator by default. */
  readonly authority?: Account;
  /** The token program; SPL Token by default. */
  readonly program?: Account;
  /** Whether the mint contains its metadata, as those of Token-2022 do. */
  readonly containsMetadata?: boolean;
  /** The account of the mint, for programs that derive its address. */
  readonly account?: Account | undefined;
  /** Index of the calling instruction. */
  readonly parent?: number;
}

/** A transaction that is being built. */
export class Transaction extends TransactionDraft {
  transferSol(from: Account, to: Account, lamports: bigint, parent: number = TOP_LEVEL): void {
    const index = this.instruction(this.host.programs.system, "transfer", "sol-transfer", parent);
    if (from.onCurve) this.publish(from, SIGNER);
    this.addAccounts(index, from, to);
    this.moveSol(index, TRANSFER, from, to, lamports);
  }

  /** Creates an account at `payer`'s cost by the System Program. An account with a key pair signs for it. */
  createAccount(payer: Account, account: Account, lamports: bigint, parent: number = TOP_LEVEL): void {
    const index = this.instruction(this.host.programs.system, "createAccount", "createAccount", parent);
    for (const each of [payer, account]) if (each.onCurve) this.publish(each, SIGNER);
    this.addAccounts(index, payer, account, this.host.account("program", "", { address: account.ownerProgram }));
    this.moveSol(index, CREATE, payer, account, lamports);
  }

  /** Has a program of the Anchor framework log an event by a call to itself. @param parent the call that it is part of */
  emitEvent(parent: number, info?: JsonObject): void {
    const program = this.programOf(parent);
    if (program) this.call(program, EVENT_CALL, EVENT_CALL, {}, parent, info);
  }

  /** Moves lamports on behalf of an instruction. `type`: index among the catalogue's transfer activities. */
  moveSol(instruction: number, type: number, from: Account, to: Account, lamports: bigint): void {
    this.key(from, WRITABLE, instruction);
    this.key(to, WRITABLE, instruction);
    if (from.lamports < lamports) this.fails(NO_LAMPORTS);
    from.lamports -= lamports;
    to.lamports += lamports;
    this.activities.addTransfer({ instruction, type, from: from.address, to: to.address }, this.host.sol, lamports);
  }

  /** Returns the token account that transfers use, open or not. */
  holding(owner: Account, token: Token): Holding {
    let holding = owner.holdings.get(token);
    if (!holding?.open && !holding?.associated) {
      holding = this.host.createAssociated(owner, token);
      owner.setHolding(token, holding);
    }
    return holding;
  }

  /** Returns the owner's associated token account, and opens it first if necessary. */
  openTokenAccount(owner: Account, token: Token, parent: number = TOP_LEVEL): Holding {
    const holding = this.holding(owner, token);
    if (holding.open) return holding;
    const { associatedToken, system } = this.host.programs;
    const { account } = holding;
    const caller = this.instruction(associatedToken, "createIdempotent", "createAssociatedAccount", parent);
    this.addAccounts(caller, this.payer, account, owner, token.account, system, token.program);
    const size = this.instruction(token.program, "getAccountDataSize", "getAccountDataSize", caller);
    this.addAccounts(size, token.account);
    this.openHolding(holding, caller);
    return holding;
  }

  /**
   * Opens a token account other than the owner's associated one: a vault or an escrow. The program of the calling
   * instruction derives its address; without one it has a key pair.
   */
  openVault(owner: Account, token: Token, parent: number = TOP_LEVEL): Holding {
    const holding = this.host.createVault(owner, token, this.programOf(parent));
    this.openHolding(holding, parent);
    return holding;
  }

  /** Opens a token account that does not exist yet. */
  openHolding(holding: Holding, parent: number): void {
    const { account, token, owner } = holding;
    const { program } = token;
    this.touch(holding);
    holding.open = true;
    this.createAccount(this.payer, account, token.accountRent(holding.associated), parent);
    if (holding.associated) {
      const fix = this.instruction(program, "initializeImmutableOwner", "initializeImmutableOwner", parent);
      this.addAccounts(fix, account);
    }
    const initialize = this.instruction(program, "initializeAccount3", "initializeAccount3", parent);
    this.addAccounts(initialize, account, token.account, owner);
  }

  #source(from: Account | Holding, token: Token, amount: bigint, parent: number): Holding {
    const source = from instanceof Holding ? from : this.openTokenAccount(from, token, parent);
    this.touch(source);
    if (source.amount < amount || !source.open) this.fails(NO_FUNDS);
    return source;
  }

  #target(to: Account | Holding, token: Token, parent: number): Holding {
    const target = to instanceof Holding ? to : this.openTokenAccount(to, token, parent);
    this.touch(target);
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
      const [source, target] = [from, to].map((side) => (side instanceof Holding ? side.account : side));
      this.transferSol(source as Account, target as Account, amount, parent);
      return;
    }
    const source = this.#source(from, token, amount, parent);
    const target = this.#target(to, token, parent);
    const isChecked = this.programOf(parent) !== this.host.programs.raydiumAmm;
    const type = isChecked ? "transferChecked" : "transfer";
    const instruction = this.instruction(token.program, type, "spl-transfer", parent);
    const mint = isChecked ? [token.account] : [];
    this.addAccounts(instruction, source.account, ...mint, target.account, this.authority(source.owner, parent));
    this.#moveTokens(instruction, source, target, amount);
  }

  /** Moves base units between token accounts on behalf of an instruction. */
  #moveTokens(instruction: number, source: Holding, target: Holding, amount: bigint): void {
    source.amount -= amount;
    target.amount += amount;
    const transfer = { instruction, type: TRANSFER, ...sender(source), ...receiver(target) };
    this.activities.addTransfer(transfer, source.token, amount);
  }

  /** Sends tokens of Token-2022 whose mint withholds a fee, which stays in the receiver's token account. */
  transferWithFee(from: Account, to: Account, token: Token, amount: bigint, fee: bigint): void {
    const source = this.#source(from, token, amount, TOP_LEVEL);
    const target = this.#target(to, token, TOP_LEVEL);
    const info = { fee: String(fee) };
    const transfer = this.instruction(token.program, "transferCheckedWithFee", "spl-transfer", TOP_LEVEL, info);
    this.addAccounts(transfer, source.account, token.account, target.account, this.authority(from, TOP_LEVEL));
    this.#moveTokens(transfer, source, target, amount);
    target.amount -= fee;
    target.withheld += fee;
  }

  /** Moves the fees that token accounts withhold to the mint; anybody may do so. */
  harvestFees(token: Token, sources: readonly Holding[]): void {
    const harvest = this.instruction(token.program, "harvestWithheldTokensToMint", "harvestWithheldTokens");
    this.addAccounts(harvest, token.account, ...sources.map(({ account }) => account));
    this.publish(token.account, WRITABLE);
    for (const source of sources) {
      this.touch(source);
      this.#withhold(token, source.withheld);
      source.withheld = 0n;
    }
  }

  /** Withdraws the fees that the mint withholds to the payer, the authority of the fees. */
  withdrawFees(token: Token): void {
    const vault = this.openTokenAccount(this.payer, token);
    this.touch(vault);
    const withdraw = this.instruction(token.program, "withdrawWithheldTokensFromMint", "withdrawWithheldTokens");
    this.addAccounts(withdraw, token.account, vault.account, this.payer);
    this.publish(token.account, WRITABLE);
    const amount = token.withheld;
    vault.amount += amount;
    this.activities.addTransfer(
      { instruction: withdraw, type: TRANSFER, from: token.address, ...receiver(vault) },
      token,
      amount,
    );
    this.#withhold(token, -amount);
  }

  #withhold(token: Token, difference: bigint): void {
    token.withheld += difference;
    this.onRollback(() => {
      token.withheld -= difference;
    });
    this.markChanged(token);
  }

  /** Creates a token; the payer pays the rent. {@link mint} afterwards. */
  createMint(options: MintOptions): Token {
    const { host } = this;
    const { spec, creator, authority = creator, program = host.programs.token, parent = TOP_LEVEL } = options;
    const account = options.account ?? host.account("mint", program.address);
    const { extensions = [], metadataUri: uri } = spec;
    const metadata = options.containsMetadata ? ownMetadata(account.address, authority.address, { ...spec, uri }) : [];
    const all = [...extensions, ...metadata];
    const token = new Token(account, all.length > 0 ? { ...spec, extensions: all } : spec, program, creator, authority);
    host.publishAccount(creator);
    const first = token.extensions.filter((each) => !isAddedLater(each));
    const rent = rentOf(mintSize(first));
    this.createAccount(this.payer, account, rent, parent);
    for (const each of first) this.#initialize(each, [account], program, parent);
    const index = this.instruction(program, "initializeMint2", "initializeMint", parent, { decimals: spec.decimals });
    for (const each of [account, authority]) this.key(each, 0, index);
    for (const each of token.extensions.filter(isAddedLater)) {
      this.transferSol(this.payer, account, rentOf(mintSize(token.extensions)) - rent, parent);
      this.#initialize(each, [account, authority, account, authority], program, parent);
    }
    token.created = this.signature;
    this.markChanged(token);
    return token;
  }

  #initialize(extension: JsonObject, accounts: readonly Account[], program: Account, parent: number): void {
    const initializer = initializerOf(extension);
    if (!initializer) return;
    const { type, info } = initializer;
    this.addAccounts(this.instruction(program, type, type, parent, info), ...accounts);
  }

  mint(token: Token, to: Account | Holding, amount: bigint, parent: number = TOP_LEVEL): void {
    const target = this.#target(to, token, parent);
    const instruction = this.instruction(token.program, "mintTo", "mintTo", parent);
    const authority = this.authority(token.authority ?? this.payer, parent);
    this.addAccounts(instruction, token.account, target.account, authority, ...authority.signers);
    this.#supply(token, amount);
    if (token.firstMint === undefined && token.created !== undefined) {
      token.firstMint = this.signature;
      this.onRollback(() => {
        token.firstMint = undefined;
      });
      this.markChanged(token);
    }
    target.amount += amount;
    const parties = { from: authority.address, ...receiver(target) };
    this.activities.addTransfer({ instruction, type: MINT, ...parties }, token, amount);
  }

  burn(token: Token, from: Account | Holding, amount: bigint, parent: number = TOP_LEVEL): void {
    const source = this.#source(from, token, amount, parent);
    const instruction = this.instruction(token.program, "burnChecked", "burn", parent);
    this.addAccounts(instruction, source.account, token.account, this.authority(source.owner, parent));
    this.#supply(token, -amount);
    source.amount -= amount;
    this.activities.addTransfer({ instruction, type: BURN, ...sender(source), to: token.address }, token, amount);
  }

  #supply(token: Token, difference: bigint): void {
    this.publish(token.account, WRITABLE);
    token.supply += difference;
    this.onRollback(() => {
      token.supply -= difference;
    });
  }

  /** Closes an empty or wrapped SOL token account: all its lamports go to the owner. */
  closeAccount(holding: Holding, parent: number = TOP_LEVEL): void {
    const { account, owner, token } = holding;
    const instruction = this.instruction(token.program, "closeAccount", "closeAccount", parent);
    this.addAccounts(instruction, account, owner, this.authority(owner, parent));
    this.touch(holding);
    if (token === this.host.wrapped) {
      account.lamports += holding.amount;
      holding.amount = 0n;
    } else if (holding.amount !== 0n || holding.withheld !== 0n) this.fails(NOT_EMPTY);
    if (!holding.open) this.fails(NO_FUNDS);
    holding.open = false;
    this.moveSol(instruction, CLOSE, account, owner, account.lamports);
  }

  wrap(owner: Account, lamports: bigint): void {
    const holding = this.openTokenAccount(owner, this.host.wrapped);
    this.touch(holding);
    this.transferSol(owner, holding.account, lamports);
    this.addAccounts(this.instruction(holding.token.program, "syncNative", "syncNative"), holding.account);
    holding.account.lamports -= lamports;
    holding.amount += lamports;
  }

  /** Unwraps all wrapped SOL of the owner by closing its token account, if that is open. */
  unwrap(owner: Account): void {
    const holding = owner.holdings.get(this.host.wrapped);
    if (holding?.open) this.closeAccount(holding);
  }

  /** Transfers a token account with its balance to another owner; fails for an associated one. */
  setOwner(holding: Holding, to: Account): void {
    const { owner: from, token } = holding;
    const sent = sender(holding);
    const info = { authorityType: "accountOwner" };
    const instruction = this.instruction(token.program, "setAuthority", "setAuthority", TOP_LEVEL, info);
    this.addAccounts(instruction, holding.account, this.authority(from, TOP_LEVEL), to);
    this.touch(holding);
    if (holding.associated) this.fails(IMMUTABLE_OWNER);
    const isUsed = from.holdings.get(token) === holding;
    const isFirst = !to.holdings.has(token);
    if (isUsed) from.setHolding(token, undefined);
    if (isFirst) to.setHolding(token, holding);
    this.onRollback(() => {
      if (isUsed) from.setHolding(token, holding);
      if (isFirst) to.setHolding(token, undefined);
    });
    holding.owner = to;
    const parties = { ...sent, ...receiver(holding) };
    this.activities.addTransfer({ instruction, type: SET_OWNER, ...parties }, token, holding.amount);
  }

  /** Changes the mint authority of a token; undefined revokes it. */
  setMintAuthority(token: Token, authority: Account | undefined, parent: number = TOP_LEVEL): void {
    const info = { authorityType: "mintTokens" };
    const instruction = this.instruction(token.program, "setAuthority", "setAuthority", parent, info);
    const { authority: previous = this.payer } = token;
    const accounts = [token.account, this.authority(previous, parent)];
    this.addAccounts(instruction, ...accounts, ...(authority ? [authority] : []));
    this.publish(token.account, WRITABLE);
    token.authority = authority;
    this.onRollback(() => {
      token.authority = previous;
    });
    this.markChanged(token);
  }
}
