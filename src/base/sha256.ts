/** SHA-256 (FIPS 180-4). Loading `node:crypto` takes longer than a request, so start-up does without it. */

const PRIMES = firstPrimes(64);
/** The first 32 bits of the fractional part. */
const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

/** Returns the SHA-256 of a text in UTF-8 as hexadecimal digits. */
export function sha256(text: string): string {
  return Array.from(digest(new TextEncoder().encode(text)), (word) => (word >>> 0).toString(16).padStart(8, "0")).join(
    "",
  );
}

/** Returns a hash as eight numbers of 32 bits. */
function digest(message: Uint8Array): Int32Array {
  const blocks = padMessage(message);
  const state = Int32Array.from(START);
  for (let at = 0; at < blocks.byteLength; at += 64) digestBlock(state, new DataView(blocks.buffer, at, 64));
  return state;
}

/** Returns the message, a one bit, zeros, and the length in bits: whole blocks of 64 bytes. */
function padMessage(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  blocks.set(message);
  blocks[message.length] = 0x80;
  new DataView(blocks.buffer).setBigUint64(blocks.length - 8, BigInt(message.length) * 8n);
  return blocks;
}

function digestBlock(state: Int32Array, block: DataView): void {
  const w = new Int32Array(64);
  const word = (at: number) => w[at] as number;
  for (let at = 0; at < 16; at += 1) w[at] = block.getInt32(at * 4);
  for (let at = 16; at < 64; at += 1) {
    const [late, early] = [word(at - 2), word(at - 15)];
    const s0 = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
    const s1 = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
    w[at] = (word(at - 16) + s0 + word(at - 7) + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as State;
  for (let at = 0; at < 64; at += 1) {
    const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[at] as number) + word(at)) | 0;
    const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) state[at] = ((state[at] as number) + value) | 0;
}

type State = [number, number, number, number, number, number, number, number];

function rotateRight(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}
