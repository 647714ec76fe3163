/** Solana's data formats: transactions, accounts, instructions and programs, as nodes return them. */
export { decodeBase58, encodeBase58 } from "../../base/index.ts";
export { addressTitle, isTipAccount, knownPrograms, PROGRAM, programName, SYSVAR } from "../../catalogue/index.ts";
export * from "./accounts/account.ts";
export { COMPRESSION_LAYOUTS } from "./accounts/compression.ts";
export { POOL_LAYOUTS, PRICE_STEPS, sqrtPriceX64, tickOf } from "./accounts/exchanges.ts";
export { type AccountLayout, type AccountValues, describeLayout, writeLayout } from "./accounts/layout.ts";
export { LENDING_LAYOUTS } from "./accounts/lending.ts";
export {
  decodeCoreAsset,
  decodeEdition,
  decodeMetadata,
  METAPLEX_LAYOUTS,
  type Mint,
  readMintAccount,
} from "./accounts/metaplex.ts";
export { durableNonce, NATIVE_LAYOUTS } from "./accounts/native.ts";
export { requiredExtensions, TOKEN_LAYOUTS } from "./accounts/token.ts";
export {
  associatedTokenAddress,
  domainAddress,
  domainOwner,
  isDomain,
  isOnCurve,
  metadataAddress,
  programAddress,
  programDataAddress,
} from "./addresses.ts";
export { addressAt, attempt, ByteReader } from "./bytes.ts";
export { alignLogs, computeUnitProfile, priorityFeeOf } from "./compute-units.ts";
export * from "./connection.ts";
export {
  customErrorMeaning,
  failedCall,
  failedInstruction,
  failureJson,
  instructionReason,
  loggedErrorText,
  transactionErrorText,
} from "./errors.ts";
export type { IdlDecodedInstruction } from "./idl/interpret.ts";
export type { Idl } from "./idl/model.ts";
export type { IdlLookup } from "./idl/on-chain.ts";
export { type LogCall, logTree } from "./logs.ts";
export { MAX_BYTE, Member } from "./members.ts";
export type {
  ChainAccount,
  ChainBlock,
  ChainInstruction,
  ChainReward,
  ChainTransaction,
  TokenBalance,
} from "./model.ts";
export { bytesForRent, rentOf, rentOfLayout } from "./rent.ts";
export type { Exchanges, LiquidityChange, PoolSwap, Swap } from "./swaps/swaps.ts";
export { isWritable, readMessage, readTransaction, type WireTransaction } from "./transaction/message.ts";
export { type BlockDetails, decodeBlock, decodeTransaction } from "./transaction/transaction.ts";
export { writeTransaction } from "./transaction/wire.ts";

/** Loads the parsers of instructions. */
export const loadParsers = () => import("./parsers/index.ts");

/** Loads what finds IDLs on the chain, reads them and decodes by them. */
export const loadIdl = () => import("./idl/on-chain.ts");
/** Loads what reads IDLs and decodes by them, without what finds them, which is larger. */
export const loadIdlDecoder = () => import("./idl/interpret.ts");

/** Loads what finds swaps in transactions. */
export const loadSwaps = () => import("./swaps/swaps.ts");
