/** What tokens are and who holds them: v2 token endpoints about metadata, lists and holders. */
import {
  MAX_LISTED_TOKENS,
  MAX_MULTI_ITEMS,
  MAX_TOKEN_LIST_ITEMS,
  NEWER_PLATFORMS,
  PLATFORMS,
  SMALL_SIZES,
  STANDARD_SIZES,
} from "../constants.ts";
import { endpoint, object, rows } from "../endpoint.ts";
import {
  address,
  addresses,
  decimal,
  flag,
  IDENTIFIER,
  integer,
  MINT,
  oneOf,
  order,
  pages,
  someOf,
  text,
} from "../param.ts";
import { BONK, JUP, USDC, WRAPPED_SOL } from "../samples.ts";
import { METRIC_FILTERS, TOKEN_METRIC_NAMES } from "../token-metrics.ts";
import { MULTI_LIMIT, NEWER_ONLY, NO_TOTAL } from "./common.ts";

const mint = () => address("Mint of the token", { ...IDENTIFIER, ...MINT });

const mints = () =>
  addresses("Mints of the tokens", { ...IDENTIFIER, ...MINT, maxItems: MAX_MULTI_ITEMS, note: MULTI_LIMIT });

const LIST_COLUMNS = [
  "symbol",
  "name",
  "address",
  "price",
  "price_24h_change",
  "market_cap",
  "holder",
  "created_time",
] as const;

const STATISTICS_NOTES = [
  "Percentages are percent: 2.77 means 2.77 %. Changes compare a window with the one before.",
  "A wallet can buy and sell, so num_buyer plus num_seller can exceed num_trader.",
  "Supplies are in whole units. Rows have no symbol, name, decimals or price.",
] as const;

const STATISTICS_COLUMNS = [
  "token_address",
  { path: "price_24h_change_pct", head: "price 24h" },
  "market_cap",
  "liquidity",
  { path: "volume_24h", head: "volume 24h" },
  { path: "volume_24h_change_pct", head: "volume change" },
  { path: "num_trade_24h", head: "trades 24h" },
  { path: "num_trader_24h", head: "traders 24h" },
  { path: "num_holder", head: "holders" },
] as const;

const meta = endpoint({
  family: "v2",
  path: "/token/meta",
  summary: "Metadata of a token: name, supply, creator, authorities, market",
  query: { address: mint() },
  returns: object("TokenMeta"),
  cachePolicy: "metadata",
  columns: [
    "address",
    "symbol",
    "name",
    "decimals",
    "price",
    "price_change_24h",
    "market_cap",
    "market_cap_rank",
    "volume_24h",
    "supply",
    "holder",
    "creator",
    "created_time",
    "mint_authority",
    "freeze_authority",
    "metadata_uri",
  ],
  echo: "address",
  aliases: ["metadata", "info"],
  examples: [
    { about: "USDC", params: { address: USDC } },
    { about: "Wrapped SOL", params: { address: WRAPPED_SOL } },
  ],
  notes: [
    "supply is in base units.",
    "mint_authority or freeze_authority is null when the authority was revoked.",
    "Market fields can be missing, especially for new tokens. Fields about the creation are either all present or all missing.",
  ],
});

const metaMulti = endpoint({
  family: "v2",
  path: "/token/meta/multi",
  summary: "Metadata of several tokens",
  query: { address: { ...mints(), hasCommaForm: true } },
  returns: rows("TokenMeta"),
  cachePolicy: "metadata",
  columns: ["symbol", "name", "address", "price", "price_change_24h", "market_cap", "holder", "supply"],
  identity: ["address"],
  echo: "address",
  aliases: ["metadata-multi"],
  examples: [
    { about: "Two tokens in one request", params: { address: [WRAPPED_SOL, USDC] } },
    { about: "Three tokens", params: { address: [USDC, JUP, BONK] } },
  ],
  notes: [
    "Unknown mints are omitted, so there can be fewer rows than requested; address identifies the token.",
    "Each token costs as much as a separate request.",
  ],
});

