/** Transactions in detail and their actions (specification §3). Lists have the shorter `AccountTransaction`. */
import * as z from "zod";
import { f } from "../fields.ts";
import type { FieldMeta } from "../kinds.ts";

const SolBalanceChange = z.looseObject({
  address: f.address("The account"),
  pre_balance: f.lamportsText("Balance before"),
  post_balance: f.lamportsText("Balance after"),
  change_amount: f.lamportsText("Signed change of the balance; unchanged accounts are included"),
});

const TokenBalanceChange = z.looseObject({
  address: f.address("The token account"),
  token_address: f.address("Mint of the token"),
  change_type: f.enum("Whether the balance increased or decreased", ["inc", "dec"]),
  change_amount: f.tokenAmountText("Signed change of the balance, in base units", "decimals"),
  decimals: f.count("Decimals of the token"),
  pre_balance: f.tokenAmountText("Balance before, in base units", "decimals"),
  post_balance: f.tokenAmountText("Balance after, in base units", "decimals"),
  owner: f.address("Owner of the token account"),
  pre_owner: f.address("Owner before").nullish(),
  post_owner: f.address("Owner after").nullish(),
});

const AccountKey = z.looseObject({
  pubkey: f.address("The account"),
  signer: f.boolean("Whether it signed"),
  writable: f.boolean("Whether the transaction can write to it"),
  source: f.enum("Source of the key: the transaction or a lookup table", ["transaction", "lookupTable"]),
});

/** The position of an event within a transaction. */
const position = {
  ins_index: f.number("Index of the instruction in its list, starting at 0"),
  outer_ins_index: f.number("Index of its top-level instruction; -1 for top-level instructions"),
  outer_program_id: f.program("Program of its top-level instruction; null for top-level instructions").nullish(),
};

const OtherLeg = z.looseObject({
  token_address: f.address("Mint of the token"),
  decimals: f.count("Decimals of the token"),
  amount: f.tokenAmountMixed("Amount in base units", "decimals"),
  amount_str: f.tokenAmountText("Exact value as text", "decimals").optional(),
});

/** A transfer within a transaction. Types are `spl_transfer` in details and `ACTIVITY_SPL_TRANSFER` in actions. */
export const TransactionTransfer = z.looseObject({
  source_owner: f.address("Sending owner").nullish(),
  source: f.address("Sending account; for SOL the wallet itself").nullish(),
  destination: f.address("Receiving account").nullish(),
  destination_owner: f.address("Receiving owner").nullish(),
  transfer_type: f.enum("Type of the transfer"),
  token_address: f.address("Mint of the token; a placeholder for SOL"),
  decimals: f.count("Decimals of the token"),
  amount: f.tokenAmountMixed("Amount in base units", "decimals"),
  amount_str: f.tokenAmountText("Exact value as text", "decimals").optional(),
  program_id: f.program("Program; the system program for SOL"),
  ...position,
  event: f.text("Name of the event; can be empty").optional(),
  fee: f.json("Transfer fee; usually empty").optional(),
  extra_data: f.json("Additional data, by type of transfer").optional(),
  base_value: f.object("Other side of a swap", OtherLeg).optional(),
});

/** The first columns of a table of transfers. */
const TRANSFER_COLUMNS = {
  source_owner: "from",
  destination_owner: "to",
  amount: "amount",
  token_address: "token",
};

/** An interpreted instruction: a swap, a new account, a compute budget. */
export const TransactionActivity = z.looseObject({
  name: f.text("Name, such as RaydiumTokenSwap"),
  activity_type: f.enum("Type of the activity; lower case in details, ACTIVITY_… in actions"),
  program_id: f.program("Program"),
  data: f.json("Data of the activity, by type"),
  ...position,
  inst_type: f.text("Label of the instruction").optional(),
  program_invoke_level: f.number("Call depth; 1 for top-level instructions").optional(),
  real_outer_ins_index: f.number("Index of the calling instruction; -1 for top-level instructions").optional(),
  real_outer_program_id: f.program("Program of the calling instruction; null for top-level instructions").nullish(),
});

