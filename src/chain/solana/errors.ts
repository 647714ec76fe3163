/** Errors of transactions as sentences. */
import {
  capitalize,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  omitUndefined,
  toNumber,
} from "../../base/index.ts";
import { addressTitle, PROGRAM } from "../../catalogue/index.ts";
import { type LogCall, logTree } from "./logs.ts";
import type { ChainInstruction, ChainTransaction } from "./model.ts";
import {
  ANCHOR_ERRORS,
  ASSOCIATED_TOKEN_ERRORS,
  METADATA_ERRORS,
  numbersOf,
  STAKE_ERRORS,
  SYSTEM_ERRORS,
  TOKEN_ERRORS,
} from "./program-numbers.ts";

/** Returns a name in lower case, with spaces: `invalid account data` for `InvalidAccountData`. */
const wordsOf = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase();

/** Returns the texts of errors by their numbers in a table of a client. An error without a text has its name. */
function textsByNumber(table: string, texts: Readonly<Record<string, string>>): readonly string[] {
  const byNumber: string[] = [];
  for (const [name, number] of numbersOf(table)) byNumber[Number(number)] = texts[name] ?? wordsOf(name);
  return byNumber;
}

const SYSTEM = textsByNumber(SYSTEM_ERRORS, {
  accountAlreadyInUse: "an account with this address already exists",
  resultWithNegativeLamports: "insufficient lamports",
  invalidProgramId: "the account cannot be assigned to this program",
  invalidAccountDataLength: "the account cannot have data of this length",
  maxSeedLengthExceeded: "the seed is too long",
  addressWithSeedMismatch: "the address does not match the address derived from the seed",
  nonceNoRecentBlockhashes: "a nonce can only be advanced with recent blockhashes",
  nonceBlockhashNotExpired: "the stored nonce is still a recent blockhash",
  nonceUnexpectedBlockhashValue: "the nonce does not match the stored nonce",
});

const TOKEN = textsByNumber(TOKEN_ERRORS, {
  notRentExempt: "the balance of lamports is below the rent-exempt minimum",
  insufficientFunds: "insufficient funds",
  invalidMint: "invalid mint",
  mintMismatch: "the account belongs to another mint",
  ownerMismatch: "the owner does not match",
  fixedSupply: "the supply of the token is fixed",
  alreadyInUse: "the account is already in use",
  invalidNumberOfProvidedSigners: "invalid number of signers provided",
  invalidNumberOfRequiredSigners: "invalid number of signers required",
  uninitializedState: "the account is not initialized",
  nativeNotSupported: "native tokens are not supported by the instruction",
  nonNativeHasBalance: "the account can only be closed when its balance is zero",
  invalidInstruction: "invalid instruction",
  invalidState: "the state of the account is invalid for the instruction",
  overflow: "arithmetic overflow",
  authorityTypeNotSupported: "the account does not support this authority type",
  mintCannotFreeze: "the mint cannot freeze accounts",
  accountFrozen: "the account is frozen",
  mintDecimalsMismatch: "the decimals differ from those of the mint",
  nonNativeNotSupported: "non-native tokens are not supported by the instruction",
});

/** By hand: the client of Token-2022 has the errors of the Token Program only. A test compares them with the program. */
const TOKEN_2022 = [
  ...TOKEN,
  "the extension type does not match",
  "the extension does not match the type of the account",
  "the extension is already initialized",
  "the account has a confidential balance",
  "the account is not approved for confidential transfers",
  "the account does not accept deposits and transfers",
  "the ElGamal public key does not match",
  "the balance does not match",
  "the mint has a supply",
  "no authority exists for the instruction",
  "the transfer fee exceeds 10,000 basis points",
  "the mint is required: use transferChecked",
  "the fee does not match the expected fee",
  "the fee parameters do not match",
  "the owner of the account cannot be changed",
  "the account has withheld transfer fees",
  "no memo in the previous instruction, which the recipient requires",
  "the token cannot be transferred",
  "the mint needs accounts with an immutable owner",
  "too many pending confidential credits",
  "the deposit exceeds the maximum amount",
  "the CPI guard cannot be changed in a call",
  "the CPI guard blocks transfers by the owner",
  "the CPI guard blocks burns by the owner",
  "the CPI guard allows closing only to the owner",
  "the CPI guard blocks approvals",
  "the CPI guard blocks changes of the authority",
  "the CPI guard blocks changes of the owner",
  "the extension does not exist",
  "the account does not accept plain transfers",
  "the account has withheld confidential fees",
  "the extensions cannot be combined",
  "the length is wrong for the allocation",
  "a balance cannot be decrypted",
  "a proof cannot be generated",
  "the proof is not at the given instruction",
  "fees cannot be harvested to the mint",
  "split proofs are not supported",
  "a proof is missing",
  "a ciphertext is malformed",
  "the arithmetic of ciphertexts failed",
  "a commitment does not match",
  "a range proof has the wrong length",
  "a number of bits is not allowed",
  "the fee cannot be calculated",
  "tokens of this mint cannot be made confidential or plain",
  "the multiplier is invalid",
  "transfers, mints and burns of the token are paused",
  "the pending balance is not zero",
];

