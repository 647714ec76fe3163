/** Validators, the instructions of the Stake Program and the Vote Program, and staking rewards. */

import { TRANSFER_ACTIVITIES } from "../../../catalogue/index.ts";
import { NATIVE_LAYOUTS, rentOfLayout } from "../../solana/index.ts";
import type { Validator, Voter } from "../context.ts";
import { VALIDATORS } from "../data/profiles.ts";
import { type Account, Stake, WRITABLE } from "../economy/accounts.ts";
import type { Economy } from "../economy/economy.ts";
import type { Transaction } from "../economy/transaction.ts";

/** Returns the validators; the genesis funds their accounts. */
export function createValidators(economy: Economy): readonly Validator[] {
  return VALIDATORS.map(([name, share, commission]) => ({
    identity: economy.wallet(),
    vote: economy.account("vote_account", economy.programs.vote.address),
    name,
    share,
    commission,
  }));
}

/** Number of voters without stakes of simulated users in a world of size 0, and the number that each size adds. */
const SMALL_VOTERS = 60;
const VOTERS_PER_SIZE = 80;

/** Returns the voters that are not among the validators; the genesis funds their accounts. */
export function createSmallVoters(economy: Economy, size: number): readonly Voter[] {
  return Array.from({ length: Math.round(SMALL_VOTERS + VOTERS_PER_SIZE * size) }, () => ({
    identity: economy.wallet(),
    vote: economy.account("vote_account", economy.programs.vote.address),
    share: 0,
  }));
}

/** Lamports of a stake account for its rent, which are not delegated. */
export const STAKE_RENT = rentOfLayout(NATIVE_LAYOUTS.delegatedStake);

const WITHDRAW = TRANSFER_ACTIVITIES.indexOf("ACTIVITY_SPL_TOKEN_WITHDRAW_STAKE");
const SPLIT = TRANSFER_ACTIVITIES.indexOf("ACTIVITY_SPL_TOKEN_SPLIT_STAKE");
const MERGE = TRANSFER_ACTIVITIES.indexOf("ACTIVITY_SPL_TOKEN_MERGE_STAKE");
const VOTE_WITHDRAW = TRANSFER_ACTIVITIES.indexOf("ACTIVITY_SPL_VOTE_WITHDRAW");

const newStakeAccount = (economy: Economy, address?: string): Account =>
  economy.account("stake_account", economy.programs.stake.address, { address });

/** Creates a stake account of the payer with `lamports`, rent included, and delegates it to a vote account. */
export function createStake(
  economy: Economy,
  tx: Transaction,
  { lamports, voter, address }: { lamports: bigint; voter: Account; address?: string | undefined },
): Stake {
  const account = newStakeAccount(economy, address);
  const { stake: program } = economy.programs;
  tx.createAccount(tx.payer, account, lamports);
  const { clock, rent, stakeHistory, stakeConfig } = economy.sysvars;
  tx.add(program, "initialize", "initialize", [account, rent, tx.payer]);
  tx.add(program, "delegate", "delegateStake", [account, voter, clock, stakeHistory, stakeConfig, tx.payer]);
  const stake = new Stake(account, tx.payer, voter, lamports - STAKE_RENT, economy.epoch);
  tx.markChanged(stake);
  return stake;
}

/** Deactivates a stake: it can be withdrawn from the next epoch on. */
export function deactivateStake(economy: Economy, tx: Transaction, stake: Stake): void {
  tx.add(economy.programs.stake, "deactivate", "deactivate", [stake.account, economy.sysvars.clock, stake.staker]);
  tx.publish(stake.account, WRITABLE);
  stake.deactivationEpoch = economy.epoch;
  tx.onRollback(() => {
    stake.deactivationEpoch = undefined;
  });
  tx.markChanged(stake);
}

/** Moves lamports into a new stake account with the same delegation. The payer pays the rent. */
export function splitStake(economy: Economy, tx: Transaction, stake: Stake, lamports: bigint): Stake {
  const account = newStakeAccount(economy);
  tx.createAccount(tx.payer, account, STAKE_RENT);
  const { stake: program } = economy.programs;
  const instruction = tx.add(program, "split", "splitStake", [stake.account, account, stake.staker]);
  tx.moveSol(instruction, SPLIT, stake.account, account, lamports);
  const part = new Stake(account, stake.staker, stake.voter, lamports, stake.activationEpoch);
  part.withdrawer = stake.withdrawer;
  part.deactivationEpoch = stake.deactivationEpoch;
  changeDelegated(tx, stake, -lamports);
  tx.markChanged(part);
  return part;
}

