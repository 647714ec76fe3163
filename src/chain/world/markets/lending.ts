/** Lending markets, managed vaults, and their users: lenders, borrowers and a liquidator. */
import { LENDING_LAYOUTS, rentOfLayout } from "../../solana/index.ts";
import { lamports } from "../actors/wallets.ts";
import { type Actor, createRotation, type WorldContext } from "../context.ts";
import { BOTS } from "../data/profiles.ts";
import type { ProgramName } from "../data/programs.ts";
import type { Account, Holding, Token } from "../economy/accounts.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import { callVenue, nameInstructions, readVenueRoles, type Venue } from "./venues.ts";

const FEE_RESERVE = lamports(0.1);
/** The first deposit is the balance of an exchange divided by this. */
const FIRST_DEPOSIT_DIVISOR = 400n;

/** What users of reserves do, in the order of {@link CALLS}. */
const OPERATIONS = ["initReserve", "deposit", "withdraw", "pledge", "borrow", "repay", "release", "liquidate"] as const;

/** The instructions of programs for what users do. Vaults have no loans. */
const CALLS = {
  kaminoLend:
    "initReserve depositReserveLiquidity redeemReserveCollateral depositObligationCollateral borrowObligationLiquidity repayObligationLiquidity withdrawObligationCollateral liquidateObligationAndRedeemReserveCollateral",
  solend:
    "initReserve depositReserveLiquidity redeemReserveCollateral depositObligationCollateral borrowObligationLiquidity repayObligationLiquidity withdrawObligationCollateral liquidateObligation",
  marginfi:
    "lendingPoolAddBankWithSeed lendingAccountDeposit lendingAccountWithdraw lendingAccountDeposit lendingAccountBorrow lendingAccountRepay lendingAccountWithdraw lendingAccountLiquidate",
  kaminoVault: "initVault deposit withdrawFromAvailable",
} as const satisfies Partial<Record<ProgramName, string>>;

/** A reserve: one token of a lending market, or a vault without loans. */
interface Reserve extends Venue {
  readonly vault: Holding;
  /** Token that represents a share of the deposits. */
  readonly receipt: Token;
  /** Vault of the receipts that secure loans. */
  readonly collateral: Holding;
  readonly lends: boolean;
  /** Returns what an operation is for the program, and its name. */
  readonly call: (operation: (typeof OPERATIONS)[number]) => { readonly type: string; readonly name: string };
  /** Base units of the token that borrowers owe. */
  lent: bigint;
}

type ReservePlan = readonly [
  program: keyof typeof CALLS,
  label: string,
  symbol: string,
  receipt: readonly [name: string, symbol: string],
  lends?: boolean,
];

const RESERVE_PLANS: readonly ReservePlan[] = [
  ["kaminoLend", "kamino_lending", "USDC", ["Kamino USDC", "kUSDC"], true],
  ["kaminoLend", "kamino_lending", "USDT", ["Kamino USDT", "kUSDT"], true],
  ["solend", "save", "USDC", ["Save USDC", "cUSDC"], true],
  ["marginfi", "marginfi", "JUP", ["marginfi JUP", "mfiJUP"], true],
  ["marginfi", "marginfi", "JitoSOL", ["marginfi JitoSOL", "mfiJitoSOL"], true],
  ["kaminoVault", "kamino_vault", "USDC", ["Allez USDC", "aUSDC"]],
  ["kaminoVault", "kamino_vault", "PYUSD", ["Sentora PYUSD", "sPYUSD"]],
];

/** Converts base units of the token to base units of receipts: one to one at first; receipts gain value with interest. */
const convertToReceipts = ({ vault, receipt, lent }: Reserve, amount: bigint): bigint =>
  receipt.supply === 0n ? amount : (amount * receipt.supply) / (vault.amount + lent);

/** Opens reserves for the tokens of the world; an exchange makes the first deposit into each. */
function openReserves(context: WorldContext): readonly Reserve[] {
  return RESERVE_PLANS.flatMap((plan) => {
    const token = context.market.token(plan[2]);
    const reserve = token && openReserve(context, plan, token);
    if (!reserve) return [];
    const [exchange] = context.wallets.exchanges;
    if (exchange) deposit(context, reserve, exchange, exchange.balance(token) / FIRST_DEPOSIT_DIVISOR);
    return [reserve];
  });
}

