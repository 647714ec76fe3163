/** The legacy families, public and pro (specification §7). Their answers have no envelope. */
import { LEGACY_LAST_MAX, LEGACY_MAX } from "../constants.ts";
import { csv, endpoint, object, rows } from "../endpoint.ts";
import { address, decimal, IDENTIFIER, integer, MINT, oneOf, signature, slot, time } from "../param.ts";
import { BONK, OTHER_WALLET, SIGNATURE, SLOT, STAKE_ACCOUNT, USDC, WALLET } from "../samples.ts";
import { NO_TOTAL } from "./common.ts";

/** The legacy public family. */
export const publicFamily = [
  endpoint({
    family: "public",
    path: "/chaininfo",
    summary: "Block height, epoch, slot and transaction count of the chain",
    query: {},
    returns: object("ChainInfo"),
    columns: ["blockHeight", "absoluteSlot", "currentEpoch", "transactionCount"],
    notes: [
      "Served by the public host and free of compute units; solx sends the API key anyway.",
      "Too many requests return status 403 here and 429 elsewhere.",
      "absoluteSlot counts skipped slots, blockHeight does not.",
    ],
    statuses: { 403: "rateLimited" },
    aliases: ["chain-info"],
    examples: [{ about: "Current state of the chain", params: {} }],
  }),
] as const;

const limit = (max: number) => integer("Rows", { min: 1, max, default: 10, role: "size" });
const offset = () => integer("Rows to skip", { min: 0, default: 0, role: "offset" });
const slices = () => ({ limit: limit(LEGACY_MAX), offset: offset() }) as const;
const account = () => address("Account", IDENTIFIER);
const token = () => address("Token, by mint", { ...IDENTIFIER, ...MINT });
const times = () =>
  ({
    fromTime: time("Start of the time range", { role: "from" }),
    toTime: time("End of the time range", { role: "to" }),
  }) as const;

const IN_PATH = { ...IDENTIFIER, in: "path" } as const;
const EXPORT_LIMIT =
  "The API returns at most 5000 rows per export and allows one export per minute; --all fetches all rows in several requests.";
const BASE_UNITS = "Amounts are base units, as numbers or text: divide by 10^decimals.";

const blocks = [
  endpoint({
    family: "legacy",
    path: "/block/last",
    summary: "Latest blocks",
    query: { limit: limit(LEGACY_LAST_MAX) },
    returns: rows("LegacyBlock"),
    columns: [
      { path: "currentSlot", head: "slot" },
      { path: "result.blockTime", head: "time" },
      { path: "result.transactionCount", head: "transactions" },
      { path: "result.feeRewards", head: "fee rewards" },
      { path: "result.validator", head: "validator" },
      { path: "result.blockhash", head: "blockhash" },
      { path: "result.message", head: "message" },
    ],
    newestFirst: true,
    identity: ["currentSlot"],
    notes: ["A slot without a block has a code and a message instead."],
    aliases: ["latest"],
    examples: [{ about: "Latest 20 blocks", params: { limit: 20 } }],
  }),
  endpoint({
    family: "legacy",
    path: "/block/transactions",
    summary: "Transactions of a block, in the format of a Solana node",
    query: { block: slot("Slot of the block", IDENTIFIER), ...slices() },
    returns: rows("LegacyRpcTransaction"),
    columns: [
      { path: "transaction.signatures", head: "signatures" },
      { path: "meta.fee", head: "fee" },
      { path: "meta.err", head: "error" },
    ],
    identity: ["transaction.signatures"],
    aliases: ["txs"],
    examples: [{ about: "First 50 transactions", params: { block: SLOT, limit: 50 } }],
  }),
  endpoint({
    family: "legacy",
    path: "/block/{block}",
    summary: "A block, without its transactions",
    query: { block: slot("Slot of the block", IN_PATH) },
    returns: object("LegacyBlock"),
    cachePolicy: "final",
    columns: [
      { path: "currentSlot", head: "slot" },
      { path: "result.blockTime", head: "time" },
      { path: "result.blockHeight", head: "height" },
      { path: "result.transactionCount", head: "transactions" },
      { path: "result.feeRewards", head: "fee rewards" },
      { path: "result.validator", head: "validator" },
      { path: "result.blockhash", head: "blockhash" },
      { path: "result.parentSlot", head: "parent slot" },
      { path: "result.previousBlockhash", head: "previous blockhash" },
      { path: "result.message", head: "message" },
    ],
    echo: "currentSlot",
    aliases: ["get", "show"],
    examples: [{ about: "A block by its slot", params: { block: SLOT } }],
  }),
] as const;

