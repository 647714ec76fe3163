/** Checks of the API: the key, the connection to each server, and live answers compared with the documented fields. */

import {
  type Env,
  isObject,
  type JsonObject,
  pluralize,
  SolxError,
  toNumber,
  toSentence,
  UsageError,
} from "../../base/index.ts";
import {
  type Endpoint,
  endpoints,
  FAMILIES,
  type Family,
  PLANS,
  type PlanName,
  planWithUnits,
} from "../../catalogue/index.ts";
import { findSchemaDrift, formatSkew, isLoopback, measureSkew, SKEW_SECONDS } from "../../client/index.ts";
import { abbreviateKey, noKeyError, requestKeychain, type Settings } from "../../config/index.ts";
import { displayProxy, resolveProxy } from "../../sources/api/index.ts";
import { usageEndpoint } from "../endpoint/answers.ts";
import { readCertificates } from "../run/client-options.ts";
import { type Check, note, type Outcome, ok, problem, rate, warning } from "./checks.ts";
import type { CheckContext } from "./context.ts";
import { isApi, isKeyRelated, type Probe, type Steps } from "./probe.ts";

async function checkKeySource({ key, settings }: CheckContext): Promise<Outcome | readonly Outcome[]> {
  const found = await key();
  if (found) {
    const text = abbreviateKey(found.value);
    const source = ok(`${text}, from ${found.source}`, { key: text, source: found.source });
    return [source, ...found.notes.map((message) => warning(message, { check: "place" }))];
  }
  const { hint } = noKeyError(settings.profile);
  if (isLocal(settings)) return note("no API key; a local server may not need one", { hint });
  return problem("no API key", { hint });
}

const isLocal = (settings: Settings) => isLoopback(new URL(settings.get("base-url-v2")).hostname);

async function checkAcceptance(checkContext: CheckContext): Promise<Outcome | readonly Outcome[]> {
  const key = await checkContext.key().catch(() => undefined);
  if (key === undefined && !isLocal(checkContext.settings)) return [];
  if (!isApi(await checkContext.probe("v2"))) return notApiOutcome("v2", "checked");
  try {
    const { data } = await checkContext.usage();
    return usageOutcomes(isObject(data) ? data : {}, checkContext);
  } catch (error) {
    if (!(error instanceof SolxError)) throw error;
    const report = error.exit === "rateLimited" ? warning : problem;
    const value = { code: error.code, status: error.status ?? null };
    return report(toSentence(error), { value, hint: error.hint ?? "Try again later: solx doctor" });
  }
}

/** The share of remaining units below which they run low. */
const LOW_SHARE = 0.1;

/** Returns findings for the usage that the API reports: remaining units, and whether the plan matches the settings. */
export function usageOutcomes(
  usage: JsonObject,
  { settings, facts }: Pick<CheckContext, "settings" | "facts">,
): readonly Outcome[] {
  const [remaining, used] = [toNumber(usage.remaining_cus ?? null), toNumber(usage.usage_cus ?? null)];
  if (remaining === undefined || used === undefined) {
    return [ok("valid; the API does not report the remaining units")];
  }
  const end = typeof usage.end_date === "string" ? ` until ${usage.end_date.slice(0, 10)}` : "";
  const share = remaining / Math.max(1, remaining + used);
  const message = `valid; ${pluralize(remaining, "compute unit")} left${end} (${Math.round(share * 100)}%)`;
  const hint = "Show the burn rate: solx usage. A larger plan has more units.";
  return [
    rate(
      message,
      { remaining, used, until: usage.end_date ?? null },
      [remaining <= 0, "problem", hint],
      [share < LOW_SHARE, "warning", hint],
    ),
    ...(facts.isSimulated ? [] : [{ check: "plan", ...planOutcome(remaining + used, settings.get("plan")) }]),
  ];
}

const describeRate = (name: PlanName) => `${PLANS[name].requestsPerMinute} requests a minute`;

