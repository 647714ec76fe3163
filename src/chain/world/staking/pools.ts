/** Pooled staking: SOL for liquid staking tokens, and tokens locked for votes. */
import type { WeightedAction } from "../actors/rotation.ts";
import { lamports } from "../actors/wallets.ts";
import type { WorldContext } from "../context.ts";
import type { Account, Holding, Token } from "../economy/accounts.ts";
import { callVenue, type Venue } from "../markets/venues.ts";
import type { Random } from "../random.ts";

const FEE_RESERVE = lamports(0.1);
/** Number of random users that are checked for a token. */
const PICK_ATTEMPTS = 25;

/** Liquid staking tokens: their price in ten-thousandths of a SOL, and the instructions of their programs. */
const LIQUID_POOLS = [
  ["mSOL", "marinade", "marinade", 13_050n, "deposit", "liquidUnstake"],
  ["JitoSOL", "stakePool", "stake_pool", 12_254n, "depositSol", "withdrawSol"],
] as const;

const LOCKERS = [
  ["JUP", "jupiterVote", "jupiter_vote"],
  ["PYTH", "governance", "spl_governance"],
] as const;

interface LiquidPool extends Venue {
  readonly token: Token;
  readonly rate: bigint;
  readonly stake: string;
  readonly unstake: string;
}

interface Locker extends Venue {
  readonly token: Token;
  readonly vault: Holding;
  /** Locked amounts by owner. */
  readonly locked: Map<Account, bigint>;
}

/** Returns the actions of the users of staking pools and lockers, and a function that opens these. */
export function createPooledStaking(
  { economy, market, wallets }: WorldContext,
  random: Random,
): { readonly open: () => void; readonly actions: readonly WeightedAction[] } {
  let pools: readonly LiquidPool[] = [];
  let lockers: readonly Locker[] = [];

  const openPools = (): readonly LiquidPool[] =>
    LIQUID_POOLS.flatMap(([symbol, programName, label, rate, stake, unstake]) => {
      const token = market.token(symbol);
      const program = economy.programs[programName];
      if (!token) return [];
      return { program, label, token, rate, account: economy.programAccount("account", program), stake, unstake };
    });
  const openLockers = (): readonly Locker[] =>
    LOCKERS.flatMap(([symbol, programName, label]) => {
      const token = market.token(symbol);
      if (!token) return [];
      const program = economy.programs[programName];
      const account = economy.programAccount("account", program);
      const tx = economy.begin(wallets.pickWithSol(FEE_RESERVE));
      const vault = tx.openVault(account, token, tx.instruction(program, "newLocker", `${label}:newLocker`));
      if (!tx.commit()) return [];
      economy.label(account, { label: `${symbol}: Locker`, tags: ["staking"], type: "address" });
      return { program, label, token, account, vault, locked: new Map() };
    });
  /** Returns a random user who owns a token, if one is found. */
  const findHolder = (token: Token): Account | undefined => {
    for (let attempt = 0; attempt < PICK_ATTEMPTS; attempt++) {
      const user = wallets.pickUser();
      const holding = user.holdings.get(token);
      if (holding?.open && holding.amount > 0n) return user;
    }
    return undefined;
  };
  /** Returns a user who owns a token, received from an exchange if necessary. */
  const findOrFundHolder = (token: Token): Account => {
    const holder = findHolder(token);
    if (holder) return holder;
    const exchange = wallets.pickExchange();
    const user = wallets.pickWithSol(FEE_RESERVE);
    wallets.sendTokens(exchange, user, token, token.amountWorth(random.heavyTailed(40, 4000)));
    return user;
  };
  const stake = (): boolean => {
    if (pools.length === 0) return false;
    const venue = random.pick(pools);
    const paid = { token: economy.sol, amount: lamports(random.heavyTailed(0.2, 900)) };
    const user = wallets.pickWithSol(paid.amount + FEE_RESERVE);
    const shares = { token: venue.token, amount: (paid.amount * 10_000n) / venue.rate };
    const moves = [
      { from: user, to: venue.account, ...paid },
      { to: user, ...shares },
    ];
    const visit = { venue, user, send: { priority: 5000, lookup: true }, opens: [venue.token] };
    return callVenue(economy, visit, [{ type: venue.stake, moves }], {
      type: "ACTIVITY_LST_STAKE",
      in: paid,
      out: shares,
    });
  };
  const unstake = (): boolean => {
    if (pools.length === 0) return false;
    const venue = random.pick(pools);
    const { token, rate, account } = venue;
    const user = findHolder(token);
    const balance = user?.balance(token) ?? 0n;
    const maximum = (account.lamports * 10_000n * 9n) / (rate * 10n);
    const part = random.chance(0.4) ? balance : balance / 3n;
    const shares = { token, amount: part < maximum ? part : maximum };
    if (!user || shares.amount <= 0n) return false;
    const received = { token: economy.sol, amount: (shares.amount * rate) / 10_000n };
    const moves = [
      { from: user, ...shares },
      { from: account, to: user, ...received },
    ];
    const visit = { venue, user: wallets.ensureFunds(user, FEE_RESERVE) };
    return callVenue(economy, visit, [{ type: venue.unstake, moves }], {
      type: "ACTIVITY_LST_UNSTAKE",
      in: shares,
      out: received,
    });
  };
  const lock = (): boolean => {
    if (lockers.length === 0) return false;
    const venue = random.pickEarly(lockers);
    const { token, vault, locked } = venue;
    const user = wallets.ensureFunds(findOrFundHolder(token), FEE_RESERVE);
    const amount = (user.balance(token) * BigInt(random.integer(2, 9))) / 10n;
    if (amount <= 0n) return false;
    const instruction = {
      type: "increaseLockedAmount",
      name: "stake",
      moves: [{ from: user, to: vault, token, amount }],
    };
    const activity = { type: "ACTIVITY_SPL_TOKEN_STAKE", in: { token, amount } } as const;
    if (!callVenue(economy, { venue, user }, [instruction], activity)) return false;
    locked.set(user, (locked.get(user) ?? 0n) + amount);
    return true;
  };
  const unlock = (): boolean => {
    const venue = lockers.find(({ locked }) => locked.size > 0);
    if (!venue) return false;
    const { token, vault, locked } = venue;
    const [user, balance] = random.pick([...locked]);
    const amount = random.chance(0.5) ? balance : balance / 2n;
    if (amount <= 0n) return false;
    wallets.ensureFunds(user, FEE_RESERVE);
    const instruction = { type: "withdraw", name: "unstake", moves: [{ from: vault, to: user, token, amount }] };
    const activity = { type: "ACTIVITY_SPL_TOKEN_UNSTAKE", in: { token, amount } } as const;
    if (!callVenue(economy, { venue, user }, [instruction], activity)) return false;
    if (amount === balance) locked.delete(user);
    else locked.set(user, balance - amount);
    return true;
  };
  return {
    /** Opens pools and lockers for the tokens of the world. */
    open() {
      pools = openPools();
      lockers = openLockers();
      for (const { account, token } of pools) {
        economy.label(account, { label: `${token.spec.name}: Reserve`, tags: ["stake_pool"], type: "address" });
      }
    },
    actions: [
      [16, stake],
      [10, unstake],
      [10, lock],
      [6, unlock],
    ],
  };
}
