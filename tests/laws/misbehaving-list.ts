/** A list behind a server that does with its pages what gateways, caches and lagging backends do. */
import fc from "fast-check";

/** What a server does with pages. Numbers are those of requests, from 0. */
export interface Misbehaviour {
  /** The most rows of a page, whatever is asked. */
  readonly cap: number | undefined;
  /** Whether pages have a row less than was asked. */
  readonly oneShort: boolean;
  /** Parts of the rows that are left out at the end of pages, in turn; at least one row remains. */
  readonly cuts: readonly number[];
  /** Requests that get the rows of the request before, where it had some. */
  readonly repeated: readonly number[];
  /** Requests whose page has some rows twice, in place of others. */
  readonly doubled: readonly Doubling[];
  /** Requests that get no rows; never two in a row, nor two for the same page. */
  readonly empty: readonly number[];
  /** Whether page numbers count pages of the size that was asked, although pages have fewer rows. */
  readonly countsAsked: boolean;
  /** Whether every page is the first one. */
  readonly isDeaf: boolean;
  /** Whether the page of a cursor contains its row. */
  readonly isInclusive: boolean;
  readonly order: "right" | "ascending" | "shuffled";
  /** Requests before which a row arrives. */
  readonly grows: readonly number[];
  /** Requests before which the oldest row disappears. */
  readonly shrinks: readonly number[];
}

/** Rows of a page that are there a second time: right behind themselves, or in place of rows further down. */
interface Doubling {
  readonly request: number;
  readonly count: number;
  readonly isInPlace: boolean;
}

/** A server that does nothing wrong. */
export const WELL_BEHAVED: Misbehaviour = {
  cap: undefined,
  oneShort: false,
  cuts: [],
  repeated: [],
  doubled: [],
  empty: [],
  countsAsked: false,
  isDeaf: false,
  isInclusive: false,
  order: "right",
  grows: [],
  shrinks: [],
};

const requests = (max = 12) => fc.uniqueArray(fc.nat({ max }), { maxLength: 3 });

/** Requests of which no two follow each other. */
const separate = requests().map((numbers) => numbers.filter((number) => !numbers.includes(number - 1)));

const doubling: fc.Arbitrary<Doubling> = fc.record({
  request: fc.nat({ max: 12 }),
  count: fc.integer({ min: 1, max: 6 }),
  isInPlace: fc.boolean(),
});

const sometimes = <T>(arbitrary: fc.Arbitrary<T>, otherwise: T, weight = 1) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(otherwise) }, { weight, arbitrary });

/** Misbehaviour of all kinds, most of it in combination. */
export const misbehaviours: fc.Arbitrary<Misbehaviour> = fc.record({
  cap: sometimes(fc.integer({ min: 1, max: 20 }), undefined as number | undefined, 2),
  oneShort: sometimes(fc.boolean(), false),
  cuts: sometimes(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }), []),
  repeated: sometimes(requests(), []),
  // Two in one page would change the order of its rows.
  doubled: sometimes(fc.uniqueArray(doubling, { maxLength: 3, selector: ({ request }) => request }), []),
  empty: sometimes(separate, [], 2),
  countsAsked: sometimes(fc.boolean(), false),
  isDeaf: sometimes(fc.boolean(), false),
  isInclusive: sometimes(fc.boolean(), false),
  order: sometimes(fc.constantFrom("right", "ascending", "shuffled"), "right"),
  grows: sometimes(requests(), [], 2),
  shrinks: sometimes(requests(), []),
});

/** Returns what a server of events does: two equal rows behind each other may be those of a transaction. */
export const ofTransactions = (what: Misbehaviour): Misbehaviour => ({
  ...what,
  doubled: what.doubled.filter(({ isInPlace, count }) => isInPlace || count > 1),
});

/** What a request asks for. */
interface PageRequest<T> {
  readonly limit: number;
  /** Returns the row after which the page starts; undefined for the first page. */
  readonly after?: ((row: T) => boolean) | undefined;
  /** Rows before the page, or pages. */
  readonly offset?: number;
  readonly page?: number;
  /** Selects rows, where the request has a filter. */
  readonly matches?: (row: T) => boolean;
}

