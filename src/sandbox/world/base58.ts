/**
 * Random addresses, block hashes and signatures, drawn directly as base58 digits: the first digit is chosen so that the
 * number has exactly 32 (or 64) bytes without a leading zero byte, whatever the others are.
 *
 * 2^256 is 17.2 × 58^43 and 2^248 is 3.9 × 58^42, so 44 digits may begin with 1 to 16, 43 digits with 4 to 57;
 * 2^512 is 5.1 × 58^87 and 2^504 is 1.2 × 58^86, so 88 digits may begin with 1 to 4, 87 digits with 2 to 57.
 */
import { Buffer } from "node:buffer";
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
