/** What tokens are and who holds them: v2 token endpoints about metadata, lists and holders. */
import {
  MAX_LISTED_TOKENS,
  MAX_TOKEN_LIST_ITEMS,
  NEWER_PLATFORMS,
  PLATFORMS,
  SMALL_SIZES,
  STANDARD_SIZES,
} from "../constants.ts";
import { endpoint, object, rows } from "../endpoint.ts";
import { decimal, flag, IDENTIFIER, integer, oneOf, order, pages, someOf, text } from "../param.ts";
import { BONK, JUP, USDC, WRAPPED_SOL } from "../samples.ts";
import { METRIC_FILTERS, TOKEN_METRIC_NAMES } from "../token-metrics.ts";
import { NEWER_ONLY, NO_TOTAL, TOKEN, TOKENS } from "./common.ts";

const LIST_COLUMNS = "symbol, name, address, price, price_24h_change, market_cap, holder, created_time";

const STATISTICS_NOTES = [
  "Percentages are percent: 2.77 means 2.77 %. Changes compare a window with the one before.",
  "A wallet can buy and sell, so num_buyer plus num_seller can exceed num_trader.",
  "Supplies are in whole units. Rows have no symbol, name, decimals or price.",
];

const STATISTICS_COLUMNS = `token_address, price_24h_change_pct as price 24h, market_cap, liquidity,
  volume_24h as volume 24h, volume_24h_change_pct as volume change, num_trade_24h as trades 24h,
  num_trader_24h as traders 24h, num_holder as holders`;

