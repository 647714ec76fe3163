/** Parameters and notes that several endpoints share. */
import {
  DEFI_ACTIVITIES,
  NEWER_DEFI_ACTIVITIES,
  NEWER_TRANSFER_ACTIVITIES,
  TRANSFER_ACTIVITIES,
} from "../constants.ts";
import { addresses, commaAddresses, range, someOf } from "../param.ts";

/** For parameters that the specification does not list. */
export const NEWER_ONLY = "Known to newer servers only.";

/** For lists of identifiers: the specification's limit is 20. */
export const MULTI_LIMIT = "Newer servers take up to 50.";

/** For address filters that the specification lets hold several. */
export const ONE_ADDRESS = "Newer servers take one address.";

/** For amount filters. */
export const AMOUNT_UNIT = "Whether base or whole units are meant is not documented.";

/** What a user of any export should know. */
export const EXPORT_NOTES = [
  "An answer holds at most 5000 rows and is cut there without a word: with --all solx reads on, window by window.",
  "One export a minute is allowed; newer servers allow ten.",
  "Without from_time and to_time there is no time limit.",
] as const;

/** For lists that do not say how many rows there are in all. */
export const NO_TOTAL = "The answer has no total: the list ends with the first page that is not full.";

/** For transfers: two addresses that look alike. */
export const NATIVE_SOL_NOTE =
  "Native SOL is So111…111 (ending in 1) in filters and exports; rows of lists may show the mint of wrapped SOL, So111…112.";

/** The kinds of transfers to list. */
export const transferKinds = () =>
  ({
    activity_type: someOf(TRANSFER_ACTIVITIES, "Only these kinds of transfers", {
      newer: NEWER_TRANSFER_ACTIVITIES,
      note: "The list has grown: the kinds after the first ten are known to newer servers only.",
    }),
  }) as const;

/** The filters of DeFi activities: kinds, initiator, platforms, venues, token. */
export const defiFilters = () =>
  ({
    activity_type: someOf(DEFI_ACTIVITIES, "Only these kinds of activities", {
      newer: NEWER_DEFI_ACTIVITIES,
      note: "The list has grown: the kinds after the first sixteen are known to newer servers only.",
    }),
    from: commaAddresses("Only those that these addresses started", { note: ONE_ADDRESS }),
    platform: addresses("Only on these platforms (programs)"),
    source: addresses("Only through these pools or venues"),
    token: commaAddresses("Only with these tokens", { note: "Newer servers take one mint." }),
  }) as const;

/** A range of values in USD. */
export const valueRange = () => ({ value: range("decimal", "Least and greatest value in USD") }) as const;

/** A range of values in USD, where the specification has none. */
export const newerValueRange = () =>
  ({ value: range("decimal", "Least and greatest value in USD", { note: NEWER_ONLY }) }) as const;

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