/** Compares the setting `plan` with the plan that has as many units. */
function planOutcome(units: number, plan: PlanName | undefined): Outcome {
  const likely = planWithUnits(units);
  if (likely !== undefined && likely !== plan) {
    const differs = plan === undefined ? "no plan is set" : `the setting plan is ${plan}`;
    const isSame = PLANS[likely].requestsPerMinute === PLANS[plan ?? "lite"].requestsPerMinute;
    const message = `the units are those of ${PLANS[likely].title} (${describeRate(likely)}), but ${differs}`;
    const hint = `If this is your plan: solx config set plan ${likely}`;
    return (isSame ? note : warning)(message, { value: { set: plan ?? null, likely }, hint });
  }
  if (plan !== undefined) return ok(`${plan}, ${describeRate(plan)}`, plan);
  const hint = `Set it: solx config set plan ${Object.keys(PLANS).join("|")}`;
  return note(`unknown; the limits of lite apply, ${describeRate("lite")}`, { hint });
}

async function checkKeychain({ facts, settings, key }: CheckContext, signal: AbortSignal) {
  if (facts.isSimulated) return [];
  const { source } = (await key().catch(() => undefined)) ?? {};
  if (source !== undefined && !source.includes("keychain")) {
    return ok("not checked: the key comes from another source");
  }
  const answer = await requestKeychain({ action: "get", account: "doctor" }, { env: settings.env }, signal);
  if (answer.ok) return ok("available", true);
  const hint =
    "Keys are saved in a file that only you can read instead. To make that explicit: solx config set key-store file";
  const outcome = note(`the system keychain ${answer.reason}`, { value: false, hint });
  return settings.get("key-store") === "keychain" ? outcome : { ...outcome, level: "ok" as const };
}

async function checkCertificates({ facts, settings, context }: CheckContext) {
  if (facts.isSimulated) return [];
  const trusted = trustOutcomes(context.io.env);
  const { value: path, origin } = settings.resolve("ca-cert");
  if (path === undefined) return trusted;
  try {
    await readCertificates(settings);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const hint =
      "Set a file of PEM certificates: solx config set ca-cert <file>. To unset it: solx config unset ca-cert";
    return [problem(toSentence(error), { value: path, hint }), ...trusted];
  }
  return [ok(`${path} is trusted in addition to the system certificates (${origin})`, path), ...trusted];
}

/** Returns findings for environment variables of Node that change which certificates are trusted. */
export function trustOutcomes(env: Env): readonly Outcome[] {
  const variable = "NODE_TLS_REJECT_UNAUTHORIZED";
  const unverified = warning(`${variable}=0: certificates are not verified, the key can be intercepted`, {
    value: variable,
    hint: "Unset it, and set the missing certificate authority: solx config set ca-cert <file>",
  });
  const { NODE_EXTRA_CA_CERTS: file } = env;
  return [
    ...(env[variable] === "0" ? [unverified] : []),
    ...(file ? [ok(`NODE_EXTRA_CA_CERTS=${file} is also trusted`, file)] : []),
  ];
}

async function checkProxy({ settings, facts, context: { io } }: CheckContext): Promise<readonly Outcome[]> {
  if (facts.isSimulated) return [];
  const variables = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"].flatMap((name) => readVariable(name, io.env));
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
}

/** Returns a proxy variable under its lower-case or upper-case name, without the password. */
function readVariable(name: string, env: Env): readonly (readonly [string, string])[] {
  const variableName = [name.toLowerCase(), name].find((one) => (env[one] ?? "").trim() !== "");
  if (variableName === undefined) return [];
  const text = (env[variableName] ?? "").trim();
  return [[variableName, name === "NO_PROXY" ? text : text.replace(/^([^/]*\/\/)?.*@/, "$1***@")]];
}

