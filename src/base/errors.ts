/** The errors of solx, by meaning. Each has a message for people, a code for programs and an exit code for scripts. */
import { type Hints, toHints } from "./hints.ts";
import type { JsonObject } from "./json.ts";

/** The exit codes, by name. */
export const ExitCode = {
  done: 0,
  unexpected: 1,
  usage: 2,
  auth: 3,
  permission: 4,
  notFound: 5,
  rateLimited: 6,
  quota: 7,
  server: 8,
  network: 9,
  incomplete: 10,
  check: 11,
  interrupted: 130,
  terminated: 143,
} as const;

/** The name of an exit code. */
export type ExitName = keyof typeof ExitCode;

/** The meaning of each exit code, and what to do about it. */
export const EXIT_MEANINGS: Readonly<Record<ExitName, readonly [meaning: string, advice: string]>> = {
  done: ["Success, also when the result is empty or the reader closed the pipe.", ""],
  unexpected: [
    "This machine refuses it: a full disk, no permission, a file in use. Or an internal error, which says so.",
    "Do what the message says. After an internal error, run the command again with -v and report the stack trace.",
  ],
  usage: [
    "Invalid usage, an invalid value (found before sending, or answered with 400), or a field that does not exist.",
    "Correct the command; the message names the argument. Retrying does not help.",
  ],
  auth: [
    "Missing or invalid API key (401), or password of ClickHouse, or token of a gRPC server.",
    "See [[api-key]], [[store]] and [[grpc]].",
  ],
  permission: [
    "The plan of the API key does not include this (403), or a Solana node cannot answer it.",
    "Upgrade the plan or use another endpoint; with --rpc, use another node, an index or the API. See [[nodes]].",
  ],
  notFound: [
    "Not found: an identifier (404), a path of `solx api`, a page of the manual, a .sol name or a local index.",
    "Check the name; an identifier may be of another kind.",
  ],
  rateLimited: [
    "Rate limited after all retries (429), or --max-wait exceeded.",
    "Wait a minute and retry; see [[limits]].",
  ],
  quota: [
    "The compute units of the API key are used up, or the local daily limit is reached.",
    "Wait for the renewal or raise the limit; see [[limits]].",
  ],
  server: ["Server error (5xx), or an answer that cannot be parsed.", "Retry later."],
  network: [
    "Network error: DNS, connection, TLS, proxy or timeout.",
    "Check the connection with `solx doctor`, then retry.",
  ],
  incomplete: [
    "Incomplete: some identifiers failed, or some rows could not be fetched.",
    "Standard error lists what is missing. With --out, rerun the command with --resume to continue.",
  ],
  check: [
    "A check failed: --fail-on empty, `solx usage --fail-…`, `solx doctor`, `solx docs --drift`, `solx diff`, a simulation of `solx inspect`, or --jq that would round digits.",
    "",
  ],
  interrupted: ["Interrupted with Ctrl-C.", "With --out, rerun the command with --resume to continue."],
  terminated: ["Terminated (SIGTERM, SIGHUP).", "With --out, rerun the command with --resume to continue."],
};

/** The parameter that a validation error is about, so that a caller can name it as its user typed it. */
export interface InvalidParameter {
  /**
   * `value`: it is not accepted; `missing`: it is required; `unknown`: there is no such parameter; `dependency`:
   * {@link requires} is missing; `unsupported`: the source, such as a Solana node, cannot answer with it.
   */
  readonly reason: "value" | "missing" | "unknown" | "dependency" | "unsupported";
  /** The API's name of the parameter. */
  readonly parameter: string;
  /** The value that is not accepted, of a list the item. */
  readonly value?: string;
  /** What is accepted, as the end of a sentence: `a whole number from 1 to 50`. */
  readonly expected?: string;
  /** The accepted values, where they are a fixed set. */
  readonly allowed?: readonly (string | number)[];
  /** The parameter that has to be given too. */
  readonly requires?: string;
  /** The start of a range, for a value that is its end and comes before it. */
  readonly start?: string;
}

/** Properties of an error besides its message. */
export interface ErrorDetails {
  /** The code for programs: the API's number where it sent one, else a name such as `TIMEOUT`. */
  readonly code?: number | string | undefined;
  /** The HTTP status, when the server answered. */
  readonly status?: number | undefined;
  /** Whether the same request may succeed later. */
  readonly retryable?: boolean | undefined;
  /** What to do or type next: a sentence or a few lines. One text is for every reader. */
  readonly hint?: string | Hints | undefined;
  /** Seconds to wait before a retry, when the server named them. */
  readonly retryAfter?: number | undefined;
  /** The invalid parameter, for validation errors. */
  readonly invalid?: InvalidParameter | undefined;
  /** What an ambiguous value may stand for. */
  readonly candidates?: readonly JsonObject[] | undefined;
  /** The API's sentence, where the message names a parameter as it was typed. */
  readonly apiMessage?: string | undefined;
  /** The underlying failure. */
  readonly cause?: unknown;
}

