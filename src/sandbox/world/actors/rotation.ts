/** Habits of actors that do several kinds of things. */
import { DAY_SECONDS } from "../../../base/index.ts";
import { END } from "../clock.ts";
import type { Economy } from "../economy/economy.ts";
import type { Random } from "../random.ts";

/** A thing that an actor does: whether it could be done and was. */
export interface WeightedAction {
  readonly weight: number;
  act(): boolean;
}

/** Times that each habit is seen to at first, so that even a small world has all of them. */
const INITIAL_ROUNDS = 2;
/** Habits that are seen to in one act at first. */
const INITIAL_PACE = 2;
/** Habits that are tried before an actor lets it be. */
const MAX_ATTEMPTS = 4;

/**
 * Chooses among habits: each of them twice as soon as it can be done, by their weights from then on, and each of them
 * once more when the world's last 24 hours begin.
 */
export class Rotation {
  readonly #random: Random;
  readonly #habits: readonly WeightedAction[];
  readonly #cumulative: readonly number[];
  readonly #economy: Economy;
  #pending: WeightedAction[];
  #finalDay = false;

  constructor(economy: Economy, random: Random, actions: readonly WeightedAction[]) {
    this.#economy = economy;
    this.#random = random;
    this.#habits = actions;
    this.#pending = Array.from({ length: INITIAL_ROUNDS }, () => actions).flat();
    let sum = 0;
    this.#cumulative = actions.map(({ weight }) => (sum += weight));
  }

  /** Does one thing, where any can be done; at first, and when the last day begins, more. */
  act(): void {
    if (!this.#finalDay && this.#economy.position.time > END - DAY_SECONDS) {
      this.#finalDay = true;
      for (const action of this.#habits) action.act();
      return;
    }
    let done = 0;
    while (done < INITIAL_PACE && this.#runPending()) done++;
    if (done > 0) return;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (this.#random.pickWeighted(this.#habits, this.#cumulative).act()) return;
    }
  }

  /** Does the first of the owed things that can be done. */
  #runPending(): boolean {
    const index = this.#pending.findIndex((action) => action.act());
    if (index >= 0) this.#pending.splice(index, 1);
    return index >= 0;
  }
}
