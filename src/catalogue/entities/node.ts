/** What a Solana node knows beyond the API: the cluster, its validators, and the insides of accounts and transactions. */
import * as z from "zod";
import { compared, f } from "../fields.ts";
import type { FieldMeta } from "../kinds.ts";

/** The state of a cluster. */
export const ClusterStatus = z.looseObject({
  cluster: f.enum("Cluster, by its genesis hash", ["mainnet", "devnet", "testnet", "unknown"]),
  genesis_hash: f.hash("Hash of the first block"),
  version: f.text("Software version of the node").optional(),
  slot: f.slot("Latest slot at the commitment"),
  block_height: f.ordinal("Blocks since genesis; does not count skipped slots"),
  block_time: f.unixTime("Time of the latest block").optional(),
  epoch: f.number("Epoch"),
  epoch_progress: f.percent("Completed part of the epoch"),
  epoch_slots: f.count("Slots of the epoch"),
  epoch_remaining_seconds: f.number("Estimated seconds until the next epoch").optional(),
  transaction_count: f.count("Transactions since genesis").optional(),
  tps: f.number("Transactions per second of the last minute, including votes").optional(),
  non_vote_tps: f.number("Transactions per second without votes").optional(),
  slot_milliseconds: f.number("Duration of a slot in the last minute").optional(),
  slot_milliseconds_hour: f.number("Duration of a slot in the last hour").optional(),
  total_supply: f.lamports("All SOL").optional(),
  circulating_supply: f.lamports("SOL in circulation").optional(),
  active_stake: f.lamports("Active stake").optional(),
  delinquent_stake: f.lamports("Active stake of validators that do not vote").optional(),
  validators: f.count("Validators that vote").optional(),
  delinquent_validators: f.count("Validators that do not vote").optional(),
  first_available_block: f.slot("Oldest block of the node"),
});

/** The performance of a cluster during a period, usually a minute. */
export const PerformanceSample = z.looseObject({
  slot: f.slot("Last slot of the period"),
  seconds: f.number("Length of the period"),
  slots: f.count("Slots of the period"),
  transactions: f.count("Transactions, including votes"),
  non_vote_transactions: f.count("Transactions without votes").optional(),
  tps: f.number("Transactions per second, including votes"),
  non_vote_tps: f.number("Transactions per second without votes").optional(),
  slot_milliseconds: f.number("Duration of a slot, where there was one").optional(),
});

/** A validator. */
export const Validator = z.looseObject({
  rank: f.ordinal("Rank by active stake"),
  name: f.text("Name that the validator published").optional(),
  vote_account: f.address("Vote account"),
  identity: f.address("Identity of the validator"),
  status: f.enum("Whether it votes", ["current", "delinquent"]),
  activated_stake: f.lamports("Active stake"),
  stake_share: compared(f.percent("Share of all active stake")),
  commission: f.percent("Commission"),
  last_vote: f.slot("Latest slot it voted on"),
  root_slot: f.slot("Latest slot it considers final"),
  credits: f.count("Vote credits of the epoch").optional(),
  version: f.text("Software version").optional(),
  website: f.url("Website that the validator published").optional(),
});

/** An epoch. Times are those of its first and last block. */
export const EpochInfo = z.looseObject({
  epoch: f.number("Epoch"),
  first_slot: f.slot("First slot"),
  last_slot: f.slot("Last slot"),
  first_block: f.slot("First slot with a block").optional(),
  last_block: f.slot("Last slot with a block").optional(),
  first_block_time: f.unixTime("Time of the first block").optional(),
  last_block_time: f.unixTime("Time of the last block").optional(),
});

/** An account as its owner program understands it. */
export const NodeAccount = z.looseObject({
  account: f.address("The account"),
  kind: f.text("What it is: wallet, mint, token account, stake account, program, …; no account where none exists"),
  lamports: f.lamports("Balance", "balance"),
  owner_program: f.program("Program that owns the account").optional(),
  owner_name: f.text("Name of that program; of one that solx does not know, what its interface says").optional(),
  space: f.count("Bytes of data").optional(),
  executable: f.boolean("Whether the account holds program code"),
  rent_epoch: f.largeNumber("Epoch of the next rent").optional(),
  is_oncurve: f.boolean("Whether the address is on the ed25519 curve"),
  state: f.json("Decoded data, by kind").optional(),
  data_base64: f.hash("Raw data in base64, of accounts that cannot be decoded, up to 1 MiB").optional(),
});

/** A program and its interface. */
export const NodeProgram = z.looseObject({
  program: f.program("The program"),
  name: f.text("Name").optional(),
  loader: f.program("Loader"),
  upgradeable: f.boolean("Whether it can be replaced"),
  upgrade_authority: f.address("Account that can replace it; null when it cannot be replaced").nullish(),
  program_data: f.address("Account with its code").optional(),
  last_deployed_slot: f.slot("Slot of the last deployment").optional(),
  size: f.count("Bytes of code").optional(),
  idl_name: f.text("Name in its published interface").optional(),
  idl_version: f.text("Version of its published interface").optional(),
  idl_source: f.text("Where the interface is published: anchor or program-metadata").optional(),
  instructions: f.list("Instructions of the interface", f.text("Instruction")).optional(),
  accounts: f.list("Accounts of the interface", f.text("Account")).optional(),
  security_contact: f.text("Contact for security reports that the program publishes").optional(),
});