/** The base class of all errors of solx; `exit` names the exit code. */
export class SolxError extends Error implements ErrorDetails {
  // A string, because bundlers shorten the names of classes.
  override name = "SolxError";
  /** The name of the exit code of the command line: the class of the error as data. */
  readonly exit: ExitName;
  readonly code: number | string;
  readonly status: number | undefined;
  readonly retryable: boolean;
  /** What to do next, for the reader that {@link addressTo} named, by default somebody at a command line. */
  readonly hint: string | undefined;
  readonly retryAfter: number | undefined;
  readonly invalid: InvalidParameter | undefined;
  readonly candidates: readonly JsonObject[] | undefined;
  readonly apiMessage: string | undefined;
  readonly #hints: Hints;

  constructor(exit: ExitName, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.exit = exit;
    this.code = details.code ?? exit.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    this.status = details.status;
    this.retryable = details.retryable ?? false;
    this.#hints = toHints(details.hint);
    this.hint = this.#hints.command;
    this.retryAfter = details.retryAfter;
    this.invalid = details.invalid;
    this.candidates = details.candidates;
    this.apiMessage = details.apiMessage;
  }

  /** The exit code of the process. */
  get exitCode(): number {
    return ExitCode[this.exit];
  }

  /** The hints for all readers. */
  hints(): Hints {
    return this.#hints;
  }

  /** Returns what `JSON.stringify` writes, which leaves out the name and message of other errors. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { name, message, exit, code, status, retryable, retryAfter, hint, candidates } = this;
    return { name, message, exit, code, status, retryable, retryAfter, hint, candidates };
  }
}

/** Gives an error the hint for a reader, in place. */
export function addressTo<E extends SolxError>(reader: keyof Hints, error: E): E {
  return Object.assign(error, { hint: error.hints()[reader] });
}

/** Appends hints to those of an error, a line for each. */
export function appendHint(error: SolxError, more: string | Hints | undefined): Hints {
  const [first, second] = [error.hints(), toHints(more)];
  const join = (reader: keyof Hints) =>
    [first[reader], second[reader]].filter((line) => line !== undefined).join("\n") || undefined;
  return { command: join("command"), program: join("program"), tool: join("tool") };
}

/** Invalid usage or an invalid value, found before sending or answered with 400. */
export class UsageError extends SolxError {
  override name = "UsageError";

  constructor(message: string, details?: ErrorDetails) {
    super("usage", message, details);
  }
}

/** Missing or invalid API key (401). */
export class AuthError extends SolxError {
  override name = "AuthError";

  constructor(message: string, details?: ErrorDetails) {
    super("auth", message, details);
  }
}

/** The plan of the API key does not include the request (403). */
export class PermissionError extends SolxError {
  override name = "PermissionError";

  constructor(message: string, details?: ErrorDetails) {
    super("permission", message, details);
  }
}

/** The requested object does not exist: 404, or an empty answer where one object was requested. */
export class NotFoundError extends SolxError {
  override name = "NotFoundError";

  constructor(message: string, details?: ErrorDetails) {
    super("notFound", message, details);
  }
}

/** Too many requests, after all retries (429; 403 of chaininfo). */
export class RateLimitError extends SolxError {
  override name = "RateLimitError";

  constructor(message: string, details?: ErrorDetails) {
    super("rateLimited", message, { ...details, retryable: details?.retryable ?? true });
  }
}

/** The compute units of the API key are used up, or the local spending limit is reached. */
export class QuotaError extends SolxError {
  override name = "QuotaError";

  constructor(message: string, details?: ErrorDetails) {
    super("quota", message, details);
  }
}

/** Server error (5xx), or an answer that cannot be parsed. */
export class ServerError extends SolxError {
  override name = "ServerError";

  constructor(message: string, details?: ErrorDetails) {
    super("server", message, details);
  }
}

/** Network error: DNS, connection refused or reset, TLS, proxy, timeout. */
export class NetworkError extends SolxError {
  override name = "NetworkError";

  constructor(message: string, details?: ErrorDetails) {
    super("network", message, { ...details, retryable: details?.retryable ?? true });
  }
}

/** Partial success: part of a batch failed, or a list could not be read to its end. */
export class IncompleteError extends SolxError {
  override name = "IncompleteError";

  constructor(message: string, details?: ErrorDetails) {
    super("incomplete", message, details);
  }
}

/** A check that the user requested failed. */
export class CheckError extends SolxError {
  override name = "CheckError";

  constructor(message: string, details?: ErrorDetails) {
    super("check", message, details);
  }
}

/**
 * The user or the system stopped the program (SIGINT, SIGTERM), or an AbortSignal fired; `cause` is the signal's reason.
 * The name is the platform's, by which other libraries recognise that a call was aborted.
 */
export class InterruptedError extends SolxError {
  override name = "AbortError";

