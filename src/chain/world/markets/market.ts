/** The market: listed tokens with their reference prices, swaps, and the liquidity of pools. */
import { DAY_SECONDS } from "../../../base/index.ts";
import { TIP_ACCOUNTS } from "../../../catalogue/index.ts";
import type { RouteFact } from "../../ledger/index.ts";
import { type AccountLayout, POOL_LAYOUTS, rentOfLayout, sqrtPriceX64 } from "../../solana/index.ts";
import { PROGRAMS, type ProgramName } from "../data/programs.ts";
import type { Account, Holding, Token } from "../economy/accounts.ts";
import type { DefiActivityType } from "../economy/activities.ts";
import { OUT_OF_UNITS, type SendOptions } from "../economy/draft.ts";
import type { Economy } from "../economy/economy.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import type { Roles } from "../economy/roles.ts";
import type { Transaction } from "../economy/transaction.ts";
import type { WorldRoute } from "../facts.ts";
import type { Random } from "../random.ts";
import { type ExchangeName, exchangeOf } from "./exchanges.ts";
import { orderTokens, poolAddresses, pricePoint } from "./pool-addresses.ts";
import { Pool, settlePrice } from "./pools.ts";

/** A listed token. */
export interface Listing {
  readonly token: Token;
  readonly pools: Pool[];
  /** Dollars; a random walk that the pools follow. */
  referencePrice: number;
  /** Center of the random walk; for tokens that follow another one, the ratio of the prices. */
  readonly anchor: number;
  /** Typical daily change, as a fraction of the price. */
  readonly volatility: number;
  updatedAt: number;
  /** Listing whose price this one follows: SOL for staked SOL. */
  readonly follows: Listing | undefined;
}

/** A step of a swap: the token that is sold and the pools that share it. */
export interface Hop {
  readonly token: Token;
  readonly pools: readonly Pool[];
}

/** How a swap fails. */
export type SwapFailure = "slippage" | "units";

/** Code of the error of the Jupiter aggregator for too little output. */
const JUPITER_SLIPPAGE = 6001;

interface Swap {
  readonly trader: Account;
  readonly hops: readonly Hop[];
  readonly amount: bigint;
  readonly sendOptions?: SendOptions;
  /** How the swap fails: too little output, or not enough compute units. */
  readonly failure?: SwapFailure | undefined;
  /** Lamports of the tip for a Jito bundle, if the swap succeeds: bundles that would fail are not executed. */
  readonly tip?: bigint | undefined;
  /** Whether the aggregator is called even for a single pool. */
  readonly isRouted?: boolean;
  /** Whether the trader uses wrapped SOL and does not unwrap it, as bots do. */
  readonly wrapped?: boolean;
}

type SwapResult = readonly [instruction: number, out: bigint];

/** All listed tokens and pools. */
export class Market {
  readonly economy: Economy;
  readonly random: Random;
  /** All listed tokens, the most popular first. */
  readonly listings: Listing[] = [];
  readonly pools: Pool[] = [];
  /** The first fungible token of each symbol. */
  readonly #symbols = new Map<string, Token>();
  readonly #listings = new Map<Token, Listing>();
  usdc: Token;

  constructor(economy: Economy, random: Random) {
    this.economy = economy;
    this.random = random;
    this.usdc = economy.sol;
  }