/** An instruction of a transaction with its share of the compute units. */
export const NodeInstruction = z.looseObject({
  index: f.text("Position: 2 is the second top-level instruction, 2.1 the first that it called"),
  program: f.program("Program"),
  program_name: f.text("Name of the program").optional(),
  type: f.text("Name of the instruction").optional(),
  status: f.enum("Whether it succeeded", ["ok", "failed", "not run"]),
  error: f.text("Why it failed").optional(),
  compute_units: f.count("Compute units with those of the instructions that it called").optional(),
  own_compute_units: f.count("Compute units without those of the instructions that it called").optional(),
  accounts: f.list("Accounts", f.address("Account")).optional(),
  info: f.json("Accounts and arguments by name").optional(),
  data: f.hash("Data in base58, of instructions that cannot be decoded").optional(),
  logs: f.list("Log lines, without those of the instructions that it called", f.text("Line")).optional(),
});

/** A reward that a block pays. */
export const BlockReward = z.looseObject({
  account: f.address("Recipient"),
  type: f.enum("Type of the reward", ["fee", "rent", "staking", "voting"]),
  lamports: f.lamports("Reward", "reward"),
  post_balance: f.lamports("Balance after the reward", "balance"),
  change_percent: f.percent("Reward in percent of the balance before it"),
  commission: f.percent("Commission").optional(),
});

/** A program in a block. */
export const BlockProgram = z.looseObject({
  program: f.program("Program"),
  program_name: f.text("Name of the program").optional(),
  transactions: f.count("Transactions that invoke it"),
  share: compared(f.percent("Share of the transactions of the block")),
  instructions: f.count("Instructions, including those called by others"),
  success_rate: f.percent("Share of these transactions that succeed"),
});

/** An account in a block. */
export const BlockAccount = z.looseObject({
  account: f.address("Account"),
  transactions: f.count("Transactions that name it"),
  writes: f.count("Transactions that may write to it"),
  reads: f.count("Transactions that only read it"),
  share: compared(f.percent("Share of the transactions of the block")),
});

/** A change of an account's SOL by a simulated transaction. */
export const SimulatedSolChange = z.looseObject({
  address: f.address("The account"),
  change: f.lamports("Change"),
  pre: f.lamports("Balance before", "before"),
  post: f.lamports("Balance after", "after"),
});

/** A change of a token account by a simulated transaction. */
export const SimulatedTokenChange = z.looseObject({
  address: f.address("The token account"),
  owner: f.address("Owner"),
  mint: f.address("Mint of the token"),
  symbol: f.text("Symbol of the token").optional(),
  decimals: f.count("Decimals of the token"),
  change: f.tokenAmountText("Change in base units", "decimals"),
  change_ui: f.amountText("Change in whole units"),
  pre: f.tokenAmountText("Balance before, in base units", "decimals"),
  post: f.tokenAmountText("Balance after, in base units", "decimals"),
});

const Simulation = z.looseObject({
  status: f.enum("Outcome", ["ok", "failed"]),
  error: f.json("Error as the node returns it").optional(),
  error_text: f.text("Error as a sentence").optional(),
  compute_units: f.count("Compute units").optional(),
  sol_changes: f.objects("Changes of SOL", SimulatedSolChange),
  token_changes: f.objects("Changes of tokens", SimulatedTokenChange),
  return_data: f.json("Data that the transaction returns").optional(),
  logs: f.list("Log lines", f.text("Line")),
});

const TransactionSigner = z.looseObject({
  signer: f.address("Account that has to sign"),
  signature: f.signature("Signature").optional(),
  status: f.enum("State of the signature", ["valid", "invalid", "missing"]),
});

const InspectedAccount = z.looseObject({
  address: f.address("The account"),
  name: f.text("Name").optional(),
  signer: f.boolean("Whether it signs"),
  writable: f.boolean("Whether the transaction can write to it"),
  source: f.enum("Source of the key: the transaction or a lookup table", ["transaction", "lookupTable"]),
});

const version = z
  .union([z.string(), z.number()])
  .meta({ kind: "text", description: "Version: legacy, 0 or 1" } satisfies FieldMeta);

/** A transaction that is not sent yet, decoded and simulated. */
export const InspectedTransaction = z.looseObject({
  version,
  size: f.count("Bytes"),
  max_size: f.count("Bytes that the network accepts"),
  fee_payer: f.address("Account that pays the fee"),
  blockhash: f.hash("Recent blockhash, or the value of a nonce"),
  compute_unit_limit: f.count("Requested limit of compute units").optional(),
  compute_unit_price: f.number("Requested price of a compute unit in millionths of a lamport").optional(),
  fee: f.lamports("Fee; missing when the blockhash is no longer valid").optional(),
  signatures: f.objects("Signatures", TransactionSigner),
  accounts: f.objects("Accounts", InspectedAccount),
  instructions: f.objects("Instructions", NodeInstruction),
  simulation: f.object("Result of the simulation", Simulation).optional(),
  notes: f.list("What could not be read", f.text("Note")).optional(),
});
