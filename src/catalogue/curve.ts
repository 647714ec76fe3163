/** The curve ed25519, as far as addresses need it: which of them can belong to a key pair. */

/** The prime of the field, and the constant d of the curve −x² + y² = 1 + dx²y². */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/** A number of 256 bits as nine limbs of 30 bits, least significant first: big integers would be allocated at each step. */
type Limbs = Int32Array;
const LIMBS = 9;
const LIMB_BITS = 30;
const LIMB_MASK = 2 ** LIMB_BITS - 1;

const quarters = new BigUint64Array(5);
const words = new Uint32Array(quarters.buffer);

function setLimbs(limbs: Limbs, value: bigint): void {
  for (let at = 0; at < 4; at++) quarters[at] = value >> BigInt(64 * at);
  for (let at = 0; at < LIMBS; at++) {
    const [word, shift] = [(at * LIMB_BITS) >> 5, (at * LIMB_BITS) & 31];
    const next = shift > 2 ? (words[word + 1] as number) << (32 - shift) : 0;
    limbs[at] = (((words[word] as number) >>> shift) | next) & LIMB_MASK;
  }
}

/** Shifts the limbs up to `top` right by less than a limb. */
function shiftRight(limbs: Limbs, shift: number, top: number): void {
  const up = LIMB_BITS - shift;
  for (let at = 0; at < top; at++) {
    limbs[at] = ((limbs[at] as number) >>> shift) | (((limbs[at + 1] as number) << up) & LIMB_MASK);
  }
  limbs[top] = (limbs[top] as number) >>> shift;
}

function subtract(limbs: Limbs, other: Limbs, top: number): void {
  let borrow = 0;
  for (let at = 0; at <= top; at++) {
    const difference = (limbs[at] as number) - (other[at] as number) + borrow;
    limbs[at] = difference & LIMB_MASK;
    borrow = difference >> 31;
  }
}

/** The limbs of 2^255 − 19. */
const primeLimbs = new Int32Array(LIMBS).fill(LIMB_MASK);
primeLimbs[0] = 2 ** LIMB_BITS - 19;
primeLimbs[LIMBS - 1] = 2 ** 15 - 1;
const [numerator, denominator] = [new Int32Array(LIMBS), new Int32Array(LIMBS)];

/**
 * Returns the Legendre symbol of a number over the prime: 1 for a square, −1 for another number, 0 for 0. It is computed
 * as a Jacobi symbol, by the binary algorithm, which is many times faster than a power in this field.
 */
function legendre(value: bigint): number {
  if (value === 0n) return 0;
  let [a, n, top, flips] = [numerator, denominator, LIMBS - 1, 0];
  setLimbs(a, value);
  n.set(primeLimbs);
  for (;;) {
    // Both numbers are odd but at the start: the symbol of 2 is −1 for 3 and 5 modulo 8.
    while (((a[0] as number) & 1) === 0) {
      const low = a[0] as number;
      const shift = low === 0 ? LIMB_BITS / 2 : 31 - Math.clz32(low & -low);
      shiftRight(a, shift, top);
      flips ^= shift & (((n[0] as number) >> 1) ^ ((n[0] as number) >> 2));
    }
    while (top > 0 && a[top] === 0 && n[top] === 0) top--;
    let at = top;
    while (at > 0 && a[at] === n[at]) at--;
    const order = (a[at] as number) - (n[at] as number);
    // Equal numbers are the divisor that both have in common: 1, because the modulus is prime.
    if (order === 0) return flips & 1 ? -1 : 1;
    if (order < 0) {
      flips ^= ((a[0] as number) & (n[0] as number)) >> 1;
      [a, n] = [n, a];
    }
    subtract(a, n, top);
  }
}

/** Returns whether 32 bytes are a point of the curve: whether (y² − 1) / (dy² + 1) is a square. */
export function isOnCurve(bytes: Buffer): boolean {
  const sign = bytes.readUInt8(31) >> 7;
  let y = BigInt.asUintN(63, bytes.readBigUInt64LE(24));
  for (const at of [16, 8, 0]) y = (y << 64n) | bytes.readBigUInt64LE(at);
  if (y >= P) return false;
  const square = (y * y) % P;
  const symbol = legendre(((square + P - 1n) * (D * square + 1n)) % P);
  return symbol > 0 || (symbol === 0 && sign === 0);
}
