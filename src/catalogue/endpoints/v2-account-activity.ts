/** What accounts do: v2 account endpoints about transactions, transfers and DeFi. */
import { SMALL_SIZES, STANDARD_SIZES } from "../constants.ts";
import { csv, endpoint, number, rows } from "../endpoint.ts";
import {
  ASSET,
  address,
  addresses,
  commaAddresses,
  deprecatedBlockTime,
  flag,
  IDENTIFIER,
  integer,
  MINT,
  oneOf,
  order,
  pages,
  signature,
  slot,
  text,
  texts,
  timeWindow,
} from "../param.ts";
import { JUP, JUPITER, NATIVE_SOL, OTHER_SIGNATURE, OTHER_WALLET, USDC, WALLET, WHIRLPOOL } from "../samples.ts";
import {
  amountRange,
  DEFI_CELLS,
  defiFilters,
  EXPORT_NOTES,
  NATIVE_SOL_NOTE,
  NO_TOTAL,
  newerValueRange,
  ONE_MINT,
  TRANSFER_CELLS,
  transferFilters,
  transferKinds,
  valueRange,
} from "./common.ts";

const transfer = endpoint({
  family: "v2",
  path: "/account/transfer",
  summary: "Transfers into and out of an account",
  query: {
    address: address("Account", IDENTIFIER),
    ...transferFilters(),
    ...deprecatedBlockTime(),
    ...pages(STANDARD_SIZES),
    ...order(["block_time"]),
  },
  returns: rows("Transfer"),
  columns: ["block_time", "flow", "amount", "token_address", "from_address", "to_address", "activity_type", "trans_id"],
  identity: [
    "trans_id",
    "activity_type",
    "from_address",
    "from_token_account",
    "to_address",
    "to_token_account",
    "token_address",
    "amount",
    "flow",
  ],
  aliases: ["transfers"],
  examples: [
    { about: "Incoming transfers of the last week", params: { address: WALLET, flow: "in", from_time: "7d" } },
    {
      about: "Between 1 and 100 USDC, 100 rows per page",
      params: { address: WALLET, token: USDC, amount: ["1000000", "100000000"], page_size: 100 },
    },
    {
      about: "Native SOL without transfers of zero, oldest first",
      params: { address: OTHER_WALLET, token: NATIVE_SOL, exclude_amount_zero: true, sort_order: "asc" },
    },
  ],
  notes: [NO_TOTAL, "value filters rows but is not a field of the rows; the export contains it.", NATIVE_SOL_NOTE],
});

const transferTotal = endpoint({
  family: "v2",
  path: "/account/transfer/total",
  since: "newer",
  summary: "Number of transfers of an account",
  query: { address: address("Account", IDENTIFIER), ...transferFilters() },
  returns: number("TransferTotal"),
  columns: ["total"],
  aliases: ["transfers-total", "transfer-count"],
  examples: [
    { about: "Transfers of the last three weeks", params: { address: WALLET } },
    {
      about: "Incoming USDC transfers of a year",
      params: { address: WALLET, token: USDC, flow: "in", from_time: "365d" },
    },
    {
      about: "Native SOL transfers, without those of zero",
      params: { address: OTHER_WALLET, token: NATIVE_SOL, exclude_amount_zero: true },
    },
  ],
  notes: [
    "Without from_time and to_time, only transfers of about the last three weeks count.",
    "The number is at most 10000000.",
    NATIVE_SOL_NOTE,
  ],
});

const transferExport = endpoint({
  family: "v2",
  path: "/account/transfer/export",
  summary: "Transfers into and out of an account as CSV",
  query: {
    address: address("Account", IDENTIFIER),
    ...transferKinds(),
    token_account: address("Only transfers of this token account of the account"),
    from: commaAddresses("Only from these addresses"),
    to: commaAddresses("Only to these addresses"),
    token: commaAddresses("Only transfers of these tokens", ASSET),
    amount: amountRange("token", "Minimum and maximum amount", { needs: "token" }),
    ...timeWindow(),
    ...deprecatedBlockTime(),
    exclude_amount_zero: flag("Exclude transfers of zero", { default: false }),
    flow: oneOf(["in", "out"], "Only incoming or outgoing"),
  },
  returns: csv("TransferExportRow"),
  pagedSource: { path: "/account/transfer", columns: TRANSFER_CELLS },
  columns: ["Block Time", "Flow", "Amount", "Token Address", "Value", "From", "To", "Action", "Signature"],
  identity: ["Signature", "Action", "From", "To", "Amount", "Flow", "Token Address"],
  aliases: ["transfers-export"],
  examples: [
    {
      about: "Transfers of 30 days",
      params: { address: WALLET, from_time: "60d", to_time: "30d" },
    },
    { about: "Outgoing USDC of the last week", params: { address: WALLET, token: USDC, flow: "out", from_time: "7d" } },
  ],
  notes: [...EXPORT_NOTES, "Amount is in base units; Value is in USD at the time of the transfer.", NATIVE_SOL_NOTE],
});