  /** Registers a token under its symbol, unless the symbol is in use. */
  registerSymbol(token: Token): void {
    const { symbol } = token.spec;
    if (!this.#symbols.has(symbol)) this.#symbols.set(symbol, token);
  }

  /** Returns a token by symbol (`SOL` is native SOL, `WSOL` wrapped SOL); undefined if the world does not have it. */
  token(symbol: string): Token | undefined {
    if (symbol === "SOL") return this.economy.sol;
    return symbol === "WSOL" ? this.economy.wrapped : this.#symbols.get(symbol);
  }

  /** Lists a token, which needs a pool next. */
  listToken(token: Token, price: number, volatility: number, follows?: Listing): Listing {
    const updatedAt = this.economy.position.time;
    const anchor = follows ? price / follows.referencePrice : price;
    const listing = { token, pools: [], referencePrice: price, anchor, volatility, updatedAt, follows };
    this.listings.push(listing);
    this.#listings.set(token, listing);
    return listing;
  }

  listing(token: Token): Listing | undefined {
    return this.#listings.get(token);
  }

  addPool(pool: Pool): void {
    this.pools.push(pool);
    this.listing(pool.base)?.pools.push(pool);
  }

  /** Continues the random walk of a price up to the current block and returns the price. */
  updateReference(listing: Listing): number {
    if (listing.follows) return this.updateReference(listing.follows) * listing.anchor;
    const { time } = this.economy.position;
    const elapsed = (time - listing.updatedAt) / DAY_SECONDS;
    if (elapsed <= 0) return listing.referencePrice;
    listing.updatedAt = time;
    const step = this.random.spread() * listing.volatility * 2 * Math.sqrt(elapsed < 4 ? elapsed : 4);
    const pull = (listing.anchor / listing.referencePrice - 1) * 0.02 * (elapsed < 1 ? elapsed : 1);
    const factor = 1 + step + (pull > 0.2 ? 0.2 : pull);
    listing.referencePrice *= factor < 0.4 ? 0.4 : factor;
    return listing.referencePrice;
  }

  /** Returns the reference price divided by the price of a pool: 1.02 means that the pool is two percent too cheap. */
  priceGap(pool: Pool): number {
    const listing = this.#listings.get(pool.base);
    return listing ? this.updateReference(listing) / pool.price : 1;
  }

  /** Swaps in a separate transaction. Returns the amount received; 0 if it failed. */
  swap(swap: Swap): bigint {
    const { trader, amount } = swap;
    const hops = fitHops(swap.hops);
    if (!hops) return 0n;
    const { wrapped } = this.economy;
    const tx = this.economy.begin(trader, { usesLookupTable: true, ...swap.sendOptions });
    const first = hops[0] as Hop;
    if (first.token === wrapped && !swap.wrapped) tx.wrap(trader, amount);
    for (const { token, pools } of hops) tx.openTokenAccount(trader, (pools[0] as Pool).otherToken(token));
    const direct = !swap.isRouted && swap.hops.length === 1 && swap.hops[0]?.pools.length === 1;
    const [instruction, out] = direct
      ? this.#swapDirect(tx, trader, first, amount)
      : this.#swapRouted(tx, trader, hops, amount, swap.failure === undefined);
    const target = outputOf(hops.at(-1) as Hop);
    if (!swap.wrapped && (first.token === wrapped || target === wrapped)) tx.unwrap(trader);
    if (swap.failure === "units") tx.fail(OUT_OF_UNITS);
    else if (swap.failure === "slippage") {
      tx.failAt(instruction, direct ? (first.pools[0] as Pool).exchange.slippageError : JUPITER_SLIPPAGE);
    }
    if (swap.failure !== undefined) return 0n;
    if (swap.tip !== undefined) this.tip(tx, trader, swap.tip);
    return tx.commit() ? out : 0n;
  }

  /** Adds the tip for a Jito bundle, the last instruction of a transaction. */
  tip(tx: Transaction, from: Account, lamports: bigint): void {
    const { jitoTips } = this.economy.programs;
    tx.transferSol(from, this.economy.programAccount("account", jitoTips, this.random.pick(TIP_ACCOUNTS)), lamports);
  }

  #swapDirect(tx: Transaction, trader: Account, { token, pools }: Hop, amount: bigint): SwapResult {
    const pool = pools[0] as Pool;
    const instruction = this.#callPool(tx, trader, pool, token);
    const [route, out] = this.swapInPool(tx, trader, pool, token, amount, instruction);
    const parties = { from: trader, to: pool.account, platform: pool.program };
    const legs = { in: { token, amount }, out: { token: pool.otherToken(token), amount: out } };
    const { value } = route;
    tx.activities.addDefi({ instruction, type: "ACTIVITY_TOKEN_SWAP", ...parties, ...legs, value, routes: [route] });
    return [instruction, out];
  }

