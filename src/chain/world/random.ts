/**
 * A portable random generator: sfc32 over 32-bit integers, seeded by text. Named streams keep the parts of the world
 * independent of each other. On doubles only + − × ÷ and sqrt are used, whose results are the same on every machine.
 */

const TWO_32 = 4_294_967_296;

/** Returns four words that depend on every character of the text. */
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

/** A stream of random numbers. */
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

  /** Returns an independent stream: it depends on the seed and the name, not on the numbers drawn so far. */
  fork(name: string): Random {
    return new Random(`${this.#name}/${name}`);
  }

  /** Returns 32 random bits as an unsigned integer. */
  word(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** Returns a number from 0 to below 1. */
  fraction(): number {
    return this.word() / TWO_32;
  }

  /** Returns a number from −1 to 1, mostly near 0. */
  spread(): number {
    return ((this.fraction() + this.fraction() + this.fraction()) * 2) / 3 - 1;
  }

  /** Returns an integer from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  /** Returns a number from `low` to below `high`. */
  between(low: number, high: number): number {
    return low + this.fraction() * (high - low);
  }

  /** Returns true with the given probability. */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** Returns a heavy-tailed number from `low` to `high`: half are below twice `low`, one in ten above ten times it. */
  heavyTailed(low: number, high: number): number {
    return low / (this.fraction() * (1 - low / high) + low / high);
  }

  /** Rounds an amount as users do: often to one digit such as 0.5 or 20, otherwise not at all. */
  roundSometimes(amount: number): number {
    if (!this.chance(0.45)) return amount;
    let fraction = 1;
    while (fraction * 10 <= amount) fraction *= 10;
    while (fraction > amount && fraction > 0.001) fraction /= 10;
    const step = this.chance(0.3) ? fraction / 2 : fraction;
    return Math.max(1, Math.round(amount / step)) * step;
  }

  /** Returns an item of a list, which must not be empty. */
  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.fraction() * list.length)] as T;
  }

  /** Returns an item of a list, early ones more often: the density falls with the inverse square root of the index. */
  pickEarly<T>(list: readonly T[]): T {
    const fraction = this.fraction();
    return list[Math.floor(fraction * fraction * list.length)] as T;
  }

  /** Returns an item of a list by weight; item n of `cumulative` is the sum of the weights up to item n. */
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
