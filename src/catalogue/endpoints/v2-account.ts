/** What accounts are and own: v2 account endpoints about state. */
import { MAX_MULTI_ITEMS, MAX_NEWER_MULTI_ITEMS, SMALL_SIZES, STANDARD_SIZES } from "../constants.ts";
import { csv, endpoint, object, rows } from "../endpoint.ts";
import { address, addresses, flag, IDENTIFIER, oneOf, order, pages, time } from "../param.ts";
import { DLMM_POOL, JUP, JUPITER, OTHER_WALLET, PUMPSWAP, STAKE_ACCOUNT, WALLET, WHIRLPOOL } from "../samples.ts";
import { EXPORT_NOTES, MULTI_LIMIT, NEWER_ONLY, NO_TOTAL } from "./common.ts";

/** The v2 endpoints about the state of accounts. */
export const v2Account = [
  endpoint("v2", "/account/detail", {
    summary: "Balance, owner program and type of an account",
    query: { address: address("Account", IDENTIFIER) },
    returns: object("AccountDetail"),
    columns: "account, type, lamports, owner_program, executable, is_oncurve, rent_epoch",
    echo: "account",
    aliases: ["info"],
    examples: { "A wallet": { address: OTHER_WALLET }, "The owner program of a pool": { address: DLMM_POOL } },
    notes: [
      "rent_epoch is usually 18446744073709552000: the maximum 64-bit number, rounded up by the server beyond 64 bits.",
    ],
  }),
  endpoint("v2", "/account/metadata", {
    summary: "Label, tags, domain and age of an account",
    query: { address: address("Account", IDENTIFIER) },
    returns: object("AccountMetadata"),
    cachePolicy: "metadata",
    columns: `account_address, account_label, account_type, account_tags, account_domain, active_age,
      funded_by.funded_by, funded_by.block_time, funded_by.tx_hash, account_icon`,
    echo: "account_address",
    aliases: ["meta", "label"],
    examples: { "A labelled account": { address: WALLET }, "A wallet without a label": { address: OTHER_WALLET } },
    notes: ["Most wallets have no label: only account_address is always present."],
  }),
  endpoint("v2", "/account/metadata/multi", {
    summary: "Label, tags, domain and age of several accounts",
    query: { address: addresses("Accounts", { ...IDENTIFIER, maxItems: MAX_MULTI_ITEMS, note: MULTI_LIMIT }) },
    returns: rows("AccountMetadata"),
    cachePolicy: "metadata",
    columns: `account_address, account_label, account_type, account_tags, account_domain, active_age,
      funded_by.funded_by`,
    identity: "account_address",
    echo: "account_address",
    aliases: ["meta-multi", "labels"],
    examples: {
      "Two accounts in one request": { address: [WALLET, OTHER_WALLET] },
      "The labels of three programs": { address: [JUPITER, WHIRLPOOL, PUMPSWAP] },
    },
    notes: ["The order of the rows is unspecified; account_address identifies the account."],
  }),
  endpoint("v2", "/account/data-decoded", {
    summary: "Decoded data of an account",
    query: { address: address("Account", IDENTIFIER) },
    returns: object("DecodedAccountData"),
    columns: `account, data_decoded.name, data_decoded.idl_standard, data_decoded.idl_source, data_decoded.data,
      data_base64`,
    echo: "account",
    aliases: ["data", "decode"],
    examples: { "Data of a Meteora pool": { address: DLMM_POOL }, "A mint account": { address: JUP } },
    notes: [
      "Fields differ by program. Integers of 16 bits and more are text; those of 8 bits are numbers.",
      "Without a published layout, data_decoded is missing or nearly empty; data_base64 is always present.",
    ],
  }),
  endpoint("v2", "/account/funded-by", {
    since: "newer",
    isMulti: true,
    summary: "First SOL of accounts: funded by, transaction and time",
    query: { address: addresses("Accounts", { ...IDENTIFIER, maxItems: MAX_NEWER_MULTI_ITEMS }) },
    returns: rows("AccountFunding"),
    cachePolicy: "metadata",
    columns: "address, funded_by, block_time, tx_hash",
    identity: "address",
    echo: "address",
    aliases: ["funder", "funding"],
    examples: {
      "Funder of an account": { address: OTHER_WALLET },
      "Funders of two accounts": { address: [WALLET, OTHER_WALLET] },
    },
    notes: [
      "Accounts without a known funder are omitted. The order of the rows is unspecified; address identifies the account.",
      "One invalid address fails the whole request.",
    ],
  }),
  endpoint("v2", "/account/portfolio", {
    summary: "Tokens and SOL of an account, with prices and values",
    query: {
      address: address("Account", IDENTIFIER),
      exclude_low_score_tokens: flag("Exclude tokens with a low reputation score", { default: false }),
    },
    returns: object("Portfolio"),
    columns: "total_value, native_balance.balance, native_balance.value, tokens, positions",
    aliases: ["balance", "balances", "holdings"],
    examples: {
      "All holdings": { address: OTHER_WALLET },
      "Without tokens of low reputation": { address: WALLET, exclude_low_score_tokens: true },
    },
    notes: [
      "amount is in base units, balance in whole units.",
      "total_value is the value of SOL and tokens, without pool positions.",
      "The list is not paged: accounts with many tokens return a large answer.",
    ],
  }),
  endpoint("v2", "/account/token-accounts", {
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
    columns: "token_address, amount, token_account, token_decimals, owner",
    identity: "token_account",
    subject: "token_address",
    echo: "owner",
    aliases: ["tokens"],
    examples: {
      "Tokens with a balance": { address: OTHER_WALLET, type: "token", hide_zero: true },
      "NFTs of a wallet": { address: OTHER_WALLET, type: "nft", page_size: 40 },
    },
    notes: [NO_TOTAL, "For prices, see account portfolio."],
  }),
  endpoint("v2", "/account/stake", {
    summary: "Stake accounts of a wallet",
    query: {
      address: address("Wallet", IDENTIFIER),
      ...pages(SMALL_SIZES),
      ...order(["active_stake", "delegated_stake"]),
    },
    returns: rows("StakeAccount"),
    columns: `stake_account, status, active_stake_amount as active, delegated_stake_amount as delegated,
      sol_balance as balance, total_reward as rewards, voter, activation_epoch, role`,
    identity: "stake_account",
    aliases: ["stakes", "stake-accounts"],
    examples: {
      "By active stake": { address: OTHER_WALLET },
      "By delegated stake": { address: OTHER_WALLET, sort_by: "delegated_stake", page_size: 40 },
    },
    notes: [NO_TOTAL, "All amounts are lamports, including sol_balance. total_reward is text."],
  }),
  endpoint("v2", "/account/stake/reward", {
    since: "newer",
    summary: "Staking rewards of a stake account",
    query: {
      address: address("Stake account", IDENTIFIER),
      from_time: time("Start of the time range (default: one month before its end)", { role: "from" }),
      to_time: time("End of the time range (default: now)", { role: "to" }),
      ...pages(STANDARD_SIZES),
    },
    returns: rows("StakeReward"),
    columns: "effective_time, epoch, amount, change_percent, post_balance, commission, effective_slot",
    amountsInSol: true,
    newestFirst: true,
    identity: "epoch, effective_slot",
    echo: "address",
    aliases: ["rewards", "stake-rewards"],
    examples: {
      "Rewards of the last month": { address: STAKE_ACCOUNT },
      "Rewards of two months": { address: STAKE_ACCOUNT, from_time: "90d", to_time: "30d" },
    },
    notes: [
      "Requires a stake account: for a wallet, the answer has no rows.",
      "change_percent is in percent of the balance before the reward: 0.0288 means 0.0288 %.",
      "Rewards are available from epoch 132 on.",
    ],
  }),
  endpoint("v2", "/account/reward/export", {
    summary: "Staking rewards of a stake account as CSV",
    query: {
      address: address("Stake account", IDENTIFIER),
      time_from: time("Start of the time range (default: one month before its end)", {
        role: "from",
        note: "Newer servers name it from_time.",
      }),
      time_to: time("End of the time range (default: now)", { role: "to", note: "Newer servers name it to_time." }),
      from_time: time("Start of the time range, under its newer name", { note: NEWER_ONLY }),
      to_time: time("End of the time range, under its newer name", { note: NEWER_ONLY }),
    },
    returns: csv("RewardExportRow"),
    columns: "Effective Time Unix, Epoch, Reward Amount, Change Percentage, Post Balance, Commission, Effective Slot",
    identity: "Epoch, Effective Slot",
    aliases: ["rewards-export"],
    examples: {
      "Rewards of the last month": { address: STAKE_ACCOUNT },
      "Rewards of two months": { address: STAKE_ACCOUNT, time_from: "90d", time_to: "30d" },
    },
    notes: [
      "Requires a stake account: for a wallet, the answer has no rows.",
      ...EXPORT_NOTES.slice(0, 2),
      "Reward Amount and Post Balance are whole SOL, not lamports.",
      "Effective Time has no time zone and can be seven hours ahead of UTC; use Effective Time Unix.",
      "Rewards are available from epoch 132 on.",
    ],
  }),
  endpoint("v2", "/account/leaderboard", {
    summary: "Richest accounts",
    query: {
      ...order(["sol_values", "stake_values", "token_values", "total_values"], "total_values"),
      ...pages(STANDARD_SIZES),
    },
    returns: rows("LeaderboardRow", { at: "data", total: "total" }),
    cachePolicy: "prices",
    columns:
      "account, total_values as net worth, sol_values|lamports as SOL, token_values as tokens, stake_values as stakes",
    identity: "account",
    aliases: ["top", "richest"],
    examples: { "Richest accounts": {}, "By value of stakes": { sort_by: "stake_values", page_size: 20 } },
    notes: ["All values are in USD. total_values can differ slightly from the sum of its parts."],
  }),
];
