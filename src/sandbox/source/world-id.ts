/** The names of generated worlds, apart from what generates them: commands look up ledgers without it. */

/** Rises whenever the same seed gives other bytes than before. */
const WORLD_VERSION = 2;

/** What makes a world. */
export interface WorldOptions {
  readonly seed: string;
  /** 1 is the usual size. */
  readonly size: number;
  /** Whether its texts attack those who show them. */
  readonly hostile?: boolean;
}

/** The id of the source of a world; any seed gives well-formed text, and no two worlds have the same. */
export const worldId = ({ seed, size, hostile = false }: WorldOptions): string =>
  `world-v${WORLD_VERSION}-${JSON.stringify([seed, size, hostile]).slice(1, -1)}`;

const PATTERN = /^world-v\d+-(".*",[\d.e+-]+,(?:true|false))$/s;

/** What made the world of an id; undefined for other sources. */
export function parseWorldId(id: string): Required<WorldOptions> | undefined {
  const made = PATTERN.exec(id)?.[1];
  if (made === undefined) return undefined;
  const [seed, size, hostile] = JSON.parse(`[${made}]`) as [string, number, boolean];
  return { seed, size, hostile };
}
