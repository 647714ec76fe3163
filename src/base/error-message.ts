/** What the system or a library says of a failure, for a sentence. */

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "it may not be written",
  EPERM: "it may not be written",
  EROFS: "it can only be read",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOENT: "it cannot be made",
  ENOTDIR: "a file is where its folder should be",
  EEXIST: "a file is where its folder should be",
  EIO: "the device reports an error",
};

/** The reason in a few words on one line, without a full stop; a file or folder that it is about is named. */
export function describeError(cause: unknown): string {
  const { code, message, path = /'([^']+)'$/.exec(message ?? "")?.[1] } = cause as NodeJS.ErrnoException;
  const known = REASONS[code ?? ""];
  if (known !== undefined && path !== undefined) return `${path}: ${known}`;
  return ((message || code || String(cause)).split("\n")[0] ?? "").replace(/\.$/, "");
}
