/**
 * What is watched: a list that grows at its head, whose new rows are events, or an object or another list, whose changes
 * are. A subject is polled through the client; what a poll found becomes known only when it succeeded.
 */
import {
  fieldAt,
  type Json,
  type JsonObject,
  ServerError,
  type SolxError,
  scalarText,
  stringifyJson,
} from "../../base/index.ts";
import {
  type Endpoint,
  findParamByRole,
  fittingSize,
  type ParameterValues,
  positionalOf,
  returnsList,
} from "../../catalogue/index.ts";
import { findPacking } from "../batch/items.ts";
import type { ClientCore } from "../client.ts";
import {
  createHeadPoller,
  type FindRemoved,
  type HeadCursor,
  type KeyedRow,
  type Removals,
} from "../paging/head-poller.ts";
import type { Page } from "../paging/page.ts";
import { createRowKeyer, hashText } from "../paging/row-keys.ts";
import { compareSnapshots, type Snapshot, takeSnapshot } from "./changes.ts";

/** A request that is polled. */
export interface Watched {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  /** Identifiers, each requested by itself or packed; undefined for the request as it is. */
  readonly inputs?: readonly string[] | undefined;
}

/** What a poll found about one identifier, or about a request without one. */
export interface SubjectNews {
  /** Identifies the subject in every run. */
  readonly subject: string;
  readonly input: string | undefined;
  /** Rows or changes, oldest first. */
  readonly events: readonly KeyedRow[];
  /** Whether nothing was known before: the events are no news. */
  readonly isFirst: boolean;
  /** Whether no event is missing; false when more rows arrived since the last poll than were read. */
  readonly isComplete: boolean;
  /** Why this identifier could not be read, while others could. */
  readonly error?: SolxError | undefined;
  /** What a later run continues from. */
  readonly cursor: () => JsonObject;
}

/** Returns that an identifier could not be read. */
export const failedNews = (subject: string, input: string | undefined, error: SolxError | undefined): SubjectNews => ({
  ...{ subject, input, events: [], isFirst: false, isComplete: true, error },
  cursor: () => ({}),
});

/** When something is polled. */
export interface PollTimes {
  /** Seconds between two polls; on average with a calendar. */
  readonly interval: number;
  /** Returns the next time of its calendar after a time, both in milliseconds since the epoch. */
  readonly nextTime?: ((after: number) => number) | undefined;
}

/** Polls one subject, or several that are requested together. */
export interface Poller extends PollTimes {
  /** The identifiers; undefined for a request without one. */
  readonly inputs: readonly string[] | undefined;
  /** Compute units of a poll. */
  readonly units: number;
  /** Requests of a poll. */
  readonly requests: number;
  /** @throws a SolxError that concerns everything that it polls */
  poll(signal: AbortSignal): Promise<readonly SubjectNews[]>;
}

/** Cursors of an earlier run, by subject. */
export type Cursors = (subject: string) => JsonObject | undefined;

/** Returns the name of a subject: the same in every run. */
export function subjectName({ endpoint, params }: Watched, input: string | undefined): string {
  const others = Object.entries(params).filter(([, value]) => value !== undefined);
  const about = [endpoint.route, others.toSorted()];
  return `${endpoint.command} ${input ?? ""}#${hashText(JSON.stringify(about)).toString(36)}`;
}

/** How pollers are opened. */
interface OpenOptions {
  /** Whether rows are events, of a list that has its newest rows first. */
  readonly grows: boolean;
  readonly times: PollTimes;
  readonly now: () => number;
  readonly cursors?: Cursors | undefined;
  readonly findRemoved?: FindRemoved | undefined;
}

/** Opens the pollers of what is watched. */
export function openPollers(
  client: ClientCore,
  watched: Watched,
  { grows, times, now, findRemoved, cursors = () => undefined }: OpenOptions,
): readonly Poller[] {
  const { endpoint, params, inputs } = watched;
  const [name = ""] = positionalOf(endpoint) ?? [];
  const isPackable = !returnsList(endpoint) || endpoint.isMulti;
  if (inputs !== undefined && isPackable) return [openChanges(client, watched, { now, cursors, times })];
  const each = inputs?.map((input) => ({ ...watched, params: { ...params, [name]: input }, input })) ?? [
    { ...watched, input: scalarText(params[name] as Json) },
  ];
  return each.map(({ input, ...one }) => {
    const subject = subjectName(watched, inputs && input);
    const named = { input, subject, cursors, now, times, findRemoved };
    return grows ? openHead(client, one, named) : openList(client, one, named);
  });
}

interface Named extends Pick<OpenOptions, "now" | "times">, Removals {
  readonly input: string | undefined;
  readonly subject: string;
  readonly cursors: Cursors;
}

const pollerOf = ({ endpoint }: Watched, { input, times }: Named) => ({
  ...times,
  inputs: input === undefined ? undefined : [input],
  units: endpoint.cost.units,
  requests: 1,
});

