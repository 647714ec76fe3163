/** Answers from recordings: the next one of equal requests, and after the last one that one again. Nothing is sent. */
import { Buffer } from "node:buffer";
import {
  createFolder,
  type ExitName,
  IncompleteError,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  NetworkError,
  NotFoundError,
  nearestName,
  ServerError,
  SolxError,
  stringifyJson,
  throwIfAborted,
  tryParseJson,
  UsageError,
} from "../../base/index.ts";
import { coverageHeader, FAMILY_PATHS, type Family } from "../../catalogue/index.ts";
import type { BaseUrls } from "../../client/index.ts";
import { decodeBody, type HttpRequest, type Transport } from "../api/index.ts";
import { listRecordings, type RecordedFailure, type Recording, readRecording } from "./recording.ts";
import {
  callKey,
  callsOf,
  endpointOfPath,
  normaliseRequest,
  type RecordedCall,
  type RecordedQuery,
  type RecordedRequest,
  requestKey,
  type SentRequest,
} from "./request.ts";

type ReplayResult =
  | { readonly recording: Recording; readonly file: string }
  | { readonly recording: undefined; readonly miss: Miss };

/** A request without a recording. */
export interface Miss {
  /** What differs from the nearest recording. */
  readonly message: string;
  readonly nearest: string | undefined;
  /** Whether other pages of the same list were recorded. */
  readonly isOtherPage?: boolean;
}

/** A file and the request in it; responses are read when they are needed. */
interface Entry {
  readonly file: string;
  readonly request: RecordedRequest;
}

/** A recorded reply to one call of a node. */
interface CallEntry {
  readonly file: string;
  readonly call: RecordedCall;
}

/** Values in recorded order; the last one repeats. */
type Sequence<T> = [T, ...T[]];

const nextOf = <T>(sequence: Sequence<T>): T => (sequence.length > 1 ? (sequence.shift() as T) : sequence[0]);

/** Seconds by which relative times such as 7d may differ: a replay starts its clock when the recording began. */
const MOMENT_SECONDS = 60;

/** Answers requests from a folder of recordings. */
export class Replayer {
  readonly folder: string;
  readonly #entries: Entry[] = [];
  readonly #files = new Set<string>();
  readonly #byKey = new Map<string, Sequence<Entry>>();
  readonly #byCall = new Map<string, Sequence<CallEntry>>();
  /** When pages of lists were recorded that were returned, in milliseconds since the epoch: the latest by list. */
  readonly #listTimes = new Map<string, number>();
  #period = { start: Number.POSITIVE_INFINITY, end: 0 };

  private constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Reads a folder of recordings.
   * @throws UsageError when it cannot be read, has no recordings, or a file is not a recording
   */
  static async open(folder: string, signal?: AbortSignal): Promise<Replayer> {
    const replayer = new Replayer(folder);
    await replayer.scan(signal);
    if (replayer.size > 0) return replayer;
    throw new UsageError(`there are no recordings in ${folder}`, {
      code: "NO_RECORDINGS",
      hint: {
        command: `Record some: solx <command> --record ${folder}`,
        program: "Record some: createClient({ record }).",
      },
    });
  }

  /** Opens a folder to which recordings are added: it may have none yet, or not exist. */
  static async openGrowing(folder: string): Promise<Replayer> {
    createFolder(folder);
    const replayer = new Replayer(folder);
    await replayer.scan();
    return replayer;
  }

