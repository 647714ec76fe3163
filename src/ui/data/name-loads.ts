/** Names of addresses that the user requests, in batches. */
import type { Answer } from "../../client/index.ts";
import { type Names, planNameRequests, unnamedAddresses } from "../../output/index.ts";
import type { Services } from "../app/services.ts";
import { toSolxError } from "./query.ts";
import type { NameLoad, NameLoads, NamePlan } from "./store.ts";

/** What requests of names need. */
export interface NameServices {
  readonly services: Pick<Services, "client" | "supports">;
  readonly names: Pick<Names, "of">;
  /** Called with each answer, to collect its names. */
  readonly onAnswer: (answer: Answer) => void;
}

/** Creates the requests of names of a session. */
export function createNameLoads({ services, names, onAnswer }: NameServices): NameLoads {
  const controller = new AbortController();
  const { signal } = controller;
  const requested = new Set<string>();
  const send = async ({ requests }: NamePlan, onCharge: (units: number) => void) => {
    const client = await services.client();
    for (const { endpoint, params, addresses, units } of requests) {
      const answer = await client.fetch(endpoint, params, { signal });
      for (const address of addresses) requested.add(address);
      if (answer.age === undefined) onCharge(units);
      onAnswer(answer);
    }
  };
  return {
    plan(uses) {
      const fresh = unnamedAddresses(uses, names.of).filter(({ id }) => !requested.has(id));
      const requests = planNameRequests(fresh, services.supports);
      return {
        requests,
        addresses: requests.reduce((sum, { addresses }) => sum + addresses.length, 0),
        units: requests.reduce((sum, { units }) => sum + units, 0),
      };
    },
    async start(plan): Promise<NameLoad> {
      const spent = { requests: 0, units: 0 };
      const problem = await send(plan, (units) => {
        spent.requests += 1;
        spent.units += units;
      }).then(() => undefined, toSolxError);
      const addresses = plan.requests.flatMap((request) => request.addresses);
      return { ...spent, named: addresses.filter((address) => names.of(address)).length, problem };
    },
    close: () => controller.abort(),
  };
}
