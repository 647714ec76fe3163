/** Whose turns are counted together. */
import { sha256 } from "../../base/sha256.ts";

const DIGITS = 32;

/**
 * The account of a key at a server: a hash, from which neither can be had again.
 * @param server any address of it
 */
export function accountId(key: string | undefined, server: string): string {
  return sha256(`${key ?? ""}\n${new URL(server).origin}`).slice(0, DIGITS);
}
