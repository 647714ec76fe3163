/** Lenders, borrowers and a liquidator. */
import { Rotation, type WeightedAction } from "../actors/rotation.ts";
import { lamports } from "../actors/wallets.ts";
import type { Actor, WorldContext } from "../context.ts";
import { BOTS } from "../data/profiles.ts";
import type { Account, Token } from "../economy/accounts.ts";
import type { Random } from "../random.ts";
import { deposit, openReserves, type Reserve, receiptsFor, withdraw } from "./lending-markets.ts";
import { recordVenueActivity } from "./venues.ts";

/** Share of all calls of actors, in thousandths. */
const WEIGHT = 40;
const FEE_RESERVE = lamports(0.1);
/** Maximum loan in percent of the collateral. */
const LOAN_TO_VALUE = 70n;
/** In a liquidation: the part of the loan that is repaid, and the collateral paid for it, in percent. */
const CLOSE_FACTOR = 50n;
const BONUS = 105n;

interface Loan {
  readonly reserve: Reserve;
  readonly borrower: Account;
  debt: bigint;
  /** Receipts in the collateral account of the reserve. */
  collateral: bigint;
}

class LendingUsers {
  readonly #context: WorldContext;
  readonly #random: Random;
  #reserves: readonly Reserve[] = [];
  readonly #loans: Loan[] = [];
  readonly #lent = new Map<Reserve, bigint>();
  /** Owners of receipts, once for each deposit. */
  readonly #depositors: (readonly [Reserve, Account])[] = [];
  readonly #liquidator: Account;

  constructor(context: WorldContext) {
    this.#context = context;
    this.#random = context.random.fork("lending");
    this.#liquidator = context.economy.wallet();
  }

