/** Stakers: native stakes, SOL for liquid staking tokens, and tokens locked for votes. */
import { Rotation, type WeightedAction } from "../actors/rotation.ts";
import { lamports } from "../actors/wallets.ts";
import type { Actor, WorldContext } from "../context.ts";
import type { Account, Holding, Token } from "../economy/accounts.ts";
import { recordVenueActivity } from "../markets/venues.ts";
import type { Random } from "../random.ts";
import { NativeStaking } from "./native.ts";

/** Share of all calls of actors, in thousandths. */
const WEIGHT = 32;
const FEE_RESERVE = lamports(0.1);
/** Number of random users that are checked for a token. */
const PICK_ATTEMPTS = 25;
/** Initial prices of liquid staking tokens, in ten-thousandths of a SOL. */
const RATES: Readonly<Record<string, bigint>> = { mSOL: 13_050n, JitoSOL: 12_254n };

interface LiquidPool {
  readonly program: Account;
  readonly label: string;
  readonly token: Token;
  readonly reserve: Account;
  readonly rate: bigint;
  readonly stake: string;
  readonly unstake: string;
}

interface Locker {
  readonly program: Account;
  readonly label: string;
  readonly token: Token;
  readonly account: Account;
  readonly vault: Holding;
  /** Locked amounts by owner. */
  readonly locked: Map<Account, bigint>;
}

/** The staking pools and lockers of a world. */
class PooledStaking {
  readonly #context: WorldContext;
  readonly #random: Random;
  #pools: readonly LiquidPool[] = [];
  #lockers: readonly Locker[] = [];

  constructor(context: WorldContext, random: Random) {
    this.#context = context;
    this.#random = random;
  }