const transactions = [
  endpoint({
    family: "legacy",
    path: "/transaction/last",
    summary: "Latest transactions, in the format of a Solana node",
    query: { limit: limit(LEGACY_LAST_MAX) },
    returns: rows("LegacyRpcTransaction"),
    columns: [
      { path: "transaction.signatures", head: "signatures" },
      { path: "meta.fee", head: "fee" },
      { path: "meta.err", head: "error" },
    ],
    newestFirst: true,
    identity: ["transaction.signatures"],
    aliases: ["latest"],
    examples: [{ about: "Latest 20 transactions", params: { limit: 20 } }],
  }),
  endpoint({
    family: "legacy",
    path: "/transaction/{signature}",
    summary: "A transaction with its instructions, balances and transfers",
    query: { signature: signature("Signature of the transaction", IN_PATH) },
    returns: object("LegacyTransactionDetail"),
    cachePolicy: "final",
    columns: [
      "txHash",
      "status",
      "blockTime",
      "slot",
      "fee",
      "lamport",
      "signer",
      "inputAccount",
      "parsedInstruction",
      "tokenTransfers",
      "solTransfers",
      { path: "tokenBalanes", head: "token balances" },
      { path: "logMessage", head: "log" },
    ],
    echo: "txHash",
    notes: ["tokenBalanes is the API's spelling."],
    aliases: ["get", "show"],
    examples: [{ about: "A transaction by its signature", params: { signature: SIGNATURE } }],
  }),
] as const;

const accounts = [
  endpoint({
    family: "legacy",
    path: "/account/tokens",
    summary: "Token accounts of a wallet",
    query: { account: account() },
    returns: rows("LegacyTokenAccount"),
    columns: [
      { path: "tokenName", head: "name" },
      { path: "tokenAmount.uiAmountString", head: "amount" },
      "tokenAddress",
      "tokenAccount",
    ],
    identity: ["tokenAccount"],
    subject: "tokenAddress",
    notes: ["tokenAmount.uiAmount is rounded; uiAmountString is exact."],
    examples: [{ about: "Tokens of a wallet", params: { account: WALLET } }],
  }),
  endpoint({
    family: "legacy",
    path: "/account/transactions",
    summary: "Transactions of an account, newest first",
    query: {
      account: account(),
      beforeHash: signature("Only transactions before this one", { role: "cursor" }),
      limit: limit(LEGACY_MAX),
    },
    returns: rows("LegacyAccountTransaction"),
    columns: ["txHash", "blockTime", "status", "fee", "lamport", "signer", "slot"],
    cursorField: "txHash",
    newestFirst: true,
    identity: ["txHash"],
    aliases: ["txs", "tx"],
    examples: [
      { about: "Latest 50 transactions", params: { account: WALLET, limit: 50 } },
      { about: "Transactions before another", params: { account: WALLET, beforeHash: SIGNATURE } },
    ],
  }),
  endpoint({
    family: "legacy",
    path: "/account/stakeAccounts",
    summary: "Stake accounts of a wallet",
    query: { account: account() },
    returns: rows("LegacyStakeAccount"),
    columns: ["stakeAccount", "amount", "type", "voter", "role"],
    identity: ["stakeAccount"],
    aliases: ["stakes", "stake"],
    examples: [{ about: "Stakes of a wallet", params: { account: OTHER_WALLET } }],
  }),
  endpoint({
    family: "legacy",
    path: "/account/splTransfers",
    summary: "Token balance changes of a wallet by transfers",
    query: { account: account(), ...times(), ...slices() },
    returns: rows("LegacyTokenTransfer", { at: "data", total: "total" }),
    columns: ["blockTime", "changeType", "changeAmount", "symbol", "tokenAddress", "postBalance", "signature"],
    newestFirst: true,
    identity: ["_id"],
    notes: [BASE_UNITS],
    aliases: ["token-transfers"],
    examples: [{ about: "Last week", params: { account: WALLET, fromTime: "7d" } }],
  }),
  endpoint({
    family: "legacy",
    path: "/account/solTransfers",
    summary: "Transfers of SOL into and out of a wallet",
    query: { account: account(), ...times(), ...slices() },
    returns: rows("LegacySolTransfer", { at: "data" }),
    columns: ["blockTime", "lamport", "src", "dst", "status", "txHash"],
    newestFirst: true,
    identity: ["_id"],
    notes: [NO_TOTAL],
    examples: [{ about: "Last week", params: { account: OTHER_WALLET, fromTime: "7d" } }],
  }),
  endpoint({
    family: "legacy",
    path: "/account/exportTransactions",
    summary: "Transactions of an account as CSV",
    query: {
      account: account(),
      type: oneOf(["tokenchange", "soltransfer", "all"], "Token balance changes, SOL transfers or both", {
        required: true,
      }),
      fromTime: time("Start of the time range", { required: true, role: "from" }),
      toTime: time("End of the time range", { required: true, role: "to" }),
    },
    returns: csv("LegacyTransactionExportRow"),
    columns: [
      "BlockTime Unix",
      "Type",
      "ChangeType",
      "SPL BalanceChange",
      "Symbol(off-chain)",
      "TokenAddress",
      "Amount (SOL)",
      "Txhash",
    ],
    notes: [EXPORT_LIMIT],
    aliases: ["export"],
    examples: [
      {
        about: "All rows of 30 days",
        params: { account: WALLET, type: "all", fromTime: "60d", toTime: "30d" },
      },
    ],
  }),
  endpoint({
    family: "legacy",
    path: "/account/exportRewards",
    summary: "Staking rewards of an account as CSV",
    query: {
      account: account(),
      fromTime: time("Start of the time range", { role: "from", note: "Default: one month before the end." }),
      toTime: time("End of the time range", { role: "to", note: "Default: now." }),
    },
    returns: csv("RewardExportRow"),
    columns: ["Epoch", "Effective Time Unix", "Reward Amount", "Change Percentage", "Post Balance", "Commission"],
    notes: [EXPORT_LIMIT],
    aliases: ["rewards"],
    examples: [{ about: "Rewards of the last month", params: { account: STAKE_ACCOUNT } }],
  }),
  endpoint({
    family: "legacy",
    path: "/account/{account}",
    summary: "Balance, owner program and type of an account",
    query: { account: address("Account", IN_PATH) },
    returns: object("LegacyAccount"),
    columns: ["account", "type", "lamports", "ownerProgram", "executable", "rentEpoch", "tokenInfo"],
    echo: "account",
    aliases: ["get", "show", "info"],
    examples: [{ about: "A wallet", params: { account: WALLET } }],
  }),
] as const;