  get rotation(): Rotation {
    const actions: readonly WeightedAction[] = [
      { weight: 26, act: () => this.#deposit() !== undefined },
      { weight: 18, act: () => this.#withdraw() },
      { weight: 26, act: () => this.#borrow() },
      { weight: 20, act: () => this.#repay() },
      { weight: 5, act: () => this.#liquidate() },
    ];
    return new Rotation(this.#context.economy, this.#random, actions);
  }

  open(): void {
    const { economy, wallets } = this.#context;
    this.#reserves = openReserves(this.#context);
    const profile = BOTS.find(({ tags }) => tags.includes("liquidator"));
    wallets.fund(this.#liquidator, lamports(200));
    if (profile) economy.label(this.#liquidator, { ...profile, type: "address" });
  }

  #lentBy(reserve: Reserve): bigint {
    return this.#lent.get(reserve) ?? 0n;
  }

  /** Has an exchange send the tokens and lamports that an account lacks. Returns the account. */
  #ensureBalance(user: Account, token: Token, amount: bigint): Account {
    const { economy, wallets } = this.#context;
    wallets.ensureFunds(user, FEE_RESERVE);
    const balance = user.holdings.get(token)?.amount ?? 0n;
    if (balance >= amount) return user;
    const [exchange] = wallets.exchanges;
    if (!exchange) return user;
    const tx = economy.begin(exchange);
    tx.transferToken(exchange, user, token, amount - balance);
    tx.commit();
    return user;
  }

  /** Has a random user deposit tokens, received from an exchange if necessary. */
  #deposit(): readonly [Reserve, Account] | undefined {
    if (this.#reserves.length === 0) return undefined;
    const reserve = this.#random.pickEarly(this.#reserves);
    const { token } = reserve;
    const amount = token.amountWorth(this.#random.heavyTailed(60, 60_000));
    if (amount <= 0n) return undefined;
    const user = this.#ensureBalance(this.#context.wallets.pickUser(), token, amount);
    if (deposit(this.#context, reserve, user, { amount, lent: this.#lentBy(reserve) }) === 0n) return undefined;
    const entry = [reserve, user] as const;
    this.#depositors.push(entry);
    return entry;
  }

  /** Returns a depositor with receipts and the reserve; drops depositors without receipts. */
  #pickDeposit(lends: boolean): readonly [Reserve, Account] | undefined {
    while (this.#depositors.length > 0) {
      const index = this.#random.integer(0, this.#depositors.length - 1);
      const entry = this.#depositors[index];
      if (!entry) break;
      const [reserve, user] = entry;
      if ((user.holdings.get(reserve.receipt)?.amount ?? 0n) <= 1n) this.#depositors.splice(index, 1);
      else if (reserve.lends || !lends) return entry;
      else break;
    }
    return undefined;
  }

  #withdraw(): boolean {
    const entry = this.#pickDeposit(false);
    if (!entry) return false;
    const [reserve, user] = entry;
    const balance = user.holdings.get(reserve.receipt)?.amount ?? 0n;
    const receipts = this.#random.chance(0.5) ? balance : balance / 2n;
    this.#context.wallets.ensureFunds(user, FEE_RESERVE);
    return withdraw(this.#context, reserve, user, { receipts, lent: this.#lentBy(reserve) });
  }

  /** Has a depositor pledge receipts and borrow from the same reserve. */
  #borrow(): boolean {
    const { economy, wallets } = this.#context;
    const entry = this.#pickDeposit(true) ?? this.#deposit();
    if (!entry?.[0].lends) return false;
    const [reserve, borrower] = entry;
    const { program, label, account, token, vault, receipt, collateral } = reserve;
    const pledged = ((borrower.holdings.get(receipt)?.amount ?? 0n) * BigInt(this.#random.integer(4, 10))) / 10n;
    const worth = (pledged * (vault.amount + this.#lentBy(reserve))) / receipt.supply;
    const amount = (worth * LOAN_TO_VALUE * BigInt(this.#random.integer(30, 100))) / 10_000n;
    if (amount <= 0n) return false;
    const tx = economy.begin(wallets.ensureFunds(borrower, FEE_RESERVE), { priority: 3000, lookup: true });
    tx.openTokenAccount(borrower, token);
    const pledge = tx.instruction(program, "depositObligationCollateral", `${label}:pledge`);
    tx.transferToken(borrower, collateral, receipt, pledged, pledge);
    const index = tx.instruction(program, "borrowObligationLiquidity", `${label}:borrow`);
    tx.transferToken(vault, borrower, token, amount, index);
    const legs = { in: { token, amount } };
    recordVenueActivity(tx, {
      type: "ACTIVITY_BORROWING",
      instruction: index,
      user: borrower,
      account,
      program,
      ...legs,
    });
    if (!tx.commit()) return false;
    this.#loans.push({ reserve, borrower, debt: amount, collateral: pledged });
    this.#lent.set(reserve, this.#lentBy(reserve) + amount);
    return true;
  }

  /** Has a borrower repay a loan with interest and withdraw the collateral. */
  #repay(): boolean {
    const { economy, wallets } = this.#context;
    if (this.#loans.length === 0 && !this.#borrow()) return false;
    const loanIndex = this.#random.integer(0, this.#loans.length - 1);
    const loan = this.#loans[loanIndex];
    if (!loan) return false;
    const { reserve, borrower, debt } = loan;
    const { program, label, account, token, vault, receipt, collateral } = reserve;
    const amount = debt + (debt * BigInt(this.#random.integer(2, 90))) / 10_000n;
    this.#ensureBalance(borrower, token, amount);
    const tx = economy.begin(wallets.ensureFunds(borrower, FEE_RESERVE), { priority: 3000, lookup: true });
    const index = tx.instruction(program, "repayObligationLiquidity", `${label}:repay`);
    tx.transferToken(borrower, vault, token, amount, index);
    const release = tx.instruction(program, "withdrawObligationCollateral", `${label}:release`);
    if (loan.collateral > 0n) tx.transferToken(collateral, borrower, receipt, loan.collateral, release);
    const legs = { in: { token, amount } };
    const type = "ACTIVITY_REPAY_BORROWING";
    recordVenueActivity(tx, { type, instruction: index, user: borrower, account, program, ...legs });
    if (!tx.commit()) return false;
    this.#loans.splice(loanIndex, 1);
    this.#lent.set(reserve, this.#lentBy(reserve) - debt);
    return true;
  }

  /** Has the liquidator repay half of a loan for collateral with a bonus. */
  #liquidate(): boolean {
    const { economy } = this.#context;
    if (this.#loans.length === 0 && !this.#borrow()) return false;
    const loan = this.#random.pick(this.#loans);
    const { reserve, borrower, debt } = loan;
    const { program, label, account, token, vault, receipt, collateral } = reserve;
    const amount = (debt * CLOSE_FACTOR) / 100n;
    const owed = (receiptsFor(reserve, amount, this.#lentBy(reserve)) * BONUS) / 100n;
    const seized = owed < loan.collateral ? owed : loan.collateral;
    if (amount <= 0n || seized <= 0n) return false;
    const liquidator = this.#ensureBalance(this.#liquidator, token, amount);
    const tx = economy.begin(liquidator, { priority: 50_000, lookup: true });
    tx.openTokenAccount(liquidator, receipt);
    const index = tx.instruction(program, "liquidateObligation", `${label}:liquidate`);
    tx.key(borrower);
    tx.transferToken(liquidator, vault, token, amount, index);
    tx.transferToken(collateral, liquidator, receipt, seized, index);
    const legs = { in: { token, amount }, out: { token: receipt, amount: seized } };
    const type = "ACTIVITY_LIQUIDATE_BORROWING";
    recordVenueActivity(tx, { type, instruction: index, user: liquidator, account, program, ...legs });
    if (!tx.commit()) return false;
    loan.debt -= amount;
    loan.collateral -= seized;
    this.#lent.set(reserve, this.#lentBy(reserve) - amount);
    this.#depositors.push([reserve, liquidator]);
    return true;
  }
}

/** Returns the users of lending markets. */
export function createLendingUsers(context: WorldContext): Actor {
  const users = new LendingUsers(context);
  const { rotation } = users;
  return { weight: WEIGHT, act: () => rotation.act(), open: () => users.open() };
}