  /** The actions of stakers. */
  get actions(): readonly WeightedAction[] {
    return [
      { weight: 16, act: () => this.#stake() },
      { weight: 10, act: () => this.#unstake() },
      { weight: 10, act: () => this.#lock() },
      { weight: 6, act: () => this.#unlock() },
    ];
  }

  /** Opens pools and lockers for the tokens of the world. */
  open(): void {
    const { economy, market } = this.#context;
    const { marinade, stakePool, jupiterVote, governance } = economy.programs;
    const liquid = (
      symbol: string,
      program: Account,
      label: string,
      names: readonly [string, string],
    ): LiquidPool[] => {
      const token = market.token(symbol);
      const rate = RATES[symbol] ?? 10_000n;
      const [stake, unstake] = names;
      if (!token) return [];
      return [{ program, label, token, rate, reserve: economy.programAccount("account", program), stake, unstake }];
    };
    this.#pools = [
      ...liquid("mSOL", marinade, "marinade", ["deposit", "liquidUnstake"]),
      ...liquid("JitoSOL", stakePool, "stake_pool", ["depositSol", "withdrawSol"]),
    ];
    this.#lockers = [
      ...this.#locker("JUP", jupiterVote, "jupiter_vote"),
      ...this.#locker("PYTH", governance, "spl_governance"),
    ];
    for (const { reserve, token } of this.#pools) {
      economy.label(reserve, { label: `${token.spec.name}: Reserve`, tags: ["stake_pool"], type: "address" });
    }
  }

  #locker(symbol: string, program: Account, label: string): Locker[] {
    const { economy, market, wallets } = this.#context;
    const token = market.token(symbol);
    if (!token) return [];
    const account = economy.programAccount("account", program);
    const tx = economy.begin(wallets.pickWithSol(FEE_RESERVE));
    const index = tx.instruction(program, "newLocker", `${label}:newLocker`);
    const vault = tx.openVault(account, token, index);
    if (!tx.commit()) return [];
    economy.label(account, { label: `${symbol}: Locker`, tags: ["staking"], type: "address" });
    return [{ program, label, token, account, vault, locked: new Map() }];
  }

  #stake(): boolean {
    const { economy, wallets } = this.#context;
    if (this.#pools.length === 0) return false;
    const pool = this.#random.pick(this.#pools);
    const amount = lamports(this.#random.heavyTailed(0.2, 900));
    const user = wallets.pickWithSol(amount + FEE_RESERVE);
    const shares = (amount * 10_000n) / pool.rate;
    const tx = economy.begin(user, { priority: 5000, lookup: true });
    tx.openTokenAccount(user, pool.token);
    const index = tx.instruction(pool.program, pool.stake, `${pool.label}:${pool.stake}`);
    tx.transferSol(user, pool.reserve, amount, index);
    tx.mint(pool.token, user, shares, index);
    const legs = { in: { token: economy.sol, amount }, out: { token: pool.token, amount: shares } };
    recordVenueActivity(tx, {
      type: "ACTIVITY_LST_STAKE",
      instruction: index,
      user,
      account: pool.reserve,
      program: pool.program,
      ...legs,
    });
    return tx.commit();
  }

  /** Returns a random user who owns a token, if one is found. */
  #findHolder(token: Token): Account | undefined {
    for (let attempt = 0; attempt < PICK_ATTEMPTS; attempt++) {
      const user = this.#context.wallets.pickUser();
      const holding = user.holdings.get(token);
      if (holding?.open && holding.amount > 0n) return user;
    }
    return undefined;
  }

  #unstake(): boolean {
    const { economy, wallets } = this.#context;
    if (this.#pools.length === 0) return false;
    const pool = this.#random.pick(this.#pools);
    const user = this.#findHolder(pool.token);
    const balance = user?.holdings.get(pool.token)?.amount ?? 0n;
    const maximum = (pool.reserve.lamports * 10_000n * 9n) / (pool.rate * 10n);
    const whole = this.#random.chance(0.4) ? balance : balance / 3n;
    const shares = whole < maximum ? whole : maximum;
    if (!user || shares <= 0n) return false;
    const amount = (shares * pool.rate) / 10_000n;
    const tx = economy.begin(wallets.ensureFunds(user, FEE_RESERVE));
    const index = tx.instruction(pool.program, pool.unstake, `${pool.label}:${pool.unstake}`);
    tx.burn(pool.token, user, shares, index);
    tx.transferSol(pool.reserve, user, amount, index);
    const legs = { in: { token: pool.token, amount: shares }, out: { token: economy.sol, amount } };
    recordVenueActivity(tx, {
      type: "ACTIVITY_LST_UNSTAKE",
      instruction: index,
      user,
      account: pool.reserve,
      program: pool.program,
      ...legs,
    });
    return tx.commit();
  }

  /** Returns a user who owns a token, received from an exchange if necessary. */
  #findOrFundHolder(token: Token): Account {
    const holder = this.#findHolder(token);
    if (holder) return holder;
    const { economy, wallets } = this.#context;
    const exchange = wallets.pickExchange();
    const user = wallets.pickWithSol(FEE_RESERVE);
    const tx = economy.begin(exchange);
    tx.transferToken(exchange, user, token, token.amountWorth(this.#random.heavyTailed(40, 4000)));
    tx.commit();
    return user;
  }

  #lock(): boolean {
    const { economy, wallets } = this.#context;
    if (this.#lockers.length === 0) return false;
    const { program, label, token, account, vault, locked } = this.#random.pickEarly(this.#lockers);
    const user = wallets.ensureFunds(this.#findOrFundHolder(token), FEE_RESERVE);
    const amount = ((user.holdings.get(token)?.amount ?? 0n) * BigInt(this.#random.integer(2, 9))) / 10n;
    if (amount <= 0n) return false;
    const tx = economy.begin(user);
    const index = tx.instruction(program, "increaseLockedAmount", `${label}:stake`);
    tx.transferToken(user, vault, token, amount, index);
    const legs = { in: { token, amount } };
    recordVenueActivity(tx, { type: "ACTIVITY_SPL_TOKEN_STAKE", instruction: index, user, account, program, ...legs });
    if (!tx.commit()) return false;
    locked.set(user, (locked.get(user) ?? 0n) + amount);
    return true;
  }

  #unlock(): boolean {
    const { economy, wallets } = this.#context;
    const locker = this.#lockers.find(({ locked }) => locked.size > 0);
    if (!locker) return false;
    const { program, label, token, account, vault, locked } = locker;
    const [user, balance] = this.#random.pick([...locked]);
    const amount = this.#random.chance(0.5) ? balance : balance / 2n;
    if (amount <= 0n) return false;
    const tx = economy.begin(wallets.ensureFunds(user, FEE_RESERVE));
    const index = tx.instruction(program, "withdraw", `${label}:unstake`);
    tx.transferToken(vault, user, token, amount, index);
    const legs = { in: { token, amount } };
    recordVenueActivity(tx, {
      type: "ACTIVITY_SPL_TOKEN_UNSTAKE",
      instruction: index,
      user,
      account,
      program,
      ...legs,
    });
    if (!tx.commit()) return false;
    if (amount === balance) locked.delete(user);
    else locked.set(user, balance - amount);
    return true;
  }
}

/** Returns the stakers. */
export function createStakers(context: WorldContext): Actor {
  const random = context.random.fork("staking");
  const native = new NativeStaking(context, random);
  const pooled = new PooledStaking(context, random);
  const rotation = new Rotation(context.economy, random, [...native.actions, ...pooled.actions]);
  return {
    weight: WEIGHT,
    act: () => rotation.act(),
    open() {
      native.open();
      pooled.open();
    },
    epoch: () => native.epoch(),
  };
}
