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
  address,
  addresses,
  commaAddresses,
  date,
  decimal,
  deprecatedBlockTime,
  flag,
  IDENTIFIER,
  integer,
  oneOf,
  order,
  pages,
  range,
  timeWindow,
} from "../param.ts";
import { BONK, JUP, JUPITER, OTHER_WALLET, PUMPSWAP, USDC, WHIRLPOOL, WRAPPED_SOL } from "../samples.ts";
import {
  AMOUNT_UNIT,
  DEFI_CELLS,
  defiFilters,
  EXPORT_NOTES,
  MULTI_LIMIT,
  NATIVE_SOL_NOTE,
  NEWER_ONLY,
  NO_TOTAL,
  transferKinds,
  valueRange,
} from "./common.ts";

const mint = () => address("Mint of the token", IDENTIFIER);
const mints = () => addresses("Mints of the tokens", { ...IDENTIFIER, maxItems: MAX_MULTI_ITEMS, note: MULTI_LIMIT });

/** `from_time` and `to_time` as calendar dates, with the former way to give them. */
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
    address: mint(),
    ...transferKinds(),
    from: commaAddresses("Only from these addresses"),
    exclude_from: commaAddresses("Not from these addresses"),
    to: commaAddresses("Only to these addresses"),
    exclude_to: commaAddresses("Not to these addresses"),
    amount: range("decimal", "Least and greatest amount", { note: AMOUNT_UNIT }),
    ...valueRange(),
    ...timeWindow(),
    ...deprecatedBlockTime(),
    exclude_amount_zero: flag("Leave out transfers of nothing", { default: false }),
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
      about: "Transfers worth a million dollars and more",
      params: { address: USDC, value: ["1000000", "1000000000"] },
    },
    {
      about: "Burns of the last month",
      params: { address: BONK, activity_type: "ACTIVITY_SPL_BURN", from_time: "30d" },
    },
  ],
  notes: [
    NO_TOTAL,
    "value filters rows, but the rows do not show it. There is no flow: a token has no side.",
    NATIVE_SOL_NOTE,
  ],
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
    "The token may stand on either side: as token1 or as token2.",
    "Newer servers call amount_info routers and its list of hops child_routers, leave to_address out, give platform as a list, and may not know the platform filter.",
    "Amounts are numbers in amount_info and text in its hops. One-sided activities have no second token.",
  ],
});

const markets = endpoint({
  family: "v2",
  path: "/token/markets",
  summary: "Pools that trade a token, or a pair of tokens",
  query: {
    token: addresses("One mint for all its pools, two for the pools of that pair", {
      ...IDENTIFIER,
      note: "Newer servers take no more than two.",
    }),
    sort_by: oneOf(["volume", "trade", "tvl", "trader"], "Sort key"),
    program: addresses("Only pools of these programs"),
    ...pages(STANDARD_SIZES),
  },
  returns: rows("TokenMarket"),
  cachePolicy: "prices",
  columns: [
    "pool_id",
    "program_id",
    "token_1",
    "token_2",
    "total_volume_24h",
    "total_trades_24h",
    "total_tvl",
    "num_trader_24h",
  ],
  identity: ["pool_id"],
  aliases: ["pools"],
  examples: [
    { about: "The pools of SOL by volume", params: { token: [WRAPPED_SOL], sort_by: "volume" } },
    {
      about: "Pools of SOL and USDC on two exchanges",
      params: { token: [WRAPPED_SOL, USDC], program: [WHIRLPOOL, PUMPSWAP], sort_by: "tvl" },
    },
  ],
  notes: [
    NO_TOTAL,
    "token_1 and token_2 are in the order of the pool, not of the request.",
    "The numbers of the day before can be missing; missing is not zero.",
  ],
});

const meta = endpoint({
  family: "v2",
  path: "/token/meta",
  summary: "What a token is: name, supply, maker, authorities, market",
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
    "A mint_authority or freeze_authority of null is given up for good.",
    "Market fields can be missing, most of all for new tokens; the fields about the creation are there together or not at all.",
  ],
});

const metaMulti = endpoint({
  family: "v2",
  path: "/token/meta/multi",
  summary: "What several tokens are",
  query: { address: mints() },
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
    "A mint that is not known is left out, so the answer can be shorter than the request: address tells which token a row is.",
    "Each token costs as much as a request for it alone.",
  ],
});

