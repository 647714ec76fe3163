/** Native staking: stake accounts and the actions of their owners. */
import { STAKE_ACCOUNT } from "../../../catalogue/index.ts";
import type { WeightedAction } from "../actors/rotation.ts";
import { lamports } from "../actors/wallets.ts";
import type { WorldContext } from "../context.ts";
import { STAKING_WHALE } from "../data/profiles.ts";
import type { Account, Stake } from "../economy/accounts.ts";
import type { Transaction } from "../economy/transaction.ts";
import type { Random } from "../random.ts";
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

/** Returns the native stakes of a world that are not empty, the actions of their owners, and a function that opens them. */
export function createNativeStaking(
  { economy, wallets, validators, size }: WorldContext,
  random: Random,
): { readonly stakes: ReadonlySet<Stake>; readonly open: () => void; readonly actions: readonly WeightedAction[] } {
  const stakes = new Set<Stake>();
  /** Stakes that remain active all the time. */
  const permanent = new Set<Stake | undefined>();
  let sum = 0;
  const cumulative = validators.map(({ share }) => (sum += share));
  const pickVoter = (): Account => random.pickWeighted(validators, cumulative).vote;

  const delegate = (owner: Account, amount: bigint, voter: Account, address?: string): Stake | undefined => {
    const tx = economy.begin(owner, { priority: 1000 });
    const stake = createStake(economy, tx, { lamports: amount, voter, ...(address !== undefined && { address }) });
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
  /** Returns a random stake that matches, if there is one. */
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
  return {
    stakes,
    /** Creates the initial stakes of the whale, cold wallets and other users. */
    open() {
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
    },
    actions: [
      [20, () => create() !== undefined],
      [8, () => deactivate(findActive(0n))],
      [12, withdraw],
      [6, () => split(findActive(MIN_DELEGATION * 4n)) !== undefined],
      [6, merge],
      [6, withdrawCommission],
    ],
  };
}
