/** Habits of actors that do several kinds of things. */
import { DAY_SECONDS } from "../../../base/index.ts";
import { END } from "../clock.ts";
import type { Economy } from "../economy/economy.ts";
import type { Random } from "../random.ts";

/** A thing that an actor does: whether it could be done and was. */
export interface Habit {
  readonly weight: number;
  act(): boolean;
}

/** Times that each habit is seen to at first, so that even a small world has all of them. */
const FIRST_ROUNDS = 2;
/** Habits that are seen to in one act at first. */
const FIRST_PACE = 2;
/** Habits that are tried before an actor lets it be. */
const TRIES = 4;

/**
 * Chooses among habits: each of them twice as soon as it can be done, by their weights from then on, and each of them
 * once more when the world's last 24 hours begin.
 */
export class Rotation {
  readonly #random: Random;
  readonly #habits: readonly Habit[];
  readonly #cumulative: readonly number[];
  readonly #economy: Economy;
  #owed: Habit[];
  #recent = false;

  constructor(economy: Economy, random: Random, habits: readonly Habit[]) {
    this.#economy = economy;
    this.#random = random;
    this.#habits = habits;
    this.#owed = Array.from({ length: FIRST_ROUNDS }, () => habits).flat();
    let sum = 0;
    this.#cumulative = habits.map(({ weight }) => (sum += weight));
  }

  /** Does one thing, where any can be done; at first, and when the last day begins, more. */
  act(): void {
    if (!this.#recent && this.#economy.place.time > END - DAY_SECONDS) {
      this.#recent = true;
      for (const habit of this.#habits) habit.act();
      return;
    }
    let done = 0;
    while (done < FIRST_PACE && this.#catchUp()) done++;
    if (done > 0) return;
    for (let tries = 0; tries < TRIES; tries++) {
      if (this.#random.weighted(this.#habits, this.#cumulative).act()) return;
    }
  }

  /** Does the first of the owed things that can be done. */
  #catchUp(): boolean {
    const due = this.#owed.findIndex((habit) => habit.act());
    if (due >= 0) this.#owed.splice(due, 1);
    return due >= 0;
  }
}