  #swapRouted(tx: Transaction, trader: Account, hops: readonly Hop[], amount: bigint, succeeds: boolean): SwapResult {
    const { jupiter } = this.economy.programs;
    const [source, target] = [(hops[0] as Hop).token, outputOf(hops.at(-1) as Hop)];
    const instruction = tx.call(jupiter, "sharedAccountsRoute", "jupiter:aggregateSwap", {
      user: trader,
      ...{ userIn: tx.holding(trader, source).account, mintIn: source.account, programIn: source.program },
      ...{ userOut: tx.holding(trader, target).account, mintOut: target.account, programOut: target.program },
    });
    const routes: WorldRoute[] = [];
    let current = { token: (hops[0] as Hop).token, amount };
    for (const hop of hops) {
      const [route, out] = this.#swapHop(tx, trader, hop, current.amount, instruction, succeeds);
      routes.push(route);
      current = { token: (hop.pools[0] as Pool).otherToken(hop.token), amount: out };
    }
    const parties = { from: trader, to: jupiter, platform: jupiter };
    const legs = { in: { token: (hops[0] as Hop).token, amount }, out: current };
    const { value } = routes[0] as WorldRoute;
    tx.activities.addDefi({ instruction, type: "ACTIVITY_AGG_TOKEN_SWAP", ...parties, ...legs, value, routes });
    return [instruction, current.amount];
  }

  /** Swaps one hop; several pools become the children of one route of the aggregator. */
  #swapHop(tx: Transaction, trader: Account, { token, pools }: Hop, amount: bigint, top: number, succeeds: boolean) {
    const { jupiter } = this.economy.programs;
    const children: WorldRoute[] = [];
    let [remaining, out, value] = [amount, 0n, 0n];
    for (const [index, pool] of pools.entries()) {
      const part = index === pools.length - 1 ? remaining : (remaining * 3n) / 5n;
      remaining -= part;
      const inner = this.#callPool(tx, trader, pool, token, top);
      const [route, received] = this.swapInPool(tx, trader, pool, token, part, inner);
      if (succeeds) tx.emitEvent(top);
      children.push(route);
      out += received;
      value += route.value;
    }
    if (children.length === 1) return [children[0] as WorldRoute, out] as const;
    const legs = { in: { token, amount }, out: { token: (pools[0] as Pool).otherToken(token), amount: out } };
    const route = { pool: jupiter, program: jupiter, isTrade: false, ...legs, value, children };
    return [tx.activities.createRoute(route), out] as const;
  }

  #callPool(tx: Transaction, trader: Account, pool: Pool, token: Token, parent?: number): number {
    const { program, exchange, base } = pool;
    const type = exchange.swap === "sell" && token !== base ? "buy" : exchange.swap;
    const target = pool.otherToken(token);
    const roles = {
      ...userRoles(tx, pool, trader),
      ...{ mintIn: token.account, vaultIn: pool.vault(token).account, userIn: tx.holding(trader, token).account },
      ...{ mintOut: target.account, vaultOut: pool.vault(target).account, userOut: tx.holding(trader, target).account },
      ...pool.pricePoint(token)?.arrays,
    };
    return tx.call(program, type, `${exchange.label}:swap`, roles, parent);
  }

  /** Adds the transfers of a swap in one pool, called by `parent`. Returns the route and the amount received. */
  swapInPool(tx: Transaction, trader: Account, pool: Pool, token: Token, amount: bigint, parent: number = TOP_LEVEL) {
    const target = pool.otherToken(token);
    const out = pool.amountOut(token, amount);
    const value = token.price > 0 ? token.value(amount) : target.value(out);
    const startBinId = pool.pricePoint()?.tick ?? 0;
    tx.transferToken(trader, pool.vault(token), token, amount, parent);
    tx.transferToken(pool.vault(target), trader, target, out, parent);
    if (pool.exchange.name === "meteora") tx.emitEvent(parent, { startBinId, endBinId: pool.pricePoint()?.tick ?? 0 });
    const prices = settlePrice(this.economy, tx, pool);
    const input = { token, amount };
    const received = { token: target, amount: out };
    const venue = { pool: pool.account, program: pool.program, isTrade: true, in: input, out: received, value, prices };
    return [tx.activities.createRoute(venue), out] as const;
  }
}

/**
 * Returns the hops of a swap that fit into a packet of the network: of the pools that are not in lookup tables yet, at most
 * one. Undefined if the route needs more.
 */
function fitHops(hops: readonly Hop[]): readonly Hop[] | undefined {
  let unlisted = 0;
  const fitting = hops.map(({ token, pools }) => {
    const kept = pools.filter(({ account }, index) => index === 0 || account.lookup !== undefined);
    if (kept[0]?.account.lookup === undefined) unlisted += 1;
    return { token, pools: kept };
  });
  return unlisted > 1 ? undefined : fitting;
}

const outputOf = ({ token, pools }: Hop): Token => (pools[0] as Pool).otherToken(token);

/** Returns the accounts of an instruction of a pool that a user calls. */
function userRoles(tx: Transaction, { roles, base, quote, exchange }: Pool, user: Account): Roles {
  const [first, second] = orderTokens(exchange.name, base, quote);
  return { ...roles, user, userA: tx.holding(user, first).account, userB: tx.holding(user, second).account };
}

/** Returns the lamports that a pool's account holds for its rent. */
export const poolRent = (program: ProgramName): bigint =>
  rentOfLayout(POOL_LAYOUTS[PROGRAMS[program].name] as AccountLayout);

const SEND = { priority: 5000, usesLookupTable: true };

