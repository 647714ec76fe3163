/** Requests the usage of the API key in the background, at most every ten minutes. */

import { endpointByRoute } from "../../catalogue/index.ts";
import type { Answer, Client } from "../../client/index.ts";
import type { EndpointRequest, QuotaView } from "../navigation/data-store.ts";
import type { Services } from "../navigation/services.ts";
import type { QuotaTracker } from "./quota-tracker.ts";

const ROUTE = "v2-monitor-usage";
/** Milliseconds between two requests, successful or not. */
const INTERVAL = 600_000;

/** Requests the compute units left. */
export class KeyUsage {
  readonly #services: Services;
  readonly #tracker: QuotaTracker;
  readonly #controller = new AbortController();
  #requestedAt: number | undefined;

  constructor(services: Services, tracker: QuotaTracker) {
    [this.#services, this.#tracker] = [services, tracker];
  }

  /** Uses the answer to a usage request of another component. */
  onAnswer({ request, data }: Answer): void {
    if (request.endpoint?.route !== ROUTE) return;
    this.#requestedAt = this.#services.now();
    this.#tracker.learn(data);
  }

  /** Sends the request unless there was one recently or there is no key. */
  request(client: Client): void {
    const { identity, now, supports } = this.#services;
    const isRecent = this.#requestedAt !== undefined && now() - this.#requestedAt < INTERVAL;
    const endpoint = endpointByRoute(ROUTE);
    if (isRecent || !identity.hasKey || !endpoint || !supports(endpoint) || this.#controller.signal.aborted) return;
    this.#requestedAt = now();
    const { signal } = this.#controller;
    // On failure the previous quota stays.
    client.fetch(endpoint, {}, { signal, priority: "background" }).then(
      (answer) => this.onAnswer(answer),
      (error: unknown) => this.#services.log(`Usage of the key: ${String(error)}`),
    );
  }

  /** Discards the usage of the previous key. */
  reset(): void {
    this.#requestedAt = undefined;
    this.#tracker.reset();
  }

  close(): void {
    this.#controller.abort();
  }
}

/** Returns whether the answer depends on the API key. */
export function dependsOnKey({ endpoint }: EndpointRequest): boolean {
  return endpoint.route === ROUTE;
}

/** Shares of requests and units that prefetching leaves unused. */
const RESERVED_REQUESTS = 0.5;
const RESERVED_UNITS = 0.05;

/** Returns whether the quota is ample enough for prefetching. */
export function canPrefetch({ requests, units, waitingUntil }: QuotaView): boolean {
  if (waitingUntil !== undefined) return false;
  if (requests && requests.remaining <= requests.limit * RESERVED_REQUESTS) return false;
  return !units || units.remaining > units.limit * RESERVED_UNITS;
}
