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

/** Returns the key of a schedule: the chain of another source has other orders, hashes and signatures of votes. */
export function scheduleKey(source: string): number {
  let key = 0;
  for (let at = 0; at < source.length; at++) key = mix(key, source.charCodeAt(at));
  return key;
}

/** The slots of a simulated chain. Leaders and voters are numbers: the leaders are the first voters. */
export class LeaderSchedule {
  readonly #key: number;
  readonly #voters: number;
  /** By turn of a round, before they are reordered. */
  readonly #turns: readonly (BlockCounts & { readonly leader: number })[];
  readonly #round: BlockCounts;
  readonly #orders = new Map<number, Uint16Array>();
  /** What a round adds to the lamports of a voter, by voter. */
  readonly #earnings = new Map<number, number>();

  /**
   * @param key chains with other keys have other orders
   * @param shares turns of each leader in a round
   * @param voters number of voters
   */
  constructor(key: number, shares: readonly number[], voters: number) {
    this.#key = key;
    this.#voters = voters;
    this.#turns = shares
      .flatMap((share, leader) => Array.from({ length: share }, () => leader))
      .map((leader, turn) => ({ leader, ...this.#countTurn(turn, 0, TURN) }));
    this.#round = sumOf(this.#turns);
  }

  leaderAt(slot: number): number {
    return this.#turns[this.#turnOf(slot)]?.leader ?? 0;
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
    return ORIGIN.height + this.count(ORIGIN.turn * TURN, slot + 1).blocks - 1;
  }

  /** Counts the blocks in a range of slots, without its end, and their votes. */
  count(from: number, end: number): BlockCounts {
    const [before, all] = [this.#countTo(from), this.#countTo(end)];
    return { blocks: all.blocks - before.blocks, votes: all.votes - before.votes };
  }

  /** Returns the number of votes in the block of a slot. */
  votesIn(slot: number): number {
    return this.#voters - this.#missing(this.#turnOf(slot), slot % TURN);
  }

  /** Returns the voter of the nth vote in the block of a slot. */
  voterAt(slot: number, n: number): number {
    return (this.#firstVoter(this.#turnOf(slot), slot % TURN) + n) % this.#voters;
  }

  /** Returns whether the block of a slot has a vote of a voter. */
  hasVote(voter: number, slot: number): boolean {
    return this.#hasVote(voter, this.#turnOf(slot), slot % TURN);
  }

  #hasVote(voter: number, turn: number, at: number): boolean {
    const position = (voter - this.#firstVoter(turn, at) + this.#voters) % this.#voters;
    return position < this.#voters - this.#missing(turn, at);
  }

  /** Returns the lamports that votes have added to a voter, up to the block of a slot: negative where it led less. */
  earnings(voter: number, slot: number): number {
    const [round, place] = this.#placeOf(slot + 1);
    const order = this.#orderOf(round);
    const each = this.#earnings.get(voter) ?? this.#turns.reduce((sum, _, turn) => sum + this.#earn(voter, turn), 0);
    this.#earnings.set(voter, each);
    let sum = round * each + this.#earn(voter, order[place] as number, (slot + 1) % TURN);
    for (let n = 0; n < place; n++) sum += this.#earn(voter, order[n] as number);
    return sum;
  }

  #earn(voter: number, turn: number, end: number = TURN): number {
    let sum = 0;
    for (let at = firstOf(turn); at < end; at++) {
      if (this.#hasVote(voter, turn, at)) sum -= VOTE_FEE;
      if (this.#turns[turn]?.leader === voter) sum += ((this.#voters - this.#missing(turn, at)) * VOTE_FEE) / 2;
    }
    return sum;
  }

  #firstVoter(turn: number, at: number): number {
    return (turn * 53 + at * 29) % this.#voters;
  }

  /** Returns the number of voters without a vote, up to an eighth. */
  #missing(turn: number, at: number): number {
    return (turn * 31 + at * 17) % Math.ceil(this.#voters / 8);
  }

  #countTurn(turn: number, from: number, end: number): BlockCounts {
    let [blocks, votes] = [0, 0];
    for (let at = Math.max(from, firstOf(turn)); at < end; at++) {
      blocks++;
      votes += this.#voters - this.#missing(turn, at);
    }
    return { blocks, votes };
  }

  /** Counts from the origin to a slot; negative before it. */
  #countTo(slot: number): BlockCounts {
    const [round, place] = this.#placeOf(slot);
    const order = this.#orderOf(round);
    let { blocks, votes } = this.#countTurn(order[place] as number, 0, slot % TURN);
    for (let n = 0; n < place; n++) {
      const turn = this.#turns[order[n] as number];
      blocks += turn?.blocks ?? 0;
      votes += turn?.votes ?? 0;
    }
    return { blocks: blocks + round * this.#round.blocks, votes: votes + round * this.#round.votes };
  }

  #placeOf(slot: number): readonly [round: number, place: number] {
    const turn = Math.floor(slot / TURN) - ORIGIN.turn;
    const round = Math.floor(turn / this.#turns.length);
    return [round, turn - round * this.#turns.length];
  }

  #turnOf(slot: number): number {
    const [round, place] = this.#placeOf(slot);
    return this.#orderOf(round)[place] as number;
  }

  /** Returns the order of a round: all but the first turn are shuffled. */
  #orderOf(round: number): Uint16Array {
    const known = this.#orders.get(round);
    if (known) return known;
    const order = Uint16Array.from(this.#turns, (_, turn) => turn);
    for (let at = order.length - 1; at > 1; at--) {
      const other = 1 + (mix(mix(this.#key, round), at) % at);
      [order[at], order[other]] = [order[other] as number, order[at] as number];
    }
    if (this.#orders.size >= MAX_ORDERS) this.#orders.clear();
    this.#orders.set(round, order);
    return order;
  }
}

/** Returns the position of the first block in a turn. */
const firstOf = (turn: number): number => (turn % OFFLINE === OFFLINE / 2 ? TURN : turn % LATE === 7 ? 1 : 0);

const sumOf = (counts: readonly BlockCounts[]): BlockCounts => ({
  blocks: counts.reduce((sum, { blocks }) => sum + blocks, 0),
  votes: counts.reduce((sum, { votes }) => sum + votes, 0),
});