function openReserve(
  { economy, wallets }: WorldContext,
  [programName, label, , [name, symbol], lends = false]: ReservePlan,
  token: Token,
): Reserve | undefined {
  const program = economy.programs[programName];
  const account = economy.programAccount("account", program);
  const layout = LENDING_LAYOUTS[program.address];
  const rent = layout === undefined ? 0n : rentOfLayout(layout);
  const manager = wallets.pickWithSol(FEE_RESERVE * 2n + rent);
  const tx = economy.begin(manager);
  const types = nameInstructions(OPERATIONS, CALLS[programName]);
  const call: Reserve["call"] = (name) => ({ type: types[name], name });
  const { token: tokenProgram } = economy.programs;
  const mint = economy.derive(program, ["reserve_coll_mint", account], "mint", tokenProgram);
  const [supply, pledges] = ["reserve_liq_supply", "reserve_coll_supply"].map((seed) => [seed, account] as const);
  const vault = economy.createVault(account, token, program, supply);
  const { type, name: title } = call("initReserve");
  const roles = readVenueRoles(tx, { account, token, vault }, manager);
  const opened = {
    ...{ receipt: mint, receiptVault: economy.derive(program, pledges ?? [], "token_account", tokenProgram) },
    userReceipt: economy.derive(economy.programs.associatedToken, [manager, tokenProgram, mint]),
  };
  const index = tx.call(program, type, `${label}:${title}`, { ...roles, ...opened }, TOP_LEVEL);
  if (rent > 0n) tx.createAccount(manager, account, rent, index);
  const spec = { kind: "fungible", name, symbol, decimals: token.spec.decimals, reputation: 80 } as const;
  const receipt = tx.createMint({ spec, creator: manager, authority: account, account: mint, parent: index });
  const collateral = economy.createVault(account, receipt, program, pledges);
  for (const holding of [vault, collateral]) tx.openHolding(holding, index);
  if (!tx.commit()) return undefined;
  economy.label(account, { label: `${name}: Reserve`, tags: ["lending"], type: "address" });
  return { program, label, account, token, vault, receipt, collateral, lends, call, lent: 0n };
}

/** Deposits tokens for receipts. Returns whether it succeeded. */
function deposit({ economy }: WorldContext, venue: Reserve, user: Account, amount: bigint): boolean {
  const { token, receipt } = venue;
  const receipts = convertToReceipts(venue, amount);
  if (receipts <= 0n) return false;
  const visit = { venue, user, type: "ACTIVITY_TOKEN_DEPOSIT_VAULT" } as const;
  return callVenue(economy, visit, [
    { ...venue.call("deposit"), pays: { token, amount }, gets: { token: receipt, amount: receipts } },
  ]);
}

/** Burns receipts for the tokens that they are worth. Returns whether it succeeded. */
function withdraw({ economy }: WorldContext, venue: Reserve, user: Account, receipts: bigint): boolean {
  const { token, vault, receipt, lent } = venue;
  const amount = (receipts * (vault.amount + lent)) / receipt.supply;
  if (amount <= 0n || amount > vault.amount) return false;
  const visit = { venue, user, type: "ACTIVITY_TOKEN_WITHDRAW_VAULT" } as const;
  return callVenue(economy, visit, [
    { ...venue.call("withdraw"), pays: { token: receipt, amount: receipts }, gets: { token, amount } },
  ]);
}

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

