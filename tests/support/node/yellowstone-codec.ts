/** Blocks of `getBlock` as messages of Yellowstone gRPC, by the official codecs. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { getBase58Encoder } from "@solana/kit";
import type { SubscribeRequest, SubscribeUpdate, SubscribeUpdateBlock } from "@triton-one/yellowstone-grpc";
import { readTransactionError } from "../../../src/chain/indexer/stream/errors.ts";
import { decodeTransaction } from "./transaction.ts";
import { toJson, type Wire, type WireObject } from "./wire.ts";

interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
  fromPartial(message: object): T;
}

const load = createRequire(import.meta.url);
/** The folder of the codecs, which the package does not export: its main module has machine code for some systems only. */
const CODECS = join(dirname(load.resolve("@triton-one/yellowstone-grpc")), "grpc");

/** The official codecs. */
export const codecs = load(join(CODECS, "geyser.js")) as {
  readonly SubscribeRequest: Codec<SubscribeRequest>;
  readonly SubscribeUpdate: Codec<SubscribeUpdate>;
  readonly SubscribeUpdateBlock: Codec<SubscribeUpdateBlock>;
};

/** Returns the update with a block in an answer of `getBlock`, in the encodings base64 or json. */
export const encodeUpdate = (slot: number, answer: WireObject): Uint8Array =>
  encodeMessage({ block: blockMessage(slot, answer) });

/** Returns an update. */
export const encodeMessage = (update: object): Uint8Array =>
  codecs.SubscribeUpdate.encode(codecs.SubscribeUpdate.fromPartial({ filters: ["blocks"], ...update })).finish();

/** Returns a block as the message that a server sends, with its transactions in another order. */
function blockMessage(slot: number, answer: WireObject): SubscribeUpdateBlock {
  const transactions = objects(answer.transactions).map(transactionMessage);
  return codecs.SubscribeUpdateBlock.fromPartial({
    slot: String(slot),
    blockhash: answer.blockhash,
    rewards: { rewards: objects(answer.rewards).map(rewardMessage) },
    blockTime: answer.blockTime == null ? undefined : { timestamp: String(answer.blockTime) },
    blockHeight: answer.blockHeight == null ? undefined : { blockHeight: String(answer.blockHeight) },
    parentSlot: String(answer.parentSlot),
    parentBlockhash: answer.previousBlockhash,
    executedTransactionCount: String(transactions.length),
    transactions: transactions.toReversed(),
  });
}

const objects = (list: Wire | undefined): readonly WireObject[] => (list ?? []) as readonly WireObject[];
const texts = (list: Wire | undefined): string[] => ((list ?? []) as readonly Wire[]).map(String);
const base58 = (text: Wire | undefined) => new Uint8Array(getBase58Encoder().encode(String(text)));
const optional = (value: Wire | undefined) => (value == null ? undefined : String(value));

const REWARD_TYPES: readonly Wire[] = [null, "Fee", "Rent", "Staking", "Voting", "DeactivatedStake"];

const rewardMessage = ({ pubkey, lamports, postBalance, rewardType, commission }: WireObject) => ({
  pubkey,
  lamports: String(lamports),
  postBalance: String(postBalance),
  rewardType: REWARD_TYPES.indexOf(rewardType ?? null),
  commission: optional(commission) ?? "",
});

function transactionMessage({ transaction, meta, version }: WireObject, index: number): object {
  const { signatures, message } = Array.isArray(transaction)
    ? ofBytes(Buffer.from(String(transaction[0]), "base64"))
    : ofJson(transaction as WireObject, version ?? "legacy");
  return {
    signature: signatures[0],
    isVote: false,
    index: String(index),
    transaction: { signatures, message },
    meta: effectsMessage(meta as WireObject),
  };
}

function ofBytes(bytes: Uint8Array) {
  const { signatures, header, staticKeys, blockhash, instructions, version, lookups, limits } =
    decodeTransaction(bytes);
  const message = {
    header,
    accountKeys: staticKeys.map(base58),
    recentBlockhash: base58(blockhash),
    instructions: instructions.map((each) => ({ ...each, accounts: Uint8Array.from(each.accounts) })),
    versioned: version !== "legacy",
    addressTableLookups: lookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => ({
      accountKey: base58(accountKey),
      writableIndexes: Uint8Array.from(writableIndexes),
      readonlyIndexes: Uint8Array.from(readonlyIndexes),
    })),
    config: limits,
  };
  return { signatures: signatures.map(base58), message };
}

