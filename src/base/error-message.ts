/** Messages of errors from the system and from libraries, for sentences of solx. */

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file is too large",
  ENOENT: "no such file or folder",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "a part of the path is a file, not a folder",
  EIO: "the device reports an error",
};

/** Returns the message of whatever was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the reason behind an error code of the system, as the end of a sentence; undefined for other errors. */
export function systemReason(error: unknown): string | undefined {
  return REASONS[(error as NodeJS.ErrnoException).code ?? ""];
}

/** Returns the reason of a failure on one line without a full stop; names the file or folder that it is about. */
export function describeError(cause: unknown): string {
  const { code, message, path = /'([^']+)'$/.exec(message ?? "")?.[1] } = cause as NodeJS.ErrnoException;
  const reason = systemReason(cause);
  if (reason !== undefined && path !== undefined) return `${path}: ${reason}`;
  return ((message || code || String(cause)).split("\n")[0] ?? "").replace(/\.$/, "");
}
