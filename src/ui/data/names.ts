/** Names of addresses: those requested in batches, and those that earlier runs stored. */
import type { Answer } from "../../client/index.ts";
import { type LearnedName, type Names, planNameRequests, unnamedAddresses } from "../../output/index.ts";
import type { NameLoad, NameLoads, NamePlan, QuotaView } from "../navigation/data-store.ts";
import type { Services, StoredNames } from "../navigation/services.ts";
import { toSolxError } from "./query.ts";
import { ExtraUnits } from "./quota.ts";
import type { Timers } from "./timers.ts";

interface NameServices {
  readonly services: Pick<Services, "client" | "identity" | "source" | "supports">;
  readonly names: Pick<Names, "of">;
  readonly quota: () => QuotaView;
  /** Called with each answer, to collect its names. */
  readonly onAnswer: (answer: Answer) => void;
}

/** Requests the names of addresses. */
export class NameLoadStore implements NameLoads {
  readonly #context: NameServices;
  readonly #controller = new AbortController();
  /** The addresses whose names were requested; those of failed requests are removed. */
  readonly #requested = new Set<string>();
  #isRefused = false;
  /** For names that the user did not request. */
  readonly #extra: ExtraUnits;

  constructor(context: NameServices) {
    this.#context = context;
    this.#extra = new ExtraUnits(context.services, context.quota);
  }

  plan: NameLoads["plan"] = (uses) => {
    const { services, names } = this.#context;
    const fresh = unnamedAddresses(uses, names.of).filter(({ id }) => !this.#requested.has(id));
    const requests = planNameRequests(fresh, services.supports);
    return {
      requests,
      addresses: requests.reduce((sum, { addresses }) => sum + addresses.length, 0),
      units: requests.reduce((sum, { units }) => sum + units, 0),
    };
  };

  async start({ requests }: NamePlan): Promise<NameLoad> {
    const { services, names, onAnswer } = this.#context;
    const all = requests.flatMap(({ addresses }) => addresses);
    const pending = new Set(all);
    for (const address of all) this.#requested.add(address);
    const spent = { requests: 0, units: 0 };
    const load = (problem?: NameLoad["problem"]): NameLoad => {
      const named = all.filter((address) => names.of(address) !== undefined).length;
      return { ...spent, named, problem };
    };
    try {
      const client = await services.client();
      for (const { endpoint, params, addresses, units } of requests) {
        const answer = await client.fetch(endpoint, params, { signal: this.#controller.signal });
        for (const address of addresses) pending.delete(address);
        if (answer.age === undefined) {
          spent.requests += 1;
          spent.units += units;
        }
        onAnswer(answer);
      }
      return load();
    } catch (error) {
      for (const address of pending) this.#requested.delete(address);
      return load(toSolxError(error));
    }
  }

  show: NameLoads["show"] = (uses) => {
    const plan = this.plan(uses);
    if (plan.requests.length === 0 || this.#isRefused || !this.#extra.canSpend(plan.units)) return;
    this.#extra.spend(plan.units);
    void this.start(plan).then(({ problem }) => {
      this.#isRefused = problem !== undefined;
    });
  };

  close = () => this.#controller.abort();
}

/** Milliseconds until names are read, so that the first screen is drawn before, and until changes are written. */
const READ_DELAY_MS = 150;
const WRITE_DELAY_MS = 3000;

/** Restores stored names, and stores new ones until it is stopped. Returns the function that writes the rest and stops. */
export function syncNames(names: Names, stored: StoredNames, timing: Timers): () => void {
  const textOf = ({ kind, name }: LearnedName) => `${kind} ${name}`;
  const written = new Map<string, string>();
  let isRead = false;
  let cancelWrite: (() => void) | undefined;
  const read = () => {
    if (isRead) return;
    isRead = true;
    const entries = stored.read();
    for (const entry of entries) written.set(entry.address, textOf(entry));
    names.restore(entries);
  };
  const write = () => {
    cancelWrite?.();
    cancelWrite = undefined;
    const changed = [...names.learned()].filter((entry) => written.get(entry.address) !== textOf(entry));
    for (const entry of changed) written.set(entry.address, textOf(entry));
    if (changed.length > 0) stored.write(changed);
  };
  const cancelRead = timing.after(READ_DELAY_MS, read);
  const unsubscribe = names.subscribe(() => {
    if (isRead) cancelWrite ??= timing.after(WRITE_DELAY_MS, write);
  });
  return () => {
    cancelRead();
    unsubscribe();
    // What is stored already need not be written again.
    read();
    write();
  };
}
