/** What every other module may use: exact numbers, errors, files, SQLite, time and text. Imports nothing of solx. */

export { type BatchingOptions, batchArrivals, splitIntoBatches } from "./batches.ts";
export {
  compareDecimals,
  type Decimal,
  decimalOf,
  decimalText,
  multiplyDecimals,
  parseDecimal,
  percentChange,
  percentOf,
  percentToFraction,
  roundDecimal,
  scaleDown,
  subtractDecimals,
  sumDecimals,
  toWholeUnits,
  trimZeros,
} from "./decimal.ts";
export { createEmitter, type Emitter } from "./emitter.ts";
export {
  AuthError,
  CheckError,
  describeError,
  type ErrorDetails,
  EXIT_MEANINGS,
  ExitCode,
  type ExitName,
  errorMessage,
  errorObject,
  IncompleteError,
  InterruptedError,
  type InvalidParameter,
  ignoreFailure,
  NetworkError,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  ServerError,
  SolxError,
  systemReason,
  toSentence,
  UsageError,
  withMessage,
} from "./errors.ts";
export { createFolder, type Env, expandHome, expandTypedPath, fileIdentity, replaceFile } from "./files.ts";
export {
  isArray,
  isNumeric,
  isObject,
  isRawNumber,
  type Json,
  type JsonObject,
  type Numeric,
  numericOf,
  numericText,
  parseJson,
  type RawNumber,
  stringifyJson,
  toNumber,
} from "./json.ts";
export {
  countOf,
  fieldAt,
  fieldOf,
  isMissing,
  listOf,
  objectsOf,
  omitMissing,
  omitUndefined,
  textOf,
  tryParseJson,
} from "./json-fields.ts";
export {
  isSingleExecutable,
  readProgramBytes,
  readProgramFile,
  scriptArguments,
  scriptBeside,
  threadOf,
} from "./program-files.ts";
export { forgetText, joinReceived, type RowMarks, receivedLength, rememberText } from "./received-rows.ts";
export { sha256 } from "./sha256.ts";
export {
  checkRegularFile,
  createPrivateFile,
  enableWriteAheadLog,
  ensureSchema,
  inTransaction,
  isBusy,
  isDamaged,
  isSchemaMismatch,
  isSqliteError,
  openDatabase,
  type Schema,
  setDamagedFileAside,
} from "./sqlite.ts";
export { groupThousands, nearestName, pluralize } from "./text.ts";
export {
  DAY_MS,
  DAY_SECONDS,
  formatMoment,
  HOUR_MS,
  HOUR_SECONDS,
  MINUTE_MS,
  MINUTE_SECONDS,
  monotonicMs,
  sleep,
  throwIfAborted,
  toInterruptedError,
  UNIT_SECONDS,
} from "./time.ts";
