/** How tokens move: v2 token endpoints about transfers and DeFi. */
import { STANDARD_SIZES } from "../constants.ts";
import { csv, endpoint, rows } from "../endpoint.ts";
import { ASSET, address, deprecatedBlockTime, flag, IDENTIFIER, MINT, order, pages, timeWindow } from "../param.ts";
import { BONK, JUP, JUPITER, OTHER_WALLET, USDC, WRAPPED_SOL } from "../samples.ts";
import {
  amountRange,
  DEFI_CELLS,
  defiFilters,
  EXPORT_NOTES,
  NATIVE_SOL_NOTE,
  NO_TOTAL,
  transferKinds,
  transferParties,
  valueRange,
} from "./common.ts";

const mint = () => address("Mint of the token", { ...IDENTIFIER, ...MINT });

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

/** The v2 endpoints about the activity of tokens. */
export const v2TokenActivity = [transfer, defiActivities, defiActivitiesExport] as const;