/** Merges `source` into `target`; both must have the same voter and state. */
export function mergeStake(economy: Economy, tx: Transaction, source: Stake, target: Stake): void {
  const { clock, stakeHistory } = economy.sysvars;
  const accounts = [target.account, source.account, clock, stakeHistory, target.staker];
  const instruction = tx.add(economy.programs.stake, "merge", "mergeStake", accounts);
  tx.moveSol(instruction, MERGE, source.account, target.account, source.account.lamports);
  changeDelegated(tx, target, source.delegated);
  changeDelegated(tx, source, -source.delegated);
}

/** Withdraws lamports from a stake account. */
export function withdrawStake(
  economy: Economy,
  tx: Transaction,
  stake: Stake,
  { to, lamports }: { to: Account; lamports: bigint },
): void {
  const { clock, stakeHistory } = economy.sysvars;
  const accounts = [stake.account, to, clock, stakeHistory, stake.withdrawer];
  const instruction = tx.add(economy.programs.stake, "withdraw", "withdrawStake", accounts);
  tx.moveSol(instruction, WITHDRAW, stake.account, to, lamports);
  const remaining = stake.account.lamports < STAKE_RENT ? 0n : stake.account.lamports - STAKE_RENT;
  if (remaining < stake.delegated) changeDelegated(tx, stake, remaining - stake.delegated);
}

/** Withdraws a validator's commission from its vote account. */
export function withdrawVote(
  economy: Economy,
  tx: Transaction,
  { vote, to, lamports }: { vote: Account; to: Account; lamports: bigint },
): void {
  const accounts = [vote, to, tx.payer];
  const instruction = tx.add(economy.programs.vote, "withdraw", "withdrawFromVoteAccount", accounts);
  tx.moveSol(instruction, VOTE_WITHDRAW, vote, to, lamports);
}

function changeDelegated(tx: Transaction, stake: Stake, difference: bigint): void {
  stake.delegated += difference;
  tx.onRollback(() => {
    stake.delegated -= difference;
  });
  tx.markChanged(stake);
}

/** Yearly reward rate in millionths and its variation: epochs differ in length and total stake. */
const YEARLY = 65_000;
const SPREAD = 1_400;
/** Approximate number of epochs in a year: an epoch is 432 000 slots of 0.4 s. */
const EPOCHS_PER_YEAR = 182n;

/** Returns the reward of one epoch before the validator's commission, in lamports, rounded down. */
export const grossReward = (delegated: bigint, epoch: number): bigint =>
  (delegated * BigInt(YEARLY - SPREAD / 2 + ((epoch * 7919) % SPREAD))) / (1_000_000n * EPOCHS_PER_YEAR);

/** Returns whether a stake earns in an epoch: after the epoch of its activation, up to that of its deactivation. */
const earnsIn = (epoch: number, { activationEpoch, deactivationEpoch }: Stake): boolean =>
  activationEpoch < epoch && (deactivationEpoch === undefined || deactivationEpoch >= epoch);

/** Pays the stakes and the validators' commissions for the epoch that has just ended. */
export function payRewards(economy: Economy, validators: readonly Validator[], stakes: Iterable<Stake>): void {
  const ended = economy.epoch - 1;
  const commissions = new Map(validators.map((validator) => [validator.vote, { validator, lamports: 0n }]));
  for (const stake of stakes) {
    const entry = commissions.get(stake.voter);
    if (!entry || !earnsIn(ended, stake)) continue;
    const { commission } = entry.validator;
    const gross = grossReward(stake.delegated, ended);
    const net = (gross * BigInt(100 - commission)) / 100n;
    entry.lamports += gross - net;
    if (gross > 0n) economy.queueReward(stake.account, net, commission, stake);
  }
  for (const [vote, { validator, lamports }] of commissions) {
    if (lamports > 0n) economy.queueReward(vote, lamports, validator.commission);
  }
}