const search = endpoint({
  family: "v2",
  path: "/token/search",
  since: "newer",
  summary: "Search of tokens by name, symbol or address",
  query: {
    keyword: text("Name, symbol or address", IDENTIFIER),
    search_mode: oneOf(["exact", "fuzzy"], "Whether names may differ from the keyword", { default: "exact" }),
    search_by: oneOf(["combination", "address", "name", "symbol"], "Field to search", { default: "combination" }),
    exclude_unverified_token: flag("Exclude tokens without a good or neutral reputation", { default: false }),
    ...order(["reputation", "market_cap", "volume_24h"]),
    ...pages(SMALL_SIZES),
  },
  returns: rows("TokenSearchResult", { at: "items", total: "total" }),
  cachePolicy: "prices",
  columns: [
    "symbol",
    "name",
    "address",
    { path: "is_verified", head: "verified" },
    "price",
    "price_change_24h",
    "market_cap",
    "holder",
    { path: "total_dex_vol_24h", head: "volume 24h" },
    "created_time",
  ],
  identity: ["address"],
  aliases: ["find"],
  examples: [
    { about: "Tokens named bonk", params: { keyword: "bonk" } },
    {
      about: "Verified tokens with a similar symbol, highest volume first",
      params: {
        keyword: "jup",
        search_mode: "fuzzy",
        search_by: "symbol",
        exclude_unverified_token: true,
        sort_by: "volume_24h",
      },
    },
  ],
  notes: [
    "Names and symbols are not unique: anyone can create a token named USDC. Check address and is_verified.",
    `The total is at most ${MAX_LISTED_TOKENS}.`,
  ],
});

const list = endpoint({
  family: "v2",
  path: "/token/list",
  summary: "Tokens by market capitalisation, holders or age",
  query: {
    ...order(["holder", "market_cap", "created_time"], "market_cap"),
    ...pages(STANDARD_SIZES),
  },
  returns: rows("TokenListItem"),
  cachePolicy: "prices",
  columns: LIST_COLUMNS,
  identity: ["address"],
  examples: [
    { about: "Largest tokens", params: {} },
    { about: "Newest tokens", params: { sort_by: "created_time", page_size: 100 } },
  ],
  notes: [
    NO_TOTAL,
    `The list ends after ${MAX_TOKEN_LIST_ITEMS} tokens.`,
    "price_24h_change is named price_change_24h in the token's metadata; both are percent.",
  ],
});

const listV2 = endpoint({
  family: "v2",
  path: "/token/list-v2",
  since: "newer",
  summary: "Tokens filtered and sorted by any of 190 metrics",
  query: {
    sort_by: oneOf(TOKEN_METRIC_NAMES, "Sort key: any metric", { default: "volume_1m" }),
    sort_order: oneOf(["asc", "desc"], "Sort order", { default: "desc" }),
    platform: someOf(PLATFORMS, "Only tokens of any of these platforms", { newer: NEWER_PLATFORMS }),
    ...METRIC_FILTERS,
    page: integer("Page number, starting at 1", { min: 1, max: 1000, default: 1, role: "page" }),
    page_size: oneOf(STANDARD_SIZES, "Rows per page", { default: 10, role: "size" }),
  },
  returns: rows("TokenStatistics", { at: "list_tokens", total: "total" }),
  cachePolicy: "prices",
  columns: STATISTICS_COLUMNS,
  identity: ["token_address"],
  aliases: ["screener", "by-metric"],
  examples: [
    { about: "Highest volume of the last day", params: { sort_by: "volume_24h" } },
    {
      about: "Rising tokens with liquidity",
      params: { sort_by: "price_24h_change_pct", from_liquidity: "100000", from_num_holder: "100" },
    },
    {
      about: "Young tokens of pump.fun",
      params: { sort_by: "num_trader_1h", platform: "pumpfun", from_first_listing_time: "1767225600" },
    },
  ],
  notes: [
    ...STATISTICS_NOTES,
    "Metrics are listed under Output fields. Limits are inclusive; filters of several metrics are combined.",
    `The total is at most ${MAX_LISTED_TOKENS}. The list is empty, with total 0, after that many rows.`,
  ],
});

const top = endpoint({
  family: "v2",
  path: "/token/top",
  summary: "Top tokens",
  query: {},
  returns: rows("TokenListItem", { at: "items", total: "total", unwrapped: true }),
  cachePolicy: "prices",
  columns: LIST_COLUMNS,
  identity: ["address"],
  examples: [{ about: "Top tokens", params: {} }],
  notes: ["The list is not paged. The total can exceed the number of rows; some servers omit it."],
});

const trending = endpoint({
  family: "v2",
  path: "/token/trending",
  summary: "Trending tokens",
  query: {
    limit: integer("Rows", {
      min: 1,
      max: 100,
      default: 10,
      role: "size",
      note: "Older servers may accept fewer.",
    }),
  },
  returns: rows("TrendingToken"),
  cachePolicy: "prices",
  columns: ["symbol", "name", "decimals", "address"],
  identity: ["address"],
  aliases: ["trend"],
  examples: [
    { about: "Ten tokens", params: {} },
    { about: "Fifty tokens", params: { limit: 50 } },
  ],
  notes: ["Rows contain names only; for prices, see token meta."],
});

