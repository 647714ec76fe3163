/** Account endpoints of today's service that the specification lacks. */
import { MAX_NEWER_MULTI_ITEMS, STANDARD_SIZES } from "../constants.ts";
import { endpoint, number, rows } from "../endpoint.ts";
import {
  address,
  addresses,
  flag,
  IDENTIFIER,
  integer,
  MINT,
  oneOf,
  pages,
  signature,
  slot,
  text,
  texts,
  time,
  timeWindow,
} from "../param.ts";
import { JUPITER, NATIVE_SOL, OTHER_WALLET, STAKE_ACCOUNT, USDC, WALLET, WHIRLPOOL } from "../samples.ts";
import { NATIVE_SOL_NOTE, transferFilters } from "./common.ts";

const fundedBy = endpoint({
  family: "v2",
  path: "/account/funded-by",
  since: "newer",
  multi: true,
  summary: "First SOL of accounts: funded by, transaction and time",
  query: { address: addresses("Accounts", { ...IDENTIFIER, maxItems: MAX_NEWER_MULTI_ITEMS }) },
  returns: rows("AccountFunding"),
  cachePolicy: "metadata",
  columns: ["address", "funded_by", "block_time", "tx_hash"],
  identity: ["address"],
  echo: "address",
  aliases: ["funder", "funding"],
  examples: [
    { about: "Funder of an account", params: { address: WALLET } },
    { about: "Funders of two accounts", params: { address: [WALLET, OTHER_WALLET] } },
  ],
  notes: [
    "Accounts without a known funder are omitted. The order of the rows is unspecified; address identifies the account.",
    "One invalid address fails the whole request.",
  ],
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

const stakeReward = endpoint({
  family: "v2",
  path: "/account/stake/reward",
  since: "newer",
  summary: "Staking rewards of a stake account",
  query: {
    address: address("Stake account", IDENTIFIER),
    from_time: time("Start of the time range (default: one month before its end)", { role: "from" }),
    to_time: time("End of the time range (default: now)", { role: "to" }),
    ...pages(STANDARD_SIZES),
  },
  returns: rows("StakeReward"),
  columns: ["effective_time", "epoch", "amount", "change_percent", "post_balance", "commission", "effective_slot"],
  newestFirst: true,
  identity: ["epoch", "effective_slot"],
  echo: "address",
  aliases: ["rewards", "stake-rewards"],
  examples: [
    { about: "Rewards of the last month", params: { address: STAKE_ACCOUNT } },
    { about: "Rewards of two months", params: { address: STAKE_ACCOUNT, from_time: "90d", to_time: "30d" } },
  ],
  notes: [
    "Requires a stake account: for a wallet, the answer has no rows.",
    "change_percent is in percent of the balance before the reward: 0.0288 means 0.0288 %.",
    "Rewards are available from epoch 132 on.",
  ],
});

/** Account endpoints of today's service that the specification lacks. */
export const v2AccountNewer = [fundedBy, transactionsEnhanced, transferTotal, stakeReward] as const;