async function checkServer(family: Family, checkContext: CheckContext): Promise<Outcome> {
  const probe = await checkContext.probe(family);
  // No request was sent: the settings are invalid.
  if (probe.reply === undefined && probe.error?.exit === "usage") throw probe.error;
  return serverOutcome(probe, checkContext);
}

const SLOW_MS = 3000;

/** Returns the finding for a probe. */
export function serverOutcome(probe: Probe, { facts, seconds }: Pick<CheckContext, "facts" | "seconds">): Outcome {
  const { url, reply, error, milliseconds, steps, proxy = null } = probe;
  const { name = null, connection = null, answer = null } = steps;
  const status = reply?.status ?? null;
  const value = { url: url.origin, milliseconds, name, connection, answer, status, proxy };
  if (isApi(probe)) {
    if (facts.isSimulated) return ok("the sandbox responds (in process)", value);
    const through = proxy === null ? "" : ` through ${proxy}`;
    const message = `${url.host}${through} responds within ${milliseconds} ms${formatSteps(steps)}`;
    const hint = "The slowest of these steps is the cause: name server, connection or server.";
    return rate(message, value, [milliseconds > SLOW_MS, "warning", hint]);
  }
  if (error?.exit === "notFound" || error?.exit === "usage") {
    const hint = "Check the base URL including its version, without an endpoint path: solx config list";
    return problem(`${url.origin} does not serve ${url.pathname}: ${toSentence(error)}`, { value, hint });
  }
  const failure = error ?? new SolxError("server", `no response from ${url.host} within ${seconds} s`);
  return problem(toSentence(failure), { value: { ...value, code: failure.code }, hint: failure.hint });
}

const STEPS = [
  ["name", "DNS"],
  ["connection", "connection"],
  ["answer", "answer"],
] as const;

