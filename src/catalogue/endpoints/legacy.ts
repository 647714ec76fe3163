/** The legacy families, public and pro (specification §7). Their answers have no envelope. */
import { LEGACY_LAST_MAX, LEGACY_MAX } from "../constants.ts";
import { csv, endpoint, object, rows } from "../endpoint.ts";
import { address, decimal, IDENTIFIER, integer, MINT, oneOf, signature, slot, time } from "../param.ts";
import { BONK, OTHER_WALLET, SIGNATURE, SLOT, STAKE_ACCOUNT, USDC, WALLET } from "../samples.ts";
import { NO_TOTAL } from "./common.ts";

/** The legacy public family. */
export const publicFamily = [
  endpoint("public", "/chaininfo", {
    summary: "Block height, epoch, slot and transaction count of the chain",
    query: {},
    returns: object("ChainInfo"),
    columns: "blockHeight, absoluteSlot, currentEpoch, transactionCount",
    notes: [
      "Served by the public host and free of compute units; solx sends the API key anyway.",
      "Too many requests return status 403 here and 429 elsewhere.",
      "absoluteSlot counts skipped slots, blockHeight does not.",
    ],
    statuses: { 403: "rateLimited" },
    aliases: ["chain-info"],
    examples: { "Current state of the chain": {} },
  }),
];

const LATEST = { limit: integer("Rows", { min: 1, max: LEGACY_LAST_MAX, default: 10, role: "size" }) };
const LIMIT = integer("Rows", { min: 1, max: LEGACY_MAX, default: 10, role: "size" });
const SLICES = {
  limit: LIMIT,
  offset: integer("Rows to skip", { min: 0, default: 0, role: "offset" }),
};
const ACCOUNT = address("Account", IDENTIFIER);
const TOKEN = address("Token, by mint", { ...IDENTIFIER, ...MINT });
const TIMES = {
  fromTime: time("Start of the time range", { role: "from" }),
  toTime: time("End of the time range", { role: "to" }),
};

const IN_PATH = { ...IDENTIFIER, in: "path" } as const;
const EXPORT_LIMIT =
  "The API returns at most 5000 rows per export and allows one export per minute; --all fetches all rows in several requests.";
const BASE_UNITS = "Amounts are base units, as numbers or text: divide by 10^decimals.";

const blocks = [
  endpoint("legacy", "/block/last", {
    summary: "Latest blocks",
    query: LATEST,
    returns: rows("LegacyBlock"),
    columns: `currentSlot as slot, result.blockTime as time, result.transactionCount as transactions,
      result.feeRewards as fee rewards, result.validator as validator, result.blockhash as blockhash,
      result.message as message`,
    newestFirst: true,
    identity: "currentSlot",
    notes: ["A slot without a block has a code and a message instead."],
    aliases: ["latest"],
    examples: { "Latest 20 blocks": { limit: 20 } },
  }),
  endpoint("legacy", "/block/transactions", {
    summary: "Transactions of a block, in the format of a Solana node",
    query: { block: slot("Slot of the block", IDENTIFIER), ...SLICES },
    returns: rows("LegacyRpcTransaction"),
    columns: "transaction.signatures as signatures, meta.fee as fee, meta.err as error",
    identity: "transaction.signatures",
    aliases: ["txs"],
    examples: { "First 50 transactions": { block: SLOT, limit: 50 } },
  }),
  endpoint("legacy", "/block/{block}", {
    summary: "A block, without its transactions",
    query: { block: slot("Slot of the block", IN_PATH) },
    returns: object("LegacyBlock"),
    cachePolicy: "final",
    columns: `currentSlot as slot, result.blockTime as time, result.blockHeight as height,
      result.transactionCount as transactions, result.feeRewards as fee rewards, result.validator as validator,
      result.blockhash as blockhash, result.parentSlot as parent slot, result.previousBlockhash as previous blockhash,
      result.message as message`,
    echo: "currentSlot",
    aliases: ["get", "show"],
    examples: { "A block by its slot": { block: SLOT } },
  }),
];

