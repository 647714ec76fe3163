/** What the actors of a world share. */

import type { Wallets } from "./actors/wallets.ts";
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

/** A validator that votes only. */
export type Voter = Pick<Validator, "identity" | "vote">;

/** What actors are created with. Each actor forks a random stream: `context.random.fork("nfts")`. */
export interface WorldContext {
  readonly random: Random;
  readonly economy: Economy;
  /** Tokens, prices, pools, swaps. */
  readonly market: Market;
  /** Wallets of users, exchanges and market makers. */
  readonly wallets: Wallets;
  readonly validators: readonly Validator[];
  /** Voters without stakes of simulated users. */
  readonly smallVoters: readonly Voter[];
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
  /** Creates the initial state, before any call of `act`; each actor gets a separate step of the opening. */
  open?(): void;
  /** Runs first in the first block of each epoch. */
  epoch?(): void;
  /** Runs in the first block of each UTC day. */
  day?(): void;
}