function ofJson({ signatures, message }: WireObject, version: Wire) {
  const { header, accountKeys, recentBlockhash, instructions, addressTableLookups } = message as WireObject;
  return {
    signatures: texts(signatures).map(base58),
    message: {
      header,
      accountKeys: texts(accountKeys).map(base58),
      recentBlockhash: base58(recentBlockhash),
      instructions: objects(instructions).map(instructionMessage),
      versioned: version !== "legacy",
      addressTableLookups: objects(addressTableLookups).map(({ accountKey, writableIndexes, readonlyIndexes }) => ({
        accountKey: base58(accountKey),
        writableIndexes: Uint8Array.from(writableIndexes as readonly number[]),
        readonlyIndexes: Uint8Array.from(readonlyIndexes as readonly number[]),
      })),
    },
  };
}

const instructionMessage = ({ programIdIndex, accounts, data, stackHeight }: WireObject) => ({
  programIdIndex,
  accounts: Uint8Array.from(accounts as readonly number[]),
  data: base58(data),
  stackHeight: stackHeight ?? undefined,
});

function effectsMessage(meta: WireObject): object {
  const { returnData, loadedAddresses } = meta;
  const loaded = (loadedAddresses ?? {}) as WireObject;
  const returned = returnData as WireObject | undefined;
  return {
    err: meta.err === null ? undefined : { err: encodeError(meta.err ?? null) },
    fee: String(meta.fee),
    preBalances: texts(meta.preBalances),
    postBalances: texts(meta.postBalances),
    innerInstructions: objects(meta.innerInstructions).map(({ index, instructions }) => ({
      index,
      instructions: objects(instructions).map(instructionMessage),
    })),
    innerInstructionsNone: meta.innerInstructions == null,
    logMessages: texts(meta.logMessages),
    logMessagesNone: meta.logMessages == null,
    preTokenBalances: objects(meta.preTokenBalances).map(tokenBalanceMessage),
    postTokenBalances: objects(meta.postTokenBalances).map(tokenBalanceMessage),
    loadedWritableAddresses: texts(loaded.writable).map(base58),
    loadedReadonlyAddresses: texts(loaded.readonly).map(base58),
    returnData: returned && {
      programId: base58(returned.programId),
      data: Buffer.from(texts(returned.data)[0] ?? "", "base64"),
    },
    returnDataNone: returned === undefined,
    computeUnitsConsumed: optional(meta.computeUnitsConsumed),
    costUnits: optional(meta.costUnits),
  };
}

const tokenBalanceMessage = ({ accountIndex, mint, owner, programId, uiTokenAmount }: WireObject) => {
  const { uiAmount, decimals, amount, uiAmountString } = uiTokenAmount as WireObject;
  const amounts = { uiAmount: Number(uiAmount ?? 0), decimals, amount, uiAmountString: uiAmountString ?? "" };
  return { accountIndex, mint, owner: owner ?? "", programId: programId ?? "", uiTokenAmount: amounts };
};

/** Returns the bytes of all errors of transactions, and whatever else has their form. */
export function* errorBytes(): Generator<Uint8Array> {
  const u32 = (value: number) => [...new Uint8Array(Uint32Array.of(value).buffer)];
  for (let kind = 0; kind < 64; kind++) yield Uint8Array.from([...u32(kind), 5]);
  for (let kind = 0; kind < 64; kind++) yield Uint8Array.from([...u32(8), 3, ...u32(kind), ...u32(6001)]);
}

/** Returns the bytes of an error; that these are the right ones is what another test compares. */
function encodeError(error: Wire): Uint8Array {
  const [index, reason] = ((error as WireObject).InstructionError ?? []) as readonly Wire[];
  const custom = (reason as WireObject | undefined)?.Custom;
  for (const bytes of errorBytes()) {
    const view = new DataView(bytes.buffer);
    if (view.getUint32(0, true) === 8 && index !== undefined && bytes.length > 5) {
      bytes[4] = Number(index);
      if (custom !== undefined) view.setUint32(9, Number(custom), true);
    } else if (bytes.length === 5) {
      const [detail] = Object.values(error as WireObject);
      bytes[4] = Number((detail as WireObject | undefined)?.account_index ?? detail ?? 0);
    }
    try {
      if (toJson(readTransactionError(bytes)) === toJson(error)) return bytes;
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
    }
  }
  throw new Error(`no bytes of the error ${toJson(error)}`);
}
