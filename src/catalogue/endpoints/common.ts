/** Parameters and notes that several endpoints share. */
import {
  CANDLE_RESOLUTIONS,
  DEFAULT_CANDLES,
  DEFI_ACTIVITIES,
  MAX_CANDLES,
  MAX_MULTI_ITEMS,
  NEWER_DEFI_ACTIVITIES,
  NEWER_TRANSFER_ACTIVITIES,
  TRANSFER_ACTIVITIES,
} from "../constants.ts";
import { rows } from "../endpoint.ts";
import {
  ASSET,
  address,
  addresses,
  amountRange,
  commaAddresses,
  flag,
  IDENTIFIER,
  integer,
  MINT,
  oneOf,
  range,
  someOf,
  TIME_WINDOW,
} from "../param.ts";

/** Note of parameters that the specification does not list. */
export const NEWER_ONLY = "Supported by newer servers only.";

/** Note of lists of identifiers, for which the specification's limit is 20. */
export const MULTI_LIMIT = "Newer servers accept up to 50.";

/** Note of token filters that accept several mints by the specification. */
export const ONE_MINT = "Newer servers accept one mint.";

/** Note of address filters that accept several addresses by the specification. */
export const ONE_ADDRESS = "Newer servers accept one address.";

/** The token that an endpoint is about. */
export const TOKEN = address("Mint of the token", { ...IDENTIFIER, ...MINT });

/** The tokens that a multi endpoint is about. */
export const TOKENS = addresses("Mints of the tokens", {
  ...IDENTIFIER,
  ...MINT,
  maxItems: MAX_MULTI_ITEMS,
  note: MULTI_LIMIT,
});

/** Notes of all exports. */
export const EXPORT_NOTES = [
  "The API returns at most 5000 rows and does not report truncation; --all fetches all rows in several requests.",
  "The API allows one export per minute; newer servers allow ten.",
  "Without a time range, the export covers all times.",
];

/** Note of lists without a total. */
export const NO_TOTAL = "The API returns no total: the list ends at the first page that is not full.";

/** Note of transfers: two addresses that look alike. */
export const NATIVE_SOL_NOTE =
  "Filters and exports use So111…111 (ending in 1) for native SOL; rows of lists may contain the mint of wrapped SOL, So111…112.";

/** The filter for types of transfers. */
export const TRANSFER_KINDS = {
  activity_type: someOf(TRANSFER_ACTIVITIES, "Only transfers of these types", {
    field: "activity_type",
    newer: NEWER_TRANSFER_ACTIVITIES,
    note: "Types after the first ten are supported by newer servers only.",
  }),
};

/** The filters for senders and receivers of transfers. */
export const TRANSFER_PARTIES = {
  from: commaAddresses("Only from these addresses", { field: "from_address" }),
  exclude_from: commaAddresses("Not from these addresses", { field: "from_address", excludes: true }),
  to: commaAddresses("Only to these addresses", { field: "to_address" }),
  exclude_to: commaAddresses("Not to these addresses", { field: "to_address", excludes: true }),
};

/** The filter for values in USD. */
export const VALUE_RANGE = { value: range("decimal", "Minimum and maximum value in USD", { use: 3 }) };

/** The filter for values in USD, for lists without one in the specification. */
export const NEWER_VALUE_RANGE = {
  value: range("decimal", "Minimum and maximum value in USD", { note: NEWER_ONLY, use: 3 }),
};

/** The filters of an account's transfers. */
export const TRANSFER_FILTERS = {
  ...TRANSFER_KINDS,
  token_account: address("Only transfers of this token account of the account"),
  ...TRANSFER_PARTIES,
  token: commaAddresses("Only transfers of these tokens", { ...ASSET, field: "token_address", use: 1 }),
  amount: amountRange("token", "Minimum and maximum amount", { needs: "token" }),
  ...VALUE_RANGE,
  ...TIME_WINDOW,
  exclude_amount_zero: flag("Exclude transfers of zero", { default: false }),
  flow: oneOf(["in", "out"], "Only incoming or outgoing", { field: "flow", use: 2 }),
};

/** The tokens of a DeFi activity in its row. */
const SWAPPED_TOKENS = "amount_info.token1|routers.token1|amount_info.token2|routers.token2";

/** The filters of DeFi activities: types, initiator, platforms, venues, token. */
export const DEFI_FILTERS = {
  activity_type: someOf(DEFI_ACTIVITIES, "Only activities of these types", {
    field: "activity_type",
    newer: NEWER_DEFI_ACTIVITIES,
    note: "Types after the first sixteen are supported by newer servers only.",
  }),
  from: commaAddresses("Only activities initiated by these addresses", { note: ONE_ADDRESS, field: "from_address" }),
  platform: addresses("Only on these platforms (program addresses)", { field: "platform" }),
  source: addresses("Only through these pools or venues", { field: "sources" }),
  token: commaAddresses("Only activities with these tokens", {
    ...MINT,
    note: ONE_MINT,
    field: SWAPPED_TOKENS,
    use: 1,
  }),
};

const EVENT_CELLS = {
  Signature: { path: "trans_id" },
  "Block Time": { path: "block_time" },
  "Human Time": { path: "time" },
};

/** The columns of a transfer export, in the rows of the paged transfers. */
export const TRANSFER_CELLS = {
  ...EVENT_CELLS,
  Action: { path: "activity_type", withoutPrefix: "ACTIVITY_SPL_" },
  From: { path: "from_address" },
  To: { path: "to_address" },
  Amount: { path: "amount" },
  Flow: { path: "flow" },
  Value: { path: "value" },
  Decimals: { path: "token_decimals" },
  "Token Address": { path: "token_address" },
} as const;

/** The columns of a DeFi export, in the rows of the paged activities. */
export const DEFI_CELLS = {
  ...EVENT_CELLS,
  Action: { path: "activity_type", withoutPrefix: "ACTIVITY_", spaced: true },
  From: { path: "from_address" },
  Token1: { path: "amount_info.token1|routers.token1" },
  Amount1: { path: "amount_info.amount1|routers.amount1" },
  TokenDecimals1: { path: "amount_info.token1_decimals|routers.token1_decimals" },
  Token2: { path: "amount_info.token2|routers.token2" },
  Amount2: { path: "amount_info.amount2|routers.amount2" },
  TokenDecimals2: { path: "amount_info.token2_decimals|routers.token2_decimals" },
  Value: { path: "value" },
  Platforms: { path: "platform" },
  Sources: { path: "sources" },
} as const;

/** The length of a candle. */
export const CANDLE_LENGTH = oneOf(CANDLE_RESOLUTIONS, "Length of a candle", {
  default: "1m",
  note: "Case matters: 1m is a minute, 1M a month.",
});

/** The number of candles. */
export const CANDLE_COUNT = integer("Candles per page", {
  min: 1,
  max: MAX_CANDLES,
  default: DEFAULT_CANDLES,
  role: "size",
});

/** The answer of endpoints for candles. */
export const CANDLE_LIST = {
  returns: rows("Candle", { at: "data", beside: "CandleSeries" }),
  cachePolicy: "prices",
  cursorAt: "cursor",
  ascendingPages: true,
  columns: "time, open_price as open, high_price as high, low_price as low, close_price as close, volume",
  identity: "time",
} as const;