const defiActivities = endpoint({
  family: "v2",
  path: "/account/defi/activities",
  summary: "DeFi activities of an account: swaps, liquidity, stakes, loans",
  query: {
    address: address("Account", IDENTIFIER),
    ...defiFilters(),
    ...newerValueRange(),
    ...timeWindow(),
    ...deprecatedBlockTime(),
    ...pages(STANDARD_SIZES),
    ...order(["block_time"]),
  },
  returns: rows("DefiActivity"),
  columns: [
    "block_time",
    "activity_type",
    "amount_info.amount1|routers.amount1",
    "amount_info.token1|routers.token1",
    "amount_info.amount2|routers.amount2",
    "amount_info.token2|routers.token2",
    "value",
    "platform",
    "trans_id",
  ],
  identity: ["trans_id", "activity_type", "from_address", "to_address", "sources", "amount_info", "routers"],
  aliases: ["defi"],
  examples: [
    {
      about: "Swaps of the last day",
      params: {
        address: OTHER_WALLET,
        activity_type: ["ACTIVITY_TOKEN_SWAP", "ACTIVITY_AGG_TOKEN_SWAP"],
        from_time: "1d",
      },
    },
    {
      about: "Activities through Jupiter that involve USDC",
      params: { address: OTHER_WALLET, platform: JUPITER, token: USDC },
    },
  ],
  notes: [
    NO_TOTAL,
    "Newer servers name amount_info routers, and its list of hops child_routers.",
    "Amounts are numbers in amount_info and text in its hops. One-sided activities lack a second token.",
  ],
});

const defiActivitiesExport = endpoint({
  family: "v2",
  path: "/account/defi/activities/export",
  summary: "DeFi activities of an account as CSV",
  query: {
    address: address("Account", IDENTIFIER),
    ...defiFilters(),
    ...valueRange(),
    ...timeWindow(),
    ...deprecatedBlockTime(),
    ...order(["block_time"]),
  },
  returns: csv("DefiExportRow"),
  pagedSource: { path: "/account/defi/activities", columns: DEFI_CELLS },
  columns: ["Block Time", "Action", "Amount1", "Token1", "Amount2", "Token2", "Value", "Platforms", "Signature"],
  identity: ["Signature", "Action", "From", "Token1", "Amount1", "Token2", "Amount2", "Sources"],
  aliases: ["defi-export"],
  examples: [
    { about: "DeFi activities of a month", params: { address: OTHER_WALLET, from_time: "30d" } },
    {
      about: "Swaps through Whirlpools",
      params: { address: OTHER_WALLET, activity_type: "ACTIVITY_TOKEN_SWAP", platform: WHIRLPOOL },
    },
  ],
  notes: [
    ...EXPORT_NOTES,
    "Rows can be shorter than the header: Platforms and Sources can be missing.",
    "Platforms and Sources are separated by | and can have empty parts.",
    "Amounts can be 0 although Value is not.",
  ],
});

const balanceChange = endpoint({
  family: "v2",
  path: "/account/balance_change",
  summary: "Changes of an account's balances",
  query: {
    address: address("Account", IDENTIFIER),
    token_account: address("Only this token account", { field: "token_account" }),
    token: commaAddresses("Only transfers of these tokens", { ...ASSET, note: ONE_MINT, field: "token_address" }),
    ...timeWindow(),
    ...deprecatedBlockTime(),
    ...pages(STANDARD_SIZES),
    remove_spam: flag("Exclude spam tokens", { default: false }),
    amount: amountRange("token", "Minimum and maximum size of the change", { needs: "token" }),
    flow: oneOf(["in", "out"], "Only incoming or outgoing"),
    ...order(["block_time"]),
  },
  returns: rows("BalanceChange"),
  columns: [
    "block_time",
    "change_type",
    "amount",
    "token_address",
    "pre_balance",
    "post_balance",
    "token_account",
    "fee",
    "trans_id",
  ],
  identity: [
    "trans_id",
    "address",
    "token_account",
    "token_address",
    "change_type",
    "amount",
    "pre_balance",
    "post_balance",
  ],
  aliases: ["balance-changes", "changes"],
  examples: [
    { about: "Latest changes, without spam tokens", params: { address: OTHER_WALLET, remove_spam: true } },
    {
      about: "JUP received in the last 30 days",
      params: { address: OTHER_WALLET, token: JUP, flow: "in", from_time: "30d" },
    },
  ],
  notes: [
    NO_TOTAL,
    "fee is the fee of the whole transaction and repeats on each of its rows; do not sum it.",
    "amount is never negative: change_type (inc, dec) gives the direction; the flow filter uses in and out.",
    "With token_account, address may differ from the requested account: it is the owner of that token account.",
  ],
});

