/** Addresses, block hashes and signatures as base58 text, and addresses as the chain derives them. */
import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { isOnCurve } from "../../catalogue/index.ts";
import type { Random } from "./random.ts";

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const CODES = Uint8Array.from(ALPHABET, (digit) => digit.charCodeAt(0));
const scratch = Buffer.alloc(92);

const digit = (value: number): number => CODES[value] as number;

/** Fills the scratch buffer with digits from `start` to below `end`, five from each random word. */
function fill(random: Random, start: number, end: number): void {
  for (let at = start; at < end; at += 5) {
    let word = random.word();
    for (let offset = 0; offset < 5; offset++) {
      const rest = Math.floor(word / 58);
      if (at + offset < end) scratch[at + offset] = digit(word - rest * 58);
      word = rest;
    }
  }
}

/**
 * Returns a random address or hash of 32 bytes.
 * @param suffix base58 digits at the end
 */
export function randomAddress(random: Random, suffix = ""): string {
  const long = random.integer(1, 17) < 17;
  const length = long ? 44 : 43;
  scratch[0] = digit(long ? random.integer(1, 16) : random.integer(4, 57));
  fill(random, 1, length);
  return suffix === ""
    ? scratch.toString("latin1", 0, length)
    : scratch.toString("latin1", 0, length - suffix.length) + suffix;
}

/** Returns a random signature of 64 bytes. */
export function randomSignature(random: Random): string {
  const long = random.integer(1, 5) < 5;
  const length = long ? 88 : 87;
  scratch[0] = digit(long ? random.integer(1, 4) : random.integer(2, 57));
  fill(random, 1, length);
  return scratch.toString("latin1", 0, length);
}

/** Number of digits that a double holds exactly, and their number of values. */
const GROUP = 9;
const GROUP_VALUES = 58 ** GROUP;
const GROUP_FACTOR = BigInt(GROUP_VALUES);
const VALUES = new Uint8Array(128);
for (const [value, code] of CODES.entries()) VALUES[code] = value;

/** Returns the base58 text of 32 bytes. */
export function encodeAddress(bytes: Buffer): string {
  let rest = 0n;
  for (const at of [0, 8, 16, 24]) rest = (rest << 64n) | bytes.readBigUInt64BE(at);
  let at = GROUP * 5;
  while (at > 0) {
    let group = Number(rest % GROUP_FACTOR);
    rest /= GROUP_FACTOR;
    for (const end = at - GROUP; at > end; ) {
      const quotient = Math.floor(group / 58);
      scratch[--at] = digit(group - quotient * 58);
      group = quotient;
    }
  }
  // Every leading zero byte is a leading digit 1, and there are no other ones.
  while (scratch[at] === CODES[0] && at < GROUP * 5) at++;
  let zeros = 0;
  while (bytes[zeros] === 0) zeros++;
  return "1".repeat(zeros) + scratch.toString("latin1", at, GROUP * 5);
}

/** Returns the 32 bytes of an address. */
export function decodeAddress(address: string): Buffer {
  let value = 0n;
  for (let at = 0; at < address.length; at += GROUP) {
    const end = Math.min(at + GROUP, address.length);
    let group = 0;
    for (let index = at; index < end; index++) group = group * 58 + (VALUES[address.charCodeAt(index)] as number);
    value = value * BigInt(58 ** (end - at)) + BigInt(group);
  }
  const bytes = Buffer.alloc(32);
  for (let at = 24; at >= 0; at -= 8) {
    bytes.writeBigUInt64BE(BigInt.asUintN(64, value), at);
    value >>= 64n;
  }
  return bytes;
}

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
