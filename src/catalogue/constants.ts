/** Limits and fixed sets of values (specification §3, §5, §9). */

/** The families of the API (specification §1). */
export const FAMILIES = ["public", "legacy", "v2"] as const;

/** A family of endpoints: one of the API, or `node` for those that only a Solana node answers. */
export type Family = (typeof FAMILIES)[number] | "node";

/** Where endpoints are documented: in the specification, or only for newer servers. */
export const API_VERSIONS = ["specification", "newer"] as const;

/** Where an endpoint is documented. */
export type ApiVersion = (typeof API_VERSIONS)[number];

/** Page sizes of most v2 lists. */
export const STANDARD_SIZES = [10, 20, 30, 40, 60, 100] as const;
/** Page sizes of account transactions, token accounts, stakes, token holders and the program list. */
export const SMALL_SIZES = [10, 20, 30, 40] as const;
/** Page sizes of NFT news and collection items. */
export const NFT_SIZES = [12, 24, 36] as const;
/** Page sizes of NFT collection lists. */
export const COLLECTION_SIZES = [10, 18, 20, 30, 40] as const;

/** Maximum rows of a legacy request for the latest blocks or transactions. */
export const LEGACY_LAST_MAX = 20;
/** Maximum rows of any other legacy request. */
export const LEGACY_MAX = 50;

/** Maximum addresses of a filter. */
export const MAX_FILTER_ADDRESSES = 5;
/** Maximum identifiers of a multi request. */
export const MAX_MULTI_ITEMS = 20;
/** Maximum identifiers of a request to endpoints that the specification lacks. */
export const MAX_NEWER_MULTI_ITEMS = 50;
/** Maximum rows of an export. */
export const MAX_EXPORT_ROWS = 5000;
/** Lengths of candles: minutes, hours, days, weeks, months and years. */
export const CANDLE_RESOLUTIONS = ["1m", "5m", "15m", "30m", "1h", "4h", "8h", "1d", "1W", "1M", "1Y"] as const;
/** The length of a candle. */
export type CandleResolution = (typeof CANDLE_RESOLUTIONS)[number];
/** Default number of candles of a request. */
export const DEFAULT_CANDLES = 600;
/** Maximum number of candles of a request. */
export const MAX_CANDLES = 1000;
/** Maximum rows of the token list over all pages. */
export const MAX_TOKEN_LIST_ITEMS = 50_000;
/** Maximum rows of token searches and of tokens by metric over all pages, and their maximum total. */
export const MAX_LISTED_TOKENS = 10_000;
/** Minimum seconds between two exports. */
export const EXPORT_INTERVAL_SECONDS = 60;
/** Time of the first block in Unix seconds: 2020-03-16. */
export const CHAIN_START = 1_584_316_800;

/** Activity types of transfers. */
export const TRANSFER_ACTIVITIES = [
  "ACTIVITY_SPL_TRANSFER",
  "ACTIVITY_SPL_BURN",
  "ACTIVITY_SPL_MINT",
  "ACTIVITY_SPL_CREATE_ACCOUNT",
  "ACTIVITY_SPL_CLOSE_ACCOUNT",
  "ACTIVITY_SPL_TOKEN_WITHDRAW_STAKE",
  "ACTIVITY_SPL_TOKEN_SPLIT_STAKE",
  "ACTIVITY_SPL_TOKEN_MERGE_STAKE",
  "ACTIVITY_SPL_VOTE_WITHDRAW",
  "ACTIVITY_SPL_SET_OWNER_AUTHORITY",
] as const;

/** Activity types of transfers that newer servers have beyond the specification. */
export const NEWER_TRANSFER_ACTIVITIES = [
  "ACTIVITY_SPL_WITHDRAW_FROM_NONCE",
  "ACTIVITY_SPL_WITHDRAW_EXCESS_LAMPORTS",
  "ACTIVITY_SPL_UNWRAP_LAMPORTS",
  "ACTIVITY_SPL_STAKE_MOVE_LAMPORTS",
  "ACTIVITY_SPL_STAKE_MOVE_STAKE",
] as const;

/** DeFi activity types. */
export const DEFI_ACTIVITIES = [
  "ACTIVITY_TOKEN_SWAP",
  "ACTIVITY_AGG_TOKEN_SWAP",
  "ACTIVITY_TOKEN_ADD_LIQ",
  "ACTIVITY_TOKEN_REMOVE_LIQ",
  "ACTIVITY_POOL_CREATE",
  "ACTIVITY_SPL_TOKEN_STAKE",
  "ACTIVITY_LST_STAKE",
  "ACTIVITY_SPL_TOKEN_UNSTAKE",
  "ACTIVITY_LST_UNSTAKE",
  "ACTIVITY_TOKEN_DEPOSIT_VAULT",
  "ACTIVITY_TOKEN_WITHDRAW_VAULT",
  "ACTIVITY_SPL_INIT_MINT",
  "ACTIVITY_ORDERBOOK_ORDER_PLACE",
  "ACTIVITY_BORROWING",
  "ACTIVITY_REPAY_BORROWING",
  "ACTIVITY_LIQUIDATE_BORROWING",
] as const;

/** DeFi activity types that newer servers have beyond the specification. */
export const NEWER_DEFI_ACTIVITIES = ["ACTIVITY_BRIDGE_ORDER_IN", "ACTIVITY_BRIDGE_ORDER_OUT"] as const;

/** NFT activity types. */
export const NFT_ACTIVITIES = [
  "ACTIVITY_NFT_SOLD",
  "ACTIVITY_NFT_LISTING",
  "ACTIVITY_NFT_BIDDING",
  "ACTIVITY_NFT_CANCEL_BID",
  "ACTIVITY_NFT_CANCEL_LIST",
  "ACTIVITY_NFT_REJECT_BID",
  "ACTIVITY_NFT_UPDATE_PRICE",
  "ACTIVITY_NFT_LIST_AUCTION",
] as const;

/** Launch platforms of the latest tokens. */
export const PLATFORMS = [
  "jupiter",
  "lifinity",
  "meteora",
  "orca",
  "raydium",
  "phoenix",
  "sanctum",
  "kamino",
  "pumpfun",
  "openbook",
  "apepro",
  "stabble",
  "jupiterdca",
  "jupiter_limit_order",
  "solfi",
  "zerofi",
  "letsbonkfun_launchpad",
  "raydium_launchlab",
  "believe_launchpad",
  "moonshot_launchpad",
  "jup_studio_launchpad",
  "bags_launchpad",
] as const;

/** Platforms that newer servers have beyond the 22 of the specification. */
export const NEWER_PLATFORMS = ["stonkfun_launchpad"] as const;

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
