/**
 * Parses and triggers faults. A fault is an effect with options:
 *
 *     500   429:retry-after=2   503:retry-after-date=5     a status from 400 to 599, with the API's message
 *     html   html=503                                      an HTML page of a gateway (502)
 *     empty   empty=204                                    no body (200)
 *     refused   refused=1100                               success: false with status 200 and a code (500)
 *     bad-json   wrong-type   bad-gzip                     invalid JSON, declared as HTML, declared as gzip
 *     truncate   drip   drip=1s   hang   reset             connection: half an answer, a byte at a time (100ms), no
 *                                                          answer, closed without an answer
 *     latency=200ms   latency=1s..3s                       a delayed answer; combines with any other fault
 *
 * followed by the calls that it applies to, by default all:
 *
 *     500:10%                        a share of calls; the same requests for the same seed
 *     500@v2-account-transfer        calls of a route
 *     500@/account/*                 calls of a path, with or without the prefix of the family
 *     500@client=ann                 calls of a client, named by its base URL (see request.ts)
 *     500#3   500#2-4   500#every5   the third, the second to fourth, every fifth matching call
 *     500@client#3                   the third matching call of each client
 *
 * Calls are counted per fault, with `@client` per fault and client. If several faults match a call, the first one
 * applies; latencies add up.
 */
import { UsageError } from "../../base/index.ts";
import { type Endpoint, endpointByRoute, endpoints, FAMILY_PATHS } from "../../catalogue/index.ts";
import { FAULT_HELP } from "./fault-help.ts";
import { CLIENT_NAME } from "./request.ts";

/** The effect of a fault. Times are in milliseconds, retryAfter in seconds. */
export type FaultEffect =
  | { readonly kind: "status"; readonly status: number; readonly retryAfter?: number; readonly asDate?: boolean }
  | { readonly kind: "html" | "empty"; readonly status: number }
  | { readonly kind: "refused"; readonly code: number }
  | { readonly kind: "bad-json" | "wrong-type" | "bad-gzip" | "truncate" | "hang" | "reset" }
  | { readonly kind: "drip"; readonly interval: number }
  | { readonly kind: "latency"; readonly minimum: number; readonly maximum: number };

interface ParsedFault {
  readonly text: string;
  readonly effect: FaultEffect;
  /** Share of the matching calls, from 0 to 1. */
  readonly share: number;
  readonly appliesTo: (endpoint: Endpoint) => boolean;
  /** Whether calls are counted per client: those of one, or "" for each of them. */
  readonly client: string | undefined;
  readonly matchesCall: (call: number) => boolean;
}

/** The faults that apply to a call. */
export interface FaultOutcome {
  readonly delay: number;
  readonly effect: Exclude<FaultEffect, { readonly kind: "latency" }> | undefined;
  /** The texts of the faults; empty when none applies. */
  readonly texts: readonly string[];
}

/** The configured faults. */
export interface Faults {
  readonly list: readonly string[];
  /** Replaces all faults and resets the call numbers. Throws UsageError for an invalid fault, and changes nothing. */
  set(texts: readonly string[]): void;
  /**
   * Returns the faults that apply to the next call of an endpoint.
   * @param request path and query, which randomness depends on in addition to the call number: otherwise the first call
   * of every short run would have the same outcome
   * @param client the name of the client; "" for clients without a name
   */
  next(endpoint: Endpoint, request?: string, client?: string): FaultOutcome;
}

const NO_FAULTS: FaultOutcome = { delay: 0, effect: undefined, texts: [] };

const invalidFault = (text: string, reason: string): UsageError =>
  new UsageError(`Invalid fault "${text}": ${reason}.`, { code: "BAD_FAULT", hint: FAULT_HELP });

