/** The details of a transaction, also of the legacy family. */
import { capitalize, type JsonObject, omitMissing } from "../../../../base/index.ts";
import { NATIVE_SOL } from "../../../../catalogue/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { amountOf, unixTimeOf } from "../sql.ts";
import { stepsOf } from "./activities.ts";
import { type ArgumentsByInstruction, isParsed, readArguments } from "./arguments.ts";
import {
  type AccountKey,
  addressesOf,
  type FundedKey,
  isFunded,
  keyJson,
  lookupsOf,
  readBalances,
  type TokenChange,
} from "./balances.ts";
import { failureField, logLines, statusOf, type TransactionHead } from "./head.ts";
import { encodedData, hexData } from "./instruction-data.ts";
import { activityJson, allTransfers, instructionJson } from "./instructions.ts";
import {
  type Instruction,
  type InstructionTransfer,
  innerInstructionLists,
  readTree,
  topInstructions,
  topPrograms,
} from "./tree.ts";

const solChange = ({ address, pre, post }: FundedKey): JsonObject => ({
  address,
  pre_balance: String(pre),
  post_balance: String(post),
  change_amount: String(post - pre),
});

/** Returns the owners of a token account before and after; they differ when a transaction transfers it. */
function readOwners(db: LedgerReader, change: TokenChange, tree: readonly Instruction[]) {
  const [account, owner] = [db.addressOf(change.account), db.addressOf(change.owner)];
  const handed = tree
    .flatMap(({ transfers }) => transfers)
    .filter(({ type, source }) => type === "ACTIVITY_SPL_SET_OWNER_AUTHORITY" && source === account);
  return [handed[0]?.sourceOwner ?? owner, handed.at(-1)?.destinationOwner ?? owner];
}

function tokenChange(db: LedgerReader, change: TokenChange, tree: readonly Instruction[]): JsonObject {
  const [preOwner, postOwner] = readOwners(db, change, tree);
  return omitMissing({
    address: db.addressOf(change.account),
    change_type: change.post < change.pre ? "dec" : "inc",
    change_amount: String(change.post - change.pre),
    decimals: change.decimals,
    post_balance: String(change.post),
    pre_balance: String(change.pre),
    token_address: db.addressOf(change.token),
    owner: postOwner,
    post_owner: postOwner,
    pre_owner: preOwner,
  });
}

/** Returns the entity `TransactionDetail`. `tokens` are the involved tokens. */
export function readDetail(db: LedgerReader, head: TransactionHead, tokens: readonly number[]): JsonObject {
  const balances = readBalances(db, head.id);
  const tree = readTree(db, head.id, addressesOf(balances));
  const steps = stepsOf(db, head, tree);
  const infos = readArguments(db, tree, steps);
  const signers = balances.keys.filter(({ signer }) => signer).map(({ address }) => address);
  return {
    tx_hash: head.signature,
    block_id: head.slot,
    ...omitMissing({ block_time: unixTimeOf(db, head.time) }),
    fee: head.fee,
    priority_fee: head.priorityFee,
    reward: [],
    sol_bal_change: balances.keys.filter(isFunded).map(solChange),
    token_bal_change: balances.tokens.map((change) => tokenChange(db, change, tree)),
    tokens_involved: tokens.map((id) => db.addressOf(id)),
    parsed_instructions: topInstructions(tree).map((instruction) => instructionJson(instruction, steps, infos)),
    programs_involved: [...new Set(tree.map(({ program }) => program))],
    signer: signers,
    list_signer: signers,
    status: head.error === undefined ? 1 : 0,
    ...failureField(db, head, topPrograms(tree)),
    tx_status: "finalized",
    account_keys: balances.keys.map(keyJson),
    ...omitMissing({ compute_units_consumed: head.computeUnits }),
    confirmations: null,
    version: head.version ?? "legacy",
    transfers: allTransfers(tree, steps, "detail"),
    activities: steps.activities.map((activity) => activityJson(activity, "detail")),
    ...omitMissing({ log_message: logLines(db, head, tree, { infos, balances }) }),
    recent_block_hash: head.recentHash,
    address_table_lookup: head.lookups ?? lookupsOf(balances.keys),
  };
}

