/**
 * Fast base58: worlds derive thousands of addresses, and lists of encoded transactions have thousands of keys and data of
 * more than a thousand bytes.
 */
import { Buffer } from "node:buffer";

/** The digits, the lowest first. */
export const BASE58_DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const VALUES = new Map([...BASE58_DIGITS].map((digit, value) => [digit, value]));

/** Digits of a group: a double holds their values exactly. */
const GROUP = 9;

/** Powers of 58 that split numbers in halves: of a group, two groups, four groups, … */
const powers: bigint[] = [58n ** BigInt(GROUP)];

/** Returns the digits of a number, as many as 2^level groups. Halves take much less time than digit by digit. */
function encodeDigits(value: bigint, level: number): string {
  if (level === 0) return groupText(Number(value));
  const power = powers[level - 1] as bigint;
  return encodeDigits(value / power, level - 1) + encodeDigits(value % power, level - 1);
}

function groupText(group: number): string {
  let [text, rest] = ["", group];
  for (let n = 0; n < GROUP; n++) {
    text = BASE58_DIGITS.charAt(rest % 58) + text;
    rest = Math.floor(rest / 58);
  }
  return text;
}

/** Returns bytes as base58 text. */
export function encodeBase58(bytes: Uint8Array): string {
  const zeros = bytes.findIndex((byte) => byte !== 0);
  const leading = zeros < 0 ? bytes.length : zeros;
  const value = BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
  let level = 0;
  for (let power = powers[0] as bigint; power <= value; power = powers[++level] as bigint) {
    if (level + 1 === powers.length) powers.push(power * power);
  }
  return BASE58_DIGITS.charAt(0).repeat(leading) + encodeDigits(value, level).replace(/^1+/, "");
}

/** Returns the bytes of a base58 text, which must be valid. */
export function decodeBase58(text: string): Uint8Array {
  let leading = 0;
  while (text.charAt(leading) === BASE58_DIGITS.charAt(0)) leading++;
  // The lowest byte pair comes first.
  const pairs: number[] = [];
  for (let at = leading; at < text.length; at++) {
    let carry = VALUES.get(text.charAt(at)) ?? 0;
    for (let n = 0; n < pairs.length; n++) {
      const value = (pairs[n] as number) * 58 + carry;
      carry = value >>> 16;
      pairs[n] = value & 0xffff;
    }
    if (carry > 0) pairs.push(carry);
  }
  const bytes = pairs.flatMap((pair) => [pair & 0xff, pair >>> 8]).reverse();
  const start = bytes[0] === 0 ? 1 : 0;
  return Uint8Array.from([...new Array<number>(leading).fill(0), ...bytes.slice(start)]);
}

/** Maximum number of cached keys: transactions of an account name the same few. */
const MAX_KEYS = 20_000;
const keys = new Map<string, Uint8Array>();

/** Returns the 32 bytes of an address. */
export function keyBytes(address: string): Uint8Array {
  const known = keys.get(address);
  if (known) return known;
  const bytes = decodeBase58(address);
  if (keys.size >= MAX_KEYS) keys.clear();
  keys.set(address, bytes);
  return bytes;
}
