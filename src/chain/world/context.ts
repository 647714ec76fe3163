/** What the actors of a world share. */

import { DAY_SECONDS } from "../../base/index.ts";
import type { Wallets } from "./actors/wallets.ts";
import { END } from "./clock.ts";
import type { Account } from "./economy/accounts.ts";
import type { Economy } from "./economy/economy.ts";
import type { Market } from "./markets/market.ts";
import type { Random } from "./random.ts";

/** A validator. */
export interface Validator {
  /** Leads blocks, earns their fees and pays for votes. */
  readonly identity: Account;
  /** Vote account, to which stakes are delegated. */
  readonly vote: Account;
  readonly name: string;
  /** In percent. */
  readonly commission: number;
  /** Share of the total stake, in thousandths. */
  readonly share: number;
}

/** A validator, or a voter without a stake of simulated users. */
export type Voter = Pick<Validator, "identity" | "vote" | "share">;

/** What actors are created with. Each actor forks a random stream: `context.random.fork("nfts")`. */
export interface WorldContext {
  readonly random: Random;
  readonly economy: Economy;
  readonly market: Market;
  readonly wallets: Wallets;
  readonly validators: readonly Validator[];
  /** The validators, then the voters without a share. */
  readonly voters: readonly Voter[];
  /** 0.02 to 10, 1 by default. Scales the numbers of users, NFTs, tokens and transactions. */
  readonly size: number;
  readonly hostile: boolean;
}

/**
 * One simulated user, or a group with the same behavior. Every call may add any number of transactions to the current
 * block (`context.economy.position`). In a world of any size `act` is called at least twice, the last time in the last
 * 24 hours; actors with rare actions run those first (see rotation.ts).
 */
export interface Actor {
  /** Share of all calls, relative to the weights of other actors; the sum of all weights is slightly over 1000. */
  readonly weight: number;
  act(): void;
  /** Runs first in the first block of each epoch. */
  epoch?(): void;
  /** Runs in the first block of each UTC day. */
  day?(): void;
}

/** An action of an actor, with its weight against the others; it returns whether it was possible and succeeded. */
export type WeightedAction = readonly [weight: number, act: () => boolean];

/** Number of times that each action runs at first, so that even a small world has all of them. */
const INITIAL_ROUNDS = 2;
/** Maximum number of these first actions in one call. */
const INITIAL_PACE = 2;
/** Maximum number of random actions that are tried in one call. */
const MAX_ATTEMPTS = 4;

/**
 * Returns a function that runs the next action: each one twice, as soon as it is possible, then random ones by weight,
 * and each one once more when the last 24 hours of the world begin.
 */
export function createRotation(economy: Economy, random: Random, actions: readonly WeightedAction[]): () => void {
  const pending = Array.from({ length: INITIAL_ROUNDS }, () => actions).flat();
  let isFinalDay = false;
  let sum = 0;
  const cumulative = actions.map(([weight]) => (sum += weight));
  /** Runs the first pending action that is possible and returns whether there was one. */
  const runPending = (): boolean => {
    const index = pending.findIndex(([, act]) => act());
    if (index >= 0) pending.splice(index, 1);
    return index >= 0;
  };
  return () => {
    if (!isFinalDay && economy.position.time > END - DAY_SECONDS) {
      isFinalDay = true;
      for (const [, act] of actions) act();
      return;
    }
    let done = 0;
    while (done < INITIAL_PACE && runPending()) done++;
    for (let attempt = 0; done === 0 && attempt < MAX_ATTEMPTS; attempt++) {
      if (random.pickWeighted(actions, cumulative)[1]()) return;
    }
  };
}