interface PoolOptions {
  readonly exchange: ExchangeName;
  readonly creator: Account;
  readonly base: Token;
  readonly quote: Token;
  readonly baseAmount: bigint;
  readonly quoteAmount: bigint;
  /** Whether the pool determines the price of the base token. */
  readonly isMain: boolean;
  readonly address?: string | undefined;
  /** Owner of the vaults; the pool by default. */
  readonly authority?: Account | undefined;
  readonly sendOptions?: SendOptions;
}

/** Amounts of both tokens of a pool in base units. */
type Sides = readonly [base: bigint, quote: bigint];

/** Wraps the SOL that a pool takes, in the same transaction as wallets do. */
function wrapSol(tx: Transaction, { wrapped }: Economy, owner: Account, tokens: readonly Token[], sides: Sides): void {
  const side = tokens.indexOf(wrapped);
  if (side >= 0) tx.wrap(owner, sides[side] as bigint);
}

function logLiquidity(
  tx: Transaction,
  { account: pool, program, base, quote }: Pool,
  activity: { type: DefiActivityType; user: Account; instruction: number },
  [baseAmount, quoteAmount]: Sides,
  prices?: RouteFact["prices"],
): void {
  const legs = { in: { token: base, amount: baseAmount }, out: { token: quote, amount: quoteAmount } };
  const { type, user, instruction } = activity;
  const venue = { pool, program, isTrade: false, ...legs, value: quote.value(quoteAmount) * 2n };
  tx.activities.addVisit({ type, user, instruction, ...venue, prices });
}

function createLpToken(
  tx: Transaction,
  { base, quote, creator }: PoolOptions,
  authority: Account,
  account: Account | undefined,
  parent: number,
): Token {
  const symbol = `${base.spec.symbol}-${quote.spec.symbol}`;
  const spec = { name: `${symbol} LP`, symbol, kind: "fungible", reputation: 60, decimals: 9 } as const;
  return tx.createMint({ spec, creator, authority, account, parent });
}

/** Creates a pool with its first liquidity. Returns undefined when the creator could not pay. */
export function createPool(market: Market, options: PoolOptions): Pool | undefined {
  const { economy } = market;
  const { creator, base, quote, baseAmount, quoteAmount } = options;
  const exchange = exchangeOf(options.exchange);
  const program = economy.programs[exchange.program];
  const tokens = orderTokens(exchange.name, base, quote);
  const [first, second] = tokens;
  const mints = [first.account, second.account] as const;
  const {
    seeds,
    vaultSeeds,
    lpSeeds,
    market: book,
  } = poolAddresses(economy, exchange.name, { program, creator, mints });
  const account = options.address
    ? economy.programAccount("pool", program, options.address)
    : economy.derive(program, seeds, "pool");
  const authority = options.authority ?? account;
  const tx = economy.begin(creator, { usesLookupTable: true, ...options.sendOptions });
  wrapSol(tx, economy, creator, [base, quote], [baseAmount, quoteAmount]);
  for (const token of tokens) tx.openTokenAccount(creator, token);
  const [vaultA, vaultB] = tokens.map((token, side) => {
    if (exchange.name === "pump") return tx.holding(account, token);
    const vault = vaultSeeds?.(account, side === 0 ? "coin" : "pc", token.account);
    return economy.createVault(authority, token, vault && program, vault);
  }) as [Holding, Holding];
  const [baseVault, quoteVault] = base === first ? [vaultA, vaultB] : [vaultB, vaultA];
  const lpMint = lpSeeds && economy.derive(program, lpSeeds, "mint", economy.programs.token);
  const roles = {
    ...{ pool: account, authority, market: book, lpMint },
    ...{ mintA: first.account, vaultA: vaultA.account, programA: first.program },
    ...{ mintB: second.account, vaultB: vaultB.account, programB: second.program },
  };
  const [amountA, amountB] = base === first ? [baseAmount, quoteAmount] : [quoteAmount, baseAmount];
  const ratio = Number(amountB) / Number(amountA);
  const point = pricePoint(exchange.name, ratio, false);
  const [userA, userB] = tokens.map((token) => tx.holding(creator, token).account);
  const parties = { ...roles, user: creator, userA, userB, ...point?.arrays };
  const instruction = tx.call(
    program,
    exchange.create,
    `${exchange.label}:createPool`,
    parties,
    TOP_LEVEL,
    point && (exchange.name === "meteora" ? { activeId: point.tick } : { sqrtPrice: String(sqrtPriceX64(ratio)) }),
  );
  tx.createAccount(creator, account, poolRent(exchange.program), instruction);
  for (const vault of [vaultA, vaultB]) {
    if (vault.associated) tx.openTokenAccount(account, vault.token, instruction);
    else tx.openHolding(vault, instruction);
  }
  const lp = exchange.hasLpToken ? createLpToken(tx, options, authority, lpMint, instruction) : undefined;
  tx.transferToken(creator, baseVault, base, baseAmount, instruction);
  tx.transferToken(creator, quoteVault, quote, quoteAmount, instruction);
  const pool = new Pool(account, program, exchange, [baseVault, quoteVault], { lp, isMain: options.isMain, roles });
  const shares = BigInt(Math.floor(Math.sqrt(Number(baseAmount) * Number(quoteAmount))));
  if (lp) tx.mint(lp, creator, shares, instruction);
  if (pool.has(economy.wrapped)) tx.unwrap(creator);
  const activity = { type: "ACTIVITY_POOL_CREATE", user: creator, instruction } as const;
  logLiquidity(tx, pool, activity, [baseAmount, quoteAmount], settlePrice(economy, tx, pool));
  const { signature } = tx;
  if (!tx.commit()) return undefined;
  pool.shares = shares;
  economy.facts.pools.push({
    ...{ address: account.address, program: program.address, creator: creator.address, created: signature },
    ...{ token1: base.address, vault1: baseVault.account.address },
    ...{ token2: quote.address, vault2: quoteVault.account.address },
    ...{ feeBps: exchange.feeBps, lp: lp?.address },
  });
  market.addPool(pool);
  return pool;
}

