/** Addresses that follow from others: token accounts, metadata, data of programs, IDLs. */
import { Buffer } from "node:buffer";
import { type Address, createAddressWithSeed, getProgramDerivedAddress } from "@solana/kit";
import { findAssociatedTokenPda } from "@solana-program/token";
import { isAddress, isOnCurve as isPointOnCurve, PROGRAM } from "../../catalogue/index.ts";
import { decodeBase58 } from "./base58.ts";

/**
 * Returns the address that a program derives from seeds.
 * @param seeds texts, and addresses as bytes; up to 15 of up to 32 bytes
 */
export async function programAddress(seeds: readonly (string | Uint8Array)[], program: string): Promise<string> {
  const [derived] = await getProgramDerivedAddress({ programAddress: program as Address, seeds: [...seeds] });
  return derived;
}

/** Returns the address that follows from another one and a text; no key pair belongs to it. */
export const addressWithSeed = async (base: string, seed: string, program: string): Promise<string> =>
  await createAddressWithSeed({ baseAddress: base as Address, programAddress: program as Address, seed });

/** Whether an address is a point of the curve, and can belong to a key pair; programs derive those that are not. */
export function isOnCurve(address: string): boolean {
  return isAddress(address) && isPointOnCurve(Buffer.from(decodeBase58(address)));
}

/** Returns the address of a mint's metadata (Metaplex). */
export function metadataAddress(mint: string): Promise<string> {
  const program = PROGRAM.tokenMetadata;
  return programAddress(["metadata", decodeBase58(program), decodeBase58(mint)], program);
}

/** Returns the address of a mint's edition (Metaplex): NFTs have one. */
export function editionAddress(mint: string): Promise<string> {
  const program = PROGRAM.tokenMetadata;
  return programAddress(["metadata", decodeBase58(program), decodeBase58(mint), "edition"], program);
}

/** Returns the address of a wallet's token account. */
export async function associatedTokenAddress(
  owner: string,
  mint: string,
  program: string = PROGRAM.token,
): Promise<string> {
  const seeds = { owner: owner as Address, mint: mint as Address, tokenProgram: program as Address };
  const [derived] = await findAssociatedTokenPda(seeds);
  return derived;
}

/** Returns the address of the account with the code of an upgradeable program. */
export function programDataAddress(program: string): Promise<string> {
  return programAddress([decodeBase58(program)], PROGRAM.upgradeableLoader);
}