/** Returns the users of lending markets. */
export function createLendingUsers(context: WorldContext): Actor[] {
  const { economy, wallets } = context;
  const random = context.random.fork("lending");
  const reserves = openReserves(context);
  const liquidator = economy.wallet();
  const profile = BOTS.find(({ tags }) => tags.includes("liquidator"));
  wallets.fund(liquidator, lamports(200));
  if (profile) economy.label(liquidator, { ...profile, type: "address" });
  const loans: Loan[] = [];
  /** Owners of receipts, once for each deposit. */
  const depositors: (readonly [Reserve, Account])[] = [];

  /** Has an exchange send the tokens and lamports that an account lacks. Returns the account. */
  const ensureBalance = (user: Account, { token }: Reserve, amount: bigint): Account => {
    wallets.ensureFunds(user, FEE_RESERVE);
    const missing = amount - user.balance(token);
    const [exchange] = wallets.exchanges;
    if (missing > 0n && exchange) wallets.sendTokens(exchange, user, token, missing);
    return user;
  };
  /** Has a random user deposit tokens, received from an exchange if necessary. */
  const makeDeposit = (): readonly [Reserve, Account] | undefined => {
    const reserve = random.pickEarly(reserves);
    const amount = reserve.token.amountWorth(random.heavyTailed(60, 60_000));
    if (amount <= 0n) return undefined;
    const user = ensureBalance(wallets.pickUser(), reserve, amount);
    if (!deposit(context, reserve, user, amount)) return undefined;
    const entry = [reserve, user] as const;
    depositors.push(entry);
    return entry;
  };
  /** Returns a depositor with receipts and the reserve; drops depositors without receipts. */
  const pickDeposit = (lends: boolean): readonly [Reserve, Account] | undefined => {
    while (depositors.length > 0) {
      const index = random.integer(0, depositors.length - 1);
      const entry = depositors[index];
      if (!entry) break;
      const [reserve, user] = entry;
      if (user.balance(reserve.receipt) <= 1n) depositors.splice(index, 1);
      else if (reserve.lends || !lends) return entry;
      else break;
    }
    return undefined;
  };
  const withdrawDeposit = (): boolean => {
    const [reserve, user] = pickDeposit(false) ?? [];
    if (!reserve || !user) return false;
    const balance = user.balance(reserve.receipt);
    const receipts = random.chance(0.5) ? balance : balance / 2n;
    return withdraw(context, reserve, wallets.ensureFunds(user, FEE_RESERVE), receipts);
  };
  const borrow = (): boolean => {
    const [reserve, borrower] = pickDeposit(true) ?? makeDeposit() ?? [];
    if (!reserve?.lends || !borrower) return false;
    const { token, vault, receipt, collateral } = reserve;
    const pledged = (borrower.balance(receipt) * BigInt(random.integer(4, 10))) / 10n;
    const worth = (pledged * (vault.amount + reserve.lent)) / receipt.supply;
    const amount = (worth * LOAN_TO_VALUE * BigInt(random.integer(30, 100))) / 10_000n;
    if (amount <= 0n) return false;
    const user = wallets.ensureFunds(borrower, FEE_RESERVE);
    const pledge = { token: receipt, amount: pledged, vault: collateral };
    const isLent = callVenue(economy, { venue: reserve, user, type: "ACTIVITY_BORROWING" }, [
      { ...reserve.call("pledge"), pays: pledge },
      { ...reserve.call("borrow"), gets: { token, amount } },
    ]);
    if (!isLent) return false;
    loans.push({ reserve, borrower, debt: amount, collateral: pledged });
    reserve.lent += amount;
    return true;
  };
  const repay = (): boolean => {
    if (loans.length === 0 && !borrow()) return false;
    const index = random.integer(0, loans.length - 1);
    const loan = loans[index];
    if (!loan) return false;
    const { reserve, borrower, debt } = loan;
    const { token, receipt, collateral } = reserve;
    const amount = debt + (debt * BigInt(random.integer(2, 90))) / 10_000n;
    const user = ensureBalance(borrower, reserve, amount);
    const release = { token: receipt, amount: loan.collateral, vault: collateral };
    const isRepaid = callVenue(economy, { venue: reserve, user, type: "ACTIVITY_REPAY_BORROWING" }, [
      { ...reserve.call("repay"), pays: { token, amount } },
      { ...reserve.call("release"), gets: release.amount > 0n ? release : undefined },
    ]);
    if (!isRepaid) return false;
    loans.splice(index, 1);
    reserve.lent -= debt;
    return true;
  };
  const liquidate = (): boolean => {
    if (loans.length === 0 && !borrow()) return false;
    const loan = random.pick(loans);
    const { reserve, borrower, debt } = loan;
    const { token, receipt, collateral } = reserve;
    const amount = (debt * CLOSE_FACTOR) / 100n;
    const owed = (convertToReceipts(reserve, amount) * BONUS) / 100n;
    const seized = { token: receipt, amount: owed < loan.collateral ? owed : loan.collateral, vault: collateral };
    if (amount <= 0n || seized.amount <= 0n) return false;
    const user = ensureBalance(liquidator, reserve, amount);
    const visit = { venue: reserve, user, type: "ACTIVITY_LIQUIDATE_BORROWING", priority: 50_000 } as const;
    const moves = { pays: { token, amount }, gets: seized };
    const isLiquidated = callVenue(economy, visit, [{ ...reserve.call("liquidate"), borrower, ...moves }]);
    if (!isLiquidated) return false;
    loan.debt -= amount;
    loan.collateral -= seized.amount;
    reserve.lent -= amount;
    depositors.push([reserve, user]);
    return true;
  };
  const act = createRotation(economy, random, [
    [26, () => makeDeposit() !== undefined],
    [18, withdrawDeposit],
    [26, borrow],
    [20, repay],
    [5, liquidate],
  ]);
  return [{ weight: 40, act }];
}
