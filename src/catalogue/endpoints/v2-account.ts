/** The v2 account endpoints (specification §7). */
import { MAX_MULTI_ITEMS, SMALL_SIZES, STANDARD_SIZES } from "../constants.ts";
import { csv, endpoint, object, rows } from "../endpoint.ts";
import {
  ASSET,
  address,
  addresses,
  commaAddresses,
  deprecatedBlockTime,
  flag,
  IDENTIFIER,
  oneOf,
  order,
  pages,
  signature,
  time,
  timeWindow,
} from "../param.ts";
import {
  DLMM_POOL,
  JUP,
  JUPITER,
  NATIVE_SOL,
  OTHER_SIGNATURE,
  OTHER_WALLET,
  PUMPSWAP,
  STAKE_ACCOUNT,
  USDC,
  WALLET,
  WHIRLPOOL,
} from "../samples.ts";
import {
  amountRange,
  DEFI_CELLS,
  defiFilters,
  EXPORT_NOTES,
  MULTI_LIMIT,
  NATIVE_SOL_NOTE,
  NEWER_ONLY,
  NO_TOTAL,
  newerValueRange,
  ONE_MINT,
  TRANSFER_CELLS,
  transferFilters,
  transferKinds,
  valueRange,
} from "./common.ts";

const detail = endpoint({
  family: "v2",
  path: "/account/detail",
  summary: "Balance, owner program and type of an account",
  query: { address: address("Account", IDENTIFIER) },
  returns: object("AccountDetail"),
  columns: ["account", "type", "lamports", "owner_program", "executable", "is_oncurve", "rent_epoch"],
  echo: "account",
  aliases: ["info"],
  examples: [
    { about: "A wallet", params: { address: OTHER_WALLET } },
    { about: "The owner program of a pool", params: { address: DLMM_POOL } },
  ],
  notes: [
    "rent_epoch is usually 18446744073709552000: the maximum 64-bit number, rounded up by the server beyond 64 bits.",
  ],
});

const dataDecoded = endpoint({
  family: "v2",
  path: "/account/data-decoded",
  summary: "Decoded data of an account",
  query: { address: address("Account", IDENTIFIER) },
  returns: object("DecodedAccountData"),
  columns: [
    "account",
    "data_decoded.name",
    "data_decoded.idl_standard",
    "data_decoded.idl_source",
    "data_decoded.data",
    "data_base64",
  ],
  echo: "account",
  aliases: ["data", "decode"],
  examples: [
    { about: "Data of a Meteora pool", params: { address: DLMM_POOL } },
    { about: "A mint account", params: { address: JUP } },
  ],
  notes: [
    "Fields differ by program. Integers of 16 bits and more are text; those of 8 bits are numbers.",
    "Without a published layout, data_decoded is missing or nearly empty; data_base64 is always present.",
  ],
});

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

const portfolio = endpoint({
  family: "v2",
  path: "/account/portfolio",
  summary: "Tokens and SOL of an account, with prices and values",
  query: {
    address: address("Account", IDENTIFIER),
    exclude_low_score_tokens: flag("Exclude tokens with a low reputation score", { default: false }),
  },
  returns: object("Portfolio"),
  columns: ["total_value", "native_balance.balance", "native_balance.value", "tokens", "positions"],
  aliases: ["balance", "balances", "holdings"],
  examples: [
    { about: "All holdings", params: { address: OTHER_WALLET } },
    { about: "Without tokens of low reputation", params: { address: WALLET, exclude_low_score_tokens: true } },
  ],
  notes: [
    "amount is in base units, balance in whole units.",
    "total_value is the value of SOL and tokens, without pool positions.",
    "The list is not paged: accounts with many tokens return a large answer.",
  ],
});

const tokenAccounts = endpoint({
  family: "v2",
  path: "/account/token-accounts",
  summary: "Token accounts of a wallet",
  query: {
    address: address("Wallet", IDENTIFIER),
    type: oneOf(["token", "nft"], "Tokens or NFTs", {
      required: true,
      default: "token",
      note: "Required by newer servers; no value selects both.",
    }),
    ...pages(SMALL_SIZES),
    hide_zero: flag("Exclude empty token accounts", { default: false }),
  },
  returns: rows("TokenAccount"),
  columns: ["token_address", "amount", "token_account", "token_decimals", "owner"],
  identity: ["token_account"],
  subject: "token_address",
  echo: "owner",
  aliases: ["tokens"],
  examples: [
    { about: "Tokens with a balance", params: { address: OTHER_WALLET, type: "token", hide_zero: true } },
    { about: "NFTs of a wallet", params: { address: OTHER_WALLET, type: "nft", page_size: 40 } },
  ],
  notes: [NO_TOTAL, "For prices, see account portfolio."],
});

