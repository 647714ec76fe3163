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
export type Effect =
  | { readonly kind: "status"; readonly status: number; readonly retryAfter?: number; readonly asDate?: boolean }
  | { readonly kind: "html" | "empty"; readonly status: number }
  | { readonly kind: "refused"; readonly code: number }
  | { readonly kind: "bad-json" | "wrong-type" | "bad-gzip" | "truncate" | "hang" | "reset" }
  | { readonly kind: "drip"; readonly interval: number }
  | { readonly kind: "latency"; readonly least: number; readonly greatest: number };

/** A fault as it was asked for, and as it is understood. */
interface Fault {
  readonly text: string;
  readonly effect: Effect;
  /** Between 0 and 1. */
  readonly share: number;
  readonly strikes: (endpoint: Endpoint) => boolean;
  readonly isTurn: (call: number) => boolean;
}

/** What happens to a call. */
export interface Strike {
  /** Milliseconds before the answer. */
  readonly delay: number;
  readonly effect: Exclude<Effect, { readonly kind: "latency" }> | undefined;
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
  next(endpoint: Endpoint, request?: string): Strike;
}

const CALM: Strike = { delay: 0, effect: undefined, texts: [] };

const wrong = (text: string, reason: string): UsageError =>
  new UsageError(`The fault "${text}" is not understood: ${reason}.`, { code: "BAD_FAULT", hint: FAULT_HELP });

/** Makes faults; chance is decided by the seed, the request and the number of the call. */
export function createFaults(texts: readonly string[], seed: string): Faults {
  let faults: readonly { readonly fault: Fault; readonly salt: string; calls: number }[] = [];
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
      if (faults.length === 0) return CALM;
      const struck: string[] = [];
      let delay = 0;
      let effect: Strike["effect"];
      for (const counted of faults) {
        const { fault, salt } = counted;
        if (!fault.strikes(endpoint)) continue;
        counted.calls += 1;
        const chance = chanceOf(salt + request);
        if (!isStruck(fault, counted.calls, chance(counted.calls))) continue;
        if (fault.effect.kind === "latency") delay += delayOf(fault.effect, chance(-counted.calls));
        else if (effect) continue;
        else effect = fault.effect;
        struck.push(fault.text);
      }
      return struck.length === 0 ? CALM : { delay, effect, texts: struck };
    },
  };
}

const isStruck = ({ isTurn, share }: Fault, call: number, chance: number): boolean => isTurn(call) && chance < share;

const delayOf = ({ least, greatest }: { least: number; greatest: number }, chance: number): number =>
  Math.round(least + (greatest - least) * chance);

/** Numbers from 0 up to 1 by a call's number, which look like chance: FNV-1a of the seed, then a mixing of bits. */
function chanceOf(seed: string): (call: number) => number {
  let base = 0x811c9dc5;
  for (let at = 0; at < seed.length; at++) base = Math.imul(base ^ seed.charCodeAt(at), 0x01000193);
  return (call) => {
    let bits = base ^ Math.imul(call, 0x9e3779b1);
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
    return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
  };
}

const FORM = /^(?<head>[^@#]*)(?:@(?<place>[^#]*))?(?:#(?<turn>.*))?$/;

function parseFault(text: string): Fault {
  const { head = "", place, turn } = FORM.exec(text.trim())?.groups ?? {};
  if (head === "") throw wrong(text, "it does not say what goes wrong");
  const [first = "", ...options] = head.trim().split(":");
  const share = options.find((option) => option.endsWith("%"));
  const others = options.filter((option) => option !== share);
  return {
    text,
    effect: effectOf(text, first, others),
    share: share === undefined ? 1 : shareOf(text, share),
    strikes: place === undefined ? () => true : placeOf(text, place),
    isTurn: turn === undefined ? () => true : turnOf(text, turn),
  };
}

function effectOf(text: string, first: string, options: readonly string[]): Effect {
  const [kind = "", value] = first.split("=", 2);
  if (/^\d+$/.test(kind) && value === undefined) return statusEffect(text, statusOf(text, kind), options);
  if (options.length > 0) throw wrong(text, `"${options[0]}" does not go with it`);
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
      const [least = "", greatest = least] = (value ?? "").split("..");
      return { kind, least: timeOf(text, least), greatest: timeOf(text, greatest) };
    }
    case "bad-json":
    case "wrong-type":
    case "bad-gzip":
    case "truncate":
    case "hang":
    case "reset":
      if (value === undefined) return { kind };
      throw wrong(text, `${kind} takes no value`);
    default:
      throw wrong(text, `there is no fault "${kind}"`);
  }
}

function statusEffect(text: string, status: number, options: readonly string[]): Effect {
  const [option, ...others] = options;
  if (option === undefined) return { kind: "status", status };
  const [name, value = ""] = option.split("=", 2);
  if (others.length > 0 || (name !== "retry-after" && name !== "retry-after-date")) {
    throw wrong(text, `"${others[0] ?? option}" does not go with a status`);
  }
  return { kind: "status", status, retryAfter: wholeOf(text, value), asDate: name === "retry-after-date" };
}

function statusOf(text: string, value: string, least = 400): number {
  const status = wholeOf(text, value);
  if (status < least || status > 599) throw wrong(text, `statuses are from ${least} to 599`);
  return status;
}

function wholeOf(text: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw wrong(text, `"${value}" is not a whole number`);
  return Number(value);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
/** What a timer takes. */
const LONGEST = 2 ** 31 - 1;

function timeOf(text: string, value: string): number {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(value) ?? [];
  const time = Number(digits) * (UNITS[unit] ?? Number.NaN);
  if (digits === "" || time > LONGEST) throw wrong(text, `"${value}" is not a time such as 200ms or 2s`);
  return time;
}

function shareOf(text: string, option: string): number {
  const share = /^\d+(\.\d+)?%$/.test(option) ? Number(option.slice(0, -1)) / 100 : Number.NaN;
  if (!(share >= 0 && share <= 1)) throw wrong(text, `"${option}" is not a share from 0% to 100%`);
  return share;
}

function placeOf(text: string, place: string): Fault["strikes"] {
  if (place === "") throw wrong(text, 'no route or path follows "@"');
  if (!place.startsWith("/")) {
    const wanted = endpointByRoute(place);
    if (!wanted) throw wrong(text, `there is no route "${place}"`);
    return (endpoint) => endpoint.route === wanted.route;
  }
  const pattern = new RegExp(`^${place.split("*").map(literalOf).join(".*")}$`);
  const matches = ({ family, path }: Endpoint) => pattern.test(path) || pattern.test(FAMILY_PATHS[family] + path);
  const routes = new Set(endpoints.filter(matches).map(({ route }) => route));
  if (routes.size === 0) throw wrong(text, `no endpoint has a path like "${place}"`);
  return (endpoint) => routes.has(endpoint.route);
}

const literalOf = (part: string): string => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

function turnOf(text: string, turn: string): Fault["isTurn"] {
  if (turn === "") throw wrong(text, 'no number follows "#", as in #3, #2-4 or #every5');
  const [, every] = /^every(\d{1,9})$/.exec(turn) ?? [];
  if (every !== undefined && Number(every) > 0) return (call) => call % Number(every) === 0;
  const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(turn) ?? [];
  if (first === undefined || Number(first) < 1) throw wrong(text, `"#${turn}" is not #3, #2-4 or #every5`);
  return (call) => call >= Number(first) && call <= Number(last);
}
