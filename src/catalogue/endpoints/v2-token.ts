/** The v2 token endpoints (specification §7). */
import {
  MAX_MULTI_ITEMS,
  MAX_TOKEN_LIST_ITEMS,
  NEWER_PLATFORMS,
  PLATFORMS,
  SMALL_SIZES,
  STANDARD_SIZES,
} from "../constants.ts";
import { csv, endpoint, object, rows } from "../endpoint.ts";
import {
  ASSET,
  address,
  addresses,
  date,
  decimal,
  deprecatedBlockTime,
  flag,
  IDENTIFIER,
  integer,
  MINT,
  oneOf,
  order,
  pages,
  range,
  timeWindow,
} from "../param.ts";
import { BONK, JUP, JUPITER, OTHER_WALLET, PUMPSWAP, USDC, WHIRLPOOL, WRAPPED_SOL } from "../samples.ts";
import {
  amountRange,
  DEFI_CELLS,
  defiFilters,
  EXPORT_NOTES,
  MULTI_LIMIT,
  NATIVE_SOL_NOTE,
  NEWER_ONLY,
  NO_TOTAL,
  transferKinds,
  transferParties,
  valueRange,
} from "./common.ts";

const mint = () => address("Mint of the token", { ...IDENTIFIER, ...MINT });
const mints = () =>
  addresses("Mints of the tokens", { ...IDENTIFIER, ...MINT, maxItems: MAX_MULTI_ITEMS, note: MULTI_LIMIT });

/** `from_time` and `to_time` as calendar dates, and their deprecated form. */
const days = () =>
  ({
    from_time: date("First day", { role: "from" }),
    to_time: date("Last day", { role: "to" }),
    time: range("date", "First and last day as two entries", { deprecated: "Use from_time and to_time instead." }),
  }) as const;

const DEFI_COLUMNS = [
  "block_time",
  "activity_type",
  "amount_info.amount1|routers.amount1",
  "amount_info.token1|routers.token1",
  "amount_info.amount2|routers.amount2",
  "amount_info.token2|routers.token2",
  "value",
  "platform",
  "from_address",
  "trans_id",
] as const;

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

const transfer = endpoint({
  family: "v2",
  path: "/token/transfer",
  summary: "Transfers of a token",
  query: {
    address: address("Mint of the token", { ...IDENTIFIER, ...ASSET }),
    ...transferKinds(),
    ...transferParties(),
    amount: amountRange("address"),
    ...valueRange(),
    ...timeWindow(),
    ...deprecatedBlockTime(),
    exclude_amount_zero: flag("Exclude transfers of zero", { default: false }),
    ...pages(STANDARD_SIZES),
    ...order(["block_time"]),
  },
  returns: rows("Transfer"),
  columns: ["block_time", "amount", "from_address", "to_address", "activity_type", "trans_id"],
  identity: [
    "trans_id",
    "activity_type",
    "from_address",
    "from_token_account",
    "to_address",
    "to_token_account",
    "token_address",
    "amount",
  ],
  echo: "token_address",
  aliases: ["transfers"],
  examples: [
    {
      about: "Transfers worth at least 1 million USD",
      params: { address: USDC, value: ["1000000", "1000000000"] },
    },
    {
      about: "Burns of the last month",
      params: { address: BONK, activity_type: "ACTIVITY_SPL_BURN", from_time: "30d" },
    },
  ],
  notes: [NO_TOTAL, "value filters rows but is not a field of the rows. Rows have no flow.", NATIVE_SOL_NOTE],
});

const defiActivities = endpoint({
  family: "v2",
  path: "/token/defi/activities",
  summary: "DeFi activities with a token: swaps, liquidity, stakes, loans",
  query: {
    address: mint(),
    ...defiFilters(),
    ...valueRange(),
    ...timeWindow(),
    ...deprecatedBlockTime(),
    ...pages(STANDARD_SIZES),
    ...order(["block_time"]),
  },
  returns: rows("DefiActivity"),
  columns: DEFI_COLUMNS,
  identity: ["trans_id", "activity_type", "from_address", "sources", "amount_info", "routers"],
  aliases: ["defi"],
  examples: [
    {
      about: "Swaps between JUP and USDC",
      params: { address: JUP, token: USDC, activity_type: "ACTIVITY_TOKEN_SWAP" },
    },
    {
      about: "Large activities of the last day",
      params: { address: WRAPPED_SOL, value: ["10000", "100000000"], from_time: "1d", page_size: 100 },
    },
  ],
  notes: [
    NO_TOTAL,
    "The token can be token1 or token2.",
    "Newer servers name amount_info routers and its list of hops child_routers, omit to_address, return platform as a list and may not support the platform filter.",
    "Amounts are numbers in amount_info and text in its hops. One-sided activities lack a second token.",
  ],
});

