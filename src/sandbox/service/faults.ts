/**
 * Faults on demand: what goes wrong, with which calls. A fault is a word, with options:
 *
 *     500   429:retry-after=2   503:retry-after-date=5     a status from 400 to 599, with the API's words
 *     html   html=503                                      a gateway's page (502)
 *     empty   empty=204                                    no body (200)
 *     refused   refused=1100                               success: false under 200, with a code (500)
 *     bad-json   wrong-type   bad-gzip                     a body that is no JSON, is called HTML, is not the gzip it says
 *     truncate   drip   drip=1s   hang   reset             on the connection: breaks off, a byte at a time (100ms), nothing,
 *                                                          an end without an answer
 *     latency=200ms   latency=1s..3s                       the answer comes later; goes with any other fault
 *
 * and says which calls it strikes, all of these by default:
 *
 *     500:10%                        a tenth of them: for the same seed, the same ones of the same requests
 *     500@v2-account-transfer        those of a route
 *     500@/account/*                 those of a path, with or without the family's prefix
 *     500#3   500#2-4   500#every5   the third, the second to fourth, every fifth of those that it could strike
 *
 * Calls are counted for each fault. Of several faults that strike a call the first one counts; latencies add up.
 */
import { UsageError } from "../../base/index.ts";
import { type Endpoint, endpointByRoute, endpoints, FAMILY_PATHS } from "../../catalogue/index.ts";

import { FAULT_HELP } from "./fault-help.ts";

export { FAULT_HELP };

/** What goes wrong. Times in milliseconds, retryAfter in seconds. */
export type FaultEffect =
  | { readonly kind: "status"; readonly status: number; readonly retryAfter?: number; readonly asDate?: boolean }
  | { readonly kind: "html" | "empty"; readonly status: number }
  | { readonly kind: "refused"; readonly code: number }
  | { readonly kind: "bad-json" | "wrong-type" | "bad-gzip" | "truncate" | "hang" | "reset" }
  | { readonly kind: "drip"; readonly interval: number }
  | { readonly kind: "latency"; readonly minimum: number; readonly maximum: number };

/** A fault as it was asked for, and as it is understood. */
interface ParsedFault {
  readonly text: string;
  readonly effect: FaultEffect;
  /** Between 0 and 1. */
  readonly share: number;
  readonly appliesTo: (endpoint: Endpoint) => boolean;
  readonly matchesCall: (call: number) => boolean;
}

/** What happens to a call. */
export interface FaultOutcome {
  /** Milliseconds before the answer. */
  readonly delay: number;
  readonly effect: Exclude<FaultEffect, { readonly kind: "latency" }> | undefined;
  /** The faults as they were asked for; empty when there is none. */
  readonly texts: readonly string[];
}

/** The faults in force. */
export interface Faults {
  readonly list: readonly string[];
  /**
   * Replaces all faults; counting begins anew.
   * @throws UsageError for a text that is no fault; then nothing changes
   */
  set(texts: readonly string[]): void;
  /**
   * What happens to the next call of an endpoint.
   * @param request its path and query, on which chance depends beside the number of the call: else all of many short runs
   *   would have the luck of one
   */
  next(endpoint: Endpoint, request?: string): FaultOutcome;
}

const NO_FAULTS: FaultOutcome = { delay: 0, effect: undefined, texts: [] };

const invalidFault = (text: string, reason: string): UsageError =>
  new UsageError(`The fault "${text}" is not understood: ${reason}.`, { code: "BAD_FAULT", hint: FAULT_HELP });

/** Makes faults; chance is decided by the seed, the request and the number of the call. */
export function createFaults(texts: readonly string[], seed: string): Faults {
  let faults: readonly { readonly fault: ParsedFault; readonly salt: string; calls: number }[] = [];
  const set = (list: readonly string[]) => {
    faults = list.map((text, at) => ({ fault: parseFault(text), salt: `${seed} ${at} ${text}`, calls: 0 }));
  };
  set(texts);
  return {
    get list() {
      return faults.map(({ fault }) => fault.text);
    },
    set,
    next(endpoint, request = "") {
      if (faults.length === 0) return NO_FAULTS;
      const triggered: string[] = [];
      let delay = 0;
      let effect: FaultOutcome["effect"];
      for (const counted of faults) {
        const { fault, salt } = counted;
        if (!fault.appliesTo(endpoint)) continue;
        counted.calls += 1;
        const chance = createChance(salt + request);
        if (!isTriggered(fault, counted.calls, chance(counted.calls))) continue;
        if (fault.effect.kind === "latency") delay += delayOf(fault.effect, chance(-counted.calls));
        else if (effect) continue;
        else effect = fault.effect;
        triggered.push(fault.text);
      }
      return triggered.length === 0 ? NO_FAULTS : { delay, effect, texts: triggered };
    },
  };
}

const isTriggered = ({ matchesCall, share }: ParsedFault, call: number, chance: number): boolean =>
  matchesCall(call) && chance < share;