const latest = endpoint({
  family: "v2",
  path: "/token/latest",
  summary: "Newest tokens, of one launch platform or of all",
  query: {
    platform_id: oneOf(PLATFORMS, "Only tokens of this platform", {
      field: "platform",
      newer: NEWER_PLATFORMS,
      note: "stonkfun_launchpad is supported by newer servers only.",
    }),
    ...pages(STANDARD_SIZES),
  },
  returns: rows("LatestToken"),
  columns: ["created_time", "symbol", "name", "address", "platform", "price", "market_cap", "holder"],
  newestFirst: true,
  identity: ["address"],
  aliases: ["new", "newest"],
  examples: [
    { about: "Newest tokens", params: {} },
    { about: "New on pump.fun", params: { platform_id: "pumpfun", page_size: 40 } },
  ],
  notes: [NO_TOTAL, "New tokens may lack price, price change and holders."],
});

const holders = endpoint({
  family: "v2",
  path: "/token/holders",
  summary: "Holders of a token, largest first",
  query: {
    address: mint(),
    ...pages(SMALL_SIZES),
    from_amount: decimal("Minimum amount, in base units", { amountOf: "address" }),
    to_amount: decimal("Maximum amount, in base units", { amountOf: "address" }),
    from_value: decimal("Minimum value in USD", { note: NEWER_ONLY }),
    to_value: decimal("Maximum value in USD", { note: NEWER_ONLY }),
  },
  returns: rows("TokenHolder", { at: "items", total: "total" }),
  columns: [
    "rank",
    "owner",
    "amount",
    { path: "percentage", head: "share" },
    "value",
    { path: "address", head: "token account" },
  ],
  identity: ["address"],
  subject: "owner",
  aliases: ["holder"],
  examples: [
    { about: "Largest holders", params: { address: USDC, page_size: 40 } },
    { about: "Holders of at least 1 million JUP", params: { address: JUP, from_amount: "1000000000000" } },
  ],
  notes: [
    "address is the token account, owner the wallet; an owner can have several rows.",
    "With a filter, total and rank count only matching rows.",
    "The total can differ slightly from holder in the token's metadata.",
  ],
});

const statistic = endpoint({
  family: "v2",
  path: "/token/statistic",
  since: "newer",
  summary: "Statistics of a token: trades in nine time windows, supply, liquidity, holders",
  query: { address: mint() },
  returns: object("TokenStatistics"),
  cachePolicy: "prices",
  columns: [
    ...STATISTICS_COLUMNS,
    { path: "price_1h_change_pct", head: "price 1h" },
    { path: "price_7d_change_pct", head: "price 7d" },
    { path: "buy_volume_24h", head: "bought 24h" },
    { path: "sell_volume_24h", head: "sold 24h" },
    { path: "num_pool", head: "pools" },
    "fdv",
    "circulating_supply",
    { path: "holder_top_20_balance_pct", head: "top 20 holders" },
    "first_listing_time",
    "updated_time",
  ],
  echo: "token_address",
  aliases: ["statistics", "stats"],
  examples: [
    { about: "Statistics of BONK", params: { address: BONK } },
    { about: "Statistics of wrapped SOL", params: { address: WRAPPED_SOL } },
  ],
  notes: [
    ...STATISTICS_NOTES,
    "The answer is empty for addresses that are no indexed token.",
    "Statistics of SOL cover wrapped SOL only.",
  ],
});

const historicalData = endpoint({
  family: "v2",
  path: "/token/historical-data",
  since: "newer",
  summary: "Daily supply, holders, transfers and trades of a token",
  query: {
    address: mint(),
    range: oneOf([7, 30], "Number of days", { default: 7, role: "days" }),
  },
  returns: rows("TokenDay", { at: "data" }),
  cachePolicy: "prices",
  columns: [
    "date",
    "supply",
    "num_holders",
    "num_transfers",
    "num_buyers",
    "num_sellers",
    { path: "total_volume_buying", head: "bought" },
    { path: "total_volume_selling", head: "sold" },
  ],
  identity: ["date"],
  oldestFirst: true,
  aliases: ["historical", "history", "daily"],
  examples: [
    { about: "The last week of USDC", params: { address: USDC } },
    { about: "30 days of JUP", params: { address: JUP, range: 30 } },
  ],
  notes: [
    "The oldest day comes first. Young tokens have fewer rows. Rows have no price.",
    "supply is in whole units, amounts are in base units.",
    "Older servers lack amounts and total_trade_volume; their total_trade_amount is in USD.",
  ],
});

/** The v2 endpoints about the state of tokens. */
export const v2Token = [
  meta,
  metaMulti,
  search,
  list,
  listV2,
  top,
  trending,
  latest,
  holders,
  statistic,
  historicalData,
] as const;
