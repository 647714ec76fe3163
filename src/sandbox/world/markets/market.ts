/** The market: tokens, what they should cost, the pools that they trade in, and swaps. */
import { DAY_SECONDS } from "../../../base/index.ts";
import type { RouteFact } from "../../source/source.ts";
import type { Account, Token } from "../economy/accounts.ts";
import type { Economy } from "../economy/economy.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import type { SendOptions, Transaction } from "../economy/transaction.ts";
import type { Random } from "../random.ts";
import { type Pool, settlePrice } from "./pools.ts";

/** A token on the market. */
export interface Listing {
  readonly token: Token;
  readonly pools: Pool[];
  /** What people think it is worth, in dollars; wanders. */
  reference: number;
  /** Where it wanders about; of what follows another, its part of that one's. */
  readonly anchor: number;
  /** Usual change in a day, as a part of the price. */
  readonly volatility: number;
  moved: number;
  /** What it is made of, like staked SOL: the reference follows that one's. */
  readonly follows: Listing | undefined;
}

/** A step of a swap: the pools that it goes through, with their parts of the amount. */
export interface Hop {
  readonly token: Token;
  readonly pools: readonly Pool[];
}

/** How a swap is made. */
export interface Swap {
  readonly trader: Account;
  readonly hops: readonly Hop[];
  readonly amount: bigint;
  readonly sending?: SendOptions;
  /** Why it fails. */
  readonly failure?: string | undefined;
  /** Keeps wrapped SOL in its token account, as machines do. */
  readonly wrapped?: boolean;
}

/** Tokens, prices and pools. */
export class Market {
  readonly economy: Economy;
  readonly random: Random;
  /** Every traded token, the most popular first. */
  readonly listings: Listing[] = [];
  readonly pools: Pool[] = [];
  /** All fungible tokens by symbol: `market.token("USDC")`; the first of its symbol. */
  readonly #symbols = new Map<string, Token>();
  readonly #listings = new Map<Token, Listing>();
  usdc: Token;

  constructor(economy: Economy, random: Random) {
    this.economy = economy;
    this.random = random;
    this.usdc = economy.sol;
  }

  /** Makes a token known by its symbol. */
  know(token: Token): void {
    const { symbol } = token.spec;
    if (!this.#symbols.has(symbol)) this.#symbols.set(symbol, token);
  }

  /** A well-known token (`SOL` is native, `WSOL` wrapped SOL); undefined where the world is too small for it. */
  token(symbol: string): Token | undefined {
    if (symbol === "SOL") return this.economy.sol;
    return symbol === "WSOL" ? this.economy.wrapped : this.#symbols.get(symbol);
  }

  /** Puts a token on the market: it needs a pool next. */
  list(token: Token, reference: number, volatility: number, follows?: Listing): Listing {
    const moved = this.economy.position.time;
    const anchor = follows ? reference / follows.reference : reference;
    const listing: Listing = { token, pools: [], reference, anchor, volatility, moved, follows };
    this.listings.push(listing);
    this.#listings.set(token, listing);
    return listing;
  }

  listing(token: Token): Listing | undefined {
    return this.#listings.get(token);
  }

  /** Adds a pool that was created. */
  add(pool: Pool): void {
    this.pools.push(pool);
    this.listing(pool.base)?.pools.push(pool);
  }

  /** Lets the reference wander for the time since it last did, and gives it. */
  reference(listing: Listing): number {
    if (listing.follows) return this.reference(listing.follows) * listing.anchor;
    const { time } = this.economy.position;
    const elapsed = (time - listing.moved) / DAY_SECONDS;
    if (elapsed <= 0) return listing.reference;
    listing.moved = time;
    const step = this.random.spread() * listing.volatility * 2 * Math.sqrt(elapsed < 4 ? elapsed : 4);
    const pull = (listing.anchor / listing.reference - 1) * 0.02 * (elapsed < 1 ? elapsed : 1);
    const factor = 1 + step + (pull > 0.2 ? 0.2 : pull);
    listing.reference *= factor < 0.4 ? 0.4 : factor;
    return listing.reference;
  }

  /** How far a pool is below what its token should cost: 1.02 is two percent too cheap. */
  gap(pool: Pool): number {
    const listing = this.#listings.get(pool.base);
    return listing ? this.reference(listing) / pool.price : 1;
  }

  /** Swaps in a transaction of its own. @returns what came out; 0 when it failed */
  swap(swap: Swap): bigint {
    const { trader, hops, amount } = swap;
    const { wrapped } = this.economy;
    const tx = this.economy.begin(trader, swap.sending);
    const first = hops[0] as Hop;
    if (first.token === wrapped && !swap.wrapped) tx.wrap(trader, amount);
    for (const { token, pools } of hops) tx.openTokenAccount(trader, (pools[0] as Pool).other(token));
    const direct = hops.length === 1 && first.pools.length === 1;
    const out = direct ? this.#direct(tx, trader, first, amount) : this.#routed(tx, trader, hops, amount);
    const last = hops.at(-1) as Hop;
    const target = (last.pools[0] as Pool).other(last.token);
    if (!swap.wrapped && (first.token === wrapped || target === wrapped)) tx.unwrap(trader);
    if (swap.failure !== undefined) {
      tx.fail(swap.failure);
      return 0n;
    }
    return tx.commit() ? out : 0n;
  }

  #direct(tx: Transaction, trader: Account, { token, pools }: Hop, amount: bigint): bigint {
    const pool = pools[0] as Pool;
    const instruction = tx.instruction(pool.program, this.#type(pool, token), `${pool.exchange.label}:swap`);
    const [route, out] = this.leg(tx, trader, pool, token, amount, instruction);
    tx.activities.addDefi({
      instruction,
      type: "ACTIVITY_TOKEN_SWAP",
      from: trader,
      to: pool.account,
      platform: pool.program,
      in: { token, amount },
      out: { token: pool.other(token), amount: out },
      value: route.value,
      routes: [route],
    });
    return out;
  }

  #routed(tx: Transaction, trader: Account, hops: readonly Hop[], amount: bigint): bigint {
    const { jupiter } = this.economy.programs;
    const top = tx.instruction(jupiter, "sharedAccountsRoute", "jupiter:aggregateSwap");
    const routes: RouteFact[] = [];
    let current = amount;
    let target = (hops[0] as Hop).token;
    for (const hop of hops) {
      const [route, out] = this.#hop(tx, trader, hop, current, top);
      routes.push(route);
      current = out;
      target = (hop.pools[0] as Pool).other(hop.token);
    }
    tx.activities.addDefi({
      instruction: top,
      type: "ACTIVITY_AGG_TOKEN_SWAP",
      from: trader,
      to: jupiter,
      platform: jupiter,
      in: { token: (hops[0] as Hop).token, amount },
      out: { token: target, amount: current },
      value: (routes[0] as RouteFact).value,
      routes,
    });
    return current;
  }

