/** The simulated chain: a source that generates all blocks from a seed. */
import type { BlockSource } from "../ledger/index.ts";
import { END } from "./clock.ts";
import type { WorldBlock } from "./facts.ts";
import { Random } from "./random.ts";
import { World } from "./world.ts";
import { type WorldOptions, worldId } from "./world-id.ts";

/**
 * Returns the world of a seed. Every call of its `blocks()` starts from the first block.
 * @param interval seconds between two blocks after the end; 0.4 by default, as on mainnet
 */
export function createWorld(
  { seed, size, hostile = false }: WorldOptions,
  interval?: number,
): BlockSource & { blocks(): Iterable<WorldBlock> } {
  return {
    id: worldId({ seed, size, hostile }),
    details: { seed, size, hostile },
    end: END,
    blocks() {
      const random = new Random(JSON.stringify([seed, size, hostile]).slice(1, -1));
      return new World(random, size, hostile).blocks(interval);
    },
  };
}
