/** Accounts, their holdings and their activity (specification §3). */
import * as z from "zod";
import { NEWER_TRANSFER_ACTIVITIES, TRANSFER_ACTIVITIES } from "../constants.ts";
import { cell, compared, eventFields, f } from "../fields.ts";
import type { FieldMeta } from "../kinds.ts";
import { failure } from "./transaction.ts";

/** The state of an account on the chain. */
export const AccountDetail = z.looseObject({
  account: f.address("The account"),
  lamports: f.lamports("Balance", "balance"),
  type: f.enum("Type of the account, such as system_account; from a node or an index, no_account where none exists"),
  executable: f.boolean("Whether the account holds program code"),
  owner_program: f.program("Program that owns the account; the system program (all ones) for a wallet"),
  rent_epoch: f.largeNumber("Epoch of the next rent; usually the maximum 64-bit number, rounded up by the server"),
  is_oncurve: f.boolean("Whether the address is on the ed25519 curve; false for program derived addresses"),
});

const DecodedData = z.looseObject({
  name: f.text("Name of the structure").optional(),
  data: f.json("Fields by name, each with `type` and `data`; integers of 16 bits and more are text").optional(),
  idl_source: f.text("Source of the layout").optional(),
  idl_standard: f.text("Standard of the layout").optional(),
});

/** The data of an account, decoded by the layout that its program publishes. */
export const DecodedAccountData = z.looseObject({
  account: f.address("The account"),
  data_decoded: f.object("Decoded fields; missing when no layout is known", DecodedData).optional(),
  data_base64: f.hash("Raw data in base64"),
});

/** A transfer of a token or of SOL, in the list of an account or a token. */
export const Transfer = z.looseObject({
  ...eventFields,
  activity_type: f.enum("Type of the transfer", [...TRANSFER_ACTIVITIES, ...NEWER_TRANSFER_ACTIVITIES]),
  from_address: f.address("Sending owner"),
  from_token_account: f.address("Sending token account").optional(),
  to_address: f.address("Receiving owner"),
  to_token_account: f.address("Receiving token account").optional(),
  token_address: f.address("Mint of the token"),
  token_decimals: f.count("Decimals of the token"),
  amount: f.tokenAmount("Amount in base units", "token_decimals"),
  flow: f.enum("Direction from the requested account's perspective; missing in token lists", ["in", "out"]).optional(),
});

/** A row of a transfer export. */
export const TransferExportRow = z.looseObject({
  Signature: cell("signature", "Signature of the transaction"),
  "Block Time": cell("unixTime", "Time of the block"),
  "Human Time": cell("isoTime", "Time of the block as text"),
  Action: cell("enum", "Type of the transfer without ACTIVITY_SPL_, such as TRANSFER"),
  From: cell("address", "Sending owner"),
  To: cell("address", "Receiving owner"),
  Amount: cell("tokenAmount", "Amount in base units", { decimals: "Decimals" }),
  Flow: cell("enum", "Direction from the requested account's perspective", { values: ["in", "out"] }),
  Value: cell("usd", "Value at the time of the transfer"),
  Decimals: cell("count", "Decimals of the token"),
  "Token Address": cell("address", "Mint of the token; native SOL ends in 1"),
});

/** A change of one balance by one transaction. */
export const BalanceChange = z.looseObject({
  block_id: f.slot("Slot of the block"),
  block_time: f.unixTime("Time of the block"),
  time: f.isoTime("Time of the block as text").optional(),
  trans_id: f.signature("Signature of the transaction"),
  address: f.address("Owner of the balance"),
  token_address: f.address("Mint of the token"),
  token_decimals: f.count("Decimals of the token"),
  token_account: f.address("Token account that holds the balance"),
  amount: f.tokenAmount("Size of the change in base units; never negative", "token_decimals"),
  pre_balance: f.tokenAmount("Balance before, in base units", "token_decimals"),
  post_balance: f.tokenAmount("Balance after, in base units", "token_decimals"),
  change_type: f.enum("Whether the balance increased or decreased", ["inc", "dec"]),
  fee: f.lamports("Fee of the whole transaction; repeats on each of its rows"),
});

const InstructionSummary = z.looseObject({
  type: f.text("Name of the instruction").optional(),
  program: f.text("Name of the program").optional(),
  program_id: f.program("Program"),
});

/** A transaction of an account, without its details. */
export const AccountTransaction = z.looseObject({
  slot: f.slot("Slot of the block"),
  fee: f.lamports("Fee"),
  status: f.status("Success or Fail"),
  error: failure,
  signer: f.list("Accounts that signed; the first pays the fee", f.address("Signer")),
  block_time: f.unixTime("Time of the block"),
  tx_hash: f.signature("Signature of the transaction"),
  parsed_instructions: f.objects("Instructions, by name", InstructionSummary),
  program_ids: f.list("Programs involved", f.program("Program")),
  time: f.isoTime("Time of the block as text").optional(),
});

const PortfolioHolding = z.looseObject({
  token_address: f.address("Mint of the token").optional(),
  amount: f.tokenAmount("Amount in base units", "token_decimals"),
  amount_str: f.tokenAmountText("Exact value as text", "token_decimals").optional(),
  balance: f.amount("Amount in whole units"),
  balance_str: f.amountText("Exact value as text").optional(),
  token_price: f.usd("Price of one whole unit").optional(),
  token_decimals: f.count("Decimals of the token"),
  token_name: f.text("Name of the token").optional(),
  token_symbol: f.text("Symbol of the token").optional(),
  token_icon: f.url("Icon of the token").optional(),
  value: f.usd("Value of the amount").optional(),
});

