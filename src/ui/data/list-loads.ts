/**
 * Lists that the user loads beyond one page: some pages, or all. The rows stay when the list is left and are dropped when
 * other lists need the memory.
 */

import { InterruptedError, type JsonObject } from "../../base/index.ts";
import { type Answer, type ClientCore, totalRows } from "../../client/index.ts";
import { type EndpointRequest, type ListLoad, type ListLoads, NO_LOAD, queryKey } from "../navigation/data-store.ts";
import { toSolxError } from "./query.ts";
import type { Timers } from "./timers.ts";

/** Maximum number of rows of one list: with 25,000 transfers, the explorer uses about 60 MB more. */
export const MAX_LOADED_ROWS = 25_000;
/** Rows of all lists together that stay loaded after leaving them. */
const MAX_KEPT_ROWS = 40_000;
/** Time between two updates of the screen in milliseconds; pages arrive more often. */
const UPDATE_MS = 120;

interface LoadServices {
  readonly client: () => Promise<ClientCore>;
  readonly timing: Timers;
  readonly onAnswer: (answer: Answer) => void;
  readonly onEnd: () => void;
}

interface LoadEntry {
  state: ListLoad;
  readonly request: EndpointRequest;
  readonly listeners: Set<() => void>;
  controller: AbortController | undefined;
  resume: (() => JsonObject) | undefined;
  /** The update of the screen that is due. */
  cancelUpdate: (() => void) | undefined;
}

/** Loads lists. */
export class ListLoadStore implements ListLoads {
  readonly #services: LoadServices;
  /** The most recently used one is the last. */
  readonly #entries = new Map<string, LoadEntry>();

  constructor(services: LoadServices) {
    this.#services = services;
  }

  read(request: EndpointRequest): ListLoad {
    return this.#find(request)?.state ?? NO_LOAD;
  }

  watch(request: EndpointRequest, listener: () => void): () => void {
    const entry = this.#use(request);
    const subscription = () => listener();
    entry.listeners.add(subscription);
    return () => {
      entry.listeners.delete(subscription);
      // Deferred: unsubscribing and subscribing again at once, as a remount does, stops nothing.
      queueMicrotask(() => {
        if (entry.listeners.size === 0) stopLoading(entry);
      });
    };
  }

  start(request: EndpointRequest, pages = Number.POSITIVE_INFINITY): void {
    const entry = this.#use(request);
    if (!entry.controller && !entry.state.isComplete) void this.#load(entry, pages);
  }

  stop(request: EndpointRequest): void {
    const entry = this.#find(request);
    if (!entry) return;
    stopLoading(entry);
    publish(entry);
  }

  discard(request: EndpointRequest): void {
    const entry = this.#find(request);
    if (!entry) return;
    stopLoading(entry);
    entry.state = NO_LOAD;
    entry.resume = undefined;
    publish(entry);
  }

  close(): void {
    for (const entry of this.#entries.values()) {
      stopLoading(entry);
      entry.cancelUpdate?.();
    }
  }

  #find(request: EndpointRequest): LoadEntry | undefined {
    return this.#entries.get(queryKey(request));
  }

  #use(request: EndpointRequest): LoadEntry {
    const key = queryKey(request);
    const entry: LoadEntry = this.#entries.get(key) ?? {
      state: NO_LOAD,
      request,
      listeners: new Set(),
      controller: undefined,
      resume: undefined,
      cancelUpdate: undefined,
    };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  async #load(entry: LoadEntry, pages: number): Promise<void> {
    const { timing, onEnd } = this.#services;
    const controller = new AbortController();
    entry.controller = controller;
    entry.state = { ...entry.state, isLoading: true, problem: undefined };
    publish(entry);
    try {
      for await (const change of readRows(this.#services, entry, pages, controller.signal)) {
        entry.state = { ...entry.state, ...change };
        entry.cancelUpdate ??= timing.after(UPDATE_MS, () => publish(entry));
      }
    } catch (error) {
      if (entry.controller === controller) entry.state = { ...entry.state, problem: toSolxError(error) };
    }
    if (entry.controller === controller) stopLoading(entry);
    publish(entry);
    this.#trim();
    onEnd();
  }

  /** Drops the lists that were left longest ago, beyond the limit. */
  #trim(): void {
    let rows = [...this.#entries.values()].reduce((sum, { state }) => sum + state.rows.length, 0);
    for (const [key, { state, listeners }] of this.#entries) {
      if (rows <= MAX_KEPT_ROWS) return;
      if (listeners.size > 0) continue;
      rows -= state.rows.length;
      this.#entries.delete(key);
    }
  }
}

function stopLoading(entry: LoadEntry): void {
  const { controller } = entry;
  if (!controller) return;
  entry.controller = undefined;
  entry.state = { ...entry.state, isLoading: false };
  controller.abort(new InterruptedError());
}

function publish(entry: LoadEntry): void {
  entry.cancelUpdate?.();
  entry.cancelUpdate = undefined;
  for (const listener of [...entry.listeners]) listener();
}

/** Reads the next pages of a list; yields what changes with each. */
async function* readRows(
  { client, onAnswer }: LoadServices,
  entry: LoadEntry,
  pages: number,
  signal: AbortSignal,
): AsyncGenerator<Partial<ListLoad>> {
  const { endpoint, params } = entry.request;
  const resume = entry.resume?.();
  // Pages are prefetched only where all of them are needed, since each costs units.
  const ahead = pages === Number.POSITIVE_INFINITY;
  const options = { all: true, ahead, signal, ...(resume && { resume }) };
  let count = 0;
  for await (const { rows, answer, hasMore, state } of (await client()).pages(endpoint, params, options)) {
    if (signal.aborted) return;
    const before = entry.state;
    const isCharged = answer.age === undefined;
    const all = before.rows.concat(rows);
    entry.resume = state;
    onAnswer(answer);
    yield {
      rows: all,
      firstRows: before.rows.length === 0 ? rows : before.firstRows,
      isComplete: hasMore === false,
      total: totalRows(answer) ?? before.total,
      requests: before.requests + (isCharged ? 1 : 0),
      units: before.units + (isCharged ? answer.request.cost : 0),
    };
    count += 1;
    if (count >= pages || all.length >= MAX_LOADED_ROWS) return;
  }
  yield { isComplete: true };
}