const price = endpoint({
  family: "v2",
  path: "/token/price",
  summary: "The price of a token, day by day",
  query: { address: mint(), ...days() },
  returns: rows("PricePoint"),
  cachePolicy: "prices",
  columns: ["date", "price"],
  identity: ["date"],
  examples: [
    { about: "A month, up to a week ago", params: { address: JUP, from_time: "37d", to_time: "7d" } },
    { about: "The last thirty days", params: { address: WRAPPED_SOL, from_time: "30d" } },
  ],
  notes: ["Times are calendar dates (YYYYMMDD), not Unix seconds.", "The answer does not repeat the token's address."],
});

const priceMulti = endpoint({
  family: "v2",
  path: "/token/price/multi",
  summary: "The prices of several tokens, day by day",
  query: { address: mints(), ...days() },
  returns: rows("PriceSeries"),
  cachePolicy: "prices",
  columns: ["token_address", "prices"],
  identity: ["token_address"],
  echo: "token_address",
  aliases: ["prices"],
  examples: [
    { about: "SOL and USDC, the last week", params: { address: [WRAPPED_SOL, USDC], from_time: "7d" } },
    {
      about: "Three tokens over a month",
      params: { address: [WRAPPED_SOL, JUP, BONK], from_time: "30d", to_time: "yesterday" },
    },
  ],
  notes: [
    "Times are calendar dates (YYYYMMDD), not Unix seconds.",
    "One malformed address makes the whole request fail.",
    "Days can be missing from a series.",
  ],
});

const holders = endpoint({
  family: "v2",
  path: "/token/holders",
  summary: "Who holds a token, largest first",
  query: {
    address: mint(),
    ...pages(SMALL_SIZES),
    from_amount: decimal("Least amount, in base units"),
    to_amount: decimal("Greatest amount, in base units"),
    from_value: decimal("Least value in USD", { note: NEWER_ONLY }),
    to_value: decimal("Greatest value in USD", { note: NEWER_ONLY }),
  },
  returns: rows("TokenHolder", { at: "items", total: "total" }),
  columns: ["rank", "owner", "amount", "percentage", "value", "address"],
  identity: ["address"],
  aliases: ["holder"],
  examples: [
    { about: "The largest holders", params: { address: USDC, page_size: 40 } },
    { about: "Holders of a million JUP and more", params: { address: JUP, from_amount: "1000000000000" } },
  ],
  notes: [
    "address is the token account, owner the wallet; an owner can have several rows.",
    "With a filter, total and rank count only the rows that it leaves.",
    "The total can differ a little from the holder field of the token's metadata.",
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
    { about: "The largest tokens", params: {} },
    { about: "The newest tokens", params: { sort_by: "created_time", page_size: 100 } },
  ],
  notes: [
    NO_TOTAL,
    `The list ends after ${MAX_TOKEN_LIST_ITEMS} tokens.`,
    "The change of the price is called price_24h_change here and price_change_24h in the token's metadata; both are percent.",
  ],
});

const top = endpoint({
  family: "v2",
  path: "/token/top",
  summary: "The top tokens",
  query: {},
  returns: rows("TokenListItem", { at: "items", total: "total" }),
  cachePolicy: "prices",
  columns: LIST_COLUMNS,
  identity: ["address"],
  examples: [{ about: "The top tokens", params: {} }],
  notes: ["There are no pages. The total can be greater than the number of rows that come."],
});

const trending = endpoint({
  family: "v2",
  path: "/token/trending",
  summary: "Tokens that many look at now",
  query: {
    limit: integer("Rows", {
      min: 1,
      max: 100,
      default: 10,
      role: "size",
      note: "Older servers may take fewer.",
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
  notes: ["Rows carry names only: prices are in the metadata of the tokens."],
});

const latest = endpoint({
  family: "v2",
  path: "/token/latest",
  summary: "The newest tokens, of one launch platform or of all",
  query: {
    platform_id: oneOf(PLATFORMS, "Only tokens of this platform", {
      newer: NEWER_PLATFORMS,
      note: "stonkfun_launchpad is known to newer servers only.",
    }),
    ...pages(STANDARD_SIZES),
  },
  returns: rows("LatestToken"),
  columns: ["created_time", "symbol", "name", "address", "platform", "price", "market_cap", "holder"],
  newestFirst: true,
  identity: ["address"],
  aliases: ["new", "newest"],
  examples: [
    { about: "The newest tokens", params: {} },
    { about: "New on pump.fun", params: { platform_id: "pumpfun", page_size: 40 } },
  ],
  notes: [NO_TOTAL, "New tokens may not have a price, a change or holders yet."],
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
    { about: "What one wallet did through Jupiter", params: { address: BONK, from: OTHER_WALLET, platform: JUPITER } },
  ],
  notes: [
    ...EXPORT_NOTES,
    "Platforms and Sources are joined by |, with empty parts in between.",
    "Amounts can be 0 where Value is not.",
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
