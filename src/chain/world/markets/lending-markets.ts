/** Lending markets and managed vaults. */
import { lamports } from "../actors/wallets.ts";
import type { WorldContext } from "../context.ts";
import type { ProgramName } from "../data/programs.ts";
import type { Account, Holding, Token } from "../economy/accounts.ts";
import { createMint } from "../economy/mints.ts";
import { callVenue, type Venue } from "./venues.ts";

const FEE_RESERVE = lamports(0.2);
/** The first deposit is the balance of an exchange divided by this. */
const FIRST_DEPOSIT_DIVISOR = 400n;
const SEND = { priority: 2000, lookup: true };

/** A reserve: one token of a lending market, or a vault without loans. */
export interface Reserve extends Venue {
  readonly token: Token;
  readonly vault: Holding;
  /** Token that represents a share of the deposits. */
  readonly receipt: Token;
  /** Vault of the receipts that secure loans. */
  readonly collateral: Holding;
  readonly lends: boolean;
  /** Base units of the token that borrowers owe. */
  lent: bigint;
}

type ReservePlan = readonly [
  program: ProgramName,
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
export const convertToReceipts = ({ vault, receipt, lent }: Reserve, amount: bigint): bigint =>
  receipt.supply === 0n ? amount : (amount * receipt.supply) / (vault.amount + lent);

/** Opens reserves for the tokens of the world; an exchange makes the first deposit into each. */
export function openReserves(context: WorldContext): readonly Reserve[] {
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
  const manager = wallets.pickWithSol(FEE_RESERVE);
  const tx = economy.begin(manager);
  const index = tx.instruction(program, "initReserve", `${label}:initReserve`);
  const spec = { kind: "fungible", name, symbol, decimals: token.spec.decimals, reputation: 80 } as const;
  const receipt = createMint(economy, tx, { spec, creator: manager, authority: account, parent: index });
  const vault = tx.openVault(account, token, index);
  const collateral = tx.openVault(account, receipt, index);
  if (!tx.commit()) return undefined;
  economy.label(account, { label: `${name}: Reserve`, tags: ["lending"], type: "address" });
  return { program, label, account, token, vault, receipt, collateral, lends, lent: 0n };
}

/** Deposits tokens for receipts. Returns whether it succeeded. */
export function deposit({ economy }: WorldContext, venue: Reserve, user: Account, amount: bigint): boolean {
  const { token, vault, receipt } = venue;
  const receipts = convertToReceipts(venue, amount);
  if (receipts <= 0n) return false;
  const moves = [
    { from: user, to: vault, token, amount },
    { to: user, token: receipt, amount: receipts },
  ];
  // The service lists deposits with one side: the receipts are in the transfers only.
  return callVenue(economy, { venue, user, send: SEND, opens: [receipt] }, [{ type: "deposit", moves }], {
    type: "ACTIVITY_TOKEN_DEPOSIT_VAULT",
    in: { token, amount },
  });
}

/** Burns receipts for the tokens that they are worth. Returns whether it succeeded. */
export function withdraw({ economy }: WorldContext, venue: Reserve, user: Account, receipts: bigint): boolean {
  const { token, vault, receipt, lent } = venue;
  const amount = (receipts * (vault.amount + lent)) / receipt.supply;
  if (amount <= 0n || amount > vault.amount) return false;
  const [input, out] = [
    { token: receipt, amount: receipts },
    { token, amount },
  ];
  const moves = [
    { from: user, ...input },
    { from: vault, to: user, ...out },
  ];
  return callVenue(economy, { venue, user, send: SEND, opens: [token] }, [{ type: "withdraw", moves }], {
    type: "ACTIVITY_TOKEN_WITHDRAW_VAULT",
    in: input,
    out,
  });
}
