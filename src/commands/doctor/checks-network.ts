/** Checks of the way to the servers: certificates, proxy, each server, the clock. */

import { SolxError, toSentence, UsageError } from "../../base/errors.ts";
import { pluralize } from "../../base/text.ts";
import { FAMILIES, type Family } from "../../catalogue/constants.ts";
import { displayProxy, resolveProxy } from "../../client/index.ts";
import type { Env } from "../../config/index.ts";
import type { CheckContext } from "./context.ts";
import type { Check, Outcome } from "./finding.ts";
import { isApi, type Probe, type Steps } from "./probe.ts";

/** Milliseconds beyond which an answer is slow. */
const SLOW_MS = 3000;
/** Seconds that a clock may be off: beyond the first, windows of time are wrong; beyond the second, TLS may fail. */
const SKEW_SECONDS = { tolerable: 5, severe: 300 } as const;

const certificates: Check = {
  area: "network",
  name: "certificates",
  run: async (checkContext) => {
    if (checkContext.settings.sandbox) return [];
    return [await customCertificates(checkContext), ...trustOutcomes(checkContext.context.io.env)].filter(
      (one) => one !== undefined,
    );
  },
};

async function customCertificates({ settings, clientOptions }: CheckContext): Promise<Outcome | undefined> {
  const { value: path = null, origin } = settings.resolve("ca-cert");
  if (path === null) return undefined;
  try {
    await clientOptions();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const hint = "Name a file of certificates in PEM: --ca-cert <file>. Or none: solx config unset ca-cert";
    return { level: "problem", value: path, message: toSentence(error), hint };
  }
  return { level: "ok", value: path, message: `${path} is trusted beside the system's (${origin})` };
}

/** What variables of Node change about whom it trusts. */
export function trustOutcomes(env: Env): readonly Outcome[] {
  const { NODE_TLS_REJECT_UNAUTHORIZED: checked, NODE_EXTRA_CA_CERTS: more } = env;
  const unchecked: Outcome = {
    level: "warning",
    value: "NODE_TLS_REJECT_UNAUTHORIZED",
    message: "NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked, and anyone on the way can read the key.",
    hint: "Unset it, and name the authority that is missing: --ca-cert <file>",
  };
  const trusted: Outcome = { level: "ok", value: more ?? null, message: `NODE_EXTRA_CA_CERTS=${more} is trusted too` };
  return [...(checked === "0" ? [unchecked] : []), ...(more ? [trusted] : [])];
}

const PROXY_VARIABLES = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"] as const;

const proxy: Check = {
  area: "network",
  name: "proxy",
  run: async ({ settings, context: { io } }) => {
    if (settings.sandbox) return [];
    const variables = PROXY_VARIABLES.flatMap((name) => readVariable(name, io.env));
    const routes = FAMILIES.map((family) => {
      const proxyUrl = resolveProxy(new URL(settings.baseUrls()[family]), io.env);
      return [family, proxyUrl ? displayProxy(proxyUrl) : null] as const;
    });
    const value = { variables: Object.fromEntries(variables), through: Object.fromEntries(routes) };
    const used = routes.filter(([, proxyUrl]) => proxyUrl !== null);
    const description = variables.map(([name, text]) => `${name}=${text}`).join(", ");
    const through = used.map(([family, proxyUrl]) => `${family} through ${proxyUrl}`).join(", ");
    const message =
      variables.length === 0
        ? "none; no variable names one"
        : `${used.length === 0 ? "not used" : through} (${description})`;
    return [{ level: "ok", value, message }, ...unreadVariables(io.env, used.length === 0)];
  },
};

/** The variable under both of its names, without a password. */
function readVariable(name: string, env: Env): readonly (readonly [string, string])[] {
  const variableName = [name.toLowerCase(), name].find((one) => (env[one] ?? "").trim() !== "");
  if (variableName === undefined) return [];
  const text = (env[variableName] ?? "").trim();
  return [[variableName, name === "NO_PROXY" ? text : text.replace(/^([^/]*\/\/)?[^/@]*@/, "$1***@")]];
}

/** A note for a variable that other programs read and solx does not. */
function unreadVariables(env: Env, isDirect: boolean): readonly Outcome[] {
  if (!isDirect || readVariable("ALL_PROXY", env).length === 0) return [];
  return [{ level: "warning", value: "ALL_PROXY", message: "ALL_PROXY is not read.", hint: "Set HTTPS_PROXY to it." }];
}

function serverCheck(family: Family): Check {
  return {
    area: "network",
    name: family,
    sends: true,
    run: async (checkContext) => {
      const probe = await checkContext.probe(family);
      // Nothing was sent: the settings are what is wrong.
      if (probe.reply === undefined && probe.error?.exit === "usage") throw probe.error;
      return serverOutcome(probe, checkContext);
    },
  };
}

