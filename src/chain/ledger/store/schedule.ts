/**
 * The blocks of a simulated chain as functions of their slots: who leads a slot, whether it has a block, and who votes in
 * it. As on mainnet, a leader has four slots in turn. Turns are dealt in rounds, each in another order: a round has as many
 * turns of a leader as its share of the stake, and what is skipped and who votes in a turn is the same in each round. So
 * numbers of blocks and votes are known for any range of slots without its blocks.
 */
import { SLOT } from "../../../catalogue/index.ts";

/** Lamports and compute units of a vote; the leader earns half of the lamports. */
export const [VOTE_FEE, VOTE_UNITS] = [5000, 2_100] as const;
/** Slots of a turn. */
const TURN = 4;
/** A block from which heights count, in the first turn of a round: the sample block, with its height on mainnet. */
const ORIGIN = { turn: Math.floor(SLOT / TURN), height: 363_846_826 };
/** Of this many turns, one has no blocks, or lacks the first: its leader is offline, or late. */
const [OFFLINE, LATE] = [100, 25] as const;
/** Rounds whose orders are in memory. */
const MAX_ORDERS = 256;

/** Numbers of blocks and of the votes in them. */
export interface BlockCounts {
  readonly blocks: number;
  readonly votes: number;
}

/** Returns a number of 32 bits that depends on two others. */
export function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f);
  hash = Math.imul(hash ^ (hash >>> 13), 0x165667b1);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns the key of a source. */
function keyOf(source: string): number {
  let key = 0;
  for (let at = 0; at < source.length; at++) key = mix(key, source.charCodeAt(at));
  return key;
}

/** A number that turns add up to. */
interface TurnSums {
  /** Returns the number of a turn up to a position in it. */
  readonly part: (turn: number, end: number) => number;
  readonly byTurn: Float64Array;
  /** The number of all turns. */
  readonly round: number;
  /** The last sum: where one range of slots ends, the next one begins. */
  last: { readonly slot: number; readonly sum: number };
}

/** The slots of a simulated chain. Leaders and voters are numbers: the leaders are the first voters. */
export class LeaderSchedule {
  /** The chain of another source has other orders, hashes and signatures of votes. */
  readonly key: number;
  readonly #voters: number;
  /** The leaders of the turns of a round, before they are reordered. */
  readonly #leaders: Uint8Array;
  /** 0, 1, 2, … */
  readonly #turns: Uint16Array;
  readonly #blocks: TurnSums;
  readonly #votes: TurnSums;
  /** By voter. */
  readonly #earnings = new Map<number, TurnSums>();
  readonly #orders = new Map<number, Uint16Array>();

  /**
   * @param source what the chain is created from
   * @param shares turns of each voter in a round; those with none are the last ones
   */
  constructor(source: string, shares: readonly number[]) {
    this.key = keyOf(source);
    this.#voters = shares.length;
    this.#leaders = Uint8Array.from(shares.flatMap((share, leader) => new Array<number>(share).fill(leader)));
    this.#turns = Uint16Array.from(this.#leaders, (_, turn) => turn);
    this.#blocks = this.#sumsOf(() => 1);
    this.#votes = this.#sumsOf((turn, at) => this.#votesAt(turn, at));
  }

  leaderAt(slot: number): number {
    return this.#leaders[this.#turnOf(slot)] as number;
  }

