/** Parameters and notes that several endpoints share. */
import {
  CANDLE_RESOLUTIONS,
  DEFAULT_CANDLES,
  DEFI_ACTIVITIES,
  MAX_CANDLES,
  NEWER_DEFI_ACTIVITIES,
  NEWER_TRANSFER_ACTIVITIES,
  TRANSFER_ACTIVITIES,
} from "../constants.ts";
import { rows } from "../endpoint.ts";
import {
  ASSET,
  address,
  addresses,
  commaAddresses,
  flag,
  integer,
  MINT,
  oneOf,
  range,
  someOf,
  timeWindow,
} from "../param.ts";

const NONE = {} as const;

/** Note of parameters that the specification does not list. */
export const NEWER_ONLY = "Supported by newer servers only.";

/** Note of lists of identifiers, for which the specification's limit is 20. */
export const MULTI_LIMIT = "Newer servers accept up to 50.";

/** Note of token filters that accept several mints by the specification. */
export const ONE_MINT = "Newer servers accept one mint.";

/** Note of address filters that accept several addresses by the specification. */
export const ONE_ADDRESS = "Newer servers accept one address.";

/** Note of amount filters. */
const AMOUNT_UNIT = "The API does not document the unit; rows have base units.";

/** Returns the filter for amounts of the token that another parameter names. */
export const amountRange = <const P extends string, const O extends { readonly needs?: string } = typeof NONE>(
  token: P,
  description = "Minimum and maximum amount",
  options: O = NONE as O,
) => range("decimal", `${description}, in base units`, { amountOf: token, note: AMOUNT_UNIT, ...options });

/** Notes of all exports. */
export const EXPORT_NOTES = [
  "The API returns at most 5000 rows and does not report truncation; --all fetches all rows in several requests.",
  "The API allows one export per minute; newer servers allow ten.",
  "Without from_time and to_time, the export covers all times.",
] as const;

/** Note of lists without a total. */
export const NO_TOTAL = "The API returns no total: the list ends at the first page that is not full.";

/** Note of transfers: two addresses that look alike. */
export const NATIVE_SOL_NOTE =
  "Filters and exports use So111…111 (ending in 1) for native SOL; rows of lists may contain the mint of wrapped SOL, So111…112.";

/** Returns the filter for types of transfers. */
export const transferKinds = () =>
  ({
    activity_type: someOf(TRANSFER_ACTIVITIES, "Only transfers of these types", {
      field: "activity_type",
      newer: NEWER_TRANSFER_ACTIVITIES,
      note: "Types after the first ten are supported by newer servers only.",
    }),
  }) as const;

/** Returns the filters for senders and receivers of transfers. */
export const transferParties = () =>
  ({
    from: commaAddresses("Only from these addresses", { field: "from_address" }),
    exclude_from: commaAddresses("Not from these addresses", { field: "from_address", excludes: true }),
    to: commaAddresses("Only to these addresses", { field: "to_address" }),
    exclude_to: commaAddresses("Not to these addresses", { field: "to_address", excludes: true }),
  }) as const;

/** Returns the filters of an account's transfers. */
export const transferFilters = () =>
  ({
    ...transferKinds(),
    token_account: address("Only transfers of this token account of the account"),
    ...transferParties(),
    token: commaAddresses("Only transfers of these tokens", { ...ASSET, field: "token_address" }),
    amount: amountRange("token", "Minimum and maximum amount", { needs: "token" }),
    ...valueRange(),
    ...timeWindow(),
    exclude_amount_zero: flag("Exclude transfers of zero", { default: false }),
    flow: oneOf(["in", "out"], "Only incoming or outgoing", { field: "flow" }),
  }) as const;

/** The tokens of a DeFi activity in its row. */
const SWAPPED_TOKENS = "amount_info.token1|routers.token1|amount_info.token2|routers.token2";

/** Returns the filters of DeFi activities: types, initiator, platforms, venues, token. */
export const defiFilters = () =>
  ({
    activity_type: someOf(DEFI_ACTIVITIES, "Only activities of these types", {
      field: "activity_type",
      newer: NEWER_DEFI_ACTIVITIES,
      note: "Types after the first sixteen are supported by newer servers only.",
    }),
    from: commaAddresses("Only activities initiated by these addresses", { note: ONE_ADDRESS, field: "from_address" }),
    platform: addresses("Only on these platforms (program addresses)", { field: "platform" }),
    source: addresses("Only through these pools or venues", { field: "sources" }),
    token: commaAddresses("Only activities with these tokens", { ...MINT, note: ONE_MINT, field: SWAPPED_TOKENS }),
  }) as const;

/** Returns the filter for values in USD. */
export const valueRange = () => ({ value: range("decimal", "Minimum and maximum value in USD") }) as const;

/** Returns the filter for values in USD, for lists without one in the specification. */
export const newerValueRange = () =>
  ({ value: range("decimal", "Minimum and maximum value in USD", { note: NEWER_ONLY }) }) as const;

const cell = <const P extends string>(path: P) => ({ path }) as const;
const swapCell = <const N extends string>(name: N) => cell(`amount_info.${name}|routers.${name}`);

const EVENT_CELLS = {
  Signature: cell("trans_id"),
  "Block Time": cell("block_time"),
  "Human Time": cell("time"),
} as const;

/** The columns of a transfer export, in the rows of the paged transfers. */
export const TRANSFER_CELLS = {
  ...EVENT_CELLS,
  Action: { path: "activity_type", withoutPrefix: "ACTIVITY_SPL_" },
  From: cell("from_address"),
  To: cell("to_address"),
  Amount: cell("amount"),
  Flow: cell("flow"),
  Value: cell("value"),
  Decimals: cell("token_decimals"),
  "Token Address": cell("token_address"),
} as const;

/** The columns of a DeFi export, in the rows of the paged activities. */
export const DEFI_CELLS = {
  ...EVENT_CELLS,
  Action: { path: "activity_type", withoutPrefix: "ACTIVITY_", spaced: true },
  From: cell("from_address"),
  Token1: swapCell("token1"),
  Amount1: swapCell("amount1"),
  TokenDecimals1: swapCell("token1_decimals"),
  Token2: swapCell("token2"),
  Amount2: swapCell("amount2"),
  TokenDecimals2: swapCell("token2_decimals"),
  Value: cell("value"),
  Platforms: cell("platform"),
  Sources: cell("sources"),
} as const;

/** Returns the parameter for the length of a candle. */
export const candleResolution = () =>
  ({
    res: oneOf(CANDLE_RESOLUTIONS, "Length of a candle", {
      default: "1m",
      note: "Case matters: 1m is a minute, 1M a month.",
    }),
  }) as const;

/** Returns the number of candles and the cursor. */
export const candlePages = (cursor: string) =>
  ({
    candles: integer("Candles", { min: 1, max: MAX_CANDLES, default: DEFAULT_CANDLES, role: "size" }),
    cursor: integer(cursor, { role: "cursor" }),
  }) as const;

/** The answer of endpoints for candles. */
export const CANDLE_LIST = {
  returns: rows("Candle", { at: "data" }),
  cachePolicy: "prices",
  cursorAt: "cursor",
  ascendingPages: true,
  columns: [
    "time",
    { path: "open_price", head: "open" },
    { path: "high_price", head: "high" },
    { path: "low_price", head: "low" },
    { path: "close_price", head: "close" },
    "volume",
  ],
  identity: ["time"],
} as const;