const markets = endpoint({
  family: "v2",
  path: "/token/markets",
  summary: "Pools that trade a token, or a pair of tokens",
  query: {
    token: addresses("One mint (all its pools) or two mints (pools of the pair)", {
      ...IDENTIFIER,
      ...MINT,
      note: "Newer servers accept at most two.",
    }),
    sort_by: oneOf(["volume", "trade", "tvl", "trader"], "Sort key"),
    program: addresses("Only pools of these programs", { field: "program_id" }),
    ...pages(STANDARD_SIZES),
  },
  returns: rows("TokenMarket"),
  cachePolicy: "prices",
  columns: [
    "pool_id",
    "program_id",
    "token_1",
    "token_2",
    { path: "total_volume_24h", head: "volume 24h" },
    { path: "total_trades_24h", head: "trades 24h" },
    { path: "total_tvl", head: "TVL" },
    { path: "num_trader_24h", head: "traders 24h" },
  ],
  identity: ["pool_id"],
  aliases: ["pools"],
  examples: [
    { about: "Pools of SOL by volume", params: { token: [WRAPPED_SOL], sort_by: "volume" } },
    {
      about: "Pools of SOL and USDC on two exchanges",
      params: { token: [WRAPPED_SOL, USDC], program: [WHIRLPOOL, PUMPSWAP], sort_by: "tvl" },
    },
  ],
  notes: [
    NO_TOTAL,
    "token_1 and token_2 are in the order of the pool, not of the request.",
    "Values of the previous day can be missing, which does not mean zero.",
  ],
});

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

const price = endpoint({
  family: "v2",
  path: "/token/price",
  summary: "Daily prices of a token",
  query: { address: mint(), ...days() },
  returns: rows("PricePoint"),
  cachePolicy: "prices",
  columns: ["date", "price"],
  identity: ["date"],
  oldestFirst: true,
  examples: [
    { about: "30 days, until a week ago", params: { address: JUP, from_time: "37d", to_time: "7d" } },
    { about: "The last thirty days", params: { address: WRAPPED_SOL, from_time: "30d" } },
  ],
  notes: [
    "Times are calendar dates (YYYYMMDD), not Unix seconds.",
    "The oldest day comes first.",
    "The answer does not contain the token's address.",
  ],
});

const priceMulti = endpoint({
  family: "v2",
  path: "/token/price/multi",
  summary: "Daily prices of several tokens",
  query: { address: mints(), ...days() },
  returns: rows("PriceSeries"),
  cachePolicy: "prices",
  columns: ["token_address", "prices"],
  identity: ["token_address"],
  echo: "token_address",
  aliases: ["prices"],
  examples: [
    { about: "SOL and USDC, last week", params: { address: [WRAPPED_SOL, USDC], from_time: "7d" } },
    {
      about: "Three tokens over a month",
      params: { address: [WRAPPED_SOL, JUP, BONK], from_time: "30d", to_time: "yesterday" },
    },
  ],
  notes: [
    "Times are calendar dates (YYYYMMDD), not Unix seconds.",
    "One invalid address fails the whole request.",
    "Days can be missing from a series.",
  ],
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

const defiActivitiesExport = endpoint({
  family: "v2",
  path: "/token/defi/activities/export",
  summary: "DeFi activities with a token as CSV",
  query: {
    address: mint(),
    ...defiFilters(),
    ...timeWindow(),
    ...deprecatedBlockTime(),
    ...order(["block_time"]),
  },
  returns: csv("DefiExportRow"),
  pagedSource: { path: "/token/defi/activities", columns: DEFI_CELLS },
  columns: ["Block Time", "Action", "Amount1", "Token1", "Amount2", "Token2", "Value", "From", "Signature"],
  identity: ["Signature", "Action", "From", "Token1", "Amount1", "Token2", "Amount2", "Sources"],
  aliases: ["defi-export"],
  examples: [
    { about: "DeFi activities of a day", params: { address: JUP, from_time: "2d", to_time: "1d" } },
    {
      about: "Activities of one wallet through Jupiter",
      params: { address: BONK, from: OTHER_WALLET, platform: JUPITER },
    },
  ],
  notes: [
    ...EXPORT_NOTES,
    "Platforms and Sources are separated by | and can have empty parts.",
    "Amounts can be 0 although Value is not.",
  ],
});

/** The v2 token endpoints, in the order of the specification. */
export const v2Token = [
  transfer,
  defiActivities,
  markets,
  meta,
  metaMulti,
  price,
  priceMulti,
  holders,
  list,
  top,
  trending,
  latest,
  defiActivitiesExport,
] as const;
