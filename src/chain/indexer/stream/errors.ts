/** Errors of transactions as bytes: bincode, which numbers names in the order of their declaration. */
import type { Json } from "../../../base/index.ts";
import { ByteReader } from "../../solana/index.ts";

const TRANSACTION_ERRORS = `AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound
  InsufficientFundsForFee InvalidAccountForFee AlreadyProcessed BlockhashNotFound InstructionError CallChainTooDeep
  MissingSignatureForFee InvalidAccountIndex SignatureFailure InvalidProgramForExecution SanitizeFailure
  ClusterMaintenance AccountBorrowOutstanding WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount
  WouldExceedMaxAccountCostLimit WouldExceedAccountDataBlockLimit TooManyAccountLocks AddressLookupTableNotFound
  InvalidAddressLookupTableOwner InvalidAddressLookupTableData InvalidAddressLookupTableIndex
  InvalidRentPayingAccount WouldExceedMaxVoteCostLimit WouldExceedAccountDataTotalLimit DuplicateInstruction
  InsufficientFundsForRent MaxLoadedAccountsDataSizeExceeded InvalidLoadedAccountsDataSizeLimit ResanitizationNeeded
  ProgramExecutionTemporarilyRestricted UnbalancedTransaction ProgramCacheHitMaxLimit CommitCancelled`.split(/\s+/);

const INSTRUCTION_ERRORS = `GenericError InvalidArgument InvalidInstructionData InvalidAccountData AccountDataTooSmall
  InsufficientFunds IncorrectProgramId MissingRequiredSignature AccountAlreadyInitialized UninitializedAccount
  UnbalancedInstruction ModifiedProgramId ExternalAccountLamportSpend ExternalAccountDataModified
  ReadonlyLamportChange ReadonlyDataModified DuplicateAccountIndex ExecutableModified RentEpochModified
  NotEnoughAccountKeys AccountDataSizeChanged AccountNotExecutable AccountBorrowFailed AccountBorrowOutstanding
  DuplicateAccountOutOfSync Custom InvalidError ExecutableDataModified ExecutableLamportChange
  ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth MissingAccount ReentrancyNotAllowed
  MaxSeedLengthExceeded InvalidSeeds InvalidRealloc ComputationalBudgetExceeded PrivilegeEscalation
  ProgramEnvironmentSetupFailure ProgramFailedToComplete ProgramFailedToCompile Immutable IncorrectAuthority
  BorshIoError AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar IllegalOwner
  MaxAccountsDataAllocationsExceeded MaxAccountsExceeded MaxInstructionTraceLengthExceeded
  BuiltinProgramsMustConsumeComputeUnits`.split(/\s+/);

function readName(names: readonly string[], reader: ByteReader): string {
  const name = names[reader.u32()];
  if (name === undefined) throw new RangeError("unknown error of a transaction");
  return name;
}

/** Returns an error in the form of a node's answer. @throws RangeError for one that is not known */
export function readTransactionError(bytes: Uint8Array): Json {
  const reader = new ByteReader(bytes);
  const name = readName(TRANSACTION_ERRORS, reader);
  if (name === "DuplicateInstruction") return { [name]: reader.u8() };
  if (name === "InsufficientFundsForRent" || name === "ProgramExecutionTemporarilyRestricted")
    return { [name]: { account_index: reader.u8() } };
  if (name !== "InstructionError") return name;
  const index = reader.u8();
  const reason = readName(INSTRUCTION_ERRORS, reader);
  return { [name]: [index, reason === "Custom" ? { [reason]: reader.u32() } : reason] };
}
