/** Solana's data formats: transactions, accounts, instructions and programs, as nodes return them. */

export { addressTitle, isTipAccount, knownPrograms, PROGRAM, programName, SYSVAR } from "../../catalogue/index.ts";
export { decodeAccount } from "./accounts/account.ts";
export {
  decodeCoreAsset,
  decodeEdition,
  decodeMetadata,
} from "./accounts/metaplex.ts";
export { type Mint, readMintAccount } from "./accounts/mint.ts";
export { parseAccount } from "./accounts/parse.ts";
export {
  associatedTokenAddress,
  editionAddress,
  isOnCurve,
  metadataAddress,
  programAddress,
  programDataAddress,
} from "./addresses.ts";
export { addressAt, decodeBase58, encodeBase58 } from "./base58.ts";
export { ByteReader } from "./bytes.ts";
export {
  alignLogs,
  computeUnitProfile,
} from "./compute-units.ts";
export type { CallOptions, Commitment, NodeConnection, RpcCall } from "./connection.ts";
export { domainAddress, domainOwner, isDomain } from "./domains.ts";
export { customErrorText } from "./errors/custom-errors.ts";
export {
  customErrorMeaning,
  failedCall,
  loggedErrorText,
  transactionErrorText,
} from "./errors/transaction-error.ts";
export type { Idl, IdlDecodedInstruction, IdlLookup } from "./idl/index.ts";
export { type LogCall, logTree, textsOf } from "./logs.ts";
export {
  amountOf,
  countOf,
  integerOf,
  listOf,
  malformed,
  objectOf,
  optionalCount,
  optionalInteger,
  optionalList,
  optionalText,
  textOf,
} from "./members.ts";
export type {
  ChainAccount,
  ChainBlock,
  ChainInstruction,
  ChainReward,
  ChainTransaction,
  TokenBalance,
} from "./model.ts";
export type { Exchanges, LiquidityChange, PoolSwap, Swap } from "./swaps/index.ts";
export { decodeBlock } from "./transaction/block.ts";
export {
  isWritable,
  readMessage,
  readTransaction,
  type WireTransaction,
} from "./transaction/message.ts";
export { decodeTransaction } from "./transaction/transaction.ts";

/** Loads the parsers of instructions. */
export const loadParsers = () => import("./parsers/index.ts");
export { isHistoryPruned, isMethodRefused, isSkippedSlot, NODE_ERROR } from "./node-errors.ts";

/** Loads what finds IDLs on the chain, reads them and decodes by them. */
export const loadIdl = () => import("./idl/index.ts");
/** Loads what reads IDLs and decodes by them, without what finds them, which is larger. */
export const loadIdlDecoder = () => import("./idl/interpret.ts");

/** Loads what finds swaps in transactions. */
export const loadSwaps = () => import("./swaps/index.ts");
