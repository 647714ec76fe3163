/** Addresses, block hashes and signatures as base58 text. */
import { Buffer } from "node:buffer";
import { BASE58_DIGITS, decodeBase58 } from "../../base/index.ts";
import { isOnCurve } from "../../catalogue/index.ts";
import type { Random } from "./random.ts";

const CODES = Uint8Array.from(BASE58_DIGITS, (digit) => digit.charCodeAt(0));
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

/**
 * Returns the address of a random key pair.
 * @param create creates candidates; random addresses by default
 */
export function keyPairAddress(random: Random, create = () => randomAddress(random)): string {
  for (;;) {
    const address = create();
    if (isOnCurve(Buffer.from(decodeBase58(address)))) return address;
  }
}
