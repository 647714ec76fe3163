/** Validators: leaders of blocks and voters. */
import type { Actor, Validator, WorldContext } from "../context.ts";
import { VALIDATORS } from "../data/profiles.ts";
import type { Account } from "../economy/accounts.ts";
import { WRITABLE } from "../economy/accounts.ts";
import type { Economy } from "../economy/economy.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";

/** Number of consecutive slots of a leader. */
const LEADER_SLOTS = 4;

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

/** Returns the leader of a slot, by shares of the stake. */
export function leaderOf(validators: readonly Validator[], slot: number): Account {
  const total = validators.reduce((sum, { share }) => sum + share, 0);
  let position = Math.imul(Math.floor(slot / LEADER_SLOTS), 0x9e3779b1) >>> 0;
  position %= total;
  for (const { identity, share } of validators) {
    if (position < share) return identity;
    position -= share;
  }
  return (validators[0] as Validator).identity;
}

/** Adds the vote of a validator on the parent slot. */
export function castVote(economy: Economy, { identity, vote }: Validator): void {
  const tx = economy.begin(identity, { vote: true });
  tx.instruction(economy.programs.vote, "towersync", "vote", TOP_LEVEL, { slot: economy.position.parentSlot });
  tx.key(vote, WRITABLE);
  tx.commit();
}

/** Returns an actor that adds votes over the whole time. */
export function createVoters({ economy, validators, random, wallets }: WorldContext): Actor[] {
  const stream = random.fork("votes");
  return [
    {
      weight: 75,
      act() {
        const validator = stream.pickEarly(validators);
        if (validator.identity.lamports < 10_000_000n) wallets.fund(validator.identity, 5_000_000_000n);
        castVote(economy, validator);
      },
    },
  ];
}