const ASSOCIATED_TOKEN = textsByNumber(ASSOCIATED_TOKEN_ERRORS, {
  invalidOwner: "the owner of the token account does not match its address",
});

const STAKE = textsByNumber(STAKE_ERRORS, {
  noCreditsToRedeem: "no credits to redeem",
  lockupInForce: "the lockup has not expired",
  alreadyDeactivated: "the stake is already deactivated",
  tooSoonToRedelegate: "only one redelegation is permitted per epoch",
  insufficientStake: "the amount exceeds the stake",
  mergeTransientStake: "a stake that is activating or deactivating cannot be merged",
  mergeMismatch: "the stakes have different authorities, lockups or states",
  custodianMissing: "the custodian is missing",
  custodianSignatureMissing: "the custodian has not signed",
  insufficientReferenceVotes: "the reference vote account does not have enough votes",
  voteAddressMismatch: "the stake is delegated to another vote account",
  minimumDelinquentEpochsForDeactivationNotMet: "the vote account has not been delinquent for long enough",
  insufficientDelegation: "the delegation is below the minimum",
  redelegateTransientOrInactiveStake: "a stake that is not fully active cannot be redelegated",
  redelegateToSameVoteAccount: "the stake is already delegated to this vote account",
  redelegatedStakeMustFullyActivateBeforeDeactivationIsPermitted:
    "a redelegated stake must be active before it is deactivated",
  epochRewardsActive: "the rewards of the epoch are being distributed",
});

/** By hand: no client is published. A test compares them with the program. */
const VOTE = [
  "the vote is too old",
  "the slots do not match",
  "the slot hashes do not match",
  "the vote has no slots",
  "the timestamp is too old",
  "the authority was changed too recently",
  "the vote conflicts with a lockout",
  "the lockouts do not match",
  "the slots are not in order",
  "the confirmations are not in order",
  "a slot has no confirmations",
  "a slot has too many confirmations",
  "the root is older than the previous one",
  "a slot has fewer confirmations than before",
  "the slots are not newer than the previous ones",
  "the vote has too many slots",
  "all slots are too old",
  "the root is on another fork",
  "the vote account is active and cannot be closed",
  "the commission can only be changed in the first half of an epoch",
];

const LOOKUP: Readonly<Record<string, readonly string[]>> = {
  [PROGRAM.system]: SYSTEM,
  [PROGRAM.token]: TOKEN,
  [PROGRAM.token2022]: TOKEN_2022,
  [PROGRAM.associatedToken]: ASSOCIATED_TOKEN,
  [PROGRAM.stake]: STAKE,
  [PROGRAM.vote]: VOTE,
  [PROGRAM.tokenMetadata]: textsByNumber(METADATA_ERRORS, {}),
};

