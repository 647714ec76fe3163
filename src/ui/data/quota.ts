/** What the session has used, and what is left of the quota: from events of the client and the usage of the API key. */
import { createEmitter, isObject, toNumber } from "../../base/index.ts";
import { endpointByPath, endpointByRoute, FAMILY_PATHS, type Family } from "../../catalogue/index.ts";
import type { Answer, ClientCore, ClientEvent } from "../../client/index.ts";
import type { EndpointRequest, QuotaView, SessionUsage } from "../navigation/data-store.ts";
import type { Services } from "../navigation/services.ts";
import { isScarce } from "./live-plan.ts";
import type { Timers } from "./timers.ts";

/** Compute units of a path that the catalogue does not know: the most common cost. */
const UNKNOWN_COST = 100;

/** Returns the compute units of a request by its URL, whatever the base URL is. */
export function costOfUrl(address: string): number {
  const url = URL.parse(address);
  if (!url) return 0;
  const { family, path } = familyIn(url.pathname);
  const endpoint = endpointByPath(family, path);
  if (!endpoint) return family === "public" ? 0 : UNKNOWN_COST;
  const { cost, query } = endpoint;
  if (cost.per === "request") return cost.units;
  const name = Object.entries(query).find(([, param]) => param.required && param.arity === "list")?.[0] ?? "";
  const items = [...url.searchParams.getAll(name), ...url.searchParams.getAll(`${name}[]`)];
  return cost.units * Math.max(1, items.flatMap((item) => item.split(",")).length);
}

function familyIn(pathname: string): { readonly family: Family; readonly path: string } {
  for (const family of ["v2", "legacy"] as const) {
    const at = pathname.indexOf(`${FAMILY_PATHS[family]}/`);
    if (at >= 0) return { family, path: pathname.slice(at + FAMILY_PATHS[family].length) };
  }
  return { family: "public", path: `/${pathname.split("/").at(-1)}` };
}

/** Shorter waits are not shown, in milliseconds. */
const MIN_WAIT_MS = 1000;
const USAGE_ROUTE = "v2-monitor-usage";
/** Milliseconds between two requests for the usage of the key, successful or not. */
const USAGE_INTERVAL_MS = 600_000;

/** Tracks usage and quota. */
export class QuotaTracker {
  readonly #services: Services;
  readonly #timing: Timers;
  readonly #changes = createEmitter();
  #sessionUsage: SessionUsage = { requests: 0, units: 0 };
  #quota: QuotaView = { requests: undefined, units: undefined, waitingUntil: undefined };
  readonly #controller = new AbortController();
  #usageRequestedAt: number | undefined;
  #stopWaiting = () => {};
  #stopWindow = () => {};

