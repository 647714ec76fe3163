/** Cache policies: for how long answers of each kind are fresh. */

/** The kinds of cached answers, and the seconds for which they are fresh. */
export const CACHE_KINDS = {
  /** Finalized transactions and blocks, which never change. Those not yet finalized count as live. */
  final: { seconds: 2_592_000, about: "finalized transactions and blocks" },
  /** Names, labels, platforms, which rarely change. */
  metadata: { seconds: 300, about: "tokens, labels, collections, markets, programs" },
  /** Prices and everything sorted by them. */
  prices: { seconds: 15, about: "prices, rankings, trends" },
  /** Balances and growing lists: requested each time. */
  live: { seconds: 0, about: "balances and growing lists; used with --cache only only" },
} as const satisfies Record<string, { readonly seconds: number; readonly about: string }>;

/** A kind of cached answers. */
export type CacheKind = keyof typeof CACHE_KINDS;

/** How an endpoint's answers are cached: as a kind of data, or never. */
export type CachePolicy = CacheKind | "never";

/** The kinds of cached answers, the longest-lived first. */
export const CACHE_KIND_NAMES = Object.keys(CACHE_KINDS) as readonly CacheKind[];

/** Seconds after which a cached answer is removed. */
export const MAX_CACHE_SECONDS = CACHE_KINDS.final.seconds;