/** Returns an instruction: the data of one that nodes do not parse in hexadecimal digits and in base58. */
function legacyInstructionJson(instruction: Instruction, infos: ArgumentsByInstruction): JsonObject {
  const params = infos.get(instruction) ?? {};
  const parsed = isParsed(instruction);
  return {
    programId: instruction.program,
    program: instruction.programName,
    type: instruction.type,
    name: capitalize(instruction.type.replace(/([a-z0-9])([A-Z])/g, "$1 $2")),
    data: parsed ? "" : hexData(instruction, params),
    dataEncode: parsed ? "" : encodedData(instruction, params),
    params,
  };
}

const inputJson = (key: AccountKey): JsonObject => ({
  account: key.address,
  signer: key.signer,
  writable: key.writable,
  ...(isFunded(key) ? { preBalance: amountOf(key.pre), postBalance: amountOf(key.post) } : {}),
});

const balanceJson = (db: LedgerReader, change: TokenChange): JsonObject => ({
  account: db.addressOf(change.account),
  amount: { postAmount: String(change.post), preAmount: String(change.pre) },
  token: omitMissing({ decimals: change.decimals, tokenAddress: db.addressOf(change.token) }),
});

const tokenTransferJson = (transfer: InstructionTransfer): JsonObject => ({
  source: transfer.source,
  destination: transfer.destination,
  source_owner: transfer.sourceOwner,
  destination_owner: transfer.destinationOwner,
  amount: transfer.amount,
  token: omitMissing({ address: transfer.token, decimals: transfer.decimals }),
  type: transfer.type.replace("ACTIVITY_SPL_", "").toLowerCase(),
});

const solTransferJson = (transfer: InstructionTransfer): JsonObject => ({
  source: transfer.source,
  destination: transfer.destination,
  amount: amountOf(transfer.amount),
  type: transfer.type.replace("ACTIVITY_SPL_", "").toLowerCase(),
});

const isSol = ({ token }: InstructionTransfer): boolean => token === NATIVE_SOL;

/** Returns the entity `LegacyTransactionDetail`. `lamport` is the SOL of all transfers. */
export function legacyDetail(db: LedgerReader, head: TransactionHead): JsonObject {
  const balances = readBalances(db, head.id);
  const tree = readTree(db, head.id, addressesOf(balances));
  const infos = readArguments(db, tree, stepsOf(db, head, tree));
  const { keys, tokens } = balances;
  const transfers = tree.flatMap((instruction) => instruction.transfers);
  return {
    ...omitMissing({ blockTime: unixTimeOf(db, head.time) }),
    slot: head.slot,
    txHash: head.signature,
    fee: head.fee,
    status: statusOf(head.error ?? null),
    ...failureField(db, head, topPrograms(tree)),
    lamport: amountOf(transfers.filter(isSol).reduce((sum, { amount }) => sum + BigInt(amount), 0n)),
    signer: keys.filter(({ signer }) => signer).map(({ address }) => address),
    ...omitMissing({ logMessage: logLines(db, head, tree, { infos, balances }) }),
    inputAccount: keys.map(inputJson),
    recentBlockhash: head.recentHash,
    innerInstructions: innerInstructionLists(tree).map(([index, inner]) => ({
      index,
      parsedInstructions: inner.map((each) => legacyInstructionJson(each, infos)),
    })),
    tokenBalanes: tokens.map((change) => balanceJson(db, change)),
    parsedInstruction: topInstructions(tree).map((each) => legacyInstructionJson(each, infos)),
    confirmations: null,
    tokenTransfers: transfers.filter((transfer) => !isSol(transfer)).map(tokenTransferJson),
    solTransfers: transfers.filter(isSol).map(solTransferJson),
    serumTransactions: [],
    raydiumTransactions: [],
    unknownTransfers: [],
  };
}