  /** Reads the recordings that were added to the folder since. */
  async scan(signal?: AbortSignal): Promise<void> {
    for (const file of await listRecordings(this.folder)) {
      if (this.#files.has(file)) continue;
      this.#files.add(file);
      const { request, response, time } = await readRecording(this.folder, file, signal);
      this.#entries.push({ file, request });
      this.#period = { start: Math.min(this.#period.start, time), end: Math.max(this.#period.end, time) };
      addTo(this.#byKey, requestKey(request), { file, request });
      const isAnswered = response !== undefined && response.status >= 200 && response.status < 300;
      for (const call of isAnswered ? callsOf(request) : []) addTo(this.#byCall, callKey(call), { file, call });
    }
  }

  /** When the first and the last exchange were recorded, in milliseconds since the epoch; undefined for none. */
  get period(): { readonly start: number; readonly end: number } | undefined {
    return this.size === 0 ? undefined : this.#period;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** Returns the recording of a request. @throws UsageError when its file has become unreadable */
  async find(sent: SentRequest): Promise<ReplayResult> {
    const request = normaliseRequest(sent);
    const calls = callsOf(request);
    const equal = this.#byKey.get(requestKey(request));
    if (!equal && calls.length > 0) return this.#assemble(calls, request);
    const sequence = equal ?? this.#sameMoment(request);
    if (!sequence) return this.#miss(request);
    const { file } = nextOf(sequence);
    const recording = await readRecording(this.folder, file);
    return { file, recording: calls.length > 0 ? withIds(recording, calls) : this.#withCoverage(request, recording) };
  }

  /** Returns a page with what it does not cover: where it is older than a page before it, rows had arrived by then. */
  #withCoverage(request: RecordedRequest, recording: Recording): Recording {
    const { list, isFirst } = pageOf(request);
    const latest = isFirst ? 0 : (this.#listTimes.get(list) ?? 0);
    this.#listTimes.set(list, Math.max(latest, recording.time));
    const { response } = recording;
    if (!response || latest - recording.time <= MOMENT_SECONDS * 1000) return recording;
    const headers = { ...response.headers, ...coverageHeader({ missing: [], incomplete: OLDER_PAGE }) };
    return { ...recording, response: { ...response, headers } };
  }

  #sameMoment(request: RecordedRequest): Sequence<Entry> | undefined {
    const ranked = this.#entries
      .map((entry) => ({ entry, seconds: secondsBetween(request, entry.request) }))
      .filter(({ seconds }) => seconds <= MOMENT_SECONDS)
      .toSorted((a, b) => a.seconds - b.seconds);
    const [nearest] = ranked;
    return nearest && this.#byKey.get(requestKey(nearest.entry.request));
  }

  /** Answers calls that were recorded in other batches, or some of which were. */
  async #assemble(calls: readonly RecordedCall[], request: RecordedRequest): Promise<ReplayResult> {
    const missing = calls.find((call) => !this.#byCall.has(callKey(call)));
    if (missing) return this.#missingCall(missing);
    const replies: Json[] = [];
    const files = new Map<string, Recording>();
    for (const call of calls) {
      const { file, call: recorded } = nextOf(this.#byCall.get(callKey(call)) as Sequence<CallEntry>);
      const recording = files.get(file) ?? (await readRecording(this.folder, file));
      files.set(file, recording);
      const reply = repliesOf(recording).find(({ id }) => isSameId(id, recorded.id));
      if (!reply) return this.#missingCall(call);
      replies.push({ ...reply, id: call.id });
    }
    const [[file, { time, response }]] = [...files] as [[string, Recording]];
    const body = isArray(request.body) ? replies : (replies[0] as Json);
    const { status = 200, headers = {} } = response ?? {};
    return { file, recording: { time, request, response: { status, ...bodyOf(body, headers) } } };
  }

  #missingCall({ method, params }: RecordedCall): ReplayResult {
    const known = this.#entries.flatMap(({ file, request }) => callsOf(request).map((call) => ({ file, call })));
    const same = known.filter(({ call }) => call.method === method);
    const ranked = same
      .map(({ file, call }) => ({ file, params: stringifyJson(call.params) }))
      .toSorted(
        (a, b) => commonLength(b.params, stringifyJson(params)) - commonLength(a.params, stringifyJson(params)),
      );
    const [nearest] = ranked;
    const methods = [...new Set(known.map(({ call }) => call.method))];
    const isOtherPage = same.some(({ call }) => isSignatureList(call, { method, params }));
    const message = nearest
      ? `No recording of ${method} with these parameters. The nearest one has ${shorten(nearest.params)} instead of ${shorten(stringifyJson(params))}`
      : `No recording of ${method}. Recorded: ${methods.slice(0, 8).join(", ") || "no calls of a node"}`;
    return missOf(message, nearest?.file, isOtherPage);
  }

  #miss(request: RecordedRequest): ReplayResult {
    const target = `${request.method} ${request.path}`;
    const candidates = this.#entries.filter(
      ({ request: recorded }) => recorded.method === request.method && recorded.path === request.path,
    );
    const ranked = candidates
      .map(({ file, request: recorded }) => ({ file, differences: compareRequests(request, recorded) }))
      .toSorted((a, b) => measureDistance(a.differences) - measureDistance(b.differences));
    const [nearest] = ranked;
    if (nearest) {
      const differences = describeDifferences(nearest.differences);
      const { list } = pageOf(request);
      const pages = candidates.filter(({ request: recorded }) => pageOf(recorded).list === list);
      const message = `No recording of ${target} with these parameters: ${differences}`;
      return missOf(`${message}${recordedPages(pages)}`, nearest.file, pages.length > 0);
    }
    const paths = [...new Set(this.#entries.map(({ request: recorded }) => recorded.path))];
    const path = nearestName(request.path, paths);
    const file = this.#entries.find(({ request: recorded }) => recorded.path === path)?.file;
    return missOf(`No recording of ${target}${path === undefined ? "" : `. The nearest path is ${path}`}`, file);
  }
}

/** Parameters that select a page, or the time at which a list is read. */
const PAGE_ROLES: ReadonlySet<string | undefined> = new Set(["page", "offset", "cursor", "to"]);

/** Why rows may be missing where pages are of several readings. */
const OLDER_PAGE = "A page was recorded before the page before it: rows between them may be missing.";

/** Returns what is equal for all pages of a list, and whether a page is the first one, or does not depend on others. */
function pageOf({ path, query }: RecordedRequest): { readonly list: string; readonly isFirst: boolean } {
  const params = endpointOfPath(path)?.query ?? {};
  const rest = Object.entries(query).filter(([name]) => !PAGE_ROLES.has(params[name]?.role));
  const isNumbered = Object.keys(query).some((name) => ["page", "offset"].includes(params[name]?.role ?? ""));
  return { list: `${path} ${JSON.stringify(rest)}`, isFirst: !isNumbered };
}

/** Pages that a message names. */
const MAX_PAGES = 8;

/** Returns a part of a sentence that names the recorded pages of a list; empty for none. */
function recordedPages(entries: readonly Entry[]): string {
  const names = entries.map(({ request: { path, query } }) => {
    const params = endpointOfPath(path)?.query ?? {};
    const place = Object.entries(query).filter(([name]) => PAGE_ROLES.has(params[name]?.role));
    return place.map(([name, value]) => `${name} ${valueText(String(value))}`).join(" ") || "the first page";
  });
  const unique = [...new Set(names)];
  const others = unique.length > MAX_PAGES ? ` and ${unique.length - MAX_PAGES} more` : "";
  return unique.length === 0 ? "" : `. Recorded: ${unique.slice(0, MAX_PAGES).join(", ")}${others}`;
}

/** Whether two calls list the signatures of one address. */
const isSignatureList = (one: Pick<RecordedCall, "method" | "params">, other: typeof one): boolean =>
  [one, other].every(({ method }) => method === "getSignaturesForAddress") &&
  isArray(one.params) &&
  isArray(other.params) &&
  one.params[0] === other.params[0];

function missError({ message, nearest, isOtherPage }: Miss, folder: string): SolxError {
  // Of a list that was recorded in part, it is not proved where it ends.
  return new (isOtherPage ? IncompleteError : NotFoundError)(`${message}.`, {
    code: MISS_CODE,
    hint: nearest === undefined ? `The recordings are in ${folder}` : `The nearest recording: ${folder}/${nearest}`,
  });
}

/** The code of errors about requests without a recording. */
export const MISS_CODE = "NO_RECORDING";

const missOf = (message: string, nearest: string | undefined, isOtherPage = false): ReplayResult => ({
  recording: undefined,
  miss: { message, nearest, isOtherPage },
});

function addTo<T>(sequences: Map<string, Sequence<T>>, key: string, value: T): void {
  const sequence = sequences.get(key);
  if (sequence) sequence.push(value);
  else sequences.set(key, [value]);
}

function repliesOf({ response }: Recording): readonly JsonObject[] {
  // A response that is not JSON is not one of a node but, for example, the page of a proxy.
  const value = response && tryParseJson(response.body.toString("utf8"));
  return (isArray(value) ? value : [value]).filter(isObject);
}

function withIds(recording: Recording, calls: readonly RecordedCall[]): Recording {
  const { response, request } = recording;
  const recorded = callsOf(request);
  const isSame = recorded.every(({ id }, at) => isSameId(id, calls[at]?.id));
  const replies = repliesOf(recording);
  if (isSame || !response || replies.length === 0) return recording;
  const renamed = replies.map((reply): JsonObject => {
    const at = recorded.findIndex(({ id }) => isSameId(id, reply.id));
    return at < 0 ? reply : { ...reply, id: (calls[at] as RecordedCall).id };
  });
  const isList = response.body.toString("latin1", 0, 64).trimStart().startsWith("[");
  const body = isList ? renamed : (renamed[0] as Json);
  return { ...recording, response: { ...response, ...bodyOf(body, response.headers) } };
}

const isSameId = (a: Json | undefined, b: Json | undefined) => stringifyJson(a ?? null) === stringifyJson(b ?? null);

function bodyOf(value: Json, headers: Readonly<Record<string, string>>) {
  const body = Buffer.from(stringifyJson(value));
  return { body, headers: { ...headers, "content-length": String(body.length) } };
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

const shorten = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** A parameter that differs; undefined is the default, or none. */
interface Difference {
  readonly name: string;
  readonly requested: string | undefined;
  readonly recorded: string | undefined;
}

function compareRequests(request: RecordedRequest, recorded: RecordedRequest): readonly Difference[] {
  const values = (query: RecordedQuery) => new Map(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const [left, right] = [values(request.query), values(recorded.query)];
  left.set("method", request.method).set("path", request.path);
  right.set("method", recorded.method).set("path", recorded.path);
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((name) => {
    const difference = { name, requested: left.get(name), recorded: right.get(name) };
    return difference.requested === difference.recorded ? [] : [difference];
  });
}

/** Returns by how many seconds the times of two requests differ; infinity where anything else does. */
function secondsBetween(request: RecordedRequest, recorded: RecordedRequest): number {
  if (request.path !== recorded.path) return Number.POSITIVE_INFINITY;
  const query = endpointOfPath(request.path)?.query ?? {};
  return compareRequests(request, recorded).reduce((sum, { name, requested, recorded: value }) => {
    const isTime = query[name]?.type === "time" && requested !== undefined && value !== undefined;
    return isTime ? sum + Math.abs(Number(requested) - Number(value)) : Number.POSITIVE_INFINITY;
  }, 0);
}

/** Returns how far differences are apart: first by their number, then by the distance of numbers. */
function measureDistance(differences: readonly Difference[]): number {
  const distances = differences.map(({ requested, recorded }) => Math.abs(Number(requested) - Number(recorded)));
  const sum = distances.reduce((total, distance) => total + (Number.isNaN(distance) ? 0 : distance), 0);
  return differences.length + sum / (1 + sum);
}

/** Characters of a value in a message. */
const MAX_LENGTH = 48;

/** Returns differences as a part of a sentence: `page is 3, recorded is 2`. */
function describeDifferences(differences: readonly Difference[]): string {
  return differences
    .map(({ name, requested, recorded }) => `${name} is ${valueText(requested)}, recorded is ${valueText(recorded)}`)
    .join("; ");
}

function valueText(value: string | undefined): string {
  if (value === undefined) return "not set";
  return value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value;
}

/** What recorded requests are sent to: the servers of the API, or a node, whose path can contain a key. */
export type RecordedTarget = BaseUrls | "node";

/**
 * Returns a transport over a folder of recordings, which is read with the first request.
 * @throws UsageError when the folder cannot be used; from `send` for a request without a recording, IncompleteError where
 * other pages of the same list were recorded
 */
export async function createReplayTransport(folder: string, target: RecordedTarget): Promise<Transport> {
  const replayer = await Replayer.open(folder);
  return {
    async send(request) {
      throwIfAborted(request.signal);
      const result = await replayer.find(sentRequest(request, target));
      if (!result.recording) throw missError(result.miss, folder);
      const { response, failure } = result.recording;
      if (!response) throw failureError(failure as RecordedFailure);
      const { status, headers, body } = response;
      const { url, raw } = request;
      return { source: "The recording", url, status, headers, ...decodeBody(body, { url, status }, raw) };
    },
    close: async () => {},
  };
}

function failureError({ exit, code, message, retryable }: RecordedFailure): SolxError {
  const details = { code, retryable };
  if (exit === "network") return new NetworkError(message, details);
  if (exit === "server") return new ServerError(message, details);
  return new SolxError(exit as ExitName, message, details);
}

/** Returns a request with its path as the sandbox serves it, whatever the server is. */
export function sentRequest({ method = "GET", url, body }: HttpRequest, target: RecordedTarget): SentRequest {
  if (target === "node") return { method, path: "/", query: [], body };
  return { method, path: relativePath(url, target), query: url.searchParams, body };
}

function relativePath({ origin, pathname }: URL, baseUrls: BaseUrls): string {
  const address = origin + pathname;
  const families = (Object.keys(baseUrls) as Family[]).toSorted((a, b) => baseUrls[b].length - baseUrls[a].length);
  const family = families.find((name) => address.startsWith(`${baseUrls[name]}/`));
  return family === undefined ? pathname : FAMILY_PATHS[family] + address.slice(baseUrls[family].length);
}
