/** Names of addresses in batches: those that the user requests, and those without which a list says nothing. */
import type { Answer } from "../../client/index.ts";
import { type Names, planNameRequests, unnamedAddresses } from "../../output/index.ts";
import type { NameLoad, NameLoads, NamePlan, QuotaView } from "../navigation/data-store.ts";
import type { Services } from "../navigation/services.ts";
import { canPrefetch } from "./key-usage.ts";
import { isScarce } from "./live-plan.ts";
import { toSolxError } from "./query.ts";

/** The share of the units of the plan that a session spends at most on names that the user did not request. */
const MAX_SHARE = 0.001;

/** What requests of names need. */
export interface NameServices {
  readonly services: Pick<Services, "client" | "identity" | "source" | "supports">;
  readonly names: Pick<Names, "of">;
  readonly quota: () => QuotaView;
  /** Called with each answer, to collect its names. */
  readonly onAnswer: (answer: Answer) => void;
}

/** Creates the requests of names of a session. */
export function createNameLoads(services: NameServices): NameLoads {
  return new NameLoadStore(services);
}

class NameLoadStore implements NameLoads {
  readonly #context: NameServices;
  readonly #controller = new AbortController();
  /** The addresses whose names were requested; those of failed requests are removed. */
  readonly #requested = new Set<string>();
  /** Units spent on names that the user did not request. */
  #spent = 0;
  #isRefused = false;

  constructor(context: NameServices) {
    this.#context = context;
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
    if (plan.requests.length === 0 || this.#isRefused || !this.#canSpend(plan.units)) return;
    this.#spent += plan.units;
    void this.start(plan).then(({ problem }) => {
      this.#isRefused = problem !== undefined;
    });
  };

  #canSpend(units: number): boolean {
    const { services, quota } = this.#context;
    const view = quota();
    if (!canPrefetch(view)) return false;
    const limit = services.identity.units * MAX_SHARE;
    return !services.source.facts.chargesUnits || (!isScarce(view.units) && this.#spent + units <= limit);
  }

  close = () => this.#controller.abort();
}
