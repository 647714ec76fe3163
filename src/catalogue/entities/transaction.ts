/** Transactions in detail, and what they do (specification §3). Lists hold the shorter `AccountTransaction`. */
import * as z from "zod";
import { f } from "../fields.ts";
import type { FieldMeta } from "../kinds.ts";

const SolBalanceChange = z.looseObject({
  address: f.address("The account"),
  pre_balance: f.lamportsText("Balance before"),
  post_balance: f.lamportsText("Balance after"),
  change_amount: f.lamportsText("After less before, with its sign; unchanged accounts are listed too"),
});

const TokenBalanceChange = z.looseObject({
  address: f.address("The token account"),
  token_address: f.address("Mint of the token"),
  change_type: f.enum("Whether the balance grew or shrank", ["inc", "dec"]),
  change_amount: f.tokenAmountText("After less before in base units, already with its sign", "decimals"),
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
  writable: f.boolean("Whether the transaction may change it"),
  source: f.enum("Where the key stands: in the transaction, or in a lookup table", ["transaction", "lookupTable"]),
});

/** Where something happened within a transaction. */
const position = {
  ins_index: f.number("Index of the instruction in its own list, from 0"),
  outer_ins_index: f.number("Index of the top-level instruction above it; -1 at the top"),
  outer_program_id: f.program("Program of the top-level instruction above it; null at the top").nullish(),
};

const OtherLeg = z.looseObject({
  token_address: f.address("Mint of the token"),
  decimals: f.count("Decimals of the token"),
  amount: f.tokenAmountMixed("Amount in base units", "decimals"),
  amount_str: f.tokenAmountText("The same as text, exact", "decimals").optional(),
});

/** A transfer within a transaction. Kinds are spelled `spl_transfer` in details and `ACTIVITY_SPL_TRANSFER` in actions. */
export const TransactionTransfer = z.looseObject({
  source_owner: f.address("Owner that sends").nullish(),
  source: f.address("Account that sends; for SOL the wallet itself").nullish(),
  destination: f.address("Account that receives").nullish(),
  destination_owner: f.address("Owner that receives").nullish(),
  transfer_type: f.enum("What kind of transfer"),
  token_address: f.address("Mint of the token; SOL has a placeholder"),
  decimals: f.count("Decimals of the token"),
  amount: f.tokenAmountMixed("Amount in base units", "decimals"),
  amount_str: f.tokenAmountText("The same as text, exact", "decimals").optional(),
  program_id: f.program("Program; the system program moves SOL"),
  ...position,
  event: f.text("Name of the event, possibly empty").optional(),
  fee: f.json("Transfer fee, mostly empty").optional(),
  extra_data: f.json("More, by kind of transfer").optional(),
  base_value: f.object("The other leg, for swaps", OtherLeg).optional(),
});

/** What a list of transfers says first: who moved how much of what to whom. */
const MOVED = { source_owner: "from", destination_owner: "to", amount: "amount", token_address: "token address" };

/** A step that has a meaning: a swap, a new account, a compute budget. */
export const TransactionActivity = z.looseObject({
  name: f.text("Name, such as RaydiumTokenSwap"),
  activity_type: f.enum("What kind of activity, lower case in details and ACTIVITY_… in actions"),
  program_id: f.program("Program"),
  data: f.json("What it did, by kind of activity"),
  ...position,
  inst_type: f.text("Label of the instruction").optional(),
  program_invoke_level: f.number("Depth of the call, 1 at the top").optional(),
  real_outer_ins_index: f.number("Index of the direct caller; -1 at the top").optional(),
  real_outer_program_id: f.program("Program of the direct caller; null at the top").nullish(),
});

const instructionData = z.union([z.record(z.string(), z.unknown()), z.string()]).meta({
  kind: "json",
  description: "The decoded data (info and type), or the encoded bytes where nobody can read them",
} satisfies FieldMeta);

const instruction = {
  parsed_type: f.text("Label, such as raydium:swap"),
  type: f.text("Name of the instruction in its program"),
  program_id: f.program("Program"),
  program: f.text("Name of the program"),
  ...position,
  data_raw: instructionData.nullish(),
  accounts: f.list("Accounts, often none for known programs", f.address("Account")),
  activities: f.objects("Activities of this instruction, without those below it", TransactionActivity),
  transfers: f.objects("Transfers of this instruction, without those below it", TransactionTransfer, MOVED),
  program_invoke_level: f.number("Depth of the call, 1 at the top").optional(),
  idl_data: f.json("Arguments by name, where the layout is published").optional(),
  tags: f.list("Tags, such as mev_tip", f.text("Tag")).optional(),
};