const instructionData = z.union([z.record(z.string(), z.unknown()), z.string()]).meta({
  kind: "json",
  description: "Decoded data (info and type), or the encoded bytes when they cannot be decoded",
} satisfies FieldMeta);

const instruction = {
  parsed_type: f.text("Label, such as raydium:swap"),
  type: f.text("Name of the instruction in its program"),
  program_id: f.program("Program"),
  program: f.text("Name of the program"),
  ...position,
  data_raw: instructionData.nullish(),
  accounts: f.list("Accounts; often empty for known programs", f.address("Account")),
  activities: f.objects("Activities of this instruction, without those below it", TransactionActivity),
  transfers: f.objects("Transfers of this instruction, without those below it", TransactionTransfer, TRANSFER_COLUMNS),
  program_invoke_level: f.number("Call depth; 1 for top-level instructions").optional(),
  idl_data: f.json("Arguments by name, where the layout is published").optional(),
  tags: f.list("Tags, such as mev_tip", f.text("Tag")).optional(),
};

/** A row of the entity {@link Instruction}. */
export interface InstructionRow extends z.infer<z.ZodObject<typeof instruction, z.core.$loose>> {
  readonly inner_instructions?: readonly InstructionRow[] | null | undefined;
}

/** Inner instructions, each an {@link Instruction}; a function, because the entity is recursive. */
const innerInstructions = (): z.ZodType<readonly InstructionRow[] | null | undefined> =>
  f.objects("Inner instructions", z.lazy(() => Instruction) as z.ZodType<InstructionRow>).nullish();

/** An instruction with its inner instructions, to any depth. */
export const Instruction = z.looseObject({ ...instruction, inner_instructions: innerInstructions() });

const version = z
  .union([z.string(), z.number()])
  .meta({ kind: "text", description: "Version: legacy, or a number" } satisfies FieldMeta);

/** Why a transaction failed. */
export const TransactionFailure = z.looseObject({
  message: f.text("What failed and why"),
  reason: f.text("The reason in a few words, as tables show it").optional(),
  name: f.text("Name of the error; Custom for one of a program").optional(),
  code: f.count("Number of the program's error").optional(),
  instruction: f.count("Position of the top-level instruction that failed; the first is 1").optional(),
  program: f.program("Program that failed, which an instruction may have called").optional(),
  program_name: f.text("Name of the program").optional(),
  path: f.list("Programs from the instruction to the call that failed", f.program("Program")).optional(),
  value: f.json("The error as a node writes it"),
});

/** The field of entities that have a status. */
export const failure = f.object("Why it failed; only from a node or an index", TransactionFailure).optional();

/** A transaction in detail. Fields that older answers lack are optional. */
export const TransactionDetail = z.looseObject({
  tx_hash: f.signature("Signature of the transaction"),
  block_id: f.slot("Slot of the block"),
  block_time: f.unixTime("Time of the block"),
  status: f.statusNumber("Success (1) or failure (0)"),
  error: failure,
  tx_status: f.enum("Commitment", ["finalized"]).optional(),
  fee: f.lamports("Fee, including the priority fee"),
  priority_fee: f.lamports("Priority fee").optional(),
  compute_units_consumed: f.count("Compute units consumed"),
  signer: f.list("Accounts that signed; the first pays the fee", f.address("Signer")),
  list_signer: f.list("Same as signer", f.address("Signer")).optional(),
  programs_involved: f.list("Programs involved", f.program("Program")),
  tokens_involved: f.list("Mints involved", f.address("Mint")).optional(),
  sol_bal_change: f.objects("SOL balances before and after", SolBalanceChange),
  token_bal_change: f.objects("Token balances before and after", TokenBalanceChange, {
    owner: "owner",
    token_address: "token",
    change_amount: "change",
    post_balance: "after",
  }),
  parsed_instructions: f.objects("Instructions as a call tree", Instruction),
  transfers: f.objects("Transfers of the whole transaction", TransactionTransfer, TRANSFER_COLUMNS).optional(),
  activities: f.objects("Activities of the whole transaction", TransactionActivity).optional(),
  account_keys: f.objects("Accounts and their access", AccountKey).optional(),
  address_table_lookup: f.list("Lookup tables", f.json("Lookup table")),
  reward: f.list("Rewards; usually empty", f.json("Reward")),
  log_message: f.list("Log lines of the programs", f.text("Line")).nullish(),
  confirmations: f.count("Confirmations; null when finalized").nullish(),
  version: version.optional(),
  recent_block_hash: f.hash("Recent block hash of the transaction").optional(),
});

