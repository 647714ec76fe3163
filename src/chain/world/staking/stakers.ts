/** The stakers of a world: native stakes, SOL for liquid staking tokens, and tokens locked for votes. */
import { STAKE_ACCOUNT } from "../../../catalogue/index.ts";
import { lamports } from "../actors/wallets.ts";
import { type Actor, createRotation, type WeightedAction, type WorldContext } from "../context.ts";
import { STAKING_WHALE } from "../data/profiles.ts";
import type { Account, Stake, Token } from "../economy/accounts.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import type { Transaction } from "../economy/transaction.ts";
import { callVenue, readVenueRoles } from "../markets/venues.ts";
import type { Random } from "../random.ts";
import {
  createStake,
  deactivateStake,
  mergeStake,
  payRewards,
  STAKE_RENT,
  splitStake,
  withdrawStake,
  withdrawVote,
} from "./stakes.ts";

/** Number of stake accounts of the whale. */
const WHALE_STAKES = 60;
/** Number of initial stakes of other users at size 1. */
const OTHER_STAKES = 90;
/** Share of their lamports that cold wallets stake, in thousandths. */
const COLD_WALLET_SHARE = 820;
/** Lamports of the sample stake of the documentation. */
const SAMPLE_STAKE = lamports(312_447.118203);
/** Minimum delegation after a split, in lamports. */
const MIN_DELEGATION = lamports(0.5);
/** Lamports that remain in vote accounts. */
const VOTE_RESERVE = lamports(0.05);
const FEE_RESERVE = lamports(0.1);

/** Creates the initial stakes. Returns the native stakes of a world that are not empty, and the actions of their owners. */
function createNativeStaking({ economy, wallets, validators, size }: WorldContext, random: Random) {
  const stakes = new Set<Stake>();
  /** Stakes that remain active all the time. */
  const permanent = new Set<Stake | undefined>();
  let sum = 0;
  const cumulative = validators.map(({ share }) => (sum += share));
  const pickVoter = (): Account => random.pickWeighted(validators, cumulative).vote;

  const delegate = (owner: Account, amount: bigint, voter: Account, address?: string): Stake | undefined => {
    const tx = economy.begin(owner, { priority: 1000 });
    const stake = createStake(economy, tx, { lamports: amount, voter, address });
    if (!tx.commit()) return undefined;
    stakes.add(stake);
    return stake;
  };
  const create = (): Stake | undefined => {
    const amount = lamports(random.roundSometimes(random.heavyTailed(2, 9000)));
    return delegate(wallets.pickWithSol(amount + FEE_RESERVE), amount, pickVoter());
  };
  /** Sends a transaction of an account, which is funded for the fee. */
  const transact = (payer: Account, build: (tx: Transaction) => void): boolean =>
    economy.send(wallets.ensureFunds(payer, FEE_RESERVE), build);
  const find = (fits: (stake: Stake) => boolean): Stake | undefined => {
    const fitting = [...stakes].filter((stake) => !permanent.has(stake) && fits(stake));
    return fitting.length > 0 ? random.pick(fitting) : undefined;
  };
  const findActive = (minimum: bigint): Stake | undefined =>
    find(({ deactivationEpoch, delegated }) => deactivationEpoch === undefined && delegated >= minimum);

  const deactivate = (stake: Stake | undefined): boolean =>
    stake !== undefined && transact(stake.staker, (tx) => deactivateStake(economy, tx, stake));
  /** Withdraws everything from a stake that has cooled down, or immediately from one that was never active. */
  const withdraw = (): boolean => {
    const { epoch } = economy;
    let stake = find(({ deactivationEpoch }) => deactivationEpoch !== undefined && deactivationEpoch < epoch);
    if (!stake) {
      stake = find(({ activationEpoch }) => activationEpoch === epoch) ?? create();
      if (!stake || (stake.deactivationEpoch === undefined && !deactivate(stake))) return false;
    }
    const { withdrawer: to, account } = stake;
    const isEmptied = transact(to, (tx) => withdrawStake(economy, tx, stake, { to, lamports: account.lamports }));
    return isEmptied && stakes.delete(stake);
  };
  const split = (stake: Stake | undefined): Stake | undefined => {
    if (!stake) return undefined;
    const tx = economy.begin(wallets.ensureFunds(stake.staker, FEE_RESERVE));
    const part = splitStake(economy, tx, stake, (stake.delegated * BigInt(random.integer(20, 60))) / 100n);
    if (!tx.commit()) return undefined;
    stakes.add(part);
    return part;
  };
  /** Merges two stakes with the same staker, validator and activation epoch; splits one first if necessary. */
  const merge = (): boolean => {
    const target = findActive(MIN_DELEGATION * 4n);
    if (!target) return false;
    const isAlike = (stake: Stake): boolean =>
      stake !== target &&
      stake.staker === target.staker &&
      stake.voter === target.voter &&
      stake.deactivationEpoch === undefined &&
      stake.activationEpoch === target.activationEpoch;
    const source = find(isAlike) ?? split(target);
    if (!source) return false;
    return transact(target.staker, (tx) => mergeStake(economy, tx, source, target)) && stakes.delete(source);
  };
  /** Pays the commission of a validator out of its vote account. */
  const withdrawCommission = (): boolean => {
    const { identity, vote } = random.pick(validators);
    if (vote.lamports <= VOTE_RESERVE + STAKE_RENT) return false;
    const withdrawal = { vote, to: identity, lamports: vote.lamports - VOTE_RESERVE };
    return transact(identity, (tx) => withdrawVote(economy, tx, withdrawal));
  };
  const whale = economy.wallet();
  economy.label(whale, { ...STAKING_WHALE, type: "address" });
  wallets.fund(whale, SAMPLE_STAKE + lamports(260_000));
  const [first] = validators;
  if (first) permanent.add(delegate(whale, SAMPLE_STAKE, first.vote, STAKE_ACCOUNT));
  for (let count = 1; count < WHALE_STAKES; count++) {
    delegate(whale, lamports(random.heavyTailed(150, 6000)), pickVoter());
  }
  for (const vault of wallets.coldWallets) {
    const { lamports: all } = vault;
    for (const { vote, share } of validators) {
      const part = Math.round(((COLD_WALLET_SHARE * share) / sum) * random.between(700, 1100));
      permanent.add(delegate(vault, (all * BigInt(part)) / 1_000_000n, vote));
    }
  }
  for (let count = 0; count < Math.ceil(OTHER_STAKES * size); count++) create();
  return {
    stakes,
    actions: [
      [20, () => create() !== undefined],
      [8, () => deactivate(findActive(0n))],
      [12, withdraw],
      [6, () => split(findActive(MIN_DELEGATION * 4n)) !== undefined],
      [6, merge],
      [6, withdrawCommission],
    ] satisfies WeightedAction[],
  };
}

