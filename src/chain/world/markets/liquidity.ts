/** Creation of pools, and deposits and withdrawals of liquidity. */
import type { RouteFact } from "../../ledger/index.ts";
import { type Account, type Token, WRITABLE } from "../economy/accounts.ts";
import type { DefiActivityType } from "../economy/activities.ts";
import type { SendOptions } from "../economy/draft.ts";
import type { Economy } from "../economy/economy.ts";
import { createMint } from "../economy/mints.ts";
import type { Transaction } from "../economy/transaction.ts";
import type { Market } from "./market.ts";
import { EXCHANGE_PROGRAMS, type ExchangeName, Pool, settlePrice } from "./pools.ts";

/** Lamports that a pool's account holds for its rent. */
const POOL_RENT = 6_124_800n;
const SEND = { priority: 5000, lookup: true };

/** Options of {@link createPool}. */
export interface PoolOptions {
  readonly exchange: ExchangeName;
  readonly creator: Account;
  readonly base: Token;
  readonly quote: Token;
  readonly baseAmount: bigint;
  readonly quoteAmount: bigint;
  /** Whether the pool determines the price of the base token. */
  readonly main: boolean;
  readonly address?: string;
  /** Owner of the vaults; the pool by default. */
  readonly authority?: Account;
  readonly sendOptions?: SendOptions;
}

const geometricMean = (a: bigint, b: bigint): bigint => BigInt(Math.floor(Math.sqrt(Number(a) * Number(b))));

/** Amounts of both tokens of a pool in base units. */
type Sides = readonly [base: bigint, quote: bigint];

/** Wraps the SOL that a pool takes, in the same transaction as wallets do. */
function wrapSol(tx: Transaction, { wrapped }: Economy, owner: Account, tokens: readonly Token[], sides: Sides): void {
  const side = tokens.indexOf(wrapped);
  if (side >= 0) tx.wrap(owner, sides[side] as bigint);
}

/** Logs an activity that concerns both tokens of a pool. */
function logLiquidity(
  tx: Transaction,
  { account, program, base, quote }: Pool,
  { type, user, instruction }: { type: DefiActivityType; user: Account; instruction: number },
  [baseAmount, quoteAmount]: Sides,
  prices?: RouteFact["prices"],
): void {
  const value = quote.value(quoteAmount) * 2n;
  const legs = { in: { token: base, amount: baseAmount }, out: { token: quote, amount: quoteAmount }, value };
  const route = tx.activities.createRoute({ pool: account, program, trade: false, ...legs, ...(prices && { prices }) });
  const parties = { from: user, to: account, platform: program };
  tx.activities.addDefi({ instruction, type, ...parties, routes: [route], ...legs });
}

function createLpToken(
  economy: Economy,
  tx: Transaction,
  { base, quote, creator }: PoolOptions,
  authority: Account,
  parent: number,
): Token {
  const symbol = `${base.spec.symbol}-${quote.spec.symbol}`;
  const spec = { name: `${symbol} LP`, symbol, kind: "fungible", reputation: 60, decimals: 9 } as const;
  return createMint(economy, tx, { spec, creator, authority, parent });
}