/** What a probe means. */
export function serverOutcome(
  probe: Probe,
  { settings, seconds }: Pick<CheckContext, "settings" | "seconds">,
): Outcome {
  const { url, reply, error, milliseconds, steps, proxy: proxyUrl } = probe;
  const value = {
    url: url.origin,
    milliseconds,
    name: steps.name ?? null,
    connection: steps.connection ?? null,
    answer: steps.answer ?? null,
    status: reply?.status ?? null,
    proxy: proxyUrl ?? null,
  };
  if (isApi(probe)) {
    const through = proxyUrl === undefined ? "" : ` through ${proxyUrl}`;
    if (settings.sandbox) return { level: "ok", value, message: "the sandbox answers, in process" };
    const isSlow = milliseconds > SLOW_MS;
    return {
      level: isSlow ? "warning" : "ok",
      value,
      message: `${url.host}${through} answers within ${milliseconds} ms${formatSteps(steps)}`,
      ...(isSlow ? { hint: "The longest of these steps is what to look at: name server, way, or server." } : {}),
    };
  }
  if (error?.exit === "notFound" || error?.exit === "usage") {
    return {
      level: "problem",
      value,
      message: `${url.origin} does not know ${url.pathname}: ${toSentence(error)}`,
      hint: "Check the base URL, its version included: solx config list. It ends before the path of an endpoint.",
    };
  }
  const failure = error ?? new SolxError("server", `${url.host} gave no answer within ${seconds} s`);
  return {
    level: "problem",
    value: { ...value, code: failure.code },
    message: toSentence(failure),
    hint: failure.hint,
  };
}

/** The steps in words. */
export function formatSteps({ name, connection, answer }: Steps): string {
  const parts = [
    name === undefined ? undefined : `name ${name} ms`,
    connection === undefined ? undefined : `connection ${connection} ms`,
    answer === undefined ? undefined : `answer ${answer} ms`,
  ].filter((text) => text !== undefined);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

const clock: Check = {
  area: "network",
  name: "clock",
  sends: true,
  run: async (checkContext) => {
    if (checkContext.settings.sandbox) return sandboxClock(checkContext);
    for (const family of FAMILIES) {
      const probe = await checkContext.probe(family);
      const skew = measureSkew(probe);
      if (skew !== undefined) return clockOutcome(skew, probe.url.host);
    }
    return { level: "note", value: null, message: "not compared: no server told its time" };
  },
};

async function sandboxClock({ context }: CheckContext): Promise<Outcome> {
  const now = new Date((await context.clock())()).toISOString();
  return { level: "ok", value: now, message: `the sandbox's own: ${now}` };
}

/** Seconds that this clock is ahead of the server's, to within half a second and the way; undefined if it told none. */
export function measureSkew({ reply, sent, received }: Pick<Probe, "reply" | "sent" | "received">): number | undefined {
  const serverDate = Date.parse(reply?.headers.date ?? "");
  if (Number.isNaN(serverDate)) return undefined;
  const age = Number(reply?.headers.age ?? 0) || 0;
  // A date is cut to whole seconds: it was half a second more, on average.
  const serverTime = serverDate + 500 + age * 1000;
  // Where within the exchange it was made is not known: nothing in that time counts.
  const [least, most] = [sent - 500 - serverTime, received + 500 - serverTime];
  return least > 0 ? least / 1000 : most < 0 ? most / 1000 : 0;
}

const DAY_HOURS = 24;
/** Hours up to which minutes are told too. */
const MINUTES_BELOW_HOURS = 10;

/** How far a clock is off, to the nearest unit that matters: half an hour does where it is one and a half. */
export function formatSkew(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 2) return pluralize(Math.round(seconds), "second");
  if (minutes < 60) return pluralize(minutes, "minute");
  const hours = Math.round(seconds / 3600);
  if (hours >= 2 * DAY_HOURS) return pluralize(Math.round(seconds / (3600 * DAY_HOURS)), "day");
  if (hours >= MINUTES_BELOW_HOURS) return pluralize(hours, "hour");
  const rest = minutes % 60;
  return `${pluralize(Math.floor(minutes / 60), "hour")}${rest === 0 ? "" : ` ${pluralize(rest, "minute")}`}`;
}

/** What a difference of clocks means. */
export function clockOutcome(skew: number, host: string): Outcome {
  const size = Math.abs(skew);
  const value = Math.round(skew * 10) / 10;
  if (size <= SKEW_SECONDS.tolerable) return { level: "ok", value, message: `agrees with ${host}` };
  return {
    level: size > SKEW_SECONDS.severe ? "problem" : "warning",
    value,
    message: `This clock is ${formatSkew(size)} ${skew > 0 ? "ahead of" : "behind"} ${host}.`,
    hint: "Let the system set it, such as with: timedatectl set-ntp true. Times and certificates depend on it.",
  };
}

/** The checks of this file. */
export const NETWORK_CHECKS: readonly Check[] = [certificates, proxy, ...FAMILIES.map(serverCheck), clock];
