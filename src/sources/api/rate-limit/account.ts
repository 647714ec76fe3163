/** Identification of an account without its key. */
import { sha256 } from "../../../base/index.ts";

const DIGITS = 32;

/**
 * Returns the account of a key at a server: a hash from which neither can be recovered.
 * @param server any URL of the server
 */
export function accountId(key: string | undefined, server: string): string {
  return sha256(`${key ?? ""}\n${new URL(server).origin}`).slice(0, DIGITS);
}