  hasBlock(slot: number): boolean {
    return slot % TURN >= firstOf(this.#turnOf(slot));
  }

  /** Returns the latest slot with a block up to a slot. */
  lastUpTo(slot: number): number {
    return this.hasBlock(slot) ? slot : this.lastUpTo(slot - 1);
  }

  /** Returns the first slot with a block from a slot on. */
  firstFrom(slot: number): number {
    return this.hasBlock(slot) ? slot : this.firstFrom(slot + 1);
  }

  heightOf(slot: number): number {
    return ORIGIN.height + this.#sumTo(this.#blocks, slot);
  }

  /** Counts the blocks in a range of slots, without its end, and their votes. */
  count(from: number, end: number): BlockCounts {
    const between = (sums: TurnSums): number => -this.#sumTo(sums, from) + this.#sumTo(sums, end);
    return { blocks: between(this.#blocks), votes: between(this.#votes) };
  }

  /** Returns the number of votes in the block of a slot. */
  votesIn(slot: number): number {
    return this.#votesAt(this.#turnOf(slot), slot % TURN);
  }

  /** Returns the voter of the nth vote in the block of a slot. */
  voterAt(slot: number, n: number): number {
    return (this.#firstVoter(this.#turnOf(slot), slot % TURN) + n) % this.#voters;
  }

  /** Returns whether the block of a slot has a vote of a voter. */
  hasVote(voter: number, slot: number): boolean {
    return this.#hasVote(voter, this.#turnOf(slot), slot % TURN);
  }

  /**
   * Returns the lamports that votes have added to a voter, up to the block of a slot: negative where it led less.
   * @param after the block after which it starts; that of the origin by default
   */
  earnings(voter: number, slot: number, after?: number): bigint {
    let sums = this.#earnings.get(voter);
    if (!sums) {
      sums = this.#sumsOf((turn, at) => {
        const earned = this.#leaders[turn] === voter ? (this.#votesAt(turn, at) * VOTE_FEE) / 2 : 0;
        return this.#hasVote(voter, turn, at) ? earned - VOTE_FEE : earned;
      });
      this.#earnings.set(voter, sums);
    }
    const before = after === undefined ? 0 : this.#sumTo(sums, after + 1);
    return BigInt(this.#sumTo(sums, slot + 1) - before);
  }

  #hasVote(voter: number, turn: number, at: number): boolean {
    return (voter - this.#firstVoter(turn, at) + this.#voters) % this.#voters < this.#votesAt(turn, at);
  }

  #firstVoter(turn: number, at: number): number {
    return (turn * 53 + at * 29) % this.#voters;
  }

  /** Returns the number of voters with a vote: up to an eighth have none. */
  #votesAt(turn: number, at: number): number {
    return this.#voters - ((turn * 31 + at * 17) % Math.ceil(this.#voters / 8));
  }

  #sumsOf(numberAt: (turn: number, at: number) => number): TurnSums {
    const part = (turn: number, end: number) => {
      let sum = 0;
      for (let at = firstOf(turn); at < end; at++) sum += numberAt(turn, at);
      return sum;
    };
    const byTurn = Float64Array.from(this.#leaders, (_, turn) => part(turn, TURN));
    const round = byTurn.reduce((sum, number) => sum + number, 0);
    return { part, byTurn, round, last: { slot: Number.NaN, sum: 0 } };
  }

  /** Adds up to a slot, without it, from the origin; what is before the origin is negative. */
  #sumTo(sums: TurnSums, slot: number): number {
    if (slot === sums.last.slot) return sums.last.sum;
    const { part, byTurn, round: all } = sums;
    const [round, place] = this.#placeOf(slot);
    const order = this.#orderOf(round);
    let sum = round * all + part(order[place] as number, slot % TURN);
    for (let n = 0; n < place; n++) sum += byTurn[order[n] as number] as number;
    sums.last = { slot, sum };
    return sum;
  }

  #placeOf(slot: number): readonly [round: number, place: number] {
    const turn = Math.floor(slot / TURN) - ORIGIN.turn;
    const round = Math.floor(turn / this.#leaders.length);
    return [round, turn - round * this.#leaders.length];
  }

  #turnOf(slot: number): number {
    const [round, place] = this.#placeOf(slot);
    return this.#orderOf(round)[place] as number;
  }

  /** Returns the order of a round: all but the first turn are shuffled. */
  #orderOf(round: number): Uint16Array {
    const known = this.#orders.get(round);
    if (known) return known;
    const order = this.#turns.slice();
    let random = mix(this.key, round);
    for (let at = order.length - 1; at > 1; at--) {
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
      const other = 1 + ((random >>> 8) % at);
      const turn = order[at] as number;
      order[at] = order[other] as number;
      order[other] = turn;
    }
    if (this.#orders.size >= MAX_ORDERS) this.#orders.clear();
    this.#orders.set(round, order);
    return order;
  }
}

/** Returns the position of the first block in a turn. */
const firstOf = (turn: number): number => (turn % OFFLINE === OFFLINE / 2 ? TURN : turn % LATE === 7 ? 1 : 0);
