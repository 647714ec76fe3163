/**
 * Addresses as the chain derives them. A key pair's address is a point of the ed25519 curve; a program derived address is
 * a hash that is not, so that no private key for it can exist.
 */

import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { isOnCurve } from "../../catalogue/index.ts";
import { decodeAddress, encodeAddress, randomAddress } from "./base58.ts";
import type { Random } from "./random.ts";

const MARKER = Buffer.from("ProgramDerivedAddress");

/**
 * Returns the address of a random key pair.
 * @param create creates candidates; random addresses by default
 */
export function keyPairAddress(random: Random, create = () => randomAddress(random)): string {
  for (;;) {
    const address = create();
    if (isOnCurve(decodeAddress(address))) return address;
  }
}

/** Returns the address that a program derives from seeds: the first one off the curve, by a bump from 255 down. */
export function programAddress(seeds: readonly Uint8Array[], program: Uint8Array): string {
  const input = Buffer.concat([...seeds, Uint8Array.of(0), program, MARKER]);
  const bumpAt = input.length - MARKER.length - program.length - 1;
  for (let bump = 255; ; bump--) {
    input.writeUInt8(bump, bumpAt);
    const digest = hash("sha256", input, "buffer");
    if (!isOnCurve(digest)) return encodeAddress(digest);
  }
}
