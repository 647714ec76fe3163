/** Lending markets and managed vaults. */
import { lamports } from "../actors/wallets.ts";
import type { WorldContext } from "../context.ts";
import type { ProgramName } from "../data/programs.ts";
import type { Account, Holding, Token } from "../economy/accounts.ts";
import { createMint } from "../economy/mints.ts";
import { recordVenueActivity } from "./venues.ts";

const FEE_RESERVE = lamports(0.2);
/** The first deposit is the balance of an exchange divided by this. */
const FIRST_DEPOSIT_DIVISOR = 400n;

/** A reserve: one token of a lending market, or a vault without loans. */
export interface Reserve {
  readonly program: Account;
  /** Prefix of the labels of its instructions. */
  readonly label: string;
  /** Program account of the reserve; owns the vaults. */
  readonly account: Account;
  readonly token: Token;
  readonly vault: Holding;
  /** Token that represents a share of the deposits. */
  readonly receipt: Token;
  /** Vault of the receipts that secure loans. */
  readonly collateral: Holding;
  readonly lends: boolean;
}

interface ReservePlan {
  readonly program: ProgramName;
  readonly label: string;
  readonly symbol: string;
  readonly receipt: readonly [name: string, symbol: string];
  readonly lends: boolean;
}

const RESERVE_PLANS: readonly ReservePlan[] = [
  { program: "kaminoLend", label: "kamino_lending", symbol: "USDC", receipt: ["Kamino USDC", "kUSDC"], lends: true },
  { program: "kaminoLend", label: "kamino_lending", symbol: "USDT", receipt: ["Kamino USDT", "kUSDT"], lends: true },
  { program: "solend", label: "save", symbol: "USDC", receipt: ["Save USDC", "cUSDC"], lends: true },
  { program: "marginfi", label: "marginfi", symbol: "JUP", receipt: ["marginfi JUP", "mfiJUP"], lends: true },
  {
    program: "marginfi",
    label: "marginfi",
    symbol: "JitoSOL",
    receipt: ["marginfi JitoSOL", "mfiJitoSOL"],
    lends: true,
  },
  { program: "kaminoVault", label: "kamino_vault", symbol: "USDC", receipt: ["Allez USDC", "aUSDC"], lends: false },
  {
    program: "kaminoVault",
    label: "kamino_vault",
    symbol: "PYUSD",
    receipt: ["Sentora PYUSD", "sPYUSD"],
    lends: false,
  },
];

/** Converts base units of the token to base units of receipts: one to one at first; receipts gain value with interest. */
export const receiptsFor = ({ vault, receipt }: Reserve, amount: bigint, lent: bigint): bigint =>
  receipt.supply === 0n ? amount : (amount * receipt.supply) / (vault.amount + lent);

/** Opens reserves for the tokens of the world; an exchange makes the first deposit into each. */
export function openReserves(context: WorldContext): readonly Reserve[] {
  return RESERVE_PLANS.flatMap((plan) => {
    const token = context.market.token(plan.symbol);
    const reserve = token && openReserve(context, plan, token);
    if (!reserve) return [];
    const [exchange] = context.wallets.exchanges;
    const balance = (token && exchange?.holdings.get(token)?.amount) ?? 0n;
    if (exchange) deposit(context, reserve, exchange, { amount: balance / FIRST_DEPOSIT_DIVISOR, lent: 0n });
    return [reserve];
  });
}

function openReserve({ economy, wallets }: WorldContext, plan: ReservePlan, token: Token): Reserve | undefined {
  const program = economy.programs[plan.program];
  const account = economy.programAccount("account", program);
  const manager = wallets.pickWithSol(FEE_RESERVE);
  const tx = economy.begin(manager);
  const index = tx.instruction(program, "initReserve", `${plan.label}:initReserve`);
  const [name, symbol] = plan.receipt;
  const spec = { kind: "fungible", name, symbol, decimals: token.spec.decimals, reputation: 80 } as const;
  const receipt = createMint(economy, tx, { spec, creator: manager, authority: account, parent: index });
  const vault = tx.openVault(account, token, index);
  const collateral = tx.openVault(account, receipt, index);
  if (!tx.commit()) return undefined;
  economy.label(account, { label: `${name}: Reserve`, tags: ["lending"], type: "address" });
  return { program, label: plan.label, account, token, vault, receipt, collateral, lends: plan.lends };
}

/** The amount of a deposit, and the amount that the reserve has lent. */
export interface DepositAmounts {
  readonly amount: bigint;
  readonly lent: bigint;
}

/** Deposits tokens for receipts. Returns the amount of receipts; 0 if it failed. */
export function deposit(
  { economy }: WorldContext,
  reserve: Reserve,
  user: Account,
  { amount, lent }: DepositAmounts,
): bigint {
  const { program, label, account, token, vault, receipt } = reserve;
  const receipts = receiptsFor(reserve, amount, lent);
  if (receipts <= 0n) return 0n;
  const tx = economy.begin(user, { priority: 2000, lookup: true });
  tx.openTokenAccount(user, receipt);
  const index = tx.instruction(program, "deposit", `${label}:deposit`);
  tx.transferToken(user, vault, token, amount, index);
  tx.mint(receipt, user, receipts, index);
  // The service lists deposits with one side: the receipts are in the transfers only.
  recordVenueActivity(tx, {
    type: "ACTIVITY_TOKEN_DEPOSIT_VAULT",
    instruction: index,
    user,
    account,
    program,
    in: { token, amount },
  });
  return tx.commit() ? receipts : 0n;
}

/** Burns receipts for the tokens that they are worth. Returns whether it succeeded. */
export function withdraw(
  { economy }: WorldContext,
  reserve: Reserve,
  user: Account,
  { receipts, lent }: { readonly receipts: bigint; readonly lent: bigint },
): boolean {
  const { program, label, account, token, vault, receipt } = reserve;
  const amount = (receipts * (vault.amount + lent)) / receipt.supply;
  if (amount <= 0n || amount > vault.amount) return false;
  const tx = economy.begin(user, { priority: 2000, lookup: true });
  tx.openTokenAccount(user, token);
  const index = tx.instruction(program, "withdraw", `${label}:withdraw`);
  tx.burn(receipt, user, receipts, index);
  tx.transferToken(vault, user, token, amount, index);
  const legs = { in: { token: receipt, amount: receipts }, out: { token, amount } };
  recordVenueActivity(tx, {
    type: "ACTIVITY_TOKEN_WITHDRAW_VAULT",
    instruction: index,
    user,
    account,
    program,
    ...legs,
  });
  return tx.commit();
}