  constructor(message = "Interrupted.", details?: ErrorDetails & { terminated?: boolean }) {
    super(details?.terminated ? "terminated" : "interrupted", message, details);
  }
}

/**
 * Handles the failure of an optional step: returns undefined.
 * @throws the error when it is an interruption or not a SolxError
 */
export function ignoreFailure(error: unknown): undefined {
  if (error instanceof SolxError && !(error instanceof InterruptedError)) return undefined;
  throw error;
}

/** Returns an error's message with a full stop, so that another sentence can follow. */
export function toSentence({ message }: Error): string {
  return /[.!?…]$/.test(message) ? message : `${message}.`;
}

/** Returns the same error with another message and other details; a hint is appended to its own as a line. */
export function withMessage(
  error: SolxError,
  message: string,
  { hint, ...details }: Omit<ErrorDetails, "cause"> = {},
): SolxError {
  return new SolxError(error.exit, message, {
    ...error,
    ...{ cause: error.cause, ...details, hint: appendHint(error, hint) },
  });
}

/** Returns an error that says first where it is, such as a line of a file; what is no fault of the input as it is. */
export function withPlace(error: unknown, place: string): unknown {
  if (!(error instanceof SolxError) || error instanceof InterruptedError) return error;
  return withMessage(error, `${place}: ${error.message}`);
}

/** Returns an error as a JSON object in the form of the API's errors. */
export function errorObject(error: SolxError): Record<string, unknown> {
  return {
    success: false,
    errors: {
      code: error.code,
      message: error.message,
      status: error.status ?? null,
      retryable: error.retryable,
      hint: error.hint ?? null,
      ...(error.apiMessage !== undefined && { api_message: error.apiMessage }),
      ...(error.candidates && { candidates: error.candidates }),
    },
  };
}

const OTHER_PLACE = "Change the permissions, or use another file or folder.";
const FREE_SPACE = "Free some space, then run the command again.";

/** What the codes of file systems mean, and what to do; those without advice are about the name that was given. */
const FILE_ERRORS: Readonly<Record<string, readonly [reason: string, advice?: string]>> = {
  EACCES: ["permission denied", OTHER_PLACE],
  EPERM: ["permission denied", OTHER_PLACE],
  EROFS: ["the file system is read-only", OTHER_PLACE],
  ENOSPC: ["the disk is full", FREE_SPACE],
  EDQUOT: ["the disk quota is used up", FREE_SPACE],
  EFBIG: ["the file is too large", "Raise the limit of the size of files (ulimit -f), or use another file system."],
  EIO: ["the device reports an error", "Check the device, or use another one."],
  EBUSY: ["another program has it open", "Close that program, then run the command again."],
  ENOENT: ["no such file or folder"],
  ENOTDIR: ["a part of the path is a file, not a folder"],
  EEXIST: ["a part of the path is a file, not a folder"],
  EISDIR: ["it is a folder"],
  ENAMETOOLONG: ["the name is too long"],
  ELOOP: ["there is a loop of symbolic links"],
};
/** SQLite's result code for a full disk. */
const SQLITE_FULL = 13;

/** Returns the system's code of an error, also behind one of SQLite. */
export function systemCode(error: unknown): string | undefined {
  const { code, errcode } = (error ?? {}) as NodeJS.ErrnoException & { readonly errcode?: number };
  return errcode === SQLITE_FULL ? "ENOSPC" : code;
}

/** Returns an error of the file system: with its code, what to do, and whether the name or the machine is the cause. */
export function fileError(message: string, cause: unknown, hint?: string): SolxError {
  const code = systemCode(cause);
  const known = FILE_ERRORS[code ?? ""];
  const isName = known !== undefined && known[1] === undefined;
  const hints = [known?.[1], hint].filter((line) => line !== undefined);
  const details = { code: code ?? "FILE", hint: hints.join("\n") || undefined, cause };
  return isName ? new UsageError(message, details) : new SolxError("unexpected", message, details);
}

/** Returns the message of whatever was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the reason behind an error code of the system, as the end of a sentence; undefined for other errors. */
export function systemReason(error: unknown): string | undefined {
  return FILE_ERRORS[systemCode(error) ?? ""]?.[0];
}

/** Returns the reason of a failure as the end of a sentence: that of the system, else its message. */
export const failureReason = (cause: unknown): string => systemReason(cause) ?? errorMessage(cause);

/** Returns the reason of a failure on one line without a full stop; names the file or folder that it is about. */
export function describeError(cause: unknown): string {
  const { code, message, path = /'([^']+)'$/.exec(message ?? "")?.[1] } = cause as NodeJS.ErrnoException;
  const reason = systemReason(cause);
  if (reason !== undefined && path !== undefined) return `${path}: ${reason}`;
  return ((message || code || String(cause)).split("\n")[0] ?? "").replace(/\.$/, "");
}

/** Returns whatever was thrown as an error of solx: as it is, of the file system, or an internal one. */
export function toKnownError(error: unknown): SolxError {
  if (error instanceof SolxError) return error;
  if (systemReason(error) !== undefined) return fileError(`${describeError(error)}.`, error);
  return new SolxError("unexpected", `internal error: ${errorMessage(error)}`, {
    hint: { command: "Run the command again with -v and report the stack trace." },
    cause: error,
  });
}