const stake = endpoint({
  family: "v2",
  path: "/account/stake",
  summary: "Stake accounts of a wallet",
  query: {
    address: address("Wallet", IDENTIFIER),
    ...pages(SMALL_SIZES),
    ...order(["active_stake", "delegated_stake"]),
  },
  returns: rows("StakeAccount"),
  columns: [
    "stake_account",
    "status",
    { path: "active_stake_amount", head: "active" },
    { path: "delegated_stake_amount", head: "delegated" },
    { path: "sol_balance", head: "balance" },
    { path: "total_reward", head: "rewards" },
    "voter",
    "activation_epoch",
    "role",
  ],
  identity: ["stake_account"],
  aliases: ["stakes", "stake-accounts"],
  examples: [
    { about: "By active stake", params: { address: OTHER_WALLET } },
    { about: "By delegated stake", params: { address: OTHER_WALLET, sort_by: "delegated_stake", page_size: 40 } },
  ],
  notes: [NO_TOTAL, "All amounts are lamports, including sol_balance. total_reward is text."],
});

const rewardExport = endpoint({
  family: "v2",
  path: "/account/reward/export",
  summary: "Staking rewards of a stake account as CSV",
  query: {
    address: address("Stake account", IDENTIFIER),
    time_from: time("Start of the time range (default: one month before its end)", {
      role: "from",
      note: "Newer servers name it from_time.",
    }),
    time_to: time("End of the time range (default: now)", { role: "to", note: "Newer servers name it to_time." }),
    from_time: time("Same as time_from", { note: NEWER_ONLY }),
    to_time: time("Same as time_to", { note: NEWER_ONLY }),
  },
  returns: csv("RewardExportRow"),
  columns: [
    "Effective Time Unix",
    "Epoch",
    "Reward Amount",
    "Change Percentage",
    "Post Balance",
    "Commission",
    "Effective Slot",
  ],
  identity: ["Epoch", "Effective Slot"],
  aliases: ["rewards-export"],
  examples: [
    { about: "Rewards of the last month", params: { address: STAKE_ACCOUNT } },
    { about: "Rewards of two months", params: { address: STAKE_ACCOUNT, time_from: "90d", time_to: "30d" } },
  ],
  notes: [
    "Requires a stake account: for a wallet, the answer has no rows.",
    ...EXPORT_NOTES.slice(0, 2),
    "Reward Amount and Post Balance are whole SOL, not lamports.",
    "Effective Time has no time zone and can be seven hours ahead of UTC; use Effective Time Unix.",
    "Rewards are available from epoch 132 on.",
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

const metadata = endpoint({
  family: "v2",
  path: "/account/metadata",
  summary: "Label, tags, domain and age of an account",
  query: { address: address("Account", IDENTIFIER) },
  returns: object("AccountMetadata"),
  cachePolicy: "metadata",
  columns: [
    "account_address",
    "account_label",
    "account_type",
    "account_tags",
    "account_domain",
    "active_age",
    "funded_by.funded_by",
    "funded_by.block_time",
    "funded_by.tx_hash",
    "account_icon",
  ],
  echo: "account_address",
  aliases: ["meta", "label"],
  examples: [
    { about: "A labelled account", params: { address: WALLET } },
    { about: "A wallet without a label", params: { address: OTHER_WALLET } },
  ],
  notes: ["Most wallets have no label: only account_address is always present."],
});

const metadataMulti = endpoint({
  family: "v2",
  path: "/account/metadata/multi",
  summary: "Label, tags, domain and age of several accounts",
  query: { address: addresses("Accounts", { ...IDENTIFIER, maxItems: MAX_MULTI_ITEMS, note: MULTI_LIMIT }) },
  returns: rows("AccountMetadata"),
  cachePolicy: "metadata",
  columns: [
    "account_address",
    "account_label",
    "account_type",
    "account_tags",
    "account_domain",
    "active_age",
    "funded_by.funded_by",
  ],
  identity: ["account_address"],
  echo: "account_address",
  aliases: ["meta-multi", "labels"],
  examples: [
    { about: "Two accounts in one request", params: { address: [WALLET, OTHER_WALLET] } },
    { about: "The labels of three programs", params: { address: [JUPITER, WHIRLPOOL, PUMPSWAP] } },
  ],
  notes: ["The order of the rows is unspecified; account_address identifies the account."],
});

const leaderboard = endpoint({
  family: "v2",
  path: "/account/leaderboard",
  summary: "Richest accounts",
  query: {
    ...order(["sol_values", "stake_values", "token_values", "total_values"], "total_values"),
    ...pages(STANDARD_SIZES),
  },
  returns: rows("LeaderboardRow", { at: "data", total: "total" }),
  cachePolicy: "prices",
  columns: [
    "account",
    { path: "total_values", head: "total" },
    { path: "sol_values", head: "SOL" },
    { path: "token_values", head: "tokens" },
    { path: "stake_values", head: "stakes" },
  ],
  identity: ["account"],
  aliases: ["top", "richest"],
  examples: [
    { about: "Richest accounts", params: {} },
    { about: "By value of stakes", params: { sort_by: "stake_values", page_size: 20 } },
  ],
  notes: ["All values are in USD. total_values can differ slightly from the sum of its parts."],
});

/** The v2 account endpoints, in the order of the specification. */
export const v2Account = [
  detail,
  dataDecoded,
  transfer,
  defiActivities,
  balanceChange,
  transactions,
  portfolio,
  tokenAccounts,
  stake,
  rewardExport,
  transferExport,
  defiActivitiesExport,
  metadata,
  metadataMulti,
  leaderboard,
] as const;