/** Deposits an amount of the quote token and the matching amount of the base token. Returns shares; 0 if it failed. */
export function addLiquidity(market: Market, pool: Pool, owner: Account, quoteAmount: bigint): bigint {
  const { baseVault, quoteVault } = pool;
  const sides: Sides = [(quoteAmount * baseVault.amount) / quoteVault.amount, quoteAmount];
  const shares = (quoteAmount * pool.shares) / quoteVault.amount;
  return changeLiquidity(market, pool, owner, sides, shares) ? shares : 0n;
}

/** Withdraws shares from a pool. Returns whether it succeeded. */
export function removeLiquidity(market: Market, pool: Pool, owner: Account, shares: bigint): boolean {
  const { baseVault, quoteVault } = pool;
  const sides: Sides = [(shares * baseVault.amount) / pool.shares, (shares * quoteVault.amount) / pool.shares];
  return changeLiquidity(market, pool, owner, sides, -shares);
}

/** Number of prices of a position of Meteora. */
const POSITION_WIDTH = 70;

/** Returns the arguments of a change of liquidity around a price. */
const rangeArguments = (exchange: ExchangeName, tick: number, shares: bigint) =>
  exchange === "meteora"
    ? { activeId: tick, minBinId: tick - POSITION_WIDTH / 2, maxBinId: tick + POSITION_WIDTH / 2 - 1 }
    : { liquidity: String(shares) };

/** Moves both sides and changes the shares of a pool: more of them for a deposit, fewer for a withdrawal. */
function changeLiquidity({ economy }: Market, pool: Pool, owner: Account, sides: Sides, shares: bigint): boolean {
  const { base, quote, program, exchange, baseVault, quoteVault, lp } = pool;
  const isDeposit = shares > 0n;
  const tx = economy.begin(owner, SEND);
  if (isDeposit) wrapSol(tx, economy, owner, [base, quote], sides);
  for (const token of isDeposit ? [lp] : [base, quote]) if (token) tx.openTokenAccount(owner, token);
  const name = isDeposit ? "add" : "remove";
  const point = pool.pricePoint();
  const instruction = tx.call(
    program,
    exchange[name],
    `${exchange.label}:${name}Liquidity`,
    { ...userRoles(tx, pool, owner), ...point?.arrays },
    TOP_LEVEL,
    point && rangeArguments(exchange.name, point.tick, isDeposit ? shares : -shares),
  );
  for (const [at, vault] of [baseVault, quoteVault].entries()) {
    const [from, to] = isDeposit ? [owner, vault] : [vault, owner];
    tx.transferToken(from, to, vault.token, sides[at] as bigint, instruction);
  }
  if (lp && isDeposit) tx.mint(lp, owner, shares, instruction);
  else if (lp) tx.burn(lp, owner, -shares, instruction);
  if (pool.has(economy.wrapped)) tx.unwrap(owner);
  const type = isDeposit ? "ACTIVITY_TOKEN_ADD_LIQ" : "ACTIVITY_TOKEN_REMOVE_LIQ";
  logLiquidity(tx, pool, { type, user: owner, instruction }, sides);
  if (!tx.commit()) return false;
  pool.shares += shares;
  return true;
}