/** Errors of the framework Anchor, which most programs use. */
const ANCHOR = textsByNumber(ANCHOR_ERRORS, {
  instructionMissing: "no instruction identifier",
  instructionFallbackNotFound: "unknown instruction",
  instructionDidNotDeserialize: "invalid instruction data",
  instructionDidNotSerialize: "result too large",
  idlInstructionStub: "the program has no IDL instructions",
  idlInstructionInvalidProgram: "the program has an invalid IDL",
  constraintMut: "an account must be writable",
  constraintHasOne: "an account does not match the one that another account names",
  constraintSigner: "an account must sign",
  constraintRaw: "a constraint of an account is violated",
  constraintOwner: "an account has another owner than required",
  constraintRentExempt: "an account must be rent exempt",
  constraintSeeds: "an account does not have the address derived from its seeds",
  constraintExecutable: "an account must be executable",
  constraintState: "an account does not have the required state",
  constraintAssociated: "an account is not the associated one",
  constraintAssociatedInit: "an associated account cannot be initialized",
  constraintClose: "an account cannot be closed to itself",
  constraintAddress: "an account does not have the required address",
  constraintZero: "an account must be empty",
  constraintTokenMint: "a token account has another mint than required",
  constraintTokenOwner: "a token account has another owner than required",
  constraintMintMintAuthority: "a mint has another mint authority than required",
  constraintMintFreezeAuthority: "a mint has another freeze authority than required",
  constraintMintDecimals: "a mint has other decimals than required",
  constraintSpace: "an account has another size than required",
  requireViolated: "a requirement is violated",
  requireEqViolated: "values must be equal",
  requireKeysEqViolated: "addresses must be equal",
  requireNeqViolated: "values must differ",
  requireKeysNeqViolated: "addresses must differ",
  requireGtViolated: "a value must be greater",
  requireGteViolated: "a value must be greater or equal",
  accountDiscriminatorAlreadySet: "an account already has content",
  accountDiscriminatorNotFound: "an account has no discriminator",
  accountDiscriminatorMismatch: "an account is of another type than required",
  accountDidNotDeserialize: "an account cannot be read",
  accountDidNotSerialize: "an account cannot be written",
  accountNotEnoughKeys: "too few accounts",
  accountNotMutable: "an account must be writable",
  accountOwnedByWrongProgram: "an account is owned by another program than required",
  invalidProgramId: "a program has another address than required",
  invalidProgramExecutable: "a program is not executable",
  accountNotSigner: "an account must sign",
  accountNotSystemOwned: "an account must be owned by the System Program",
  accountNotInitialized: "an account is not initialized",
  accountNotProgramData: "an account is not the data of a program",
  accountNotAssociatedTokenAccount: "an account is not the associated token account",
  accountSysvarMismatch: "an account is not the required sysvar",
  accountReallocExceedsLimit: "an account grows by more than a transaction allows",
  accountDuplicateReallocs: "an account is resized twice",
  declaredProgramIdMismatch: "the program is deployed at another address than declared",
  tryingToInitPayerAsProgramAccount: "the payer cannot be the new account",
});

const TRANSACTION_ERRORS: Readonly<Record<string, string>> = {
  AccountInUse: "an account is in use by another transaction",
  AccountLoadedTwice: "an account is listed twice",
  AccountNotFound: "the fee payer does not exist",
  ProgramAccountNotFound: "a program does not exist",
  InsufficientFundsForFee: "the fee payer cannot pay the fee",
  InvalidAccountForFee: "the fee payer is no account that can pay fees",
  AlreadyProcessed: "the transaction was already processed",
  BlockhashNotFound: "the blockhash is unknown or expired",
  CallChainTooDeep: "calls are nested too deeply",
  MissingSignatureForFee: "the fee payer has not signed",
  InvalidAccountIndex: "an instruction refers to a missing account",
  SignatureFailure: "a signature is invalid",
  InvalidProgramForExecution: "a program is not executable",
  SanitizeFailure: "the transaction is malformed",
  ClusterMaintenance: "the cluster is being maintained",
  WouldExceedMaxBlockCostLimit: "the block has no compute units left",
  UnsupportedVersion: "the version of the transaction is not supported",
  InvalidWritableAccount: "an account cannot be writable",
  WouldExceedMaxAccountCostLimit: "an account has no compute units left in the block",
  WouldExceedAccountDataBlockLimit: "the block allows no more account data",
  WouldExceedAccountDataTotalLimit: "the cluster allows no more account data",
  WouldExceedMaxVoteCostLimit: "the block has no compute units left for votes",
  TooManyAccountLocks: "the transaction has too many accounts",
  AddressLookupTableNotFound: "an address lookup table does not exist",
  InvalidAddressLookupTableOwner: "an address lookup table has another owner",
  InvalidAddressLookupTableData: "an address lookup table has invalid data",
  InvalidAddressLookupTableIndex: "an address lookup table does not have the requested entry",
  InvalidRentPayingAccount: "an account would be left below the rent-exempt minimum",
  MaxLoadedAccountsDataSizeExceeded: "the accounts have more data than the transaction allows",
  InvalidLoadedAccountsDataSizeLimit: "the limit for the data of accounts is invalid",
  UnbalancedTransaction: "lamports before and after the transaction differ",
  ProgramCacheHitMaxLimit: "too many programs are loaded",
};

