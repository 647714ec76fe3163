/** Names of the Solana Name Service: `toly.sol`, and subdomains such as `pay.toly.sol`. */
import { Buffer } from "node:buffer";
import { sha256 } from "../../base/index.ts";
import { programAddress } from "./addresses.ts";
import { addressAt, decodeBase58 } from "./base58.ts";
import type { ChainAccount } from "./model.ts";

/** The program that owns the accounts of names. */
const NAME_PROGRAM = "namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX";
/** The account of the top-level domain `.sol`, the parent of all domains. */
const SOL_TLD = "58PwtjSDuFHuUkYjH9BYnnQKHfwo9reZhC2zMJv9JPkx";
const HASH_PREFIX = "SPL Name Service";
/** Names of subdomains are hashed after this character, those of records after others. */
const SUBDOMAIN = "\0";
/** Domains have no class. */
const NO_CLASS = new Uint8Array(32);

/** The header of a name's account: parent, owner and class, 32 bytes each. */
const ADDRESS_LENGTH = 32;
const HEADER_LENGTH = 3 * ADDRESS_LENGTH;

/** A `.sol` name with at most one subdomain. */
const DOMAIN = /^(?:([\p{L}\p{N}_-]+)\.)?([\p{L}\p{N}_-]+)\.sol$/iu;

/** Returns whether a text is a `.sol` name. */
export const isDomain = (text: string): boolean => DOMAIN.test(text);

/** Returns the address of a name's account. @throws RangeError for a text that is no `.sol` name */
export async function domainAddress(domain: string): Promise<string> {
  const [, subdomain, name] = DOMAIN.exec(domain.toLowerCase()) ?? [];
  if (name === undefined) throw new RangeError("not a .sol name");
  const parent = await nameAddress(name, SOL_TLD);
  return subdomain === undefined ? parent : nameAddress(SUBDOMAIN + subdomain, parent);
}

function nameAddress(name: string, parent: string): Promise<string> {
  const hash = Buffer.from(sha256(HASH_PREFIX + name), "hex");
  return programAddress([hash, NO_CLASS, decodeBase58(parent)], NAME_PROGRAM);
}

/** Returns the owner in the account of a name; undefined for any other account. */
export function domainOwner({ owner, data }: Pick<ChainAccount, "owner" | "data">): string | undefined {
  if (owner !== NAME_PROGRAM || data === undefined || data.length < HEADER_LENGTH) return undefined;
  return addressAt(data, ADDRESS_LENGTH);
}
