/**
 * Every failure that a user can meet, by meaning. Each carries a sentence for people, a code for machines, and the
 * exit code that scripts rely on.
 */

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

/** What each exit code means, and what to do then. */
export const EXIT_MEANINGS: Readonly<Record<ExitName, readonly [meaning: string, then: string]>> = {
  done: ["Done, also when there was nothing to print, or when the reader of the output had enough.", ""],
  unexpected: ["Something went wrong inside solx.", "Run it again with -v to see where, and report it."],
  usage: [
    "Wrong usage, or a value that the API would refuse: nothing was sent, or the API answered 400. Or a field that the answer does not have.",
    "Mend the line: the message names what is wrong. Trying again does not help.",
  ],
  auth: ["No key, or a key that the API does not accept (401).", "See [[api-key]]."],
  permission: ["The key is good, but its plan does not allow this (403).", "Another plan, or another endpoint."],
  notFound: ["What was asked for does not exist (404).", "Check the identifier: many are those of another kind."],
  rateLimited: [
    "Too many requests, after all tries (429), or no turn within --max-wait.",
    "Wait a minute; see [[limits]].",
  ],
  quota: [
    "The compute units of the key are spent, or the limit for a day that was set here is reached.",
    "Wait for the renewal, or lift the limit; see [[limits]].",
  ],
  server: ["The server failed (5xx), or its answer cannot be read.", "Try again later."],
  network: [
    "No answer: name, connection, TLS, proxy or time limit.",
    "Check the connection (`solx doctor` does), then try again.",
  ],
  incomplete: [
    "Incomplete: some identifiers failed, or not all rows could be had.",
    "Standard error names what is missing. With --out, the same line with --resume goes on.",
  ],
  check: ["A check that was asked for said no: --fail-empty, `solx usage --fail-over`, `solx doctor`.", ""],
  interrupted: ["Stopped with Ctrl-C.", "With --out, the same line with --resume goes on."],
  terminated: ["Stopped by the system (SIGTERM, SIGHUP).", "With --out, the same line with --resume goes on."],
};

/** What a failure may carry beside its sentence. */
export interface ErrorDetails {
  /** The code for machines: the API's own number where it gave one, else a short word such as `TIMEOUT`. */
  readonly code?: number | string;
  /** The HTTP status, when an answer came. */
  readonly status?: number;
  /** Whether the same request may succeed later. */
  readonly retryable?: boolean;
  /** What to do or type next: a sentence, or a few lines. */
  readonly hint?: string;
  /** Seconds to wait before another try, when the server named them. */
  readonly retryAfter?: number;
  /** The failure underneath. */
  readonly cause?: unknown;
}

/** The base of all typed failures; `exit` names the exit code. */
export class SolxError extends Error {
  // Written out: bundlers shorten the names of classes.
  override name = "SolxError";
  readonly exit: ExitName;
  readonly code: number | string;
  readonly status: number | undefined;
  readonly retryable: boolean;
  readonly hint: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(exit: ExitName, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.exit = exit;
    this.code = details.code ?? exit.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    this.status = details.status;
    this.retryable = details.retryable ?? false;
    this.hint = details.hint;
    this.retryAfter = details.retryAfter;
  }

  /** The number the process ends with. */
  get exitCode(): number {
    return ExitCode[this.exit];
  }
}

/** Wrong usage, or a value that the API would refuse: nothing was sent, or the API answered 400. */
export class UsageError extends SolxError {
  override name = "UsageError";

  constructor(message: string, details?: ErrorDetails) {
    super("usage", message, details);
  }
}

/** No key, or a key that the API does not accept (401). */
export class AuthError extends SolxError {
  override name = "AuthError";

  constructor(message: string, details?: ErrorDetails) {
    super("auth", message, details);
  }
}

/** The key is good but its plan does not allow this (403). */
export class PermissionError extends SolxError {
  override name = "PermissionError";

  constructor(message: string, details?: ErrorDetails) {
    super("permission", message, details);
  }
}

/** The thing asked for does not exist (404). */
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
    super("rateLimited", message, { retryable: true, ...details });
  }
}

/** The compute units of the key are spent, or the local budget guard says stop. */
export class QuotaError extends SolxError {
  override name = "QuotaError";

  constructor(message: string, details?: ErrorDetails) {
    super("quota", message, details);
  }
}

/** The server failed (5xx), or its answer cannot be read. */
export class ServerError extends SolxError {
  override name = "ServerError";

  constructor(message: string, details?: ErrorDetails) {
    super("server", message, details);
  }
}

/** No answer: DNS, refused, reset, TLS, proxy, timeout. */
export class NetworkError extends SolxError {
  override name = "NetworkError";

  constructor(message: string, details?: ErrorDetails) {
    super("network", message, { retryable: true, ...details });
  }
}

/** Some of it worked: part of a batch failed, or a list could not be read to its end. */
export class IncompleteError extends SolxError {
  override name = "IncompleteError";

  constructor(message: string, details?: ErrorDetails) {
    super("incomplete", message, details);
  }
}

/** A check that the user asked for said no. */
export class CheckError extends SolxError {
  override name = "CheckError";

  constructor(message: string, details?: ErrorDetails) {
    super("check", message, details);
  }
}

/** The user or the system stopped the program (SIGINT, SIGTERM), or an AbortSignal fired. */
export class InterruptedError extends SolxError {
  override name = "InterruptedError";

  constructor(message = "Interrupted.", details?: ErrorDetails & { terminated?: boolean }) {
    super(details?.terminated ? "terminated" : "interrupted", message, details);
  }
}

/**
 * The outcome of something that can be done without, when it failed.
 * @throws what was stopped, and what is no typed failure
 */
export function ignoreFailure(error: unknown): undefined {
  if (error instanceof SolxError && error.exit !== "interrupted") return undefined;
  throw error;
}

/** What failed, as a sentence that another can follow. */
export function toSentence({ message }: Error): string {
  return /[.!?…]$/.test(message) ? message : `${message}.`;
}

/** The same failure in other words; `more` is a further line of its hint. */
export function withMessage(error: SolxError, message: string, more?: string): SolxError {
  const { exit, code, status, retryable, retryAfter, cause } = error;
  const hint = [error.hint, more].filter((line) => line !== undefined).join("\n");
  return new SolxError(exit, message, {
    code,
    retryable,
    cause,
    ...(status === undefined ? {} : { status }),
    ...(hint === "" ? {} : { hint }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** The failure as one JSON object, the form of the API's own errors. */
export function errorObject(error: SolxError): Record<string, unknown> {
  return {
    success: false,
    errors: {
      code: error.code,
      message: error.message,
      status: error.status ?? null,
      retryable: error.retryable,
      hint: error.hint ?? null,
    },
  };
}