const INSTRUCTION_ERRORS: Readonly<Record<string, string>> = {
  GenericError: "an unspecified error",
  AccountDataTooSmall: "the data of an account is too small",
  IncorrectProgramId: "incorrect program address",
  UninitializedAccount: "an account is not initialized",
  UnbalancedInstruction: "lamports before and after the instruction differ",
  ModifiedProgramId: "the owner of an account was changed illegally",
  ExternalAccountLamportSpend: "lamports of an account of another program were spent",
  ExternalAccountDataModified: "data of an account of another program was changed",
  ReadonlyLamportChange: "the balance of a read-only account was changed",
  ReadonlyDataModified: "data of a read-only account was changed",
  NotEnoughAccountKeys: "too few accounts",
  AccountDataSizeChanged: "the size of an account was changed illegally",
  UnsupportedProgramId: "the program is not supported",
  CallDepth: "calls are nested too deeply",
  MissingAccount: "an account that a call needs is missing",
  ReentrancyNotAllowed: "a program cannot call itself through another one",
  MaxSeedLengthExceeded: "a seed is too long",
  InvalidSeeds: "the seeds do not result in a valid address",
  InvalidRealloc: "an account was resized by too much",
  ComputationalBudgetExceeded: "the compute units of the transaction are used up",
  PrivilegeEscalation: "a call needs a signature or a writable account that its caller does not have",
  ProgramFailedToComplete: "the program crashed",
  ProgramFailedToCompile: "the program cannot be loaded",
  Immutable: "the account cannot be changed",
  BorshIoError: "invalid Borsh data",
  IllegalOwner: "the owner of an account is not allowed",
  MaxInstructionTraceLengthExceeded: "too many calls",
};

const textIn = (texts: Readonly<Record<string, string>>, name: string): string =>
  (Object.hasOwn(texts, name) ? texts[name] : undefined) ?? wordsOf(name);

const transactionErrorName = (name: string): string => textIn(TRANSACTION_ERRORS, name);

const instructionErrorName = (name: string): string => textIn(INSTRUCTION_ERRORS, name);

/** What is known about the transaction besides its error. */
interface ErrorContext {
  readonly instructions?: readonly Pick<ChainInstruction, "parent" | "program">[];
  readonly keys?: readonly Pick<ChainTransaction["keys"][number], "address">[];
  readonly logs?: readonly string[] | undefined;
}

/**
 * Returns a node's error of a transaction as the entity `TransactionFailure`: in words, and what they consist of.
 * Instructions count from 1.
 */
export function failureJson(error: Json, context: ErrorContext = {}): JsonObject {
  const failure = failedInstruction(error);
  const { index, reason } = failure ?? {};
  const message = transactionErrorText(error, context);
  const variant = isObject(error) ? Object.keys(error)[0] : error;
  const [name, code] = (isObject(reason) ? Object.entries(reason)[0] : undefined) ?? [reason ?? variant];
  const calls = index === undefined ? [] : failedCalls(context.logs);
  const top = programAt(index ?? -1, context);
  const program = calls.at(-1)?.program ?? top;
  return omitUndefined({
    message,
    reason: failure ? reasonParts(failure, context).text.replace(/\(custom error (\d+)\)$/, "($1)") : message,
    name: typeof name === "string" ? name : undefined,
    code: name === "Custom" ? toNumber(code) : undefined,
    instruction: index === undefined ? undefined : index + 1,
    program,
    program_name: program && addressTitle(program),
    path: calls.length > 0 ? calls.map((call) => call.program) : top && [top],
    value: error,
  });
}

/** The instruction that an error is about. */
interface FailedInstruction {
  /** Its position among the top-level ones, from 0. */
  readonly index: number | undefined;
  readonly reason: Json;
}

/** Returns the top-level instruction that an error is about, and its own error; undefined for other errors. */
export function failedInstruction(error: Json | undefined): FailedInstruction | undefined {
  const detail = isObject(error) ? error.InstructionError : undefined;
  return isArray(detail) ? { index: toNumber(detail[0]), reason: detail[1] ?? null } : undefined;
}

/**
 * Returns a node's error of a transaction as a sentence without a full stop, such as `Instruction 2 (Token Program)
 * failed: insufficient funds (custom error 1)`. Instructions and accounts count from 1.
 */
