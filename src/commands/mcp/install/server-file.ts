/** The servers in a configuration file of a client. */
import { isDeepStrictEqual } from "node:util";

/** How one server is read and changed in the text of a file. */
export interface ServerFile {
  /** Returns the entry of the server; undefined without one. Throws where the file is malformed. */
  read(text: string): unknown;
  /** Returns the text with an entry. */
  add(text: string, entry: object): string;
  /** Returns texts without the entry: what the text may have been before it was added, the least change first. */
  remove(text: string): readonly string[];
}

/** Returns how the lines of a text end. */
export const lineBreakOf = (text: string) => (text.includes("\r\n") ? "\r\n" : "\n");

/**
 * Returns the text with an entry; members of an existing one that are not in it stay. Throws where the text is malformed
 * or has a form in which the entry cannot be added.
 */
export function withServer(file: ServerFile, text: string, entry: object): string {
  const existing = file.read(text);
  const merged = typeof existing === "object" ? { ...existing, ...entry } : entry;
  if (isDeepStrictEqual(existing, merged)) return text;
  const result = file.add(text, merged);
  if (isDeepStrictEqual(file.read(result), merged)) return result;
  throw new SyntaxError("its form leaves no place for the server");
}

/**
 * Returns the text without the server: the text from before it was added, where nothing else has changed since. Throws
 * where the text is malformed.
 */
export function withoutServer(file: ServerFile, text: string): string {
  const existing = file.read(text);
  if (typeof existing !== "object" || existing === null) return text;
  const candidates = file.remove(text).filter((one) => file.read(one) === undefined);
  const result = candidates.find((one) => file.add(one, existing) === text) ?? candidates[0];
  if (result !== undefined) return result;
  throw new SyntaxError("its form leaves no way to remove the server");
}
