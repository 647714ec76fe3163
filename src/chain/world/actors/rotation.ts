/** The choice among the actions of an actor. */
import { DAY_SECONDS } from "../../../base/index.ts";
import { END } from "../clock.ts";
import type { Economy } from "../economy/economy.ts";
import type { Random } from "../random.ts";

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
