/** The choice among the actions of an actor. */
import { DAY_SECONDS } from "../../../base/index.ts";
import { END } from "../clock.ts";
import type { Economy } from "../economy/economy.ts";
import type { Random } from "../random.ts";

/** An action of an actor, with its weight against the other actions. */
export interface WeightedAction {
  readonly weight: number;
  /** Returns whether the action was possible and succeeded. */
  act(): boolean;
}

/** Number of times that each action runs at first, so that even a small world has all of them. */
const INITIAL_ROUNDS = 2;
/** Maximum number of these first actions in one call. */
const INITIAL_PACE = 2;
/** Maximum number of random actions that are tried in one call. */
const MAX_ATTEMPTS = 4;

/**
 * Runs each action twice, as soon as it is possible, then random actions by weight, and each action once more when the
 * last 24 hours of the world begin.
 */
export class Rotation {
  readonly #random: Random;
  readonly #actions: readonly WeightedAction[];
  readonly #cumulative: readonly number[];
  readonly #economy: Economy;
  #pending: WeightedAction[];
  #finalDay = false;

  constructor(economy: Economy, random: Random, actions: readonly WeightedAction[]) {
    this.#economy = economy;
    this.#random = random;
    this.#actions = actions;
    this.#pending = Array.from({ length: INITIAL_ROUNDS }, () => actions).flat();
    let sum = 0;
    this.#cumulative = actions.map(({ weight }) => (sum += weight));
  }

  /** Runs the next action, or several at first and when the last 24 hours begin. */
  act(): void {
    if (!this.#finalDay && this.#economy.position.time > END - DAY_SECONDS) {
      this.#finalDay = true;
      for (const action of this.#actions) action.act();
      return;
    }
    let done = 0;
    while (done < INITIAL_PACE && this.#runPending()) done++;
    if (done > 0) return;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (this.#random.pickWeighted(this.#actions, this.#cumulative).act()) return;
    }
  }

  /** Runs the first pending action that is possible and returns whether there was one. */
  #runPending(): boolean {
    const index = this.#pending.findIndex((action) => action.act());
    if (index >= 0) this.#pending.splice(index, 1);
    return index >= 0;
  }
}
