/** Fast base58: lists of encoded transactions have thousands of keys and data of more than a thousand bytes. */

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const VALUES = new Map([...ALPHABET].map((digit, value) => [digit, value]));

/** Digits that a limb holds: products with a byte more are exact integers of a double. */
const LIMB_DIGITS = 5;
const LIMB = 58 ** LIMB_DIGITS;
/** Bytes that are added at a time. */
const CHUNK = 2;
const CHUNK_VALUES = 256 ** CHUNK;

/** Returns bytes as base58 text. */
export function encodeBase58(bytes: Uint8Array): string {
  const zeros = bytes.findIndex((byte) => byte !== 0);
  const leading = zeros < 0 ? bytes.length : zeros;
  // The lowest limb comes first.
  const limbs: number[] = [];
  for (let at = leading; at < bytes.length; ) {
    const isWhole = (bytes.length - at) % CHUNK === 0;
    let carry = isWhole ? (bytes[at] as number) * 256 + (bytes[at + 1] as number) : (bytes[at] as number);
    const factor = isWhole ? CHUNK_VALUES : 256;
    for (let n = 0; n < limbs.length; n++) {
      const value = (limbs[n] as number) * factor + carry;
      carry = Math.floor(value / LIMB);
      limbs[n] = value - carry * LIMB;
    }
    if (carry > 0) limbs.push(carry);
    at += isWhole ? CHUNK : 1;
  }
  const digits = limbs.map(limbText).reverse().join("").replace(/^1+/, "");
  return ALPHABET.charAt(0).repeat(leading) + digits;
}

function limbText(limb: number): string {
  let [text, rest] = ["", limb];
  for (let n = 0; n < LIMB_DIGITS; n++) {
    text = ALPHABET.charAt(rest % 58) + text;
    rest = Math.floor(rest / 58);
  }
  return text;
}

/** Returns the bytes of a base58 text, which must be valid. */
export function decodeBase58(text: string): Uint8Array {
  let leading = 0;
  while (text.charAt(leading) === ALPHABET.charAt(0)) leading++;
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