/** Number of random users that are checked for a token. */
const PICK_ATTEMPTS = 25;

/** Liquid staking tokens: their price in ten-thousandths of a SOL, and the instructions of their programs. */
const LIQUID_POOLS = [
  ["mSOL", "marinade", "marinade", 13_050n, "deposit", "liquidUnstake"],
  ["JitoSOL", "stakePool", "stake_pool", 12_254n, "depositSol", "withdrawSol"],
] as const;

/** Where users lock tokens for votes, and the instructions of the programs: to open, to lock and to unlock. */
const LOCKERS = [
  ["JUP", "jupiterVote", "jupiter_vote", "newLocker", "increaseLockedAmount", "withdraw"],
  ["PYTH", "governance", "spl_governance", "createRealm", "depositGoverningTokens", "withdrawGoverningTokens"],
] as const;

/** Opens the pools and the lockers of a world, and returns the actions of their users. */
function createPooledStaking({ economy, market, wallets }: WorldContext, random: Random): readonly WeightedAction[] {
  const pools = LIQUID_POOLS.flatMap(([symbol, programName, label, rate, stake, unstake]) => {
    const token = market.token(symbol);
    if (!token) return [];
    const program = economy.programs[programName];
    const account = economy.derive(program, ["reserve"], "system_account", economy.programs.system);
    economy.label(account, { label: `${token.spec.name}: Reserve`, tags: ["stake_pool"], type: "address" });
    return { program, label, account, token: economy.sol, vault: account, receipt: token, rate, stake, unstake };
  });
  const lockers = LOCKERS.flatMap(([symbol, programName, label, open, lock, unlock]) => {
    const token = market.token(symbol);
    if (!token) return [];
    const program = economy.programs[programName];
    const account = economy.programAccount("account", program);
    const tx = economy.begin(wallets.pickWithSol(FEE_RESERVE));
    const vault = economy.createVault(account, token, program, ["tokens", account]);
    const roles = readVenueRoles(tx, { account, token, vault }, tx.payer);
    tx.openHolding(vault, tx.call(program, open, `${label}:newLocker`, roles, TOP_LEVEL, { name: symbol }));
    if (!tx.commit()) return [];
    economy.label(account, { label: `${symbol}: Locker`, tags: ["staking"], type: "address" });
    return { program, label, token, account, vault, lock, unlock, locked: new Map<Account, bigint>() };
  });
  const findHolder = (token: Token): Account | undefined => {
    for (let attempt = 0; attempt < PICK_ATTEMPTS; attempt++) {
      const user = wallets.pickUser();
      if (user.balance(token) > 0n) return user;
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
    const venue = random.pick(pools);
    const paid = { token: economy.sol, amount: lamports(random.heavyTailed(0.2, 900)) };
    const user = wallets.pickWithSol(paid.amount + FEE_RESERVE);
    const shares = { token: venue.receipt, amount: (paid.amount * 10_000n) / venue.rate };
    return callVenue(economy, { venue, user, type: "ACTIVITY_LST_STAKE" }, [
      { type: venue.stake, pays: paid, gets: shares },
    ]);
  };
  const unstake = (): boolean => {
    const venue = random.pick(pools);
    const { receipt: token, rate, account } = venue;
    const user = findHolder(token);
    const balance = user?.balance(token) ?? 0n;
    const maximum = (account.lamports * 10_000n * 9n) / (rate * 10n);
    const part = random.chance(0.4) ? balance : balance / 3n;
    const shares = { token, amount: part < maximum ? part : maximum };
    if (!user || shares.amount <= 0n) return false;
    const received = { token: economy.sol, amount: (shares.amount * rate) / 10_000n };
    wallets.ensureFunds(user, FEE_RESERVE);
    return callVenue(economy, { venue, user, type: "ACTIVITY_LST_UNSTAKE" }, [
      { type: venue.unstake, pays: shares, gets: received },
    ]);
  };
  const lock = (): boolean => {
    const venue = random.pickEarly(lockers);
    const { token, locked } = venue;
    const user = wallets.ensureFunds(findOrFundHolder(token), FEE_RESERVE);
    const amount = (user.balance(token) * BigInt(random.integer(2, 9))) / 10n;
    if (amount <= 0n) return false;
    const instruction = { type: venue.lock, name: "stake", pays: { token, amount } };
    if (!callVenue(economy, { venue, user, type: "ACTIVITY_SPL_TOKEN_STAKE" }, [instruction])) return false;
    locked.set(user, (locked.get(user) ?? 0n) + amount);
    return true;
  };
  const unlock = (): boolean => {
    const venue = lockers.find(({ locked }) => locked.size > 0);
    if (!venue) return false;
    const { token, locked } = venue;
    const [user, balance] = random.pick([...locked]);
    const amount = random.chance(0.5) ? balance : balance / 2n;
    if (amount <= 0n) return false;
    wallets.ensureFunds(user, FEE_RESERVE);
    const instruction = { type: venue.unlock, name: "unstake", gets: { token, amount } };
    if (!callVenue(economy, { venue, user, type: "ACTIVITY_SPL_TOKEN_UNSTAKE" }, [instruction])) return false;
    if (amount === balance) locked.delete(user);
    else locked.set(user, balance - amount);
    return true;
  };
  return [
    [16, stake],
    [10, unstake],
    [10, lock],
    [6, unlock],
  ];
}

/** Returns the stakers. */
export function createStakers(context: WorldContext): Actor[] {
  const { economy, validators } = context;
  const random = context.random.fork("staking");
  const native = createNativeStaking(context, random);
  const act = createRotation(economy, random, [...native.actions, ...createPooledStaking(context, random)]);
  return [{ weight: 32, act, epoch: () => payRewards(economy, validators, native.stakes) }];
}
