/** Checks of the connection to the servers: certificates, proxy, each server, clock. */

import { type Env, SolxError, toSentence, UsageError } from "../../base/index.ts";
import { FAMILIES, type Family } from "../../catalogue/index.ts";
import { displayProxy, formatSkew, measureSkew, resolveProxy, SKEW_SECONDS } from "../../client/index.ts";
import type { CheckContext } from "./context.ts";
import type { Check, Outcome } from "./finding.ts";
import { isApi, type Probe, type Steps } from "./probe.ts";

/** Response time in milliseconds above which a server counts as slow. */
const SLOW_MS = 3000;

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
    const hint = "Pass a file of PEM certificates: --ca-cert <file>. To unset it: solx config unset ca-cert";
    return { level: "problem", value: path, message: toSentence(error), hint };
  }
  return { level: "ok", value: path, message: `${path} is trusted in addition to the system certificates (${origin})` };
}

/** Returns findings for environment variables of Node that change which certificates are trusted. */
export function trustOutcomes(env: Env): readonly Outcome[] {
  const { NODE_TLS_REJECT_UNAUTHORIZED: checked, NODE_EXTRA_CA_CERTS: more } = env;
  const unchecked: Outcome = {
    level: "warning",
    value: "NODE_TLS_REJECT_UNAUTHORIZED",
    message: "NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not verified, the key can be intercepted",
    hint: "Unset it, and pass the missing certificate authority: --ca-cert <file>",
  };
  const trusted: Outcome = { level: "ok", value: more ?? null, message: `NODE_EXTRA_CA_CERTS=${more} is also trusted` };
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
      variables.length === 0 ? "none configured" : `${used.length === 0 ? "not used" : through} (${description})`;
    return [{ level: "ok", value, message }, ...unreadVariables(io.env, used.length === 0)];
  },
};

/** Returns a proxy variable under its lower-case or upper-case name, without the password. */
function readVariable(name: string, env: Env): readonly (readonly [string, string])[] {
  const variableName = [name.toLowerCase(), name].find((one) => (env[one] ?? "").trim() !== "");
  if (variableName === undefined) return [];
  const text = (env[variableName] ?? "").trim();
  return [[variableName, name === "NO_PROXY" ? text : text.replace(/^([^/]*\/\/)?.*@/, "$1***@")]];
}

/** Returns a warning for a variable that other programs read and solx does not. */
function unreadVariables(env: Env, isDirect: boolean): readonly Outcome[] {
  if (!isDirect || readVariable("ALL_PROXY", env).length === 0) return [];
  return [{ level: "warning", value: "ALL_PROXY", message: "ALL_PROXY is ignored", hint: "Set HTTPS_PROXY instead." }];
}

function serverCheck(family: Family): Check {
  return {
    area: "network",
    name: family,
    sends: true,
    run: async (checkContext) => {
      const probe = await checkContext.probe(family);
      // No request was sent: the settings are invalid.
      if (probe.reply === undefined && probe.error?.exit === "usage") throw probe.error;
      return serverOutcome(probe, checkContext);
    },
  };
}

/** Returns the finding for a probe. */
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
    if (settings.sandbox) return { level: "ok", value, message: "the sandbox responds (in process)" };
    const isSlow = milliseconds > SLOW_MS;
    return {
      level: isSlow ? "warning" : "ok",
      value,
      message: `${url.host}${through} responds within ${milliseconds} ms${formatSteps(steps)}`,
      ...(isSlow ? { hint: "The slowest of these steps is the cause: name server, connection or server." } : {}),
    };
  }
  if (error?.exit === "notFound" || error?.exit === "usage") {
    return {
      level: "problem",
      value,
      message: `${url.origin} does not serve ${url.pathname}: ${toSentence(error)}`,
      hint: "Check the base URL including its version, without an endpoint path: solx config list",
    };
  }
  const failure = error ?? new SolxError("server", `no response from ${url.host} within ${seconds} s`);
  return {
    level: "problem",
    value: { ...value, code: failure.code },
    message: toSentence(failure),
    hint: failure.hint,
  };
}

/** Formats the durations of the steps; empty if none was measured. */
export function formatSteps({ name, connection, answer }: Steps): string {
  const parts = [
    name === undefined ? undefined : `DNS ${name} ms`,
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
      const skew = measureSkew({ ...probe, headers: probe.reply?.headers });
      if (skew !== undefined) return clockOutcome(skew, probe.url.host);
    }
    return { level: "note", value: null, message: "not compared: no server sent a date" };
  },
};

async function sandboxClock({ context }: CheckContext): Promise<Outcome> {
  const now = new Date((await context.session.clock())()).toISOString();
  return { level: "ok", value: now, message: `simulated: ${now}` };
}

/** Returns the finding for a clock difference in seconds. */
export function clockOutcome(skew: number, host: string): Outcome {
  const size = Math.abs(skew);
  const value = Math.round(skew * 10) / 10;
  if (size <= SKEW_SECONDS.tolerable) return { level: "ok", value, message: `in sync with ${host}` };
  return {
    level: size > SKEW_SECONDS.severe ? "problem" : "warning",
    value,
    message: `${formatSkew(skew)} ${host}`,
    hint: "Synchronize the clock, e.g. timedatectl set-ntp true. Time ranges and certificates depend on it.",
  };
}

/** Checks of the network. */
export const NETWORK_CHECKS: readonly Check[] = [certificates, proxy, ...FAMILIES.map(serverCheck), clock];
/** Checks of the network that do not depend on the servers of the API. */
export const CONNECTION_CHECKS: readonly Check[] = [certificates];
