/** The clock of a sandbox, which tests can move forward, stop and resume. */

/** The time of a sandbox. */
export interface SandboxTime {
  /** Unix seconds. */
  readonly now: number;
  /** Whether the time stands still. */
  readonly frozen: boolean;
}

/** A clock as it is stored. */
export interface SavedClock {
  readonly offset: number;
  readonly dates: number | null;
  readonly limits: number | null;
}

/**
 * Two readings of the same clock, in milliseconds: `dates` for dates in answers and for new blocks, `limits` for rate
 * limits and usage. They differ only while the dates of a sandbox are fixed from its start: limits pass then too.
 */
export class SandboxClock {
  readonly #system: () => number;
  /** What is added to the system's clock. */
  #offset = 0;
  #frozenDates: number | undefined;
  #frozenLimits: number | undefined;

  /**
   * @param system the system's clock in milliseconds
   * @param fixed fixed time of the dates in milliseconds
   * @param startsFixed whether the limits start at the fixed time too, instead of following the system's clock
   */
  constructor(system: () => number, fixed?: number, startsFixed = false) {
    this.#system = system;
    this.#frozenDates = fixed;
    if (fixed !== undefined && startsFixed) this.#offset = fixed - system();
  }

  readonly limits = (): number => this.#frozenLimits ?? this.#system() + this.#offset;
  readonly dates = (): number => this.#frozenDates ?? this.limits();

  get time(): SandboxTime {
    return { now: Math.floor(this.dates() / 1000), frozen: this.#frozenDates !== undefined };
  }

  /** What {@link restore} continues. */
  get saved(): SavedClock {
    return { offset: this.#offset, dates: this.#frozenDates ?? null, limits: this.#frozenLimits ?? null };
  }

  /** Continues a clock that was saved; one that was running has run on. */
  restore({ offset, dates, limits }: SavedClock): void {
    [this.#offset, this.#frozenDates, this.#frozenLimits] = [offset, dates ?? undefined, limits ?? undefined];
  }

  /** Moves the clock forward by milliseconds. */
  advance(milliseconds: number): void {
    this.#offset += milliseconds;
    if (this.#frozenDates !== undefined) this.#frozenDates += milliseconds;
    if (this.#frozenLimits !== undefined) this.#frozenLimits += milliseconds;
  }

  freeze(): void {
    [this.#frozenDates, this.#frozenLimits] = [this.dates(), this.limits()];
  }

  /** Lets the clock run on. */
  resume(): void {
    this.#offset = this.limits() - this.#system();
    [this.#frozenDates, this.#frozenLimits] = [undefined, undefined];
  }
}
