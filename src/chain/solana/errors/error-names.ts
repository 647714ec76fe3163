/** Texts of errors whose names do not say enough; the others are shown by their name in lower case. */

/** Errors of transactions, by their names. */
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

/** Errors of instructions, by their names. */
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

/** Returns a name in lower case, with spaces: `invalid account data` for `InvalidAccountData`. */
const wordsOf = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase();

const textIn = (texts: Readonly<Record<string, string>>, name: string): string =>
  (Object.hasOwn(texts, name) ? texts[name] : undefined) ?? wordsOf(name);

/** Returns the text of an error of a transaction. */
export const transactionErrorName = (name: string): string => textIn(TRANSACTION_ERRORS, name);

/** Returns the text of an error of an instruction. */
export const instructionErrorName = (name: string): string => textIn(INSTRUCTION_ERRORS, name);
