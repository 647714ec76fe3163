/**
 * The outbox of rules that several machines watch. A Redis server has it; the file of this machine is a copy of the part
 * that this instance holds the leases of. What is stored is stored there first.
 */
import { randomUUID } from "node:crypto";
import { type JsonObject, parseJson, sleep, stringifyJson, UsageError } from "../../base/index.ts";
import { LEASE_MS, type Leases } from "./leases.ts";
import { FATES, type Found, Outbox, type Share, type StoredDelivery } from "./outbox.ts";

/** Milliseconds between two signs of life, and between attempts to reach the server. */
const BEAT_MS = 5000;
const RETRY_MS = 500;
/** Milliseconds by which an instance counts its leases as lost before others do. */
const MARGIN_MS = 5000;

type Claim = Awaited<ReturnType<Leases["claim"]>>;

/** The lease of a rule ended while something was to be stored: whoever has it now finds it again. */
class LeaseLostError extends Error {}

/** Returns the unit of a subject: subjects that differ only in their identifiers belong together. */
const unitOf = (subject: string): string => subject.replace(/ \S*(#\w+)$/, " $1");

/** The part of a shared outbox that belongs to this instance. */
export class SharedOutbox extends Outbox {
  readonly #leases: Leases;
  readonly #note: (text: string) => void;
  #isLost = false;
  /** Units that had cursors. */
  readonly #known = new Set<string>();
  #units: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** What the server said last, and what is loaded. */
  #claim: Claim | undefined;
  #loaded: Claim | undefined;
  /** Until when the leases hold, by a clock that is not set. */
  #end = Number.NEGATIVE_INFINITY;
  #beating: Promise<void> | undefined;
  #nextBeat = 0;
  #session = new AbortController();
  #lease = new AbortController();
  #isOpen = false;
  readonly #unitOf = new Map<number, string>();
  readonly #running = new Map<number, PromiseWithResolvers<void>>();

  /** @param note called when the server is lost, and when it is found again, perhaps without its data */
  constructor(path: string, use: "watch" | "read", leases: Leases, note: (text: string) => void) {
    super(path, use);
    this.#leases = leases;
    this.#note = note;
  }

  override get signal(): AbortSignal {
    return this.#lease.signal;
  }

  override async *shares(units: readonly string[], stop: AbortSignal): AsyncGenerator<Share> {
    this.#units = units;
    this.#timer = setInterval(() => this.#tick(), RETRY_MS);
    while (!stop.aborted) {
      try {
        await this.#beat();
        const claim = this.#claim;
        if (!claim || !this.#isHeld()) throw new LeaseLostError();
        const leases = [...claim.leases];
        if (claim.surplus > 0) await this.#leases.release(leases.splice(0, claim.surplus));
        await this.#load({ ...claim, surplus: 0, leases: new Map(leases) });
      } catch {
        await sleep(RETRY_MS, stop);
        continue;
      }
      const session = new AbortController();
      [this.#session, this.#isOpen] = [session, true];
      if (this.#lease.signal.aborted) this.#lease = new AbortController();
      this.onAdded();
      const held = this.#loaded?.leases.keys() ?? [];
      const share = { units: new Set(held), signal: session.signal };
      if (share.units.size > 0) yield share;
      await sleep(FOREVER_MS, AbortSignal.any([stop, session.signal])).catch(() => {});
      // Deliveries that are under way end before somebody else makes the next ones.
      this.#isOpen = false;
      await Promise.all([...this.#running.values()].map(({ promise }) => promise));
    }
  }

  override next(action: string, now: number): StoredDelivery | undefined {
    const delivery = this.#isOpen && this.#isHeld() ? super.next(action, now) : undefined;
    if (delivery) this.#running.set(delivery.id, Promise.withResolvers());
    return delivery;
  }

  override nextDue(action: string): number | undefined {
    return this.#isOpen && this.#isHeld() ? super.nextDue(action) : undefined;
  }

  override async commit(now: number, found: Found): Promise<void> {
    const { subject, deliveries, cursor } = found;
    const unit = unitOf(subject);
    const first = await this.#store(unit, {
      // A step that is repeated because its reply was lost is made once.
      write: randomUUID(),
      add: deliveries.map((one) => stringifyJson({ ...one, subject, found: now })),
      ...(cursor && { cursor: [subject, stringifyJson(cursor)] }),
    });
    if (first === undefined) throw new LeaseLostError();
    this.#known.add(unit);
    for (const at of deliveries.keys()) this.#unitOf.set(first + at, unit);
    super.commit(now, found, first);
  }

  override async delivered(delivery: StoredDelivery): Promise<void> {
    const { id, action } = delivery;
    await this.#store(this.#unitOf.get(id), { remove: String(id), count: `delivered ${action}` });
    super.delivered(delivery);
    this.interrupted(delivery);
  }

  override async failed(delivery: StoredDelivery, error: string, due: number | undefined): Promise<void> {
    const { id, action, attempts } = delivery;
    const failure = stringifyJson([attempts + 1, due === undefined ? 1 : 0, error]);
    await this.#store(this.#unitOf.get(id), { try: [String(id), failure], count: `failed ${action}` });
    super.failed(delivery, error, due);
    this.interrupted(delivery);
  }

  override interrupted({ id }: StoredDelivery): void {
    this.#running.get(id)?.resolve();
    this.#running.delete(id);
  }

  override async settle(id: number, fate: keyof typeof FATES): Promise<void> {
    const { error = null } = this.database.prepare("SELECT error FROM outbox WHERE id = ?").get(id) ?? {};
    const failure = stringifyJson([0, FATES[fate], error as string | null]);
    const stored = await this.#store(this.#unitOf.get(id), { try: [String(id), failure] });
    if (stored === undefined) throw new UsageError("Another machine has this rule now.");
    super.settle(id, fate);
  }

  /** Reads what all instances have stored. */
  async readAll(): Promise<void> {
    const units = await this.#leases.units();
    await this.#load({ surplus: 0, revision: 0, leases: new Map(units.map((unit) => [unit, ""])) });
    const totals = [...(await this.#leases.counts())].map(([name, count]) => {
      const [what = "", ...action] = name.split(" ");
      return { action: action.join(" "), what, count: Number(count) };
    });
    this.setCounts(totals);
  }

  override async retryParked(): Promise<number> {
    let count = 0;
    for (const unit of await this.#leases.units()) {
      const parked = [...(await this.#leases.tries(unit))].filter(([, failure]) => JSON.parse(failure)[1] === 1);
      count += await this.#leases.retry(
        unit,
        parked.map(([id]) => id),
      );
    }
    super.retryParked();
    return count;
  }

  override async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#isOpen = false;
    if (this.#timer) await this.#leases.release(this.#claim?.leases ?? [], true).catch(() => {});
    this.#leases.close();
    super.close();
  }

  #isHeld(): boolean {
    return performance.now() < this.#end;
  }

  #setLost(isLost: boolean): void {
    if (isLost === this.#isLost) return;
    this.#isLost = isLost;
    this.onState(isLost);
    this.#note(isLost ? "cannot be reached: rules are not watched until it answers" : "answers again");
  }

  #tick(): void {
    if (!this.#isHeld() && !this.#lease.signal.aborted) {
      this.#lease.abort();
      this.#session.abort();
    }
    if (performance.now() >= this.#nextBeat) void this.#beat();
  }

  /** Renews the leases; the session ends when they are others than those that are loaded. */
  #beat(): Promise<void> {
    const start = performance.now();
    this.#nextBeat = start + BEAT_MS;
    this.#beating ??= this.#leases
      .claim(this.#units)
      .then(
        (claim) => {
          this.#setLost(false);
          this.#claim = claim;
          this.#end = start + LEASE_MS - MARGIN_MS;
          if (!this.#loaded || !isSame(claim, this.#loaded)) this.#session.abort();
        },
        () => {
          this.#nextBeat = 0;
          this.#setLost(true);
        },
      )
      .finally(() => {
        this.#beating = undefined;
      });
    return this.#beating;
  }

  /** Stores something of a unit, also when the server is away for a moment. Returns undefined without the lease. */
  async #store(unit = "", step: JsonObject): Promise<number | undefined> {
    for (;;) {
      const id = this.#loaded?.leases.get(unit);
      if (id === undefined || !this.#isHeld()) return undefined;
      try {
        const first = await this.#leases.write(unit, id, step);
        if (first === undefined) this.#session.abort();
        return first;
      } catch {
        await sleep(RETRY_MS);
      }
    }
  }

  /** Replaces the copy by what the server has of some units. */
  async #load(claim: Claim): Promise<void> {
    this.#loaded = undefined;
    this.clear();
    this.#unitOf.clear();
    for (const [unit, lease] of claim.leases) {
      const wasKnown = this.#known.delete(unit);
      for await (const [subject, cursor] of this.#leases.cursors(unit)) {
        this.#known.add(unit);
        this.restoreCursor(subject, cursor);
      }
      if (wasKnown && !this.#known.has(unit))
        this.#note(`has lost where ${unit.replace(/ #\w+$/, "")} was read to: events in between are missing`);
      const tries = await this.#leases.tries(unit);
      for await (const [id, text] of this.#leases.deliveries(unit)) {
        this.#unitOf.set(id, unit);
        const [attempts = 0, parked = 0, error = null] = JSON.parse(tries.get(String(id)) ?? "[]");
        if (parked === FATES.dropped) {
          if (lease !== "") await this.#leases.write(unit, lease, { remove: String(id) });
          continue;
        }
        const delivery = parseJson(text) as JsonObject;
        this.restore({ ...delivery, id, attempts, parked, error } as never);
      }
    }
    this.#loaded = claim;
  }
}

const FOREVER_MS = 2_000_000_000;

const isSame = (a: Claim, b: Claim): boolean =>
  a.surplus === 0 &&
  a.revision === b.revision &&
  a.leases.size === b.leases.size &&
  [...a.leases].every(([unit, id]) => b.leases.get(unit) === id);