/** The v2 endpoints about the state of tokens. */
export const v2Token = [
  endpoint("v2", "/token/meta", {
    summary: "Metadata of a token: name, supply, creator, authorities, market",
    query: { address: TOKEN },
    returns: object("TokenMeta"),
    cachePolicy: "metadata",
    columns: `address, symbol, name, decimals, price, price_change_24h, market_cap, market_cap_rank, volume_24h, supply,
      holder, creator, created_time, mint_authority, freeze_authority, metadata_uri`,
    echo: "address",
    aliases: ["metadata", "info"],
    examples: { USDC: { address: USDC }, "Wrapped SOL": { address: WRAPPED_SOL } },
    notes: [
      "supply is in base units.",
      "mint_authority or freeze_authority is null when the authority was revoked.",
      "Market fields can be missing, especially for new tokens. Fields about the creation are either all present or all missing.",
    ],
  }),
  endpoint("v2", "/token/meta/multi", {
    summary: "Metadata of several tokens",
    query: { address: { ...TOKENS, hasCommaForm: true } },
    returns: rows("TokenMeta"),
    cachePolicy: "metadata",
    columns: "symbol, name, address, price, price_change_24h, market_cap, holder, supply",
    identity: "address",
    echo: "address",
    aliases: ["metadata-multi"],
    examples: {
      "Two tokens in one request": { address: [WRAPPED_SOL, USDC] },
      "Three tokens": { address: [USDC, JUP, BONK] },
    },
    notes: [
      "Unknown mints are omitted, so there can be fewer rows than requested; address identifies the token.",
      "Each token costs as much as a separate request.",
    ],
  }),
  endpoint("v2", "/token/search", {
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
    columns: `symbol, name, address, is_verified as verified, price, price_change_24h, market_cap, holder,
      total_dex_vol_24h as volume 24h, created_time`,
    identity: "address",
    aliases: ["find"],
    examples: {
      "Tokens named bonk": { keyword: "bonk" },
      "Verified tokens with a similar symbol, highest volume first": {
        keyword: "jup",
        search_mode: "fuzzy",
        search_by: "symbol",
        exclude_unverified_token: true,
        sort_by: "volume_24h",
      },
    },
    notes: [
      "Names and symbols are not unique: anyone can create a token named USDC. Check address and is_verified.",
      `The total is at most ${MAX_LISTED_TOKENS}.`,
    ],
  }),
  endpoint("v2", "/token/list", {
    summary: "Tokens by market capitalisation, holders or age",
    query: {
      ...order(["holder", "market_cap", "created_time"], "market_cap"),
      ...pages(STANDARD_SIZES),
    },
    returns: rows("TokenListItem"),
    cachePolicy: "prices",
    columns: LIST_COLUMNS,
    identity: "address",
    examples: { "Largest tokens": {}, "Newest tokens": { sort_by: "created_time", page_size: 100 } },
    notes: [
      NO_TOTAL,
      `The list ends after ${MAX_TOKEN_LIST_ITEMS} tokens.`,
      "price_24h_change is named price_change_24h in the token's metadata; both are percent.",
    ],
  }),
  endpoint("v2", "/token/list-v2", {
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
    identity: "token_address",
    aliases: ["screener", "by-metric"],
    examples: {
      "Highest volume of the last day": { sort_by: "volume_24h" },
      "Rising tokens with liquidity": {
        sort_by: "price_24h_change_pct",
        from_liquidity: "100000",
        from_num_holder: "100",
      },
      "Young tokens of pump.fun": {
        sort_by: "num_trader_1h",
        platform: "pumpfun",
        from_first_listing_time: "1767225600",
      },
    },
    notes: [
      ...STATISTICS_NOTES,
      "Metrics are listed under Output fields. Limits are inclusive; filters of several metrics are combined.",
      `The total is at most ${MAX_LISTED_TOKENS}. The list is empty, with total 0, after that many rows.`,
    ],
  }),
  endpoint("v2", "/token/top", {
    summary: "Top tokens",
    query: {},
    returns: rows("TokenListItem", { at: "items", total: "total", unwrapped: true }),
    cachePolicy: "prices",
    columns: LIST_COLUMNS,
    identity: "address",
    examples: { "Top tokens": {} },
    notes: ["The list is not paged. The total can exceed the number of rows; some servers omit it."],
  }),
  endpoint("v2", "/token/trending", {
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
    columns: "symbol, name, decimals, address",
    identity: "address",
    aliases: ["trend"],
    examples: { "Ten tokens": {}, "Fifty tokens": { limit: 50 } },
    notes: ["Rows contain names only; for prices, see token meta."],
  }),
  endpoint("v2", "/token/latest", {
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
    columns: "created_time, symbol, name, address, platform, price, market_cap, holder",
    newestFirst: true,
    identity: "address",
    aliases: ["new", "newest"],
    examples: { "Newest tokens": {}, "New on pump.fun": { platform_id: "pumpfun", page_size: 40 } },
    notes: [NO_TOTAL, "New tokens may lack price, price change and holders."],
  }),
  endpoint("v2", "/token/holders", {
    summary: "Holders of a token, largest first",
    query: {
      address: TOKEN,
      ...pages(SMALL_SIZES),
      from_amount: decimal("Minimum amount, in base units", { amountOf: "address" }),
      to_amount: decimal("Maximum amount, in base units", { amountOf: "address" }),
      from_value: decimal("Minimum value in USD", { note: NEWER_ONLY }),
      to_value: decimal("Maximum value in USD", { note: NEWER_ONLY }),
    },
    returns: rows("TokenHolder", { at: "items", total: "total" }),
    columns: "rank, owner, amount, percentage as share, value, address as token account",
    identity: "address",
    subject: "owner",
    aliases: ["holder"],
    examples: {
      "Largest holders": { address: USDC, page_size: 40 },
      "Holders of at least 1 million JUP": { address: JUP, from_amount: "1000000000000" },
    },
    notes: [
      "address is the token account, owner the wallet; an owner can have several rows.",
      "With a filter, total and rank count only matching rows.",
      "The total can differ slightly from holder in the token's metadata.",
    ],
  }),
  endpoint("v2", "/token/statistic", {
    since: "newer",
    summary: "Statistics of a token: trades in nine time windows, supply, liquidity, holders",
    query: { address: TOKEN },
    returns: object("TokenStatistics"),
    cachePolicy: "prices",
    columns: `${STATISTICS_COLUMNS}, price_1h_change_pct as price 1h, price_7d_change_pct as price 7d,
      buy_volume_24h as bought 24h, sell_volume_24h as sold 24h, num_pool as pools, fdv, circulating_supply,
      holder_top_20_balance_pct as top 20 holders, first_listing_time, updated_time`,
    echo: "token_address",
    aliases: ["statistics", "stats"],
    examples: { "Statistics of BONK": { address: BONK }, "Statistics of wrapped SOL": { address: WRAPPED_SOL } },
    notes: [
      ...STATISTICS_NOTES,
      "The answer is empty for addresses that are no indexed token.",
      "Statistics of SOL cover wrapped SOL only.",
    ],
  }),
  endpoint("v2", "/token/historical-data", {
    since: "newer",
    summary: "Daily supply, holders, transfers and trades of a token",
    query: {
      address: TOKEN,
      range: oneOf([7, 30], "Number of days", { default: 7, role: "days" }),
    },
    returns: rows("TokenDay", { at: "data", beside: "TokenHistory" }),
    cachePolicy: "prices",
    columns: `date, supply, num_holders, num_transfers, num_buyers, num_sellers, total_volume_buying as bought,
      total_volume_selling as sold`,
    identity: "date",
    oldestFirst: true,
    aliases: ["historical", "history", "daily"],
    examples: { "The last week of USDC": { address: USDC }, "30 days of JUP": { address: JUP, range: 30 } },
    notes: [
      "The oldest day comes first. Young tokens have fewer rows. Rows have no price.",
      "supply is in whole units, amounts are in base units.",
      "Older servers lack amounts and total_trade_volume; their total_trade_amount is in USD.",
    ],
  }),
];
