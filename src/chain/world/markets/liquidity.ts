/** Creation of pools, and deposits and withdrawals of liquidity. */
import type { Account, Token } from "../economy/accounts.ts";
import { WRITABLE } from "../economy/accounts.ts";
import type { SendOptions } from "../economy/draft.ts";
import type { Economy } from "../economy/economy.ts";
import { createMint } from "../economy/mints.ts";
import type { Transaction } from "../economy/transaction.ts";
import type { Market } from "./market.ts";
import { EXCHANGE_PROGRAMS, type ExchangeName, Pool, settlePrice } from "./pools.ts";

/** Lamports that a pool's account holds for its rent. */
const POOL_RENT = 6_124_800n;

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

/** Wraps the SOL that one of the sides needs, in the same transaction as wallets do. Returns whether one needs it. */
function wrapSol(
  tx: Transaction,
  economy: Economy,
  owner: Account,
  sides: readonly (readonly [Token, bigint])[],
): boolean {
  for (const [token, amount] of sides) {
    if (token !== economy.wrapped) continue;
    tx.wrap(owner, amount);
    return true;
  }
  return false;
}

function createLpToken(
  economy: Economy,
  tx: Transaction,
  pool: PoolOptions,
  authority: Account,
  parent: number,
): Token {
  const [base, quote] = [pool.base.spec.symbol, pool.quote.spec.symbol];
  const spec = { name: `${base}-${quote} LP`, symbol: `${base}-${quote}`, kind: "fungible", reputation: 60 } as const;
  return createMint(economy, tx, { spec: { ...spec, decimals: 9 }, creator: pool.creator, authority, parent });
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
  const wrapped = wrapSol(tx, economy, creator, [
    [base, baseAmount],
    [quote, quoteAmount],
  ]);
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
  if (wrapped) tx.unwrap(creator);
  const prices = settlePrice(economy, tx, pool);
  const [baseSide, quoteSide] = [
    { token: base, amount: baseAmount },
    { token: quote, amount: quoteAmount },
  ];
  const value = quote.value(quoteAmount) * 2n;
  const venue = { pool: account, program, trade: false, in: baseSide, out: quoteSide, value };
  const routes = [tx.activities.createRoute(prices ? { ...venue, prices } : venue)];
  const parties = { from: creator, to: account, platform: program };
  tx.activities.addDefi({
    instruction,
    type: "ACTIVITY_POOL_CREATE",
    ...parties,
    in: baseSide,
    out: quoteSide,
    value,
    routes,
  });
  const { signature } = tx;
  if (!tx.commit()) return undefined;
  pool.shares = shares;
  publishPool(economy, pool, creator, signature);
  market.addPool(pool);
  return pool;
}

function publishPool(economy: Economy, pool: Pool, creator: Account, created: string): void {
  economy.facts.pools.push({
    address: pool.account.address,
    program: pool.program.address,
    token1: pool.base.address,
    token2: pool.quote.address,
    vault1: pool.baseVault.account.address,
    vault2: pool.quoteVault.account.address,
    creator: creator.address,
    created,
    feeBps: pool.exchange.feeBps,
    ...(pool.lp && { lp: pool.lp.address }),
  });
}

/** Deposits an amount of the quote token and the matching amount of the base token. Returns shares; 0 if it failed. */
export function addLiquidity(market: Market, pool: Pool, owner: Account, quoteAmount: bigint): bigint {
  const { economy } = market;
  const { base, quote, program, exchange } = pool;
  const baseAmount = (quoteAmount * pool.baseVault.amount) / pool.quoteVault.amount;
  const shares = (quoteAmount * pool.shares) / pool.quoteVault.amount;
  const tx = economy.begin(owner, { priority: 5000, lookup: true });
  const wrapped = wrapSol(tx, economy, owner, [
    [base, baseAmount],
    [quote, quoteAmount],
  ]);
  if (pool.lp) tx.openTokenAccount(owner, pool.lp);
  const instruction = tx.instruction(program, exchange.add, `${exchange.label}:addLiquidity`);
  tx.transferToken(owner, pool.baseVault, base, baseAmount, instruction);
  tx.transferToken(owner, pool.quoteVault, quote, quoteAmount, instruction);
  if (pool.lp) tx.mint(pool.lp, owner, shares, instruction);
  if (wrapped) tx.unwrap(owner);
  recordLiquidity(tx, pool, owner, instruction, "ACTIVITY_TOKEN_ADD_LIQ", [baseAmount, quoteAmount]);
  if (!tx.commit()) return 0n;
  pool.shares += shares;
  return shares;
}

/** Withdraws shares from a pool. Returns whether it succeeded. */
export function removeLiquidity(market: Market, pool: Pool, owner: Account, shares: bigint): boolean {
  const { economy } = market;
  const { base, quote, program, exchange } = pool;
  const baseAmount = (shares * pool.baseVault.amount) / pool.shares;
  const quoteAmount = (shares * pool.quoteVault.amount) / pool.shares;
  const tx = economy.begin(owner, { priority: 5000, lookup: true });
  tx.openTokenAccount(owner, base);
  tx.openTokenAccount(owner, quote);
  const instruction = tx.instruction(program, exchange.remove, `${exchange.label}:removeLiquidity`);
  tx.transferToken(pool.baseVault, owner, base, baseAmount, instruction);
  tx.transferToken(pool.quoteVault, owner, quote, quoteAmount, instruction);
  if (pool.lp) tx.burn(pool.lp, owner, shares, instruction);
  if (base === economy.wrapped || quote === economy.wrapped) tx.unwrap(owner);
  recordLiquidity(tx, pool, owner, instruction, "ACTIVITY_TOKEN_REMOVE_LIQ", [baseAmount, quoteAmount]);
  if (!tx.commit()) return false;
  pool.shares -= shares;
  return true;
}

function recordLiquidity(
  tx: Transaction,
  pool: Pool,
  owner: Account,
  instruction: number,
  type: "ACTIVITY_TOKEN_ADD_LIQ" | "ACTIVITY_TOKEN_REMOVE_LIQ",
  [baseAmount, quoteAmount]: readonly [bigint, bigint],
): void {
  const baseSide = { token: pool.base, amount: baseAmount };
  const quoteSide = { token: pool.quote, amount: quoteAmount };
  const value = pool.quote.value(quoteAmount) * 2n;
  const route = tx.activities.createRoute({
    pool: pool.account,
    program: pool.program,
    trade: false,
    in: baseSide,
    out: quoteSide,
    value,
  });
  const parties = { from: owner, to: pool.account, platform: pool.program };
  tx.key(pool.account, WRITABLE, instruction);
  tx.activities.addDefi({ instruction, type, ...parties, in: baseSide, out: quoteSide, value, routes: [route] });
}
