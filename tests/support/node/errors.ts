/** Errors of transactions, as litesvm reports them and as the wire has them. */
import type { FailedTransactionMetadata } from "litesvm";
import type { Wire } from "./wire.ts";

const TRANSACTION_ERRORS = `AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound
  InsufficientFundsForFee InvalidAccountForFee AlreadyProcessed BlockhashNotFound CallChainTooDeep
  MissingSignatureForFee InvalidAccountIndex SignatureFailure InvalidProgramForExecution SanitizeFailure
  ClusterMaintenance AccountBorrowOutstanding WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount
  WouldExceedMaxAccountCostLimit WouldExceedAccountDataBlockLimit TooManyAccountLocks AddressLookupTableNotFound
  InvalidAddressLookupTableOwner InvalidAddressLookupTableData InvalidAddressLookupTableIndex
  InvalidRentPayingAccount WouldExceedMaxVoteCostLimit WouldExceedAccountDataTotalLimit
  MaxLoadedAccountsDataSizeExceeded ResanitizationNeeded InvalidLoadedAccountsDataSizeLimit UnbalancedTransaction
  ProgramCacheHitMaxLimit CommitCancelled`.split(/\s+/);

const INSTRUCTION_ERRORS = `GenericError InvalidArgument InvalidInstructionData InvalidAccountData
  AccountDataTooSmall InsufficientFunds IncorrectProgramId MissingRequiredSignature AccountAlreadyInitialized
  UninitializedAccount UnbalancedInstruction ModifiedProgramId ExternalAccountLamportSpend
  ExternalAccountDataModified ReadonlyLamportChange ReadonlyDataModified DuplicateAccountIndex ExecutableModified
  RentEpochModified NotEnoughAccountKeys AccountDataSizeChanged AccountNotExecutable AccountBorrowFailed
  AccountBorrowOutstanding DuplicateAccountOutOfSync InvalidError ExecutableDataModified ExecutableLamportChange
  ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth MissingAccount ReentrancyNotAllowed
  MaxSeedLengthExceeded InvalidSeeds InvalidRealloc ComputationalBudgetExceeded PrivilegeEscalation
  ProgramEnvironmentSetupFailure ProgramFailedToComplete ProgramFailedToCompile Immutable IncorrectAuthority
  AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar IllegalOwner
  MaxAccountsDataAllocationsExceeded MaxAccountsExceeded MaxInstructionTraceLengthExceeded
  BuiltinProgramsMustConsumeComputeUnits BorshIoError`.split(/\s+/);

/** Errors after which a transaction is in a block and pays its fee; all others keep it out of the chain. */
const PAID_ERRORS = ["InstructionError", "InsufficientFundsForRent", "ProgramExecutionTemporarilyRestricted"];

/** Returns an error in the form of the wire: `{"InstructionError":[0,{"Custom":1}]}`. */
export function wireError(failure: FailedTransactionMetadata): Wire {
  const error = failure.err();
  if (typeof error === "number") return TRANSACTION_ERRORS[error] ?? "SanitizeFailure";
  // The name of the class is the only mark of its kind: litesvm does not export the classes.
  const kind = error.constructor.name.replace("TransactionError", "");
  if ("err" in error) {
    const cause = error.err();
    const detail =
      typeof cause === "number" ? INSTRUCTION_ERRORS[cause] : "code" in cause ? { Custom: cause.code } : "";
    return { InstructionError: [error.index, detail || "BorshIoError"] };
  }
  return "accountIndex" in error ? { [kind]: { account_index: error.accountIndex } } : { [kind]: error.index };
}

/** Whether a transaction with this error is part of a block. */
export function isRecorded(error: Wire): boolean {
  if (error === null) return true;
  const kind = typeof error === "string" ? error : Object.keys(error)[0];
  return PAID_ERRORS.includes(kind ?? "") || kind === "MaxLoadedAccountsDataSizeExceeded";
}

/** A JSON-RPC error. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: Wire | undefined;
  constructor(code: number, message: string, data?: Wire) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** An error about a parameter. */
export const invalidParams = (message: string): RpcError => new RpcError(-32602, message);