  /** One hop; over more than one pool it is a route of the aggregator with the pools as its children. */
  #hop(tx: Transaction, trader: Account, hop: Hop, amount: bigint, top: number): readonly [RouteFact, bigint] {
    const { jupiter } = this.economy.programs;
    const { token, pools } = hop;
    const children: RouteFact[] = [];
    let [left, out, value] = [amount, 0n, 0n];
    for (const [index, pool] of pools.entries()) {
      const part = index === pools.length - 1 ? left : (left * 3n) / 5n;
      left -= part;
      const inner = tx.instruction(pool.program, this.#type(pool, token), `${pool.exchange.label}:swap`, top);
      const [route, received] = this.leg(tx, trader, pool, token, part, inner);
      children.push(route);
      out += received;
      value += route.value;
    }
    if (children.length === 1) return [children[0] as RouteFact, out];
    const received = { token: (pools[0] as Pool).other(token), amount: out };
    const given = { token, amount };
    return [
      tx.activities.createRoute({
        pool: jupiter,
        program: jupiter,
        trade: false,
        in: given,
        out: received,
        value,
        children,
      }),
      out,
    ];
  }

  #type(pool: Pool, token: Token): string {
    return pool.exchange.swap === "sell" && token !== pool.base ? "buy" : pool.exchange.swap;
  }

  /**
   * The transfers of a swap in one pool, as inner instructions of `parent`: what goes in, what comes out.
   * @returns its route and the amount that came out
   */
  leg(
    tx: Transaction,
    trader: Account,
    pool: Pool,
    token: Token,
    amount: bigint,
    parent: number = TOP_LEVEL,
  ): readonly [RouteFact, bigint] {
    const target = pool.other(token);
    const out = pool.out(token, amount);
    const value = token.price > 0 ? token.value(amount) : target.value(out);
    tx.transferToken(trader, pool.vault(token), token, amount, parent);
    tx.transferToken(pool.vault(target), trader, target, out, parent);
    const prices = settlePrice(this.economy, tx, pool);
    const given = { token, amount };
    const received = { token: target, amount: out };
    const venue = { pool: pool.account, program: pool.program, trade: true, in: given, out: received, value };
    return [tx.activities.createRoute(prices ? { ...venue, prices } : venue), out];
  }
}
