/** A data store with the real client and a local server, with a clock that tests control. */

import { onTestFinished } from "vitest";
import type { Endpoint } from "../../../src/catalogue/endpoint.ts";
import { endpointByRoute } from "../../../src/catalogue/index.ts";
import type { ClientEvent } from "../../../src/client/index.ts";
import { type ClientOptions, createClient } from "../../../src/sources/index.ts";
import { type CacheLimits, createDataStore } from "../../../src/ui/data/query-store.ts";
import type { Timers } from "../../../src/ui/data/timers.ts";
import type { DataStore, EndpointRequest, QueryState } from "../../../src/ui/navigation/data-store.ts";
import type { Services } from "../../../src/ui/navigation/services.ts";
import { KEY, NOW } from "../../client/servers.ts";
import { waitFor } from "../../support/wait-for.ts";

/** Returns the endpoint of a route. */
export function endpoint(route: string): Endpoint {
  const match = endpointByRoute(route);
  if (!match) throw new Error(`unknown route ${route}`);
  return match;
}

/** A clock and timers that tests advance. */
export class HandClock implements Timers {
  now = NOW;
  #timers: { readonly at: number; readonly call: () => void }[] = [];

  after(milliseconds: number, call: () => void): () => void {
    const timer = { at: this.now + Math.max(0, milliseconds), call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** Number of pending timers. */
  get count(): number {
    return this.#timers.length;
  }

  /** Advances the clock and fires the timers due meanwhile, in order. */
  advance(milliseconds: number): void {
    const end = this.now + milliseconds;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.now = Math.max(this.now, next.at);
      next.call();
    }
    this.now = end;
  }
}

/** Options of the test setup. */
export interface WorldOptions {
  readonly client?: ClientOptions;
  readonly bounds?: CacheLimits;
  readonly identity?: Partial<Services["identity"]>;
  readonly services?: Partial<Services>;
}

/** Returns services of which only client, identity, time and log are used. */
function servicesOf(some: Partial<Services>): Services {
  return some as Services;
}

/** A data store that sends requests to a server. */
export function world(server: { readonly url: string }, options: WorldOptions = {}) {
  const clock = new HandClock();
  const listeners = new Set<(event: ClientEvent) => void>();
  const logged: string[] = [];
  const client = createClient({
    baseUrl: server.url,
    key: KEY,
    rate: "off",
    retries: 0,
    now: () => clock.now,
    ...options.client,
    onEvent: (event) => {
      for (const listener of listeners) listener(event);
    },
  });
  const services = servicesOf({
    client: async () => client,
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    supports: ({ family }: Endpoint) => family !== "node",
    identity: {
      profile: undefined,
      isSandbox: false,
      hasKey: false,
      plan: "Lite",
      rate: { requests: 1000, seconds: 60 },
      units: 20_000_000,
      ...options.identity,
    },
    now: () => clock.now,
    log: (text) => logged.push(text),
    ...options.services,
  });
  const data = createDataStore(services, { timing: clock, ...(options.bounds && { bounds: options.bounds }) });
  onTestFinished(async () => {
    await data.close();
    await client.close();
  });
  return { data, clock, client, logged, listeners, services };
}

/** Watches a query and records every state. */
export function watch(data: DataStore, request: EndpointRequest) {
  const states: QueryState[] = [];
  const leave = data.watch(request, () => states.push(data.read(request)));
  return { states, leave, entry: () => data.read(request) };
}

/** Waits until a state matches. */
export async function until(
  data: DataStore,
  request: EndpointRequest,
  is: (entry: QueryState) => boolean,
): Promise<QueryState> {
  await waitFor(() => {
    if (!is(data.read(request))) throw new Error("not yet");
  });
  return data.read(request);
}

/** Waits until no request is in flight for a query. */
export const settled = (data: DataStore, request: EndpointRequest) =>
  until(data, request, ({ isLoading }) => !isLoading);
