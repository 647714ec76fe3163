/**
 * Chance that is the same everywhere: sfc32 over 32-bit integers, seeded by text. Streams with names of their own keep
 * one part of the world from disturbing another. Only + − × ÷ and sqrt are used on doubles, which every machine does
 * alike.
 */

const TWO_32 = 4_294_967_296;

/** Four words that depend on every character of the text. */
function hashWords(text: string): readonly [number, number, number, number] {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x6a09e667];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x85ebca6b);
    b = Math.imul(b ^ (a >>> 13) ^ unit, 0xc2b2ae35);
    c = Math.imul(c ^ (b >>> 16) ^ unit, 0x27d4eb2f);
    d = Math.imul(d ^ (c >>> 15) ^ unit, 0x165667b1);
  }
  return [a ^ (d >>> 11), b ^ (a >>> 15), c ^ (b >>> 13), d ^ (c >>> 16)];
}

/** A stream of chance. */
export class Random {
  readonly #name: string;
  #a: number;
  #b: number;
  #c: number;
  #count: number;

  /** @param seed any text; equal texts give equal streams */
  constructor(seed: string) {
    this.#name = seed;
    [this.#a, this.#b, this.#c, this.#count] = hashWords(seed);
    for (let round = 0; round < 16; round++) this.word();
  }

  /** A stream of its own: it depends on the seed and the name, not on what was drawn before. */
  fork(name: string): Random {
    return new Random(`${this.#name}/${name}`);
  }

  /** 32 random bits, from 0. */
  word(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0 to below 1. */
  fraction(): number {
    return this.word() / TWO_32;
  }

  /** From −1 to 1, mostly near 0. */
  spread(): number {
    return ((this.fraction() + this.fraction() + this.fraction()) * 2) / 3 - 1;
  }

  /** A whole number, both ends included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  /** A number between. */
  between(low: number, high: number): number {
    return low + this.fraction() * (high - low);
  }

  /** True with the probability. */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /**
   * Heavy-tailed size from `low` to `high`: half of them are below twice the low, one in ten is beyond ten times it.
   */
  heavyTailed(low: number, high: number): number {
    return low / (this.fraction() * (1 - low / high) + low / high);
  }

  /** An amount as people write it, about as great as the given one: often round, 0.5 or 20, else with all its digits. */
  roundSometimes(amount: number): number {
    if (!this.chance(0.45)) return amount;
    let fraction = 1;
    while (fraction * 10 <= amount) fraction *= 10;
    while (fraction > amount && fraction > 0.001) fraction /= 10;
    const step = this.chance(0.3) ? fraction / 2 : fraction;
    return Math.max(1, Math.round(amount / step)) * step;
  }

  /** One of the list, which must not be empty. */
  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.fraction() * list.length)] as T;
  }

  /** One of the list; the first ones far more often than the last: the share falls with the square root's inverse. */
  pickEarly<T>(list: readonly T[]): T {
    const fraction = this.fraction();
    return list[Math.floor(fraction * fraction * list.length)] as T;
  }

  /** One of the list by shares, which `cumulative` adds up: entry n is the sum of the shares up to n. */
  pickWeighted<T>(list: readonly T[], cumulative: readonly number[]): T {
    const target = this.fraction() * (cumulative[list.length - 1] ?? 0);
    let [low, high] = [0, list.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulative[middle] as number) > target) high = middle;
      else low = middle + 1;
    }
    return list[low] as T;
  }
}
