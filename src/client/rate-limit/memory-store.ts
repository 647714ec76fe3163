/** The turns of this process. */
import { affordable, allocate } from "./allocate.ts";
import {
  GRACE_MS,
  normalizePause,
  type Pause,
  pollInterval,
  type RateLimitBucket,
  type RateLimitStore,
  RETENTION_MS,
  type StepRequest,
  type StepResult,
  UNUSED,
} from "./store.ts";

const DAY_MS = 86_400_000;

/** Makes a store; `now` gives milliseconds. */
export function createMemoryStore(now: () => number): RateLimitStore {
  const accounts = new Map<string, Account>();
  return {
    step(lane, ask) {
      const account = accounts.get(lane.account) ?? new Account();
      accounts.set(lane.account, account);
      return step(account, lane, ask, now());
    },
    close: () => accounts.clear(),
  };
}

function step(account: Account, lane: RateLimitBucket, ask: StepRequest, now: number): StepResult {
  account.write(ask, now);
  const from = now - lane.window;
  account.forget(Math.min(from, now - RETENTION_MS));
  const interactive = account.interactive.after(from);
  const used = interactive + account.background.after(from);
  const pause = Math.max(0, account.paused.until - now);
  const view = { used, interactive, aheadInteractive: 0, aheadBackground: 0, pause };
  const wanted = { interactive: ask.interactive.length, background: ask.background.length };
  const { missing, ...free } = allocate(lane, view, wanted);
  const granted = affordable(lane, account.units, ask, free);
  account.units += granted.cost;
  if (lane.requests < Number.POSITIVE_INFINITY) {
    for (const { id } of ask.interactive.slice(0, granted.interactive))
      account.interactive.open.set(id, now + GRACE_MS);
    for (const { id } of ask.background.slice(0, granted.background)) account.background.open.set(id, now + GRACE_MS);
  }
  const wait = pause > 0 ? pause : missing > 0 ? (account.end(from, missing) ?? now) - from : 0;
  return {
    interactive: granted.interactive,
    background: granted.background,
    wait,
    pollAfter: Math.min(wait, pollInterval(lane)),
    remaining: Math.max(0, lane.requests - used - granted.interactive - granted.background),
    units: account.units,
  };
}

class Account {
  readonly interactive = new Turns();
  readonly background = new Turns();
  paused: Pause = { at: 0, until: 0 };
  units = 0;
  #day = 0;

  /** Writes down what came with a step. A clock that was set back makes nobody wait longer than a window. */
  write({ released: done, units, pause }: StepRequest, now: number): void {
    for (const turns of [this.interactive, this.background]) {
      for (const { id, ago } of done) turns.over(id, ago < UNUSED ? now - ago : undefined);
      turns.settle(now);
    }
    this.paused = normalizePause(this.paused, now);
    if (now + pause > this.paused.until) this.paused = { at: now, until: now + pause };
    const day = Math.floor(now / DAY_MS);
    if (day !== this.#day) this.units = 0;
    this.#day = day;
    this.units = Math.max(0, this.units + units);
  }

  forget(before: number): void {
    this.interactive.forget(before);
    this.background.forget(before);
  }

  /** When so many turns of the window that begins after `from` have ended. */
  end(from: number, count: number): number | undefined {
    const ends = [...this.interactive.ends(from, count), ...this.background.ends(from, count)];
    return ends.sort((a, b) => a - b)[count - 1];
  }
}

/** Turns of one kind: those under way, and the moments at which others ended, the first one first. */
class Turns {
  /** When each will be taken to have ended, by id. */
  readonly open = new Map<number, number>();
  #ended: number[] = [];

  /** Ends a turn; without a moment it was never used. */
  over(id: number, at: number | undefined): void {
    if (this.open.delete(id) && at !== undefined) this.#insert(at);
  }

  /** Ends what has no answer for too long, and brings back what ends too late by a clock that was set back. */
  settle(now: number): void {
    for (const [id, until] of this.open) {
      if (until <= now) this.over(id, until);
      else if (until > now + GRACE_MS) this.open.set(id, now + GRACE_MS);
    }
    if ((this.#ended.at(-1) ?? 0) > now + GRACE_MS) this.#ended = this.#ended.map((at) => Math.min(at, now + GRACE_MS));
  }

  /** How many have not ended at a moment. */
  after(moment: number): number {
    return this.#ended.length - this.#place(moment) + this.open.size;
  }

  /** The first moments after one at which turns end, and all of those that are under way. */
  ends(moment: number, count: number): number[] {
    const place = this.#place(moment);
    return [...this.#ended.slice(place, place + count), ...this.open.values()];
  }

  forget(before: number): void {
    const count = this.#place(before);
    if (count > this.#ended.length / 2) this.#ended = this.#ended.slice(count);
  }

  /** They end nearly in order, so the place is near the end. */
  #insert(at: number): void {
    let place = this.#ended.length;
    while (place > 0 && (this.#ended[place - 1] as number) > at) place -= 1;
    this.#ended.splice(place, 0, at);
  }

  /** How many ended until a moment. */
  #place(moment: number): number {
    let [low, high] = [0, this.#ended.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ended[middle] as number) <= moment) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