const transactions = endpoint({
  family: "v2",
  path: "/account/transactions",
  summary: "Transactions of an account, newest first",
  query: {
    address: address("Account", IDENTIFIER),
    before: signature("Only transactions before this one", { role: "cursor" }),
    limit: oneOf(SMALL_SIZES, "Rows per request", { default: 10, role: "size" }),
  },
  returns: rows("AccountTransaction"),
  columns: [
    "block_time",
    "status",
    "tx_hash",
    { path: "parsed_instructions", head: "instructions" },
    "fee",
    "signer",
    "slot",
  ],
  newestFirst: true,
  identity: ["tx_hash"],
  cursorField: "tx_hash",
  aliases: ["txs", "tx"],
  examples: [
    { about: "The last 40 transactions", params: { address: OTHER_WALLET, limit: 40 } },
    { about: "Transactions before another", params: { address: OTHER_WALLET, before: OTHER_SIGNATURE } },
  ],
  notes: ["Paging uses before: the tx_hash of the last row. Rows are sorted newest first."],
});

const transactionsEnhanced = endpoint({
  family: "v2",
  path: "/account/transactions/enhanced",
  since: "newer",
  summary: "Transactions of an account in the format of a Solana node",
  query: {
    address: address("Account", IDENTIFIER),
    program: addresses("Only transactions with these programs"),
    instruction: texts("Only transactions with these instructions", {
      note: "The program's address followed by the instruction's discriminator: 2 or 8 bytes, in hexadecimal digits.",
    }),
    token: addresses("Only transactions with these tokens", MINT),
    signer: addresses("Only transactions signed by these accounts"),
    status: flag("Only successful transactions; when false, only failed ones"),
    token_account: flag("Include transactions of the account's token accounts", { default: false }),
    ...timeWindow(),
    from_slot: slot("Only transactions after this slot"),
    to_slot: slot("Only transactions before this slot"),
    from_signature: signature("Only transactions after this one"),
    to_signature: signature("Only transactions before this one"),
    encoding: oneOf(["jsonParsed", "json", "base64", "base58"], "Encoding of the transactions", {
      default: "jsonParsed",
    }),
    cursor: text("Cursor from the previous page", { role: "cursor" }),
    limit: integer("Rows per request", { default: 10, min: 1, max: 40, role: "size" }),
  },
  returns: rows("NodeTransaction", { at: "transactions", unwrapped: true }),
  columns: ["blockTime", "slot", "transaction.signatures", "meta.err", "meta.fee", "version"],
  newestFirst: true,
  failedOnly: { status: false },
  identity: ["transaction.signatures"],
  cursorAt: "cursor",
  aliases: ["enhanced", "txs-enhanced"],
  examples: [
    { about: "Latest transactions with logs and balances", params: { address: OTHER_WALLET } },
    {
      about: "Failed transactions with Jupiter of the last day",
      params: { address: OTHER_WALLET, program: JUPITER, status: false, from_time: "1d" },
    },
    {
      about: "Raw transactions that move USDC, also through token accounts",
      params: { address: OTHER_WALLET, token: USDC, token_account: true, encoding: "base64" },
    },
    { about: "Transactions with Whirlpools", params: { address: OTHER_WALLET, program: WHIRLPOOL, limit: 20 } },
  ],
  notes: [
    "Rows are in data.transactions and the cursor in data.cursor; some servers answer data as a list.",
    "Several values of instruction select transactions with any of them.",
    "The API does not document the maximum of limit; that of the transactions of an account is assumed.",
  ],
});

/** The v2 endpoints about the activity of accounts. */
export const v2AccountActivity = [
  transfer,
  transferTotal,
  transferExport,
  defiActivities,
  defiActivitiesExport,
  balanceChange,
  transactions,
  transactionsEnhanced,
] as const;