const Action = z.looseObject({
  activity_type: f.enum("Type of the activity"),
  program_id: f.program("Program").optional(),
  data: f.json("Data of the activity, by type"),
});

const ActionSummary = z.looseObject({
  title: f.object("Summary of the group", Action),
  body: f.objects("Actions of the group", Action),
});

/** The actions of a transaction. Only its details contain the status. */
export const TransactionActions = z.looseObject({
  tx_hash: f.signature("Signature of the transaction"),
  block_id: f.slot("Slot of the block"),
  block_time: f.unixTime("Time of the block"),
  time: f.isoTime("Time of the block as text").optional(),
  fee: f.lamports("Fee, including the priority fee"),
  priority_fee: f.lamports("Priority fee").optional(),
  error: failure,
  one_line_summary: f.object("Main action of the transaction; newer servers only", Action).optional(),
  summaries: f.objects("Actions in groups; the same as in activities", ActionSummary),
  transfers: f.objects("Transfers of the whole transaction", TransactionTransfer, TRANSFER_COLUMNS),
  activities: f.objects("Activities of the whole transaction", TransactionActivity),
});

/** The label of a token: `metadata.tokens` beside `data` maps mints to these. */
export const TokenLabel = z.looseObject({
  token_address: f.address("Mint of the token"),
  token_name: f.text("Name").optional(),
  token_symbol: f.text("Symbol").optional(),
  token_icon: f.url("Icon").optional(),
});

const NodeMessage = z.looseObject({
  accountKeys: f.json("Accounts and their access; with encoding json, addresses"),
  recentBlockhash: f.hash("Recent block hash of the transaction"),
  instructions: f.json("Instructions: parsed, or with their accounts and data"),
  addressTableLookups: f.json("Lookup tables").optional(),
});

const SignedTransaction = z.looseObject({
  signatures: f.list("Signatures; the first identifies the transaction", f.signature("Signature")),
  message: f.object("Signed message", NodeMessage),
});

const signedTransaction = z.union([SignedTransaction, z.array(z.string())]).meta({
  kind: "json",
  description: "The transaction; with encoding base64 or base58, a list of its bytes as text and the encoding",
} satisfies FieldMeta);

const NodeTransactionMeta = z.looseObject({
  err: f.json("Error; null for success"),
  status: f.json("Ok or Err").optional(),
  fee: f.lamports("Fee"),
  computeUnitsConsumed: f.count("Compute units consumed").optional(),
  costUnits: f.count("Cost in units of the block limit").optional(),
  preBalances: f.list("Balances before, in the order of the account keys", f.lamports("Balance")),
  postBalances: f.list("Balances after", f.lamports("Balance")),
  preTokenBalances: f.json("Token balances before").optional(),
  postTokenBalances: f.json("Token balances after").optional(),
  innerInstructions: f.json("Inner instructions").optional(),
  loadedAddresses: f.json("Addresses from lookup tables").optional(),
  logMessages: f.list("Log lines of the programs", f.text("Line")).nullish(),
  returnData: f.json("Data that a program returned, and the program").optional(),
  rewards: f.json("Rewards").optional(),
});

/** What is beside transactions that are read by a cursor. */
export const PageCursor = z.looseObject({
  cursor: f.text("Cursor of the next page").nullish(),
});

/** A transaction in the format of a Solana node: `transaction` depends on the requested encoding. */
export const NodeTransaction = z.looseObject({
  slot: f.slot("Slot of the block"),
  blockTime: f.unixTime("Time of the block").nullable(),
  transactionIndex: f.number("Position in the block").optional(),
  version: version.optional(),
  transaction: signedTransaction,
  meta: f.object("Result of the transaction", NodeTransactionMeta).nullable(),
  error: failure,
});