/** A list of rows, newest first. */
export class MisbehavingList<T> {
  readonly #rows: readonly T[];
  readonly #positions: ReadonlyMap<T, number>;
  readonly #what: Misbehaviour;
  #start: number;
  #end: number;
  #requests = 0;
  #previous: readonly T[] = [];
  readonly #emptied = new Set<T | string>();
  /** Where the rows start and end that were there all the time. */
  readonly #steady: { readonly start: number; end: number };

  /** @param rows all rows that there ever are; of these, the newest ones arrive later */
  constructor(rows: readonly T[], what: Misbehaviour) {
    [this.#rows, this.#what] = [rows, what];
    this.#positions = new Map(rows.map((row, at) => [row, at]));
    this.#start = Math.min(what.grows.length, rows.length);
    this.#end = rows.length;
    this.#steady = { start: this.#start, end: this.#end };
  }

  get requests(): number {
    return this.#requests;
  }

  /** The rows that there are now. */
  get length(): number {
    return this.#end - this.#start;
  }

  /** How many rows have arrived since the first request. */
  get arrived(): number {
    return Math.min(this.#what.grows.length, this.#rows.length) - this.#start;
  }

  /** Rows that were there from the first request to the last. */
  get steady(): readonly T[] {
    return this.#rows.slice(this.#steady.start, this.#steady.end);
  }

  /** Returns the position of a row among all that there ever were; -1 for any other. */
  positionOf(row: T): number {
    return this.#positions.get(row) ?? -1;
  }

  /** Returns the rows of a page, and whether more follow. */
  page({ limit, after, offset = 0, page = 0, matches = () => true }: PageRequest<T>): readonly T[] {
    const {
      cap = Number.POSITIVE_INFINITY,
      oneShort,
      cuts,
      repeated,
      empty,
      countsAsked,
      isDeaf,
      isInclusive,
      order,
    } = this.#what;
    const number = this.#requests++;
    if (this.#what.grows.includes(number)) this.#start = Math.max(0, this.#start - 1);
    if (this.#what.shrinks.includes(number)) this.#end = Math.max(this.#start, this.#end - 1);
    this.#steady.end = Math.min(this.#steady.end, this.#end);
    const visible = this.#rows.slice(this.#start, this.#end).filter(matches);
    const listed = order === "ascending" ? visible.toReversed() : visible;
    const at = after && !isDeaf ? listed.findIndex(after) : -1;
    const size = Math.min(cap, oneShort ? Math.max(1, limit - 1) : limit);
    const skipped = offset + page * (countsAsked ? limit : size);
    const start = isDeaf ? 0 : skipped + (at >= 0 && !isInclusive ? at + 1 : Math.max(at, 0));
    const cut = 1 - (cuts[number % Math.max(1, cuts.length)] ?? 0);
    const full = listed.slice(start, start + size);
    const whole: readonly T[] = full.slice(0, Math.max(1, Math.ceil(full.length * cut)));
    const doublings = this.#what.doubled.filter(({ request }) => request === number);
    const rows = doublings.reduce((page, doubling) => withDoubled(page, doubling), whole);
    const sent = order === "shuffled" ? shuffled(rows, number) : rows;
    const place = at >= 0 ? (listed[at] as T) : `${offset} ${page}`;
    if (empty.includes(number) && !this.#emptied.has(place)) {
      this.#emptied.add(place);
      return [];
    }
    if (repeated.includes(number) && this.#previous.length > 0) return this.#previous;
    this.#previous = sent;
    return sent;
  }
}

/** Returns as many rows, of which some are there twice. */
function withDoubled<T>(rows: readonly T[], { count, isInPlace }: Doubling): readonly T[] {
  if (!isInPlace) return [...rows.slice(0, count), ...rows].slice(0, rows.length);
  return rows.map((row, at) => (at > count && at <= 2 * count ? (rows[at - count - 1] as T) : row));
}

/** Returns rows in another order, which depends on a seed. */
function shuffled<T>(rows: readonly T[], seed: number): readonly T[] {
  const copy = [...rows];
  let state = seed + 1;
  for (let at = copy.length - 1; at > 0; at--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = state % (at + 1);
    [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
  }
  return copy;
}
