/** Ids of worlds, separate from their generation: commands find ledgers without loading it. */

/** Increases whenever the blocks of a seed change. */
const WORLD_VERSION = 3;

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

const PATTERN = /^world-v\d+-(".*",[\d.e+-]+,(?:true|false))$/s;

/** Returns the options of the world with an id; undefined for other sources. */
export function parseWorldId(id: string): Required<WorldOptions> | undefined {
  const options = PATTERN.exec(id)?.[1];
  if (options === undefined) return undefined;
  const [seed, size, hostile] = JSON.parse(`[${options}]`) as [string, number, boolean];
  return { seed, size, hostile };
}