const transactions = [
  endpoint("legacy", "/transaction/last", {
    summary: "Latest transactions, in the format of a Solana node",
    query: LATEST,
    returns: rows("LegacyRpcTransaction"),
    columns: "transaction.signatures as signatures, meta.fee as fee, meta.err as error",
    newestFirst: true,
    identity: "transaction.signatures",
    aliases: ["latest"],
    examples: { "Latest 20 transactions": { limit: 20 } },
  }),
  endpoint("legacy", "/transaction/{signature}", {
    summary: "A transaction with its instructions, balances and transfers",
    query: { signature: signature("Signature of the transaction", IN_PATH) },
    returns: object("LegacyTransactionDetail"),
    cachePolicy: "final",
    columns: `txHash, status, blockTime, slot, fee, lamport, signer, inputAccount, parsedInstruction, tokenTransfers,
      solTransfers, tokenBalanes as token balances, logMessage as log`,
    echo: "txHash",
    notes: ["tokenBalanes is the API's spelling."],
    aliases: ["get", "show"],
    examples: { "A transaction by its signature": { signature: SIGNATURE } },
  }),
];

const accounts = [
  endpoint("legacy", "/account/tokens", {
    summary: "Token accounts of a wallet",
    query: { account: ACCOUNT },
    returns: rows("LegacyTokenAccount"),
    columns: "tokenName as name, tokenAmount.uiAmountString as amount, tokenAddress, tokenAccount",
    identity: "tokenAccount",
    subject: "tokenAddress",
    notes: ["tokenAmount.uiAmount is rounded; uiAmountString is exact."],
    examples: { "Tokens of a wallet": { account: WALLET } },
  }),
  endpoint("legacy", "/account/transactions", {
    summary: "Transactions of an account, newest first",
    query: {
      account: ACCOUNT,
      beforeHash: signature("Only transactions before this one", { role: "cursor" }),
      limit: LIMIT,
    },
    returns: rows("LegacyAccountTransaction"),
    columns: "txHash, blockTime, status, fee, lamport, signer, slot",
    cursorField: "txHash",
    newestFirst: true,
    identity: "txHash",
    aliases: ["txs", "tx"],
    examples: {
      "Latest 50 transactions": { account: WALLET, limit: 50 },
      "Transactions before another": { account: WALLET, beforeHash: SIGNATURE },
    },
  }),
  endpoint("legacy", "/account/stakeAccounts", {
    summary: "Stake accounts of a wallet",
    query: { account: ACCOUNT },
    returns: rows("LegacyStakeAccount"),
    columns: "stakeAccount, amount, type, voter, role",
    amountsInSol: true,
    identity: "stakeAccount",
    aliases: ["stakes", "stake"],
    examples: { "Stakes of a wallet": { account: OTHER_WALLET } },
  }),
  endpoint("legacy", "/account/splTransfers", {
    summary: "Token balance changes of a wallet by transfers",
    query: { account: ACCOUNT, ...TIMES, ...SLICES },
    returns: rows("LegacyTokenTransfer", { at: "data", total: "total" }),
    columns: "blockTime, changeType, changeAmount, symbol, tokenAddress, postBalance, signature",
    newestFirst: true,
    identity: "_id",
    notes: [BASE_UNITS],
    aliases: ["token-transfers"],
    examples: { "Last week": { account: WALLET, fromTime: "7d" } },
  }),
  endpoint("legacy", "/account/solTransfers", {
    summary: "Transfers of SOL into and out of a wallet",
    query: { account: ACCOUNT, ...TIMES, ...SLICES },
    returns: rows("LegacySolTransfer", { at: "data" }),
    columns: "blockTime, lamport, src, dst, status, txHash",
    newestFirst: true,
    identity: "_id",
    notes: [NO_TOTAL],
    examples: { "Last week": { account: OTHER_WALLET, fromTime: "7d" } },
  }),
  endpoint("legacy", "/account/exportTransactions", {
    summary: "Transactions of an account as CSV",
    query: {
      account: ACCOUNT,
      type: oneOf(["tokenchange", "soltransfer", "all"], "Token balance changes, SOL transfers or both", {
        required: true,
      }),
      fromTime: time("Start of the time range", { required: true, role: "from" }),
      toTime: time("End of the time range", { required: true, role: "to" }),
    },
    returns: csv("LegacyTransactionExportRow"),
    columns: `BlockTime Unix, Type, ChangeType, SPL BalanceChange, Symbol(off-chain), TokenAddress, Amount (SOL),
      Txhash`,
    notes: [EXPORT_LIMIT],
    aliases: ["export"],
    examples: { "All rows of 30 days": { account: WALLET, type: "all", fromTime: "60d", toTime: "30d" } },
  }),
  endpoint("legacy", "/account/exportRewards", {
    summary: "Staking rewards of an account as CSV",
    query: {
      account: ACCOUNT,
      fromTime: time("Start of the time range", { role: "from", note: "Default: one month before the end." }),
      toTime: time("End of the time range", { role: "to", note: "Default: now." }),
    },
    returns: csv("RewardExportRow"),
    columns: "Epoch, Effective Time Unix, Reward Amount, Change Percentage, Post Balance, Commission",
    notes: [EXPORT_LIMIT],
    aliases: ["rewards"],
    examples: { "Rewards of the last month": { account: STAKE_ACCOUNT } },
  }),
  endpoint("legacy", "/account/{account}", {
    summary: "Balance, owner program and type of an account",
    query: { account: address("Account", IN_PATH) },
    returns: object("LegacyAccount"),
    columns: "account, type, lamports, ownerProgram, executable, rentEpoch, tokenInfo",
    echo: "account",
    aliases: ["get", "show", "info"],
    examples: { "A wallet": { account: WALLET } },
  }),
];

