/** Ids of worlds, separate from their generation: commands find ledgers without loading it. */

/** Increases whenever the blocks of a seed change. */
const WORLD_VERSION = 17;

/** Options of a world. */
export interface WorldOptions {
  readonly seed: string;
  /** 0.02 to 10; 1 is the default of the sandbox. */
  readonly size: number;
  /** Whether on-chain texts are hostile. */
  readonly hostile?: boolean;
}

/** Returns the id of the source of a world: well-formed text for any seed, and unique for the options. */
export const worldId = ({ seed, size, hostile = false }: WorldOptions): string =>
  `world-v${WORLD_VERSION}-${JSON.stringify([seed, size, hostile]).slice(1, -1)}`;