/** Creates faults; the seed, the request and the call number determine the randomness. */
export function createFaults(texts: readonly string[], seed: string): Faults {
  let faults: readonly CountedFault[] = [];
  const set = (list: readonly string[]) => {
    faults = list.map((text, at) => ({ fault: parseFault(text), salt: `${seed} ${at} ${text}`, calls: new Map() }));
  };
  set(texts);
  return {
    get list() {
      return faults.map(({ fault }) => fault.text);
    },
    set,
    next(endpoint, request = "", client = "") {
      if (faults.length === 0) return NO_FAULTS;
      const triggered: string[] = [];
      let delay = 0;
      let effect: FaultOutcome["effect"];
      for (const counted of faults) {
        const { fault, salt } = counted;
        const call = countCall(counted, endpoint, client);
        if (call === undefined) continue;
        const chance = createChance(salt + request);
        if (!fault.matchesCall(call) || chance(call) >= fault.share) continue;
        if (fault.effect.kind === "latency") delay += delayOf(fault.effect, chance(-call));
        else if (effect) continue;
        else effect = fault.effect;
        triggered.push(fault.text);
      }
      return triggered.length === 0 ? NO_FAULTS : { delay, effect, texts: triggered };
    },
  };
}

/** A fault and the number of its calls so far: of all clients under "", else by the name of the client. */
interface CountedFault {
  readonly fault: ParsedFault;
  readonly salt: string;
  readonly calls: Map<string, number>;
}

function countCall({ fault, calls }: CountedFault, endpoint: Endpoint, client: string): number | undefined {
  if (!fault.appliesTo(endpoint) || (fault.client && fault.client !== client)) return undefined;
  const counter = fault.client === undefined ? "" : client;
  const call = (calls.get(counter) ?? 0) + 1;
  calls.set(counter, call);
  return call;
}

const delayOf = ({ minimum, maximum }: { minimum: number; maximum: number }, chance: number): number =>
  Math.round(minimum + (maximum - minimum) * chance);

/** Returns pseudo-random numbers from 0 to 1 (exclusive) by call number: FNV-1a of the seed, then bit mixing. */
function createChance(seed: string): (call: number) => number {
  let base = 0x811c9dc5;
  for (let at = 0; at < seed.length; at++) base = Math.imul(base ^ seed.charCodeAt(at), 0x01000193);
  return (call) => {
    let bits = base ^ Math.imul(call, 0x9e3779b1);
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
    return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
  };
}