/** An instruction and the ones that it calls, as the entity {@link Instruction} gives it. */
export interface InstructionRow extends z.infer<z.ZodObject<typeof instruction, z.core.$loose>> {
  readonly inner_instructions?: readonly InstructionRow[] | null | undefined;
}

/** Instructions that another one calls, each an {@link Instruction}; a function, because the entity holds itself. */
const called = (): z.ZodType<readonly InstructionRow[] | null | undefined> =>
  f.objects("Instructions that it calls", z.lazy(() => Instruction) as z.ZodType<InstructionRow>).nullish();

/** An instruction, with the ones that it calls below it, to any depth. */
export const Instruction = z.looseObject({ ...instruction, inner_instructions: called() });

const version = z
  .union([z.string(), z.number()])
  .meta({ kind: "text", description: "Version: legacy, or a number" } satisfies FieldMeta);

/** A transaction with everything in it. Newer fields that old answers lack are optional. */
export const TransactionDetail = z.looseObject({
  tx_hash: f.signature("Signature of the transaction"),
  block_id: f.slot("Slot of the block"),
  block_time: f.unixTime("Time of the block"),
  status: f.statusNumber("Success (1) or failure (0)"),
  tx_status: f.enum("How settled it is", ["finalized"]).optional(),
  fee: f.lamports("Fee, the priority fee included"),
  priority_fee: f.lamports("Part of the fee that buys priority"),
  compute_units_consumed: f.count("Compute units used on the chain"),
  signer: f.list("Accounts that signed; the first pays the fee", f.address("Signer")),
  list_signer: f.list("The same", f.address("Signer")).optional(),
  programs_involved: f.list("Programs that take part", f.program("Program")),
  tokens_involved: f.list("Mints that take part", f.address("Mint")).optional(),
  sol_bal_change: f.objects("Balances of SOL before and after", SolBalanceChange),
  token_bal_change: f.objects("Balances of tokens before and after", TokenBalanceChange, {
    owner: "owner",
    token_address: "token address",
    change_amount: "change",
    post_balance: "after",
  }),
  parsed_instructions: f.objects("Instructions, as a tree of calls", Instruction),
  transfers: f.objects("Transfers of the whole transaction", TransactionTransfer, MOVED).optional(),
  activities: f.objects("Activities of the whole transaction", TransactionActivity).optional(),
  account_keys: f.objects("Accounts and what they allow", AccountKey).optional(),
  address_table_lookup: f.list("Lookup tables", f.json("Lookup table")),
  reward: f.list("Rewards, mostly none", f.json("Reward")),
  log_message: f.list("Lines that the programs wrote", f.text("Line")).nullable(),
  confirmations: f.count("Confirmations; null once final").nullish(),
  version: version.optional(),
  recent_block_hash: f.hash("Block hash that the transaction builds on").optional(),
});

const Action = z.looseObject({
  activity_type: f.enum("What kind of activity"),
  program_id: f.program("Program").optional(),
  data: f.json("What it did, by kind of activity"),
});

const ActionSummary = z.looseObject({
  title: f.object("What it was on the whole", Action),
  body: f.objects("Its parts", Action),
});

/** What a transaction does, step by step. Whether it succeeded is in its details alone. */
export const TransactionActions = z.looseObject({
  tx_hash: f.signature("Signature of the transaction"),
  block_id: f.slot("Slot of the block"),
  block_time: f.unixTime("Time of the block"),
  time: f.isoTime("The same time as text"),
  fee: f.lamports("Fee, the priority fee included"),
  priority_fee: f.lamports("Part of the fee that buys priority"),
  one_line_summary: f.object("The transaction in a line, on newer servers", Action).optional(),
  summaries: f.objects("What happened, in groups; the same steps as in activities", ActionSummary),
  transfers: f.objects("Transfers of the whole transaction", TransactionTransfer, MOVED),
  activities: f.objects("Activities of the whole transaction", TransactionActivity),
});

/** What answers know of a token that takes part: `metadata.tokens` beside `data` maps mints to these. */
export const TokenLabel = z.looseObject({
  token_address: f.address("Mint of the token"),
  token_name: f.text("Name").optional(),
  token_symbol: f.text("Symbol").optional(),
  token_icon: f.url("Picture").optional(),
});
