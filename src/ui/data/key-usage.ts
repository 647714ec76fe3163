/** What the key has left, asked for in the background once there is something on the screen, and seldom. */

import { endpointByRoute } from "../../catalogue/index.ts";
import type { Answer, Client } from "../../client/index.ts";
import type { Services } from "../app/services.ts";
import type { QuotaTracker } from "./quota-tracker.ts";
import type { EndpointRequest, QuotaView } from "./store.ts";

const ROUTE = "v2-monitor-usage";
/** Milliseconds between two questions, whatever became of the first. */
const INTERVAL = 600_000;

/** Asks for the units that are left. */
export class KeyUsage {
  readonly #services: Services;
  readonly #tracker: QuotaTracker;
  readonly #controller = new AbortController();
  #requestedAt: number | undefined;

  constructor(services: Services, tracker: QuotaTracker) {
    [this.#services, this.#tracker] = [services, tracker];
  }

  /** Learns from an answer that somebody else asked for. */
  onAnswer({ request, data }: Answer): void {
    if (request.endpoint?.route !== ROUTE) return;
    this.#requestedAt = this.#services.now();
    this.#tracker.learn(data);
  }

  /** Asks, unless it was asked of late or there is no key. */
  request(client: Client): void {
    const { identity, now } = this.#services;
    const isRecent = this.#requestedAt !== undefined && now() - this.#requestedAt < INTERVAL;
    const endpoint = endpointByRoute(ROUTE);
    if (isRecent || !identity.hasKey || !endpoint || this.#controller.signal.aborted) return;
    this.#requestedAt = now();
    const { signal } = this.#controller;
    // Without an answer the gauge shows what it knows.
    client.fetch(endpoint, {}, { signal, priority: "background" }).then(
      (answer) => this.onAnswer(answer),
      (error: unknown) => this.#services.log(`Usage of the key: ${String(error)}`),
    );
  }

  /** What is known is of another key: it is asked for anew. */
  reset(): void {
    this.#requestedAt = undefined;
    this.#tracker.reset();
  }

  close(): void {
    this.#controller.abort();
  }
}

/** Whether an answer is about the key, so that another key has another one. */
export function dependsOnKey({ endpoint }: EndpointRequest): boolean {
  return endpoint.route === ROUTE;
}

/** The part of the requests, and of the units, that asking ahead leaves alone. */
const RESERVED_REQUESTS = 0.5;
const RESERVED_UNITS = 0.05;

/** Whether the budget has plenty, so that something may be asked for that perhaps nobody looks at. */
export function canPrefetch({ requests, units, waitingUntil }: QuotaView): boolean {
  if (waitingUntil !== undefined) return false;
  if (requests && requests.remaining <= requests.limit * RESERVED_REQUESTS) return false;
  return !units || units.remaining > units.limit * RESERVED_UNITS;
}
