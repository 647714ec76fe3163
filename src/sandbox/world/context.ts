/** What the people of the world work with. */

import type { Wallets } from "./actors/wallets.ts";
import type { Account } from "./economy/accounts.ts";
import type { Economy } from "./economy/economy.ts";
import type { Market } from "./markets/market.ts";
import type { Random } from "./random.ts";

/** A validator. */
export interface Validator {
  /** Leads blocks, earns their fees and pays for the votes. */
  readonly identity: Account;
  /** Vote account: what stakes are delegated to. */
  readonly vote: Account;
  readonly name: string;
  /** Percent. */
  readonly commission: number;
  /** Part of the stake, in thousandths. */
  readonly share: number;
}

/** What actors are made with. Take a stream of chance of your own: `context.random.fork("nfts")`. */
export interface WorldContext {
  readonly random: Random;
  readonly economy: Economy;
  /** Tokens, prices, pools, swaps. */
  readonly market: Market;
  /** Wallets of people, and who funds them. */
  readonly wallets: Wallets;
  readonly validators: readonly Validator[];
  /** 1 by default, 0.02 to 10: people, things and transactions grow with it. */
  readonly size: number;
  readonly hostile: boolean;
}

/**
 * Somebody with a habit, or many with the same one. Every call may make any number of transactions in the block under way
 * (`context.economy.place` says when that is). Each actor is called at least twice in a world of any size, the last time
 * in its last 24 hours: an actor with rare activities goes through them in turn from its first acts on.
 */
export interface Actor {
  /** Share of all acts, against the weights of the others; all weights together are somewhat over 1000. */
  readonly weight: number;
  act(): void;
  /** In the first hours of the world, before any act: makes what there has to be. A block of its own for each actor. */
  open?(): void;
  /** In the first block of each epoch, before anything else. */
  epoch?(): void;
  /** In the first block of each UTC day. */
  day?(): void;
}
