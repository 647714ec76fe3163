/** Checks of the API key: its source, whether the API accepts it, remaining units, plan, keychain. */

import { isObject, type JsonObject, pluralize, SolxError, toNumber, toSentence } from "../../base/index.ts";
import { PLANS, type PlanName } from "../../catalogue/index.ts";
import { isLoopback } from "../../client/index.ts";
import { abbreviateKey, noKeyError, requestKeychain } from "../../config/index.ts";
import type { CheckContext } from "./context.ts";
import { type Check, localCheck, note, type Outcome, ok, problem, remoteCheck, warning } from "./finding.ts";
import { isApi } from "./probe.ts";

/** Share of remaining units below which a warning is reported. */
const LOW_SHARE = 0.1;

const keySource = localCheck("key", "found", async (checkContext) => {
  const key = await checkContext.key();
  if (key) {
    const text = abbreviateKey(key.value);
    const found = ok(`${text}, from ${key.source}`, { key: text, source: key.source });
    return [found, ...key.notes.map((message) => warning(message, { check: "place" }))];
  }
  const { hint } = noKeyError(checkContext.settings.profile);
  return isLocal(checkContext)
    ? note("no API key; a local server may not need one", { hint })
    : problem("no API key", { hint });
});

function isLocal({ settings }: CheckContext): boolean {
  return isLoopback(new URL(settings.get("base-url-v2")).hostname);
}

const keyAccepted = remoteCheck("key", "accepted", async (checkContext) => {
  const key = await checkContext.key().catch(() => undefined);
  if (key === undefined && !isLocal(checkContext)) return [];
  if (!isApi(await checkContext.probe("v2"))) {
    const hint = "See the finding v2 under Network.";
    return note("not checked: the server does not respond like the API", { hint });
  }
  try {
    const { data } = await checkContext.usage();
    return usageOutcomes(isObject(data) ? data : {}, checkContext);
  } catch (error) {
    if (!(error instanceof SolxError)) throw error;
    const report = error.exit === "rateLimited" ? warning : problem;
    const value = { code: error.code, status: error.status ?? null };
    return report(toSentence(error), { value, hint: error.hint ?? "Try again later: solx doctor" });
  }
});

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
  const value = { remaining, used, until: usage.end_date ?? null };
  const report = remaining <= 0 ? problem : warning;
  const hint = "Show the burn rate: solx usage. A larger plan has more units.";
  return [
    share < LOW_SHARE ? report(message, { value, hint }) : ok(message, value),
    ...(facts.isSimulated ? [] : [planOutcome(remaining + used, settings.get("plan"))]),
  ];
}

const describeRate = (name: PlanName) => `${PLANS[name].requestsPerMinute} requests a minute`;

/** Compares the setting `plan` with the plan that has as many units. */
function planOutcome(units: number, plan: PlanName | undefined): Outcome {
  const check = "plan";
  const names = Object.keys(PLANS) as PlanName[];
  const likely = names.find((name) => PLANS[name].units === units);
  if (likely !== undefined && likely !== plan) {
    const differs = plan === undefined ? "no plan is set" : `the setting plan is ${plan}`;
    const isSame = PLANS[likely].requestsPerMinute === PLANS[plan ?? "lite"].requestsPerMinute;
    const message = `the units are those of ${PLANS[likely].title} (${describeRate(likely)}), but ${differs}`;
    const hint = `If this is your plan: solx config set plan ${likely}`;
    return (isSame ? note : warning)(message, { check, value: { set: plan ?? null, likely }, hint });
  }
  if (plan !== undefined) return { check, ...ok(`${plan}, ${describeRate(plan)}`, plan) };
  const hint = `Set it: solx config set plan ${names.join("|")}`;
  return note(`unknown; the limits of lite apply, ${describeRate("lite")}`, { check, hint });
}

const keychain = localCheck("parts", "keychain", async ({ facts, settings, key }, signal) => {
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
  return settings.get("key-store") === "keychain" ? outcome : { ...outcome, level: "ok" };
});

/** Checks of the API key. */
export const KEY_CHECKS: readonly Check[] = [keySource, keyAccepted, keychain];
