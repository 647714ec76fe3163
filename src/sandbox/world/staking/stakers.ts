/** Stakers: of SOL in stake accounts, in pools, and of tokens. */

import { Rotation } from "../actors/rotation.ts";
import type { Actor, WorldContext } from "../context.ts";
import { NativeStaking } from "./native.ts";
import { PooledStaking } from "./pools.ts";

/** Part of all acts, in thousandths. */
const WEIGHT = 32;

/** Everybody who stakes. */
export function createStaking(context: WorldContext): Actor {
  const random = context.random.fork("staking");
  const native = new NativeStaking(context, random);
  const pooled = new PooledStaking(context, random);
  const rotation = new Rotation(context.economy, random, [...native.habits, ...pooled.habits]);
  return {
    weight: WEIGHT,
    act: () => rotation.act(),
    open() {
      native.open();
      pooled.open();
    },
    epoch: () => native.epoch(),
  };
}
