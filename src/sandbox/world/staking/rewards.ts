/** What stakes earn. */

import type { Validator } from "../context.ts";
import type { Stake } from "../economy/accounts.ts";
import type { Economy } from "../economy/economy.ts";

/** Inflation that stakers get in a year, in millionths: about this, as epochs differ in length and in what is staked. */
const YEARLY = 65_000;
const SPREAD = 1_400;
/** Epochs of a year, about: an epoch is 432 000 slots of 0.4 s. */
const EPOCHS_PER_YEAR = 182n;

/** What one epoch is worth, before the validator's commission: lamports, rounded down. */
export const grossReward = (delegated: bigint, epoch: number): bigint =>
  (delegated * BigInt(YEARLY - SPREAD / 2 + ((epoch * 7919) % SPREAD))) / (1_000_000n * EPOCHS_PER_YEAR);

/** Whether a stake was active through the whole epoch: it takes one epoch to warm up, and earns in the one it ends in. */
const earnsIn = (epoch: number, { activationEpoch, deactivationEpoch }: Stake): boolean =>
  activationEpoch < epoch && (deactivationEpoch === undefined || deactivationEpoch >= epoch);

/** Pays stakes (nothing where the validator takes all), and validators their commission, for the epoch that has just ended. */
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
