/** How long answers stay true: every kind of data, once. */

/** What is kept of answers, and for how many seconds one is as good as a new one. */
export const CACHE_KINDS = {
  /** Settled transactions and blocks: they never change. What is not settled yet counts as live. */
  final: { seconds: 2_592_000, about: "settled transactions and blocks" },
  /** Names, labels, platforms: they change seldom. */
  metadata: { seconds: 300, about: "tokens, labels, collections, markets, programs" },
  /** Prices and everything that is ordered by them. */
  prices: { seconds: 15, about: "prices, rankings, trends" },
  /** Balances, and lists that grow: asked anew each time. */
  live: { seconds: 0, about: "balances and lists that grow; for --offline alone" },
} as const satisfies Record<string, { readonly seconds: number; readonly about: string }>;

/** A kind of data that is kept. */
export type CacheKind = keyof typeof CACHE_KINDS;

/** What becomes of an endpoint's answers: kept as a kind of data, or never. */
export type CachePolicy = CacheKind | "never";

/** The kinds of data that are kept, the longest first. */
export const CACHE_KIND_NAMES = Object.keys(CACHE_KINDS) as readonly CacheKind[];

/** Seconds after which an answer is of no use to anybody. */
export const MAX_CACHE_SECONDS = CACHE_KINDS.final.seconds;
