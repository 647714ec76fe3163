/** The stakers of a world. */
import { createRotation } from "../actors/rotation.ts";
import type { Actor, WorldContext } from "../context.ts";
import { createNativeStaking } from "./native.ts";
import { createPooledStaking } from "./pools.ts";
import { payRewards } from "./rewards.ts";

/** Returns the stakers. */
export function createStakers(context: WorldContext): Actor {
  const { economy, validators } = context;
  const random = context.random.fork("staking");
  const native = createNativeStaking(context, random);
  const pooled = createPooledStaking(context, random);
  return {
    weight: 32,
    open() {
      native.open();
      pooled.open();
    },
    act: createRotation(economy, random, [...native.actions, ...pooled.actions]),
    epoch: () => payRewards(economy, validators, native.stakes),
  };
}
