/** Addresses that follow from others: metadata, data of programs, IDLs, and names of the Solana Name Service. */

import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { type Address, createAddressWithSeed } from "@solana/kit";
import { decodeBase58, encodeBase58, sha256 } from "../../base/index.ts";
import { isAddress, isOnCurve as isPointOnCurve, PROGRAM } from "../../catalogue/index.ts";
import { addressAt } from "./bytes.ts";
import type { ChainAccount } from "./model.ts";

const MARKER = Buffer.from("ProgramDerivedAddress");

/**
 * Returns the address that a program derives from seeds: the first one off the curve, by a bump from 255 down.
 * @param seeds texts, and addresses as bytes; up to 15 of up to 32 bytes
 */
export function programAddress(seeds: readonly (string | Uint8Array)[], program: string | Uint8Array): string {
  const owner = typeof program === "string" ? decodeBase58(program) : program;
  const bytes = seeds.map((seed) => (typeof seed === "string" ? Buffer.from(seed) : seed));
  const input = Buffer.concat([...bytes, Uint8Array.of(0), owner, MARKER]);
  const bumpAt = input.length - MARKER.length - owner.length - 1;
  for (let bump = 255; ; bump--) {
    input.writeUInt8(bump, bumpAt);
    const digest = hash("sha256", input, "buffer");
    if (!isPointOnCurve(digest)) return encodeBase58(digest);
  }
}

/** Returns the token account that belongs to an owner and a mint by default. */
export const associatedTokenAddress = (owner: string, mint: string, tokenProgram: string): string =>
  programAddress([owner, tokenProgram, mint].map(decodeBase58), PROGRAM.associatedToken);

/** Returns the address that follows from another one and a text; no key pair belongs to it. */
export const addressWithSeed = async (base: string, seed: string, program: string): Promise<string> =>
  await createAddressWithSeed({ baseAddress: base as Address, programAddress: program as Address, seed });

/** Whether an address is a point of the curve, and can belong to a key pair; programs derive those that are not. */
export function isOnCurve(address: string): boolean {
  return isAddress(address) && isPointOnCurve(Buffer.from(decodeBase58(address)));
}

/** Returns the address of a mint's metadata (Metaplex). */
export function metadataAddress(mint: string): string {
  const program = PROGRAM.tokenMetadata;
  return programAddress(["metadata", decodeBase58(program), decodeBase58(mint)], program);
}

/** Returns the address of the account with the code of an upgradeable program. */
export function programDataAddress(program: string): string {
  return programAddress([decodeBase58(program)], PROGRAM.upgradeableLoader);
}

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

const DOMAIN = /^(?:([\p{L}\p{N}_-]+)\.)?([\p{L}\p{N}_-]+)\.sol$/iu;

/** Returns whether a text is a `.sol` name. */
export const isDomain = (text: string): boolean => DOMAIN.test(text);

/** Returns the address of a name's account. @throws RangeError for a text that is no `.sol` name */
export async function domainAddress(domain: string): Promise<string> {
  const [, subdomain, name] = DOMAIN.exec(domain.toLowerCase()) ?? [];
  if (name === undefined) throw new RangeError("not a .sol name");
  const parent = nameAddress(name, SOL_TLD);
  return subdomain === undefined ? parent : nameAddress(SUBDOMAIN + subdomain, parent);
}

function nameAddress(name: string, parent: string): string {
  const hash = Buffer.from(sha256(HASH_PREFIX + name), "hex");
  return programAddress([hash, NO_CLASS, decodeBase58(parent)], NAME_PROGRAM);
}

/** Returns the owner in the account of a name; undefined for any other account. */
export function domainOwner({ owner, data }: Pick<ChainAccount, "owner" | "data">): string | undefined {
  if (owner !== NAME_PROGRAM || data === undefined || data.length < HEADER_LENGTH) return undefined;
  return addressAt(data, ADDRESS_LENGTH);
}