const tokens = [
  endpoint({
    family: "legacy",
    path: "/token/holders",
    summary: "Holders of a token (token accounts), largest first",
    query: {
      tokenAddress: token(),
      ...slices(),
      fromAmount: decimal("Minimum amount, in base units", { amountOf: "tokenAddress" }),
      toAmount: decimal("Maximum amount, in base units", { amountOf: "tokenAddress" }),
    },
    returns: rows("LegacyTokenHolder", { at: "data", total: "total" }),
    columns: ["rank", "owner", "amount", "address"],
    identity: ["address"],
    subject: "owner",
    notes: [BASE_UNITS],
    examples: [{ about: "The 50 largest holders of USDC", params: { tokenAddress: USDC, limit: 50 } }],
  }),
  endpoint({
    family: "legacy",
    path: "/token/meta",
    summary: "Name, decimals, supply and market of a token",
    query: { tokenAddress: token() },
    returns: object("LegacyTokenMeta"),
    cachePolicy: "metadata",
    columns: ["symbol", "name", "address", "decimals", "price", "volume", "supply", "holder", "website", "tag"],
    echo: "address",
    aliases: ["get", "show", "info"],
    examples: [{ about: "USDC", params: { tokenAddress: USDC } }],
  }),
  endpoint({
    family: "legacy",
    path: "/token/transfer",
    summary: "Balance changes of a token by transfers",
    query: {
      tokenAddress: token(),
      address: address("Only changes of this wallet or token account"),
      ...slices(),
    },
    returns: rows("LegacyTokenTransfer", { at: "data", total: "total" }),
    columns: ["blockTime", "changeType", "changeAmount", "owner", "postBalance", "signature"],
    newestFirst: true,
    identity: ["_id"],
    notes: [BASE_UNITS],
    aliases: ["transfers"],
    examples: [{ about: "Latest transfers of BONK", params: { tokenAddress: BONK } }],
  }),
  endpoint({
    family: "legacy",
    path: "/token/list",
    summary: "Tokens, by market capitalisation, volume, holders or price",
    query: {
      sortBy: oneOf(
        [
          "market_cap",
          "volume",
          "holder",
          "price",
          "price_change_24h",
          "price_change_7d",
          "price_change_14d",
          "price_change_30d",
          "price_change_60d",
          "price_change_200d",
          "price_change_1y",
        ],
        "Sort key",
      ),
      direction: oneOf(["asc", "desc"], "Sort order"),
      ...slices(),
    },
    returns: rows("LegacyToken", { at: "data", total: "total" }),
    cachePolicy: "prices",
    columns: [
      { path: "marketCapRank", head: "rank" },
      { path: "tokenSymbol", head: "symbol" },
      { path: "tokenName", head: "name" },
      { path: "priceUst", head: "price" },
      { path: "marketCapFD", head: "market cap" },
      { path: "volume.volumeUsd", head: "volume" },
      "holder",
      { path: "mintAddress", head: "mint" },
    ],
    identity: ["mintAddress"],
    notes: ["priceUst is in USD, despite its name."],
    aliases: ["ls"],
    examples: [{ about: "By volume, highest first", params: { sortBy: "volume", direction: "desc", limit: 50 } }],
  }),
] as const;

const markets = [
  endpoint({
    family: "legacy",
    path: "/market/token/{tokenAddress}",
    summary: "Price, volume and pools of a token",
    query: { tokenAddress: address("Token, by mint", { ...IN_PATH, ...MINT }), ...slices() },
    returns: object("LegacyTokenMarket"),
    cachePolicy: "prices",
    columns: [
      { path: "priceUsdt", head: "price" },
      { path: "priceChange24h", head: "change 24h" },
      { path: "volumeUsdt", head: "volume" },
      { path: "marketCapFD", head: "market cap" },
      { path: "marketCapRank", head: "rank" },
      "markets",
    ],
    notes: ["limit and offset page through the pools."],
    aliases: ["token"],
    examples: [{ about: "The market of BONK", params: { tokenAddress: BONK } }],
  }),
] as const;

/** The legacy pro family, in the order of the specification. */
export const legacy = [...blocks, ...transactions, ...accounts, ...tokens, ...markets] as const;