/** Formats the durations of the steps; empty if none was measured. */
export function formatSteps(steps: Steps): string {
  const parts = STEPS.flatMap(([step, name]) => (steps[step] === undefined ? [] : [`${name} ${steps[step]} ms`]));
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

async function checkClock({ facts, context, probe }: CheckContext): Promise<Outcome> {
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
}

/** Returns the finding for a clock difference in seconds. */
export function clockOutcome(skew: number, host: string): Outcome {
  const size = Math.abs(skew);
  const value = Math.round(skew * 10) / 10;
  if (size <= SKEW_SECONDS.tolerable) return ok(`in sync with ${host}`, value);
  const hint = "Synchronize the clock, e.g. timedatectl set-ntp true. Time ranges and certificates depend on it.";
  return (size > SKEW_SECONDS.severe ? problem : warning)(`${formatSkew(skew)} ${host}`, { value, hint });
}

/** The endpoints that are compared: the first list or object of each group, without the legacy family. */
export const COMPARED_ENDPOINTS: readonly Endpoint[] = [
  ...Map.groupBy(
    endpoints.filter(({ family, returns, examples }) => {
      return family !== "legacy" && returns.shape !== "csv" && examples.length > 0;
    }),
    ({ family, group }) => `${family} ${group}`,
  ).values(),
].flatMap(([first]) => (first === undefined ? [] : [first]));

/** Whether the answer of an endpoint is available anyway, from the check of the key. */
const isUsageEndpoint = ({ route }: Endpoint): boolean => route === usageEndpoint().route;

/** Compute units of all comparisons. */
export const DRIFT_UNITS = COMPARED_ENDPOINTS.reduce(
  (sum, endpoint) => sum + (isUsageEndpoint(endpoint) ? 0 : endpoint.cost.units),
  0,
);

/** Returns the finding that replaces the comparisons without `--drift`, and when nothing can be compared. */
async function checkComparison(checkContext: CheckContext): Promise<Outcome | readonly Outcome[]> {
  const { options, facts } = checkContext;
  if (options.drift) return (await comparisonObstacle(checkContext)) ?? [];
  const cost = facts.isSimulated ? "free in the sandbox" : `${DRIFT_UNITS} compute units`;
  return ok(`not compared; --drift compares ${COMPARED_ENDPOINTS.length} answers (${cost})`);
}

async function checkDrift(endpoint: Endpoint, checkContext: CheckContext): Promise<Outcome | readonly Outcome[]> {
  if ((await comparisonObstacle(checkContext)) !== undefined) return [];
  if (!isApi(await checkContext.probe(endpoint.family))) return notApiOutcome(endpoint.family, "compared");
  const { usage, client, context } = checkContext;
  const { params = {} } = endpoint.examples[0] ?? {};
  try {
    const answer = isUsageEndpoint(endpoint)
      ? await usage()
      : await (await client()).fetch(endpoint, params, { signal: context.io.signal });
    return driftOutcome(endpoint, await findSchemaDrift(answer));
  } catch (error) {
    return failureOutcome(error, `Documented fields: solx docs ${endpoint.route}`);
  }
}

/** Returns why nothing can be compared, if so: no units are spent on other servers, or with a rejected key. */
export async function comparisonObstacle(checkContext: CheckContext): Promise<Outcome | undefined> {
  try {
    if (!isApi(await checkContext.probe("v2"))) return notApiOutcome("v2", "compared");
    await checkContext.usage();
    return undefined;
  } catch (error) {
    return failureOutcome(error, "See the findings under Key.");
  }
}

const notApiOutcome = (family: Family, what: "checked" | "compared"): Outcome =>
  note(`not ${what}: the server does not respond like the API`, { hint: `See the finding ${family} under Network.` });

/** Rates a failed request: missing permission or an exhausted rate limit say nothing about the fields of an answer. */
function failureOutcome(error: unknown, defaultHint: string): Outcome {
  if (!(error instanceof SolxError) || error.exit === "interrupted") throw error;
  const { code, status = null, hint = defaultHint } = error;
  const details = { value: { code, status }, hint };
  if (isKeyRelated(error)) return note(`not compared: ${toSentence(error)}`, details);
  return warning(toSentence(error), details);
}

/** Maximum number of differences listed for one answer; the rest is counted. */
const MAX_LISTED = 3;

/** Returns the finding for the differences of one answer. */
export function driftOutcome(endpoint: Endpoint, problems: readonly string[]): Outcome {
  if (problems.length === 0) return ok("as documented", []);
  const more = problems.length > MAX_LISTED ? `; and ${problems.length - MAX_LISTED} more` : "";
  return warning(`differs from the documentation: ${problems.slice(0, MAX_LISTED).join("; ")}${more}`, {
    value: [...problems],
    hint: `Output is not affected. Documented fields: solx docs ${endpoint.route}. A newer version of solx may know them.`,
  });
}

/** The check of trusted certificates, which concerns nodes too. */
export const CERTIFICATE_CHECK: Check = { area: "network", name: "certificates", run: checkCertificates };

/** Checks of the API: its key, its servers and its answers. */
export const SERVER_CHECKS: readonly Check[] = [
  { area: "key", name: "found", run: checkKeySource },
  { area: "key", name: "accepted", sends: true, run: checkAcceptance },
  { area: "parts", name: "keychain", run: checkKeychain },
  CERTIFICATE_CHECK,
  { area: "network", name: "proxy", run: checkProxy },
  ...FAMILIES.map((family): Check => {
    return { area: "network", name: family, sends: true, run: (checkContext) => checkServer(family, checkContext) };
  }),
  { area: "network", name: "clock", sends: true, run: checkClock },
  { area: "drift", name: "answers", run: checkComparison },
];

/** The comparisons of `--drift`. */
export const DRIFT_CHECKS: readonly Check[] = COMPARED_ENDPOINTS.map((endpoint) => ({
  area: "drift",
  name: endpoint.command,
  sends: true,
  run: (checkContext) => checkDrift(endpoint, checkContext),
}));
