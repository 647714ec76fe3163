/** Checks of the connection to the servers: certificates, proxy, each server, clock. */

import { type Env, SolxError, toSentence, UsageError } from "../../base/index.ts";
import { FAMILIES, type Family } from "../../catalogue/index.ts";
import { formatSkew, measureSkew, SKEW_SECONDS } from "../../client/index.ts";
import { displayProxy, resolveProxy } from "../../sources/api/index.ts";
import type { CheckContext } from "./context.ts";
import { type Check, localCheck, note, type Outcome, ok, problem, remoteCheck, warning } from "./finding.ts";
import { isApi, type Probe, type Steps } from "./probe.ts";

/** Response time in milliseconds above which a server counts as slow. */
const SLOW_MS = 3000;

const certificates = localCheck("network", "certificates", async (checkContext) => {
  const { facts, context } = checkContext;
  return facts.isSimulated ? [] : [...(await customCertificates(checkContext)), ...trustOutcomes(context.io.env)];
});

async function customCertificates({ settings, clientOptions }: CheckContext): Promise<readonly Outcome[]> {
  const { value: path, origin } = settings.resolve("ca-cert");
  if (path === undefined) return [];
  try {
    await clientOptions();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const hint =
      "Set a file of PEM certificates: solx config set ca-cert <file>. To unset it: solx config unset ca-cert";
    return [problem(toSentence(error), { value: path, hint })];
  }
  return [ok(`${path} is trusted in addition to the system certificates (${origin})`, path)];
}

/** Returns findings for environment variables of Node that change which certificates are trusted. */
export function trustOutcomes(env: Env): readonly Outcome[] {
  const { NODE_TLS_REJECT_UNAUTHORIZED: verification, NODE_EXTRA_CA_CERTS: file } = env;
  const unverified = warning(
    "NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not verified, the key can be intercepted",
    {
      value: "NODE_TLS_REJECT_UNAUTHORIZED",
      hint: "Unset it, and set the missing certificate authority: solx config set ca-cert <file>",
    },
  );
  return [
    ...(verification === "0" ? [unverified] : []),
    ...(file ? [ok(`NODE_EXTRA_CA_CERTS=${file} is also trusted`, file)] : []),
  ];
}

const PROXY_VARIABLES = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"] as const;

const proxy = localCheck("network", "proxy", async ({ settings, facts, context: { io } }) => {
  if (facts.isSimulated) return [];
  const variables = PROXY_VARIABLES.flatMap((name) => readVariable(name, io.env));
  const routes = FAMILIES.map((family) => {
    const proxyUrl = resolveProxy(new URL(settings.baseUrls()[family]), io.env);
    return [family, proxyUrl ? displayProxy(proxyUrl) : null] as const;
  });
  const used = routes.filter(([, proxyUrl]) => proxyUrl !== null);
  const description = variables.map(([name, text]) => `${name}=${text}`).join(", ");
  const usage = used.map(([family, proxyUrl]) => `${family} through ${proxyUrl}`).join(", ") || "not used";
  const message = variables.length === 0 ? "none configured" : `${usage} (${description})`;
  const value = { variables: Object.fromEntries(variables), through: Object.fromEntries(routes) };
  // Other programs read this variable, and solx does not.
  const isIgnored = used.length === 0 && readVariable("ALL_PROXY", io.env).length > 0;
  const ignored = warning("ALL_PROXY is ignored", { value: "ALL_PROXY", hint: "Set HTTPS_PROXY instead." });
  return [ok(message, value), ...(isIgnored ? [ignored] : [])];
});

/** Returns a proxy variable under its lower-case or upper-case name, without the password. */
function readVariable(name: string, env: Env): readonly (readonly [string, string])[] {
  const variableName = [name.toLowerCase(), name].find((one) => (env[one] ?? "").trim() !== "");
  if (variableName === undefined) return [];
  const text = (env[variableName] ?? "").trim();
  return [[variableName, name === "NO_PROXY" ? text : text.replace(/^([^/]*\/\/)?.*@/, "$1***@")]];
}

const serverCheck = (family: Family): Check =>
  remoteCheck("network", family, async (checkContext) => {
    const probe = await checkContext.probe(family);
    // No request was sent: the settings are invalid.
    if (probe.reply === undefined && probe.error?.exit === "usage") throw probe.error;
    return serverOutcome(probe, checkContext);
  });

/** Returns the finding for a probe. */
export function serverOutcome(probe: Probe, { facts, seconds }: Pick<CheckContext, "facts" | "seconds">): Outcome {
  const { url, reply, error, milliseconds, steps, proxy: proxyUrl = null } = probe;
  const { name = null, connection = null, answer = null } = steps;
  const status = reply?.status ?? null;
  const value = { url: url.origin, milliseconds, name, connection, answer, status, proxy: proxyUrl };
  if (isApi(probe)) {
    if (facts.isSimulated) return ok("the sandbox responds (in process)", value);
    const through = proxyUrl === null ? "" : ` through ${proxyUrl}`;
    const message = `${url.host}${through} responds within ${milliseconds} ms${formatSteps(steps)}`;
    if (milliseconds <= SLOW_MS) return ok(message, value);
    const hint = "The slowest of these steps is the cause: name server, connection or server.";
    return warning(message, { value, hint });
  }
  if (error?.exit === "notFound" || error?.exit === "usage") {
    const hint = "Check the base URL including its version, without an endpoint path: solx config list";
    return problem(`${url.origin} does not serve ${url.pathname}: ${toSentence(error)}`, { value, hint });
  }
  const failure = error ?? new SolxError("server", `no response from ${url.host} within ${seconds} s`);
  return problem(toSentence(failure), { value: { ...value, code: failure.code }, hint: failure.hint });
}

const STEP_NAMES = { name: "DNS", connection: "connection", answer: "answer" } as const;

/** Formats the durations of the steps; empty if none was measured. */
export function formatSteps(steps: Steps): string {
  const parts = (["name", "connection", "answer"] as const)
    .filter((step) => steps[step] !== undefined)
    .map((step) => `${STEP_NAMES[step]} ${steps[step]} ms`);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

const clock = remoteCheck("network", "clock", async ({ facts, context, probe }) => {
  if (facts.isSimulated) {
    const now = new Date((await context.session.clock())()).toISOString();
    return ok(`simulated: ${now}`, now);
  }
  for (const family of FAMILIES) {
    const result = await probe(family);
    const skew = measureSkew({ ...result, headers: result.reply?.headers });
    if (skew !== undefined) return clockOutcome(skew, result.url.host);
  }
  return note("not compared: no server sent a date");
});

/** Returns the finding for a clock difference in seconds. */
export function clockOutcome(skew: number, host: string): Outcome {
  const size = Math.abs(skew);
  const value = Math.round(skew * 10) / 10;
  if (size <= SKEW_SECONDS.tolerable) return ok(`in sync with ${host}`, value);
  const hint = "Synchronize the clock, e.g. timedatectl set-ntp true. Time ranges and certificates depend on it.";
  return (size > SKEW_SECONDS.severe ? problem : warning)(`${formatSkew(skew)} ${host}`, { value, hint });
}

/** Checks of the network. */
export const NETWORK_CHECKS: readonly Check[] = [certificates, proxy, ...FAMILIES.map(serverCheck), clock];
/** Checks of the network that do not depend on the servers of the API. */
export const CONNECTION_CHECKS: readonly Check[] = [certificates];