const tokens = [
  endpoint("legacy", "/token/holders", {
    summary: "Holders of a token (token accounts), largest first",
    query: {
      tokenAddress: TOKEN,
      ...SLICES,
      fromAmount: decimal("Minimum amount, in base units", { amountOf: "tokenAddress" }),
      toAmount: decimal("Maximum amount, in base units", { amountOf: "tokenAddress" }),
    },
    returns: rows("LegacyTokenHolder", { at: "data", total: "total" }),
    columns: "rank, owner, amount, address",
    identity: "address",
    subject: "owner",
    notes: [BASE_UNITS],
    examples: { "The 50 largest holders of USDC": { tokenAddress: USDC, limit: 50 } },
  }),
  endpoint("legacy", "/token/meta", {
    summary: "Name, decimals, supply and market of a token",
    query: { tokenAddress: TOKEN },
    returns: object("LegacyTokenMeta"),
    cachePolicy: "metadata",
    columns: "symbol, name, address, decimals, price, volume, supply, holder, website, tag",
    echo: "address",
    aliases: ["get", "show", "info"],
    examples: { USDC: { tokenAddress: USDC } },
  }),
  endpoint("legacy", "/token/transfer", {
    summary: "Balance changes of a token by transfers",
    query: {
      tokenAddress: TOKEN,
      address: address("Only changes of this wallet or token account"),
      ...SLICES,
    },
    returns: rows("LegacyTokenTransfer", { at: "data", total: "total" }),
    columns: "blockTime, changeType, changeAmount, owner, postBalance, signature",
    newestFirst: true,
    identity: "_id",
    notes: [BASE_UNITS],
    aliases: ["transfers"],
    examples: { "Latest transfers of BONK": { tokenAddress: BONK } },
  }),
  endpoint("legacy", "/token/list", {
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
      ...SLICES,
    },
    returns: rows("LegacyToken", { at: "data", total: "total" }),
    cachePolicy: "prices",
    columns: `marketCapRank as rank, tokenSymbol as symbol, tokenName as name, priceUst as price,
      marketCapFD as market cap, volume.volumeUsd as volume, holder, mintAddress as mint`,
    identity: "mintAddress",
    notes: ["priceUst is in USD, despite its name."],
    aliases: ["ls"],
    examples: { "By volume, highest first": { sortBy: "volume", direction: "desc", limit: 50 } },
  }),
];

const markets = [
  endpoint("legacy", "/market/token/{tokenAddress}", {
    summary: "Price, volume and pools of a token",
    query: { tokenAddress: address("Token, by mint", { ...IN_PATH, ...MINT }), ...SLICES },
    returns: object("LegacyTokenMarket"),
    cachePolicy: "prices",
    columns: `priceUsdt as price, priceChange24h as change 24h, volumeUsdt as volume, marketCapFD as market cap,
      marketCapRank as rank, markets`,
    notes: ["What is paged is the list of pools."],
    aliases: ["token"],
    examples: { "The market of BONK": { tokenAddress: BONK } },
  }),
];

/** The legacy pro family, in the order of the specification. */
export const legacy = [...blocks, ...transactions, ...accounts, ...tokens, ...markets];
