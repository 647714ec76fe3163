/**
 * The transaction builder: the only place, beside block rewards, that moves balances. `economy.begin(payer)` hands out the
 * one transaction under way; its methods add instructions, move what they say and write down what happened; `commit()` or
 * `fail(error)` ends it. Methods that need a token account open it first, at the payer's cost.
 *
 * ```ts
 * const tx = economy.begin(buyer, { priority: 20_000 });
 * tx.openTokenAccount(buyer, nft);                                     // before the program is called, as wallets do
 * const sale = tx.instruction(programs.tensor, "buySingleListing", "tensor:buy");
 * tx.transferSol(buyer, seller, price, sale);                          // inner instruction of `sale`
 * tx.transferToken(escrow, buyer, nft, 1n, sale);
 * tx.nft({ type: "ACTIVITY_NFT_SOLD", nft, collection, from: seller, to: buyer, marketplace, price, currency });
 * if (tx.commit()) sold(nft);                                          // false: it failed, and nothing but the fee moved
 * ```
 *
 * Whoever spends more than there is gets no exception: the transaction fails when it is committed, as on the chain. What an
 * actor remembers must therefore change only after `commit()` said true. Mints, stakes: see mints.ts and stakes.ts.
 */
import { type Account, Holding, type Token, WRITABLE } from "./accounts.ts";
import { Activities } from "./activities.ts";
import { BURN, CLOSE, CREATE, MINT, SET_OWNER, TOP, TRANSFER } from "./instructions.ts";

/** Lamports that a token account holds for its rent. */
const TOKEN_RENT = 2_039_280n;

const NO_FUNDS = "custom program error: 0x1";
const NOT_EMPTY = "custom program error: 0xb";

/** The transaction under way. */
export class Transaction extends Activities {
  /** The owner's associated token account, opened where it is not. */
  openTokenAccount(owner: Account, token: Token, parent: number = TOP): Holding {
    let holding = owner.holdings.get(token);
    if (holding?.open) return holding;
    if (!holding) {
      holding = this.economy.holding(owner, token);
      owner.holdings.set(token, holding);
    }
    const { associatedToken, system } = this.economy.programs;
    const caller = this.instruction(associatedToken, "createIdempotent", "createAssociatedAccount", parent);
    const index = this.instruction(system, "createAccount", "createAccount", caller);
    this.#begin(holding, index);
    return holding;
  }

  /** Another token account of the owner beside its associated one: a vault or an escrow. */
  openVault(owner: Account, token: Token, parent: number = TOP): Holding {
    const holding = this.economy.holding(owner, token);
    const index = this.instruction(this.economy.programs.system, "createAccount", "createAccount", parent);
    this.instruction(token.program, "initializeAccount3", "initializeAccount3", parent);
    this.#begin(holding, index);
    return holding;
  }

