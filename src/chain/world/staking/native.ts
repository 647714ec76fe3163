/** Native staking: stake accounts and the actions of their owners. */
import { STAKE_ACCOUNT } from "../../../catalogue/index.ts";
import type { WeightedAction } from "../actors/rotation.ts";
import { lamports } from "../actors/wallets.ts";
import type { Validator, WorldContext } from "../context.ts";
import { STAKING_WHALE } from "../data/profiles.ts";
import type { Account, Stake } from "../economy/accounts.ts";
import type { Random } from "../random.ts";
import { payRewards } from "./rewards.ts";
import {
  createStake,
  deactivateStake,
  mergeStake,
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

/** The native stakes of a world. */
export class NativeStaking {
  readonly #context: WorldContext;
  readonly #random: Random;
  /** Stake accounts that are not empty. */
  readonly #stakes = new Set<Stake>();
  readonly #cumulative: readonly number[];
  /** Stakes that remain active all the time. */
  readonly #permanentStakes = new Set<Stake>();

  constructor(context: WorldContext, random: Random) {
    this.#context = context;
    this.#random = random;
    let sum = 0;
    this.#cumulative = context.validators.map(({ share }) => (sum += share));
  }

  /** The actions of stakers. */
  get actions(): readonly WeightedAction[] {
    return [
      { weight: 20, act: () => this.#create() !== undefined },
      { weight: 8, act: () => this.#deactivate() },
      { weight: 12, act: () => this.#withdraw() },
      { weight: 6, act: () => this.#split() !== undefined },
      { weight: 6, act: () => this.#merge() },
      { weight: 6, act: () => this.#withdrawVote() },
    ];
  }

  #validator(): Validator {
    return this.#random.pickWeighted(this.#context.validators, this.#cumulative);
  }

  /** Creates the initial stakes of the whale, cold wallets and other users. */
  open(): void {
    const { economy, wallets, size } = this.#context;
    const whale = economy.wallet();
    economy.label(whale, { ...STAKING_WHALE, type: "address" });
    wallets.fund(whale, SAMPLE_STAKE + lamports(260_000));
    const [first] = this.#context.validators;
    if (first) this.#markPermanent(this.#stake(whale, SAMPLE_STAKE, first.vote, STAKE_ACCOUNT));
    for (let count = 1; count < WHALE_STAKES; count++) {
      this.#stake(whale, lamports(this.#random.heavyTailed(150, 6000)), this.#validator().vote);
    }
    for (const vault of wallets.coldWallets) this.#stakeVault(vault);
    for (let count = 0; count < Math.ceil(OTHER_STAKES * size); count++) this.#create();
  }

  #markPermanent(stake: Stake | undefined): void {
    if (stake) this.#permanentStakes.add(stake);
  }

  /** Delegates lamports of a cold wallet to every validator, by its share. */
  #stakeVault(vault: Account): void {
    const { validators } = this.#context;
    const total = this.#cumulative.at(-1) ?? 1;
    const { lamports: all } = vault;
    for (const { vote, share } of validators) {
      const part = Math.round(((COLD_WALLET_SHARE * share) / total) * this.#random.between(700, 1100));
      this.#markPermanent(this.#stake(vault, (all * BigInt(part)) / 1_000_000n, vote));
    }
  }

  /** Pays the rewards of the epoch that ended. */
  epoch(): void {
    const { economy, validators } = this.#context;
    payRewards(economy, validators, this.#stakes);
  }

  #stake(owner: Account, amount: bigint, voter: Account, address?: string): Stake | undefined {
    const { economy } = this.#context;
    const tx = economy.begin(owner, { priority: 1000 });
    const stake = createStake(economy, tx, { lamports: amount, voter, ...(address !== undefined && { address }) });
    if (!tx.commit()) return undefined;
    this.#stakes.add(stake);
    return stake;
  }

  #create(): Stake | undefined {
    const amount = lamports(this.#random.roundSometimes(this.#random.heavyTailed(2, 9000)));
    const owner = this.#context.wallets.pickWithSol(amount + FEE_RESERVE);
    return this.#stake(owner, amount, this.#validator().vote);
  }

  /** Returns a random stake that matches, if there is one. */
  #find(fits: (stake: Stake) => boolean): Stake | undefined {
    const fitting = [...this.#stakes].filter((stake) => !this.#permanentStakes.has(stake) && fits(stake));
    return fitting.length > 0 ? this.#random.pick(fitting) : undefined;
  }

  #findActive(minimum: bigint): Stake | undefined {
    return this.#find(({ deactivationEpoch, delegated }) => deactivationEpoch === undefined && delegated >= minimum);
  }

  #deactivate(stake: Stake | undefined = this.#findActive(0n)): boolean {
    if (!stake) return false;
    const { economy, wallets } = this.#context;
    const tx = economy.begin(wallets.ensureFunds(stake.staker, FEE_RESERVE));
    deactivateStake(economy, tx, stake);
    return tx.commit();
  }

  /** Withdraws everything from a stake that has cooled down, or immediately from one that was never active. */
  #withdraw(): boolean {
    const { economy, wallets } = this.#context;
    const { epoch } = economy;
    let stake = this.#find(({ deactivationEpoch }) => deactivationEpoch !== undefined && deactivationEpoch < epoch);
    if (!stake) {
      stake = this.#find(({ activationEpoch }) => activationEpoch === epoch) ?? this.#create();
      if (!stake || (stake.deactivationEpoch === undefined && !this.#deactivate(stake))) return false;
    }
    const owner = wallets.ensureFunds(stake.withdrawer, FEE_RESERVE);
    const tx = economy.begin(owner);
    withdrawStake(economy, tx, stake, { to: owner, lamports: stake.account.lamports });
    if (!tx.commit()) return false;
    this.#stakes.delete(stake);
    return true;
  }

  #split(stake: Stake | undefined = this.#findActive(MIN_DELEGATION * 4n)): Stake | undefined {
    if (!stake) return undefined;
    const { economy, wallets } = this.#context;
    const tx = economy.begin(wallets.ensureFunds(stake.staker, FEE_RESERVE));
    const amount = (stake.delegated * BigInt(this.#random.integer(20, 60))) / 100n;
    const part = splitStake(economy, tx, stake, amount);
    if (!tx.commit()) return undefined;
    this.#stakes.add(part);
    return part;
  }

  /** Merges two stakes with the same staker, validator and activation epoch; splits one first if necessary. */
  #merge(): boolean {
    const target = this.#findActive(MIN_DELEGATION * 4n);
    if (!target) return false;
    const { staker, voter, activationEpoch } = target;
    const alike = (stake: Stake): boolean =>
      stake !== target &&
      stake.staker === staker &&
      stake.voter === voter &&
      stake.deactivationEpoch === undefined &&
      stake.activationEpoch === activationEpoch;
    const source = this.#find(alike) ?? this.#split(target);
    if (!source) return false;
    const { economy, wallets } = this.#context;
    const tx = economy.begin(wallets.ensureFunds(staker, FEE_RESERVE));
    mergeStake(economy, tx, source, target);
    if (!tx.commit()) return false;
    this.#stakes.delete(source);
    return true;
  }

  /** Pays the commission of a validator out of its vote account. */
  #withdrawVote(): boolean {
    const { economy, wallets, validators } = this.#context;
    const { identity, vote } = this.#random.pick(validators);
    if (vote.lamports <= VOTE_RESERVE + STAKE_RENT) return false;
    const tx = economy.begin(wallets.ensureFunds(identity, FEE_RESERVE));
    withdrawVote(economy, tx, { vote, to: identity, lamports: vote.lamports - VOTE_RESERVE });
    return tx.commit();
  }
}
