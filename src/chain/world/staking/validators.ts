/** Validators: leaders of blocks and voters. */
import type { Validator, Voter } from "../context.ts";
import { VALIDATORS } from "../data/profiles.ts";
import type { Account } from "../economy/accounts.ts";
import type { Economy } from "../economy/economy.ts";

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

/** Number of voters without stakes of simulated users in a world of size 0, and the number that each size adds. */
const SMALL_VOTERS = 60;
const VOTERS_PER_SIZE = 80;

/** Votes for each other transaction of a block. */
const VOTES_PER_TRANSACTION = 2.5;

/** Returns the voters that are not among the validators; the genesis funds their accounts. */
export function createSmallVoters(economy: Economy, size: number): readonly Voter[] {
  return Array.from({ length: Math.round(SMALL_VOTERS + VOTERS_PER_SIZE * size) }, () => ({
    identity: economy.wallet(),
    vote: economy.account("vote_account", economy.programs.vote.address),
  }));
}

/** Casts the votes of a world. */
export class Voters {
  readonly #economy: Economy;
  readonly #voters: readonly Voter[];

  constructor(economy: Economy, voters: readonly Voter[]) {
    this.#economy = economy;
    this.#voters = voters;
  }

  /** Adds votes on the parent slot up to the usual share of the block or `minimum`, at most one of each voter. */
  cast(minimum = 0): void {
    const { position, transactionCount } = this.#economy;
    const share = Math.round(transactionCount * VOTES_PER_TRANSACTION);
    const count = Math.min(Math.max(share, minimum), this.#voters.length);
    while (this.#economy.voteCount < count) {
      const voter = this.#voters[(position.slot + this.#economy.voteCount) % this.#voters.length];
      if (!voter) return;
      this.#economy.castVote(voter.identity, voter.vote);
    }
  }
}