const delayOf = ({ minimum, maximum }: { minimum: number; maximum: number }, chance: number): number =>
  Math.round(minimum + (maximum - minimum) * chance);

/** Numbers from 0 up to 1 by a call's number, which look like chance: FNV-1a of the seed, then a mixing of bits. */
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

const FAULT_PATTERN = /^(?<head>[^@#]*)(?:@(?<place>[^#]*))?(?:#(?<turn>.*))?$/;

function parseFault(text: string): ParsedFault {
  const { head = "", place, turn } = FAULT_PATTERN.exec(text.trim())?.groups ?? {};
  if (head === "") throw invalidFault(text, "it does not say what goes wrong");
  const [first = "", ...options] = head.trim().split(":");
  const share = options.find((option) => option.endsWith("%"));
  const others = options.filter((option) => option !== share);
  return {
    text,
    effect: effectOf(text, first, others),
    share: share === undefined ? 1 : shareOf(text, share),
    appliesTo: place === undefined ? () => true : parseTarget(text, place),
    matchesCall: turn === undefined ? () => true : parseCallSelector(text, turn),
  };
}

function effectOf(text: string, first: string, options: readonly string[]): FaultEffect {
  const [kind = "", value] = first.split("=", 2);
  if (/^\d+$/.test(kind) && value === undefined) return statusEffect(text, statusOf(text, kind), options);
  if (options.length > 0) throw invalidFault(text, `"${options[0]}" does not go with it`);
  switch (kind) {
    case "html":
      return { kind, status: value === undefined ? 502 : statusOf(text, value, 200) };
    case "empty":
      return { kind, status: value === undefined ? 200 : statusOf(text, value, 200) };
    case "refused":
      return { kind, code: value === undefined ? 500 : wholeOf(text, value) };
    case "drip":
      return { kind, interval: value === undefined ? 100 : timeOf(text, value) };
    case "latency": {
      const [minimum = "", maximum = minimum] = (value ?? "").split("..");
      return { kind, minimum: timeOf(text, minimum), maximum: timeOf(text, maximum) };
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
      throw invalidFault(text, `there is no fault "${kind}"`);
  }
}

function statusEffect(text: string, status: number, options: readonly string[]): FaultEffect {
  const [option, ...others] = options;
  if (option === undefined) return { kind: "status", status };
  const [name, value = ""] = option.split("=", 2);
  if (others.length > 0 || (name !== "retry-after" && name !== "retry-after-date")) {
    throw invalidFault(text, `"${others[0] ?? option}" does not go with a status`);
  }
  return { kind: "status", status, retryAfter: wholeOf(text, value), asDate: name === "retry-after-date" };
}

function statusOf(text: string, value: string, minimum = 400): number {
  const status = wholeOf(text, value);
  if (status < minimum || status > 599) throw invalidFault(text, `statuses are from ${minimum} to 599`);
  return status;
}

function wholeOf(text: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw invalidFault(text, `"${value}" is not a whole number`);
  return Number(value);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
/** What a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function timeOf(text: string, value: string): number {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(value) ?? [];
  const time = Number(digits) * (UNITS[unit] ?? Number.NaN);
  if (digits === "" || time > MAX_TIMER_MS) throw invalidFault(text, `"${value}" is not a time such as 200ms or 2s`);
  return time;
}

function shareOf(text: string, option: string): number {
  const share = /^\d+(\.\d+)?%$/.test(option) ? Number(option.slice(0, -1)) / 100 : Number.NaN;
  if (!(share >= 0 && share <= 1)) throw invalidFault(text, `"${option}" is not a share from 0% to 100%`);
  return share;
}

function parseTarget(text: string, place: string): ParsedFault["appliesTo"] {
  if (place === "") throw invalidFault(text, 'no route or path follows "@"');
  if (!place.startsWith("/")) {
    const selected = endpointByRoute(place);
    if (!selected) throw invalidFault(text, `there is no route "${place}"`);
    return (endpoint) => endpoint.route === selected.route;
  }
  const pattern = new RegExp(`^${place.split("*").map(literalOf).join(".*")}$`);
  const matches = ({ family, path }: Endpoint) => pattern.test(path) || pattern.test(FAMILY_PATHS[family] + path);
  const routes = new Set(endpoints.filter(matches).map(({ route }) => route));
  if (routes.size === 0) throw invalidFault(text, `no endpoint has a path like "${place}"`);
  return (endpoint) => routes.has(endpoint.route);
}

const literalOf = (part: string): string => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

function parseCallSelector(text: string, turn: string): ParsedFault["matchesCall"] {
  if (turn === "") throw invalidFault(text, 'no number follows "#", as in #3, #2-4 or #every5');
  const [, every] = /^every(\d{1,9})$/.exec(turn) ?? [];
  if (every !== undefined && Number(every) > 0) return (call) => call % Number(every) === 0;
  const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(turn) ?? [];
  if (first === undefined || Number(first) < 1) throw invalidFault(text, `"#${turn}" is not #3, #2-4 or #every5`);
  return (call) => call >= Number(first) && call <= Number(last);
}
