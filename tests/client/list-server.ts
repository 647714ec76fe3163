/** A simulated server of one list, which answers requests in any order while rows arrive. */
import { setImmediate as nextTick } from "node:timers/promises";
import { base58 } from "@scure/base";
import { InterruptedError } from "../../src/base/errors.ts";
import type { Json, JsonObject } from "../../src/base/json.ts";
import type { Endpoint } from "../../src/catalogue/endpoint.ts";
import { endpointByPath } from "../../src/catalogue/index.ts";
import type { Answer } from "../../src/client/answer/answer.ts";
import type { Page, PageSendOptions, PagingOptions } from "../../src/client/paging/page.ts";
import { readPages } from "../../src/client/paging/read-pages.ts";
import { NOW } from "./servers.ts";

export type Params = Readonly<Record<string, unknown>>;

/** An endpoint by its path. */
export function endpointOf(path: string, family: Endpoint["family"] = "v2"): Endpoint {
  const match = endpointByPath(family, path);
  if (!match) throw new Error(`No ${path}.`);
  return match;
}

/** A signature that contains a number. */
const signature = (number: number) =>
  base58.encode(
    new Uint8Array(64)
      .fill(1)
      .with(0, 1 + (number % 250))
      .with(1, 1 + (Math.floor(number / 250) % 250))
      .with(2, 1 + Math.floor(number / 62_500)),
  );

/** A row identified by its number; `second` is its time, where it has one. */
export function rowOf({ identity = [] }: Endpoint, number: number, second?: number): JsonObject {
  const value = (name: string) => (/hash/i.test(name) ? signature(number) : `${name} ${number}`);
  const fields = Object.fromEntries(identity.map((name) => [name, value(name)]));
  return { ...fields, ...(second !== undefined && { block_time: second }) };
}

/** A request that the server received. */
export interface ReceivedRequest {
  readonly params: Params;
  readonly sending: PageSendOptions;
}

/** The server; its list can change at any time. */
export class ListServer {
  readonly endpoint: Endpoint;
  /** Newest first where they have times. */
  rows: readonly Json[];
  readonly requests: ReceivedRequest[] = [];
  /** Requests in flight, and their maximum. */
  running = 0;
  most = 0;
  /** Number of turns of the event loop before a request is answered. */
  delay: (number: number) => number = () => 0;
  /** Called before the answer to a request is created. */
  onRead: (number: number) => void = () => {};
  /** An answer to return instead of the right one. */
  change: (answer: Answer, params: Params) => Answer = (answer) => answer;

  constructor(endpoint: Endpoint, rows: readonly Json[]) {
    this.endpoint = endpoint;
    this.rows = rows;
  }

  readonly fetch = async (params: Params, sending: PageSendOptions): Promise<Answer> => {
    const number = this.requests.push({ params, sending });
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    try {
      for (let remaining = this.delay(number); remaining > 0; remaining -= 1) await nextTick();
      if (sending.signal.aborted) throw new InterruptedError();
      this.onRead(number);
      return this.change(this.answer(params), params);
    } finally {
      this.running -= 1;
    }
  };

  answer(params: Params): Answer {
    const size = Number(params.page_size ?? params.limit ?? 10);
    const selected = this.#matching(params);
    const start = this.#startOf(params, selected, size);
    const rows = selected.slice(start, start + size);
    const { at, total } = this.endpoint.returns;
    const data = at === undefined ? rows : { [at]: rows, ...(total && { [total]: selected.length }) };
    const request = { endpoint: this.endpoint, family: this.endpoint.family, path: "", query: [], cost: 1, notes: [] };
    return { request, status: 200, headers: {}, body: "", envelope: undefined, data, rows, at };
  }

  /** The rows of the time window, in the requested order. */
  #matching(params: Params): readonly Json[] {
    const to = Number(params.to_time ?? params.toTime ?? Number.POSITIVE_INFINITY);
    const from = Number(params.from_time ?? params.fromTime ?? Number.NEGATIVE_INFINITY);
    const selected = this.rows.filter((row) => {
      const second = Number((row as JsonObject).block_time ?? from);
      return second >= from && second <= to;
    });
    return params.sort_order === "asc" ? selected.toReversed() : selected;
  }

  #startOf({ before, beforeHash, offset, page }: Params, rows: readonly Json[], size: number): number {
    const cursor = before ?? beforeHash;
    if (cursor !== undefined) {
      return 1 + rows.findIndex((row) => Object.values(row as JsonObject).includes(cursor as string));
    }
    return offset === undefined ? (Number(page ?? 1) - 1) * size : Number(offset);
  }

  read(options: PagingOptions = { all: true }, params: Params = {}, signal?: AbortSignal): AsyncGenerator<Page, void> {
    return readPages({ endpoint: this.endpoint, params, fetch: this.fetch, now: NOW, signal }, options);
  }

  async rowsOf(options?: PagingOptions, params?: Params): Promise<Json[]> {
    const rows: Json[] = [];
    for await (const page of this.read(options, params)) rows.push(...page.rows);
    return rows;
  }
}

/** Returns requests without those that repeat the first page to check that it did not change. */
export function withoutChecks(requests: readonly Params[]): readonly Params[] {
  const positionOf = ({ page, offset, before, beforeHash }: Params = {}) =>
    JSON.stringify([page, offset, before, beforeHash]);
  return requests.filter((params, at) => at === 0 || positionOf(params) !== positionOf(requests[0]));
}

/** Numbers that look random and are the same for a seed. */
export function dice(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * (most + 1));
  };
}
