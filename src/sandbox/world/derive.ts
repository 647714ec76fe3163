/**
 * Addresses as the chain derives them. A key pair's address is a point of the ed25519 curve; a program derived address is
 * a hash that is not, so that no private key for it can exist.
 */
import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { decodeAddress, encodeAddress, randomAddress } from "./base58.ts";
import type { Random } from "./random.ts";

/** The prime of the field, and the constant d of the curve −x² + y² = 1 + dx²y². */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

const MARKER = Buffer.from("ProgramDerivedAddress");

/**
 * Returns the Jacobi symbol of `a` over an odd number: for a prime 1 if `a` is a square, −1 if not, 0 for multiples.
 * Several times faster than a power in this field.
 */
function jacobi(value: bigint, modulus: bigint): number {
  let [a, n, sign] = [value, modulus, 1];
  let lowOfN = Number(BigInt.asUintN(32, n));
  while (a !== 0n) {
    let low = Number(BigInt.asUintN(32, a));
    for (; low === 0; low = Number(BigInt.asUintN(32, a))) a >>= 32n;
    const twos = 31 - Math.clz32(low & -low);
    if (twos > 0) {
      a >>= BigInt(twos);
      low = Number(BigInt.asUintN(32, a));
      // The symbol of 2 is −1 for 3 and 5 modulo 8.
      if (twos & 1 && ((lowOfN >> 1) ^ lowOfN) & 2) sign = -sign;
    }
    if (low & lowOfN & 2) sign = -sign;
    lowOfN = low;
    [a, n] = [n % a, a];
  }
  return n === 1n ? sign : 0;
}

/** Returns whether 32 bytes are a point of the curve: whether (y² − 1) / (dy² + 1) is a square. */
export function isOnCurve(bytes: Buffer): boolean {
  const sign = bytes.readUInt8(31) >> 7;
  let y = BigInt.asUintN(63, bytes.readBigUInt64LE(24));
  for (const at of [16, 8, 0]) y = (y << 64n) | bytes.readBigUInt64LE(at);
  if (y >= P) return false;
  const square = (y * y) % P;
  const symbol = jacobi(((square + P - 1n) * (D * square + 1n)) % P, P);
  return symbol > 0 || (symbol === 0 && sign === 0);
}

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