  constructor(services: Services, timing: Timers) {
    [this.#services, this.#timing] = [services, timing];
  }

  quota(): QuotaView {
    return this.#quota;
  }

  sessionUsage(): SessionUsage {
    return this.#sessionUsage;
  }

  readonly subscribe = this.#changes.on;

  /** Records an event; returns until when all requests wait, in milliseconds since the epoch, if the event says so. */
  onEvent(event: ClientEvent): number | undefined {
    switch (event.type) {
      case "request":
        this.#spend(1, 0);
        return undefined;
      case "response":
        if (event.status >= 200 && event.status < 300) this.#spend(0, costOfUrl(event.url));
        return undefined;
      case "wait":
        return event.seconds === undefined ? undefined : this.#waitFor(event.seconds * 1000);
      case "retry": {
        const until = this.#waitFor(event.seconds * 1000);
        // A rate limit delays all requests, other failures only their own.
        return event.error.exit === "rateLimited" ? until : undefined;
      }
      case "walk":
        this.#update({ walk: event });
        return undefined;
      default:
        return undefined;
    }
  }

  refresh(client: ClientCore | undefined): void {
    const left = client?.rateLimiter()?.remaining();
    if (!left) return;
    this.#update({ requests: { remaining: left.requests, limit: left.of } });
    this.#stopWindow();
    // After a full window without requests, the whole rate limit is available again.
    const full = { remaining: left.of, limit: left.of };
    this.#stopWindow = this.#timing.after(left.seconds * 1000, () => this.#update({ requests: full }));
  }

  /** Learns the units left from an answer to a usage request, whoever sent it. */
  onAnswer({ request, data }: Pick<Answer, "request" | "data">): void {
    if (request.endpoint?.route !== USAGE_ROUTE) return;
    const { identity, now } = this.#services;
    this.#usageRequestedAt = now();
    if (!isObject(data)) return;
    const [left, used] = [toNumber(data.remaining_cus), toNumber(data.usage_cus)];
    if (left === undefined || left < 0) return;
    const limit = used === undefined ? Math.max(left, identity.units) : left + Math.max(0, used);
    this.#update({ units: { remaining: left, limit, at: now() } });
  }

  /** Requests the usage of the key in the background, unless that was recent or there is no key. */
  requestUsage(client: ClientCore): void {
    const { identity, now, supports, log } = this.#services;
    const { signal } = this.#controller;
    const isRecent = this.#usageRequestedAt !== undefined && now() - this.#usageRequestedAt < USAGE_INTERVAL_MS;
    const endpoint = endpointByRoute(USAGE_ROUTE);
    if (isRecent || !identity.hasKey || !endpoint || !supports(endpoint) || signal.aborted) return;
    this.#usageRequestedAt = now();
    // On failure the previous quota stays.
    client.fetch(endpoint, {}, { signal, priority: "background" }).then(
      (answer) => this.onAnswer(answer),
      (error: unknown) => log(`Usage of the key: ${String(error)}`),
    );
  }

  endWalk(): void {
    this.#update({ walk: undefined });
  }

  reset(): void {
    this.#usageRequestedAt = undefined;
    this.#stopWaiting();
    this.#stopWindow();
    this.#update({ requests: undefined, units: undefined, waitingUntil: undefined });
  }

  close(): void {
    this.#controller.abort();
    this.#stopWaiting();
    this.#stopWindow();
    this.#changes.clear();
  }

  #spend(requests: number, units: number): void {
    this.#sessionUsage = { requests: this.#sessionUsage.requests + requests, units: this.#sessionUsage.units + units };
    const { units: known } = this.#quota;
    if (known && units > 0)
      this.#quota = { ...this.#quota, units: { ...known, remaining: Math.max(0, known.remaining - units) } };
    this.#changes.emit();
  }

  /** Records a wait and returns its end; undefined when it is too short to show. */
  #waitFor(milliseconds: number): number | undefined {
    if (milliseconds < MIN_WAIT_MS) return undefined;
    const until = this.#services.now() + milliseconds;
    if (until > (this.#quota.waitingUntil ?? 0)) {
      this.#stopWaiting();
      this.#stopWaiting = this.#timing.after(milliseconds, () => this.#update({ waitingUntil: undefined }));
      this.#update({ waitingUntil: until });
    }
    return until;
  }

  #update(change: Partial<QuotaView>): void {
    const changed = { ...this.#quota, ...change };
    if (isSameQuota(this.#quota, changed)) return;
    this.#quota = changed;
    this.#changes.emit();
  }
}

function isSameQuota(a: QuotaView, b: QuotaView): boolean {
  const [one, other] = [a, b].map(({ requests, units, waitingUntil, walk }) =>
    [requests?.remaining, requests?.limit, units?.remaining, units?.limit, units?.at, waitingUntil, walk?.done].join(),
  );
  return one === other;
}

/** Returns whether the answer depends on the API key. */
export function dependsOnKey({ endpoint }: EndpointRequest): boolean {
  return endpoint.route === USAGE_ROUTE;
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

/** The share of the units of the plan that a session spends at most on something that the user did not request. */
const MAX_EXTRA_SHARE = 0.001;

/** What a session may spend on something that the user did not request: a small share of an ample quota. */
export class ExtraUnits {
  readonly #plan: Services["identity"];
  readonly #quota: () => QuotaView;
  #spent = 0;

  constructor({ identity }: Pick<Services, "identity">, quota: () => QuotaView) {
    [this.#plan, this.#quota] = [identity, quota];
  }

  canSpend(units: number): boolean {
    const quota = this.#quota();
    const limit = this.#plan.units * MAX_EXTRA_SHARE;
    return canPrefetch(quota) && !isScarce(quota.units) && this.#spent + units <= limit;
  }

  spend(units: number): void {
    this.#spent += units;
  }
}
