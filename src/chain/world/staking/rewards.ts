/** Staking rewards. */
import type { Validator } from "../context.ts";
import type { Stake } from "../economy/accounts.ts";
import type { Economy } from "../economy/economy.ts";

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
