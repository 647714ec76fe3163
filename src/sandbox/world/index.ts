/** A seeded world: a source that makes everything up, the same from the same seed. */
import type { Source } from "../source/source.ts";
import { type WorldOptions, worldId } from "../source/world-id.ts";
import { END } from "./clock.ts";
import { Random } from "./random.ts";
import { World } from "./world.ts";

/** A world. Every call of its `blocks()` begins it anew. */
export function createWorld({ seed, size, hostile = false }: WorldOptions): Source {
  return {
    id: worldId({ seed, size, hostile }),
    end: END,
    blocks: () => new World(new Random(JSON.stringify([seed, size, hostile]).slice(1, -1)), size, hostile).blocks(),
  };
}