const PortfolioPosition = z.looseObject({
  position_id: f.address("The position"),
  created_time: f.unixTime("Time of opening"),
  token_address: f.address("Mint of the position's token"),
  position_owner: f.address("Owner"),
  position_value: f.usd("Value"),
  pool_id: f.address("Pool"),
  program: f.program("Program of the pool"),
  position_type: f.enum("Type of the position", ["spot"]),
  is_position_in_range: f.boolean("Whether the pool price is within the position's range"),
});

/** The holdings of an account, with prices. */
export const Portfolio = z.looseObject({
  total_value: f.usd("Total value of SOL and tokens, without positions"),
  native_balance: f.object("SOL", PortfolioHolding),
  tokens: f.objects("Tokens with a balance", PortfolioHolding, {
    token_symbol: "symbol",
    balance: "balance",
    token_price: "price",
    value: "value",
    token_address: "token",
  }),
  positions: f
    .objects("Positions in pools; newer servers only", PortfolioPosition, {
      position_id: "position",
      position_value: "value",
      position_type: "type",
      is_position_in_range: "in range",
      pool_id: "pool",
    })
    .optional(),
});

/** A token account of a wallet. */
export const TokenAccount = z.looseObject({
  token_account: f.address("The token account"),
  token_address: f.address("Mint of the token"),
  amount: f.tokenAmount("Amount in base units", "token_decimals"),
  amount_str: f.tokenAmountText("Exact value as text", "token_decimals").optional(),
  token_decimals: f.count("Decimals of the token; 0 for most NFTs"),
  owner: f.address("Owning wallet"),
});

/** A stake account of a wallet. */
export const StakeAccount = z.looseObject({
  amount: f.lamports("Stake"),
  role: f.list("Roles of the wallet", f.enum("Role", ["staker", "withdrawer"])),
  status: f.enum("State of the stake, such as active"),
  type: f.enum("Type of the stake, such as active"),
  voter: f.address("Vote account of the delegation"),
  deactivationEpoch: f.number("Deactivation epoch; -1 for none").optional(),
  active_stake_amount: f.lamports("Active stake"),
  delegated_stake_amount: f.lamports("Delegated stake"),
  sol_balance: f.lamports("Balance of the stake account: lamports, despite the name"),
  total_reward: f.lamportsText("Rewards to date"),
  stake_account: f.address("The stake account"),
  activation_epoch: f.number("Activation epoch"),
  stake_type: f.json("Type of the stake; a number without a documented meaning"),
});

/** The number of transfers of an account. */
export const TransferTotal = z.looseObject({
  total: f.count("Number of transfers"),
});

/** A reward of a stake account. Amounts are lamports. */
export const StakeReward = z.looseObject({
  address: f.address("The stake account"),
  epoch: f.number("Epoch of the reward"),
  effective_slot: f.slot("Slot of the reward"),
  effective_time: f.unixTime("Time of the reward"),
  amount: f.lamports("Reward"),
  decimals: f.count("Decimals of SOL"),
  post_balance: f.lamports("Balance after the reward"),
  commission: f.percent("Commission of the validator"),
  change_percent: f.percent("Reward in percent of the balance before it"),
});

/** A row of a reward export. Amounts are whole SOL. */
export const RewardExportRow = z.looseObject({
  Epoch: cell("number", "Epoch of the reward"),
  "Effective Slot": cell("slot", "Slot of the reward"),
  "Effective Time Unix": cell("unixTime", "Time of the reward"),
  "Effective Time": cell("text", "Time of the reward without a time zone; can be seven hours ahead of UTC"),
  "Reward Amount": cell("sol", "Reward"),
  "Change Percentage": cell("percent", "Reward in percent of the balance"),
  "Post Balance": cell("sol", "Balance after the reward"),
  Commission: cell("percent", "Commission of the validator"),
});

const FirstFunding = z.looseObject({
  funded_by: f.address("Account that sent the first SOL"),
  tx_hash: f.signature("Transaction of the first SOL"),
  block_time: f.unixTime("Time of the first SOL"),
});

/** The first funding of an account. */
export const AccountFunding = z.looseObject({
  address: f.address("The account"),
  ...FirstFunding.shape,
});

const tags = z
  .union([z.array(z.string()), z.string()])
  .meta({ kind: "text", description: "Tags, such as dex_wallet" } satisfies FieldMeta);

/** Off-chain data about an account. Only the address is always present. */
export const AccountMetadata = z.looseObject({
  account_address: f.address("The account"),
  account_label: f.text("Display name").optional(),
  account_icon: f.url("Icon").optional(),
  account_tags: tags.optional(),
  account_type: f.enum("Type of the account, such as address").optional(),
  account_domain: f.text("Primary domain name").optional(),
  funded_by: f.object("Origin of the first SOL", FirstFunding).optional(),
  active_age: f.count("Days since the first funding").optional(),
  token_name: f.text("For token accounts: name of the token").optional(),
  token_symbol: f.text("For token accounts: symbol of the token").optional(),
  token_icon: f.url("For token accounts: icon of the token").optional(),
  token_decimals: f.count("For token accounts: decimals of the token").optional(),
});

/** A row of the list of the richest accounts. */
export const LeaderboardRow = z.looseObject({
  account: f.address("The account"),
  sol_values: f.usd("Value of SOL"),
  token_values: f.usd("Value of tokens"),
  stake_values: f.usd("Value of stakes"),
  total_values: compared(f.usd("Total value")),
  lamports: f.lamports("SOL of the account; only from a node", "balance").optional(),
});