const FAULT_PATTERN =
  /^(?<head>[^@#]*)(?:@(?!client\b)(?<target>[^@#]*))?(?:@client(?:=(?<client>[^#]*)|(?<all>)(?=#|$)))?(?:#(?<calls>.*))?$/;

function parseFault(text: string): ParsedFault {
  const match = FAULT_PATTERN.exec(text.trim())?.groups;
  if (!match) throw invalidFault(text, "expected the effect, then @route or @path, @client and #calls in this order");
  const { head = "", target, client, all, calls } = match;
  if (client !== undefined && !CLIENT_NAME.test(client)) {
    throw invalidFault(text, 'expected a name of letters, digits, ".", "_" and "-" after "@client="');
  }
  if (head === "") throw invalidFault(text, "the effect is missing");
  const [first = "", ...options] = head.trim().split(":");
  const share = options.find((option) => option.endsWith("%"));
  const others = options.filter((option) => option !== share);
  return {
    text,
    effect: parseEffect(text, first, others),
    share: share === undefined ? 1 : parseShare(text, share),
    client: client ?? all,
    appliesTo: target === undefined ? () => true : parseTarget(text, target),
    matchesCall: calls === undefined ? () => true : parseCallSelector(text, calls),
  };
}

function parseEffect(text: string, first: string, options: readonly string[]): FaultEffect {
  const [kind = "", value] = first.split("=", 2);
  if (/^\d+$/.test(kind) && value === undefined) return statusEffect(text, parseStatus(text, kind), options);
  if (options.length > 0) throw invalidFault(text, `"${options[0]}" is not an option of ${kind}`);
  switch (kind) {
    case "html":
      return { kind, status: value === undefined ? 502 : parseStatus(text, value, 200) };
    case "empty":
      return { kind, status: value === undefined ? 200 : parseStatus(text, value, 200) };
    case "refused":
      return { kind, code: value === undefined ? 500 : parseWhole(text, value) };
    case "drip":
      return { kind, interval: value === undefined ? 100 : parseMilliseconds(text, value) };
    case "latency": {
      const [minimum = "", maximum = minimum] = (value ?? "").split("..");
      return { kind, minimum: parseMilliseconds(text, minimum), maximum: parseMilliseconds(text, maximum) };
    }
    case "bad-json":
    case "wrong-type":
    case "bad-gzip":
    case "truncate":
    case "hang":
    case "reset":
      if (value === undefined) return { kind };
      throw invalidFault(text, `${kind} takes no value`);
    default:
      throw invalidFault(text, `unknown effect "${kind}"`);
  }
}

function statusEffect(text: string, status: number, options: readonly string[]): FaultEffect {
  const [option, ...others] = options;
  if (option === undefined) return { kind: "status", status };
  const [name, value = ""] = option.split("=", 2);
  if (others.length > 0 || (name !== "retry-after" && name !== "retry-after-date")) {
    throw invalidFault(text, `"${others[0] ?? option}" is not an option of a status`);
  }
  return { kind: "status", status, retryAfter: parseWhole(text, value), asDate: name === "retry-after-date" };
}

function parseStatus(text: string, value: string, minimum = 400): number {
  const status = parseWhole(text, value);
  if (status < minimum || status > 599) throw invalidFault(text, `expected a status from ${minimum} to 599`);
  return status;
}

function parseWhole(text: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw invalidFault(text, `"${value}" is not a whole number`);
  return Number(value);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
const MAX_TIMER_MS = 2 ** 31 - 1;

function parseMilliseconds(text: string, value: string): number {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(value) ?? [];
  const time = Number(digits) * (UNITS[unit] ?? Number.NaN);
  if (digits === "" || time > MAX_TIMER_MS) throw invalidFault(text, `"${value}" is not a duration (200ms, 2s)`);
  return time;
}

function parseShare(text: string, option: string): number {
  const share = /^\d+(\.\d+)?%$/.test(option) ? Number(option.slice(0, -1)) / 100 : Number.NaN;
  if (!(share >= 0 && share <= 1)) throw invalidFault(text, `"${option}" is not a percentage from 0% to 100%`);
  return share;
}

function parseTarget(text: string, target: string): ParsedFault["appliesTo"] {
  if (target === "") throw invalidFault(text, 'expected a route or path after "@"');
  if (!target.startsWith("/")) {
    const selected = endpointByRoute(target);
    if (!selected) throw invalidFault(text, `unknown route "${target}"`);
    return (endpoint) => endpoint.route === selected.route;
  }
  const pattern = new RegExp(`^${target.split("*").map(literalOf).join(".*")}$`);
  const matches = ({ family, path }: Endpoint) => pattern.test(path) || pattern.test(FAMILY_PATHS[family] + path);
  const routes = new Set(endpoints.filter(matches).map(({ route }) => route));
  if (routes.size === 0) throw invalidFault(text, `no endpoint matches the path "${target}"`);
  return (endpoint) => routes.has(endpoint.route);
}

const literalOf = (part: string): string => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

function parseCallSelector(text: string, calls: string): ParsedFault["matchesCall"] {
  if (calls === "") throw invalidFault(text, 'expected a number after "#", e.g. #3, #2-4 or #every5');
  const [, every] = /^every(\d{1,9})$/.exec(calls) ?? [];
  if (every !== undefined && Number(every) > 0) return (call) => call % Number(every) === 0;
  const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(calls) ?? [];
  if (first === undefined || Number(first) < 1)
    throw invalidFault(text, `expected e.g. #3, #2-4 or #every5, not "#${calls}"`);
  return (call) => call >= Number(first) && call <= Number(last);
}