/** Creates a pool with its first liquidity. Returns undefined when the creator could not pay. */
export function createPool(market: Market, options: PoolOptions): Pool | undefined {
  const { economy } = market;
  const { creator, base, quote, baseAmount, quoteAmount } = options;
  const exchange = EXCHANGE_PROGRAMS[options.exchange];
  const program = economy.programs[exchange.program];
  const account = economy.programAccount("pool", program, options.address);
  const authority = options.authority ?? account;
  const tx = economy.begin(creator, { lookup: true, ...options.sendOptions });
  wrapSol(tx, economy, creator, [base, quote], [baseAmount, quoteAmount]);
  const instruction = tx.instruction(program, exchange.create, `${exchange.label}:createPool`);
  tx.createAccount(creator, account, POOL_RENT, instruction);
  const baseVault = tx.openVault(authority, base, instruction);
  const quoteVault = tx.openVault(authority, quote, instruction);
  const lp = "lp" in exchange ? createLpToken(economy, tx, options, authority, instruction) : undefined;
  tx.transferToken(creator, baseVault, base, baseAmount, instruction);
  tx.transferToken(creator, quoteVault, quote, quoteAmount, instruction);
  const pool = new Pool(account, program, exchange, [baseVault, quoteVault], { lp, main: options.main });
  const shares = geometricMean(baseAmount, quoteAmount);
  if (lp) tx.mint(lp, creator, shares, instruction);
  if (pool.has(economy.wrapped)) tx.unwrap(creator);
  const activity = { type: "ACTIVITY_POOL_CREATE", user: creator, instruction } as const;
  logLiquidity(tx, pool, activity, [baseAmount, quoteAmount], settlePrice(economy, tx, pool));
  const { signature } = tx;
  if (!tx.commit()) return undefined;
  pool.shares = shares;
  economy.facts.pools.push({
    address: account.address,
    program: program.address,
    token1: base.address,
    token2: quote.address,
    vault1: baseVault.account.address,
    vault2: quoteVault.account.address,
    creator: creator.address,
    created: signature,
    feeBps: exchange.feeBps,
    ...(lp && { lp: lp.address }),
  });
  market.addPool(pool);
  return pool;
}

/** Deposits an amount of the quote token and the matching amount of the base token. Returns shares; 0 if it failed. */
export function addLiquidity({ economy }: Market, pool: Pool, owner: Account, quoteAmount: bigint): bigint {
  const { base, quote, program, exchange, baseVault, quoteVault, lp } = pool;
  const sides: Sides = [(quoteAmount * baseVault.amount) / quoteVault.amount, quoteAmount];
  const shares = (quoteAmount * pool.shares) / quoteVault.amount;
  const tx = economy.begin(owner, SEND);
  wrapSol(tx, economy, owner, [base, quote], sides);
  if (lp) tx.openTokenAccount(owner, lp);
  const instruction = tx.instruction(program, exchange.add, `${exchange.label}:addLiquidity`);
  tx.transferToken(owner, baseVault, base, sides[0], instruction);
  tx.transferToken(owner, quoteVault, quote, sides[1], instruction);
  if (lp) tx.mint(lp, owner, shares, instruction);
  return finishChange(economy, tx, pool, { type: "ACTIVITY_TOKEN_ADD_LIQ", user: owner, instruction, sides, shares })
    ? shares
    : 0n;
}

/** Withdraws shares from a pool. Returns whether it succeeded. */
export function removeLiquidity({ economy }: Market, pool: Pool, owner: Account, shares: bigint): boolean {
  const { base, quote, program, exchange, baseVault, quoteVault, lp } = pool;
  const sides: Sides = [(shares * baseVault.amount) / pool.shares, (shares * quoteVault.amount) / pool.shares];
  const tx = economy.begin(owner, SEND);
  tx.openTokenAccount(owner, base);
  tx.openTokenAccount(owner, quote);
  const instruction = tx.instruction(program, exchange.remove, `${exchange.label}:removeLiquidity`);
  tx.transferToken(baseVault, owner, base, sides[0], instruction);
  tx.transferToken(quoteVault, owner, quote, sides[1], instruction);
  if (lp) tx.burn(lp, owner, shares, instruction);
  const change = { type: "ACTIVITY_TOKEN_REMOVE_LIQ", user: owner, instruction, sides, shares: -shares } as const;
  return finishChange(economy, tx, pool, change);
}

/** A change of the liquidity of a pool. */
interface LiquidityChange {
  readonly type: DefiActivityType;
  readonly user: Account;
  readonly instruction: number;
  readonly sides: Sides;
  /** Shares that are added to those of the pool. */
  readonly shares: bigint;
}

/** Unwraps SOL, logs a change and commits it. */
function finishChange(economy: Economy, tx: Transaction, pool: Pool, change: LiquidityChange): boolean {
  if (pool.has(economy.wrapped)) tx.unwrap(change.user);
  tx.key(pool.account, WRITABLE, change.instruction);
  logLiquidity(tx, pool, change, change.sides);
  if (!tx.commit()) return false;
  pool.shares += change.shares;
  return true;
}