/** Opens a list that grows at its head. */
function openHead(client: ClientCore, watched: Watched, named: Named): Poller {
  const { endpoint, params } = watched;
  const { input, subject, cursors } = named;
  const { size, first } = pageSizes(endpoint, params);
  const saved = cursors(subject)?.head as unknown as HeadCursor | undefined;
  let isFirst = saved === undefined;
  let signal: AbortSignal | undefined;
  const head = createHeadPoller(
    createRowKeyer(endpoint.identity),
    async (at = {}) => {
      const page = await readPage(client, endpoint, { ...params, ...size, ...at }, signal);
      return { rows: rowsOfPage(page), hasMore: page?.hasMore, next: page?.next };
    },
    saved,
    named,
  );
  return {
    ...pollerOf(watched, named),
    async poll(stop) {
      signal = stop;
      const { rows, isComplete } = await head.poll();
      const events = isFirst ? rows.slice(-first) : rows;
      const cursor = () => ({ head: head.cursor() as unknown as Json });
      const news = { subject, input, events, isFirst, isComplete, cursor };
      isFirst = false;
      return [news];
    },
  };
}

async function readPage(client: ClientCore, endpoint: Endpoint, params: ParameterValues, signal?: AbortSignal) {
  const pages = client.pages(endpoint, params, { signal, priority: "background", fresh: true });
  const page = (await pages.next()).value ?? undefined;
  await pages.return();
  return page;
}

/** @throws ServerError when an answer is not a list; no data counts as an empty list */
function rowsOfPage(page: Page | undefined): readonly Json[] {
  const { rows, data = null, status } = page?.answer ?? {};
  if (rows === undefined && data !== null) {
    throw new ServerError("The answer of the API is not a list.", { code: "MALFORMED", status });
  }
  return rows === undefined ? [] : (page?.rows ?? []);
}

/** Opens an object without identifiers, or the first page of a list, for its changes. */
function openList(client: ClientCore, watched: Watched, named: Named): Poller {
  const { endpoint, params } = watched;
  const compare = createComparison(watched, named);
  return {
    ...pollerOf(watched, named),
    async poll(signal) {
      if (returnsList(endpoint)) return [compare(rowsOfPage(await readPage(client, endpoint, params, signal)))];
      const { data } = await client.fetch(endpoint, params, { signal, priority: "background", fresh: true });
      return [compare([data])];
    },
  };
}

/** Opens the objects of many identifiers, which are packed into requests where the API takes several. */
function openChanges(client: ClientCore, watched: Watched, options: Omit<Named, "input" | "subject">): Poller {
  const { endpoint, params, inputs = [] } = watched;
  const comparisons = new Map(
    inputs.map((input) => {
      const subject = subjectName(watched, input);
      return [input, { subject, compare: createComparison(watched, { input, subject, ...options }) }] as const;
    }),
  );
  return {
    inputs,
    ...options.times,
    units: inputs.length * endpoint.cost.units,
    requests: Math.ceil(inputs.length / (findPacking({ endpoint, params })?.size ?? 1)),
    async poll(signal) {
      const news: SubjectNews[] = [];
      const options = { signal, fresh: true } as const;
      for await (const { input, data = null, error } of client.many(endpoint, inputs, params, options)) {
        const { subject = "", compare } = comparisons.get(input) ?? {};
        news.push(error || !compare ? failedNews(subject, input, error) : compare([data]));
      }
      return news;
    },
  };
}

/** Returns a function that compares rows with the previous ones. */
function createComparison({ endpoint }: Watched, { input, subject, cursors, now }: Named) {
  const saved = cursors(subject)?.rows as JsonObject | undefined;
  let before = saved && (new Map(Object.entries(saved)) as unknown as Snapshot);
  const keyOf = (row: Json, at: number) => {
    if (!returnsList(endpoint) || endpoint.isMulti) return input ?? endpoint.command;
    const values = (endpoint.identity ?? []).map((path) => scalarText(fieldAt(row, path.split("."))));
    return values.every((value) => value === undefined) ? `#${at + 1}` : values.join(" ");
  };
  return (rows: readonly Json[]): SubjectNews => {
    const after = takeSnapshot(rows, keyOf);
    const isFirst = before === undefined;
    const changes = before === undefined ? [] : compareSnapshots(before, after);
    // The same change may happen again.
    const moment = now();
    const events = changes.map((row) => ({ row, key: hashText(`${moment}${stringifyJson(row)}`).toString(36) }));
    before = after;
    const cursor = () => ({ rows: Object.fromEntries(after) as JsonObject });
    return { subject, input, events, isFirst, isComplete: true, cursor };
  };
}

/** Returns the page size of a poll (the maximum, which costs the same) and the number of rows the first poll returns. */
function pageSizes(
  endpoint: Endpoint,
  params: ParameterValues,
): { readonly size: ParameterValues; readonly first: number } {
  const [name = "", param] = findParamByRole(endpoint, "size") ?? [];
  if (!param) return { size: {}, first: Number.POSITIVE_INFINITY };
  const first = Number(params[name] ?? param.default ?? fittingSize(param, 1));
  return { size: { [name]: params[name] ?? fittingSize(param, Number.POSITIVE_INFINITY) }, first };
}
