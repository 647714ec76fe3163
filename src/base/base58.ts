/**
 * Fast base58, in which Solana writes addresses, signatures and data: worlds derive thousands of addresses, and lists of
 * encoded transactions have thousands of keys and data of more than a thousand bytes.
 */
import { Buffer } from "node:buffer";

/** The digits, the lowest first. */
export const BASE58_DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const ZERO = BASE58_DIGITS.charAt(0);

/** The values of digits by their character codes; −1 for other characters. */
const VALUES = new Int8Array(128).fill(-1);
for (let value = 0; value < BASE58_DIGITS.length; value++) VALUES[BASE58_DIGITS.charCodeAt(value)] = value;

/** Digits of a group: a double holds their values exactly. */
const GROUP = 9;

/** Powers of 58 that split numbers in halves: of a group, two groups, four groups, … */
const powers: bigint[] = [58n ** BigInt(GROUP)];

/** Returns the digits of a number, as many as 2^level groups. Halves take much less time than digit by digit. */
function encodeDigits(value: bigint, level: number): string {
  if (level === 0) return groupText(Number(value));
  const power = powers[level - 1] as bigint;
  const high = value / power;
  return encodeDigits(high, level - 1) + encodeDigits(value - high * power, level - 1);
}

function groupText(group: number): string {
  let [text, rest] = ["", group];
  for (let n = 0; n < GROUP; n++) {
    const next = Math.floor(rest / 58);
    text = BASE58_DIGITS.charAt(rest - next * 58) + text;
    rest = next;
  }
  return text;
}

/** Returns bytes as base58 text. */
export function encodeBase58(bytes: Uint8Array): string {
  const zeros = bytes.findIndex((byte) => byte !== 0);
  const leading = zeros < 0 ? bytes.length : zeros;
  const value = BigInt(`0x0${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex")}`);
  let level = 0;
  for (let power = powers[0] as bigint; power <= value; power = powers[++level] as bigint) {
    if (level + 1 === powers.length) powers.push(power * power);
  }
  return ZERO.repeat(leading) + encodeDigits(value, level).replace(/^1+/, "");
}

/** Digits that are read together, and the size of the words that they are added to: products are exact as doubles. */
const STEP = 4;
const WORD = 2 ** 24;

/** Most digits that are read: the time grows with the square of their number. */
const MAX_DIGITS = 32_768;

/** Returns the bytes of a base58 text. @throws RangeError when the text has other characters, or is too long */
export function decodeBase58(text: string): Uint8Array {
  if (text.length > MAX_DIGITS) throw new RangeError("too long for base58");
  let leading = 0;
  while (text.charAt(leading) === ZERO) leading++;
  // The lowest word comes first.
  const words: number[] = [];
  for (let at = leading; at < text.length; ) {
    let [carry, factor] = [0, 1];
    for (const end = Math.min(at + STEP, text.length); at < end; at++) {
      const value = VALUES[text.charCodeAt(at)] ?? -1;
      if (value < 0) throw new RangeError("not base58");
      carry = carry * 58 + value;
      factor *= 58;
    }
    for (let n = 0; n < words.length; n++) {
      const product = (words[n] as number) * factor + carry;
      carry = Math.floor(product / WORD);
      words[n] = product - carry * WORD;
    }
    if (carry > 0) words.push(carry);
  }
  const top = words.at(-1) ?? 0;
  const size = words.length * 3 - Number(top < 2 ** 16) - Number(top < 2 ** 8);
  const bytes = new Uint8Array(leading + Math.max(0, size));
  for (let n = 0; n < size; n++) bytes[bytes.length - 1 - n] = (words[Math.floor(n / 3)] as number) >>> (8 * (n % 3));
  return bytes;
}