export function transactionErrorText(error: Json, context: ErrorContext = {}): string {
  if (typeof error === "string") return capitalize(transactionErrorName(error));
  const [variant] = isObject(error) ? Object.entries(error) : [];
  if (variant === undefined) return "Unknown error";
  const [name, detail] = variant;
  const ofInstruction = failedInstruction(error);
  if (ofInstruction) return instructionText(ofInstruction, context);
  if (name === "DuplicateInstruction") return `Instruction ${(toNumber(detail) ?? 0) + 1} is a duplicate`;
  const account = isObject(detail) ? toNumber(detail.account_index) : undefined;
  if (account === undefined) return capitalize(transactionErrorName(name));
  const address = context.keys?.[account]?.address;
  const place = `account ${account + 1}${address === undefined ? "" : ` (${address})`}`;
  return name === "InsufficientFundsForRent"
    ? `${capitalize(place)} would be left below the rent-exempt minimum`
    : `${capitalize(transactionErrorName(name))}: ${place}`;
}

const titleOf = (program: string): string => addressTitle(program) ?? program;

/** Returns the program of a top-level instruction, where it is known. */
const programAt = (index: number, { instructions }: ErrorContext): string | undefined =>
  instructions?.filter(({ parent }) => parent < 0)[index]?.program;

function instructionText(failure: FailedInstruction, context: ErrorContext): string {
  const { index = 0 } = failure;
  const program = programAt(index, context);
  const { place, text } = reasonParts(failure, context);
  const subject = `Instruction ${index + 1}${program === undefined ? "" : ` (${titleOf(program)})`}`;
  return `${subject} failed${place === undefined ? "" : ` ${place}`}: ${text}`;
}

/** Returns why an instruction failed, without saying which: `insufficient funds`, or `in Token Program: …` after a call. */
export function instructionReason(failure: FailedInstruction, context: ErrorContext): string {
  const { place, text } = reasonParts(failure, context);
  return place === undefined ? text : `${place}: ${text}`;
}

function reasonParts({ index = 0, reason }: FailedInstruction, context: ErrorContext) {
  const program = programAt(index, context);
  const failed = failedCall(context.logs);
  const isCalled = failed !== undefined && failed.program !== program;
  const text = errorText(reason, failed?.program ?? program, failed);
  return { place: isCalled ? `in ${titleOf(failed.program)}` : undefined, text };
}

/** Returns the calls that failed, each with the one that it made after it: the first failure in the log is the innermost. */
function failedCalls(logs: readonly string[] | undefined): readonly LogCall[] {
  const find = (calls: readonly LogCall[]): readonly LogCall[] => {
    const failed = calls.find(({ outcome }) => outcome === "failure");
    return failed ? [failed, ...find(failed.entries.filter((entry) => typeof entry !== "string"))] : [];
  };
  return logs ? find(logTree(logs)) : [];
}

/** Returns the innermost call that failed. */
export const failedCall = (logs: readonly string[] | undefined): LogCall | undefined => failedCalls(logs).at(-1);

function errorText(error: Json, program: string | undefined, failed: LogCall | undefined): string {
  if (typeof error === "string") return instructionErrorName(error);
  const [[name, detail] = ["", null]] = isObject(error) ? Object.entries(error) : [];
  const code = name === "Custom" ? toNumber(detail) : undefined;
  if (code === undefined) return instructionErrorName(name);
  const text = customErrorMeaning(program, code, failed);
  return text === undefined ? `custom error ${code}` : `${text} (custom error ${code})`;
}

/** Returns what a custom error means: by the program, by its own words in the log, or by the framework. */
export function customErrorMeaning(
  program: string | undefined,
  code: number,
  failed: LogCall | undefined,
): string | undefined {
  return (program && LOOKUP[program]?.[code]) ?? loggedErrorText(failed) ?? ANCHOR[code];
}

/** How programs print their errors: Anchor with a number and a message, most others after `Error: `, or as a panic. */
const ERROR_LINES = [/Error Message: (.+?)\.*$/, /^(?:Program log: )?Error: (.+?)\.*$/, /panicked at (.+?)\.*$/];

/** Returns what the failed program itself says about its error. */
export function loggedErrorText(failed: LogCall | undefined): string | undefined {
  const texts = failed?.entries.filter((entry) => typeof entry === "string").toReversed() ?? [];
  for (const pattern of ERROR_LINES) {
    for (const text of texts) {
      const match = pattern.exec(text);
      if (match?.[1] !== undefined) return match[1];
    }
  }
  return undefined;
}