  #begin(holding: Holding, instruction: number): void {
    this.touch(holding);
    holding.open = true;
    this.moveSol(instruction, CREATE, this.payer, holding.account, TOKEN_RENT);
  }

  #source(from: Account | Holding, token: Token, amount: bigint, parent: number): Holding {
    const source = from instanceof Holding ? from : this.openTokenAccount(from, token, parent);
    this.touch(source);
    if (source.amount < amount || !source.open) this.broken ??= NO_FUNDS;
    return source;
  }

  #target(to: Account | Holding, token: Token, parent: number): Holding {
    const target = to instanceof Holding ? to : this.openTokenAccount(to, token, parent);
    this.touch(target);
    return target;
  }

  /**
   * Sends tokens between owners' associated token accounts, or given token accounts; the receiver's is opened where it
   * is not. Of native SOL it is {@link transferSol}.
   */
  transferToken(
    from: Account | Holding,
    to: Account | Holding,
    token: Token,
    amount: bigint,
    parent: number = TOP,
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
    this.sign(source.owner, parent);
    source.amount -= amount;
    target.amount += amount;
    this.transfers.push({
      instruction,
      type: TRANSFER,
      from: source.owner.address,
      fromAccount: source.account.address,
      to: target.owner.address,
      toAccount: target.account.address,
      token: token.address,
      amount,
      value: token.value(amount),
    });
  }

  /** Mints to an owner's associated token account or a given one, by the token's authority. */
  mint(token: Token, to: Account | Holding, amount: bigint, parent: number = TOP): void {
    const target = this.#target(to, token, parent);
    const instruction = this.instruction(token.program, "mintTo", "mintTo", parent);
    const authority = token.authority ?? this.payer;
    this.sign(authority, parent);
    this.#supply(token, amount);
    if (token.firstMint === undefined && token.created !== undefined) {
      token.firstMint = this.signature;
      this.undo(() => {
        token.firstMint = undefined;
      });
      this.changed(token);
    }
    target.amount += amount;
    this.transfers.push({
      instruction,
      type: MINT,
      from: authority.address,
      to: target.owner.address,
      toAccount: target.account.address,
      token: token.address,
      amount,
      value: token.value(amount),
    });
  }

  /** Burns from an owner's associated token account or a given one. */
  burn(token: Token, from: Account | Holding, amount: bigint, parent: number = TOP): void {
    const source = this.#source(from, token, amount, parent);
    const instruction = this.instruction(token.program, "burnChecked", "burn", parent);
    this.sign(source.owner, parent);
    this.#supply(token, -amount);
    source.amount -= amount;
    this.transfers.push({
      instruction,
      type: BURN,
      from: source.owner.address,
      fromAccount: source.account.address,
      to: token.address,
      token: token.address,
      amount,
      value: token.value(amount),
    });
  }

  #supply(token: Token, difference: bigint): void {
    this.key(token.account, WRITABLE);
    token.supply += difference;
    this.undo(() => {
      token.supply -= difference;
    });
  }

  /** Closes a token account that is empty, or of wrapped SOL: all its lamports go to the owner. */
  closeAccount(holding: Holding, parent: number = TOP): void {
    const { account, owner, token } = holding;
    const instruction = this.instruction(token.program, "closeAccount", "closeAccount", parent);
    this.sign(owner, parent);
    this.touch(holding);
    if (token === this.economy.wrapped) {
      account.lamports += holding.amount;
      holding.amount = 0n;
    } else if (holding.amount !== 0n) this.broken ??= NOT_EMPTY;
    if (!holding.open) this.broken ??= NO_FUNDS;
    holding.open = false;
    this.moveSol(instruction, CLOSE, account, owner, account.lamports);
  }

  /** Turns SOL into wrapped SOL in the owner's associated token account. */
  wrap(owner: Account, lamports: bigint): Holding {
    const holding = this.openTokenAccount(owner, this.economy.wrapped);
    this.wrapInto(holding, owner, lamports);
    return holding;
  }

  /** Turns SOL into wrapped SOL in a given token account. */
  wrapInto(holding: Holding, from: Account, lamports: bigint, parent: number = TOP): void {
    this.touch(holding);
    this.transferSol(from, holding.account, lamports, parent);
    this.instruction(holding.token.program, "syncNative", "syncNative", parent);
    holding.account.lamports -= lamports;
    holding.amount += lamports;
  }

  /** Closes the owner's wrapped SOL account, so that all of it is SOL again; nothing where it is not open. */
  unwrap(owner: Account): void {
    const holding = owner.holdings.get(this.economy.wrapped);
    if (holding?.open) this.closeAccount(holding);
  }

  /** Gives a token account, with what is in it, to another owner. */
  setOwner(holding: Holding, to: Account, parent: number = TOP): void {
    const { owner: from, token, account } = holding;
    const instruction = this.instruction(token.program, "setAuthority", "setAuthority", parent);
    this.sign(from, parent);
    this.touch(holding);
    this.key(to);
    const [own, theirs] = [from.holdings.get(token) === holding, to.holdings.has(token)];
    if (own) from.holdings.delete(token);
    if (!theirs) to.holdings.set(token, holding);
    this.undo(() => {
      if (own) from.holdings.set(token, holding);
      if (!theirs) to.holdings.delete(token);
    });
    holding.owner = to;
    this.transfers.push({
      instruction,
      type: SET_OWNER,
      from: from.address,
      fromAccount: account.address,
      to: to.address,
      toAccount: account.address,
      token: token.address,
      amount: holding.amount,
      value: token.value(holding.amount),
    });
  }
}
