/** Checks of the API key: its source, whether the API accepts it, remaining units, plan, keychain. */

import { isObject, type JsonObject, pluralize, SolxError, toNumber, toSentence } from "../../base/index.ts";
import { PLANS, type PlanName } from "../../catalogue/index.ts";
import { isLoopback } from "../../client/index.ts";
import { abbreviateKey, noKeyError, requestKeychain } from "../../config/index.ts";
import type { CheckContext } from "./context.ts";
import type { Check, Outcome } from "./finding.ts";
import { isApi } from "./probe.ts";

/** Share of remaining units below which a warning is reported. */
const LOW_SHARE = 0.1;

const keySource: Check = {
  area: "key",
  name: "found",
  run: async (checkContext) => {
    const { settings } = checkContext;
    const key = await checkContext.key();
    if (key) {
      const outcome: Outcome = {
        level: "ok",
        value: { key: abbreviateKey(key.value), source: key.source },
        message: `${abbreviateKey(key.value)}, from ${key.source}`,
      };
      return [outcome, ...key.notes.map((text): Outcome => ({ check: "place", level: "warning", message: text }))];
    }
    const isNeeded = !isLocal(checkContext);
    return {
      level: isNeeded ? "problem" : "note",
      value: null,
      message: isNeeded ? "no API key" : "no API key; a local server may not need one",
      hint: noKeyError(settings.profile).hint,
    };
  },
};

function isLocal({ settings }: CheckContext): boolean {
  return isLoopback(new URL(settings.get("base-url-v2")).hostname);
}

const keyAccepted: Check = {
  area: "key",
  name: "accepted",
  sends: true,
  run: async (checkContext) => {
    const key = await checkContext.key().catch(() => undefined);
    if (key === undefined && !isLocal(checkContext)) return [];
    const probe = await checkContext.probe("v2");
    if (!isApi(probe)) {
      return {
        level: "note",
        value: null,
        message: "not checked: the server does not respond like the API",
        hint: "See the finding v2 under Network.",
      };
    }
    try {
      const { data } = await checkContext.usage();
      return usageOutcomes(isObject(data) ? data : {}, checkContext);
    } catch (error) {
      if (!(error instanceof SolxError)) throw error;
      const isTemporary = error.exit === "rateLimited";
      return {
        level: isTemporary ? "warning" : "problem",
        value: { code: error.code, status: error.status ?? null },
        message: toSentence(error),
        hint: error.hint ?? "Try again later: solx doctor",
      };
    }
  },
};

/** Returns findings for the usage that the API reports: remaining units, and whether the plan matches the settings. */
export function usageOutcomes(usage: JsonObject, { settings }: Pick<CheckContext, "settings">): readonly Outcome[] {
  const [remaining, used] = [toNumber(usage.remaining_cus ?? null), toNumber(usage.usage_cus ?? null)];
  if (remaining === undefined || used === undefined) {
    return [{ level: "ok", value: null, message: "valid; the API does not report the remaining units" }];
  }
  const end = typeof usage.end_date === "string" ? ` until ${usage.end_date.slice(0, 10)}` : "";
  const share = remaining / Math.max(1, remaining + used);
  return [
    {
      level: remaining <= 0 ? "problem" : share < LOW_SHARE ? "warning" : "ok",
      value: { remaining, used, until: usage.end_date ?? null },
      message: `valid; ${pluralize(remaining, "compute unit")} left${end} (${Math.round(share * 100)}%)`,
      ...(share < LOW_SHARE ? { hint: "Show the burn rate: solx usage. A larger plan has more units." } : {}),
    },
    ...(settings.sandbox ? [] : planOutcomes(remaining + used, settings.get("plan"))),
  ];
}

/** Compares the setting `plan` with the plan that has as many units. */
function planOutcomes(units: number, plan: PlanName | undefined): readonly Outcome[] {
  const names = Object.keys(PLANS) as PlanName[];
  const likely = names.find((name) => PLANS[name].units === units);
  const rate = (name: PlanName) => `${PLANS[name].requestsPerMinute} requests a minute`;
  if (likely === undefined || likely === plan) {
    const description =
      plan === undefined ? `unknown; the limits of lite apply, ${rate("lite")}` : `${plan}, ${rate(plan)}`;
    return [
      {
        check: "plan",
        level: plan === undefined ? "note" : "ok",
        value: plan ?? null,
        message: description,
        ...(plan === undefined ? { hint: `Set it: solx config set plan ${names.join("|")}` } : {}),
      },
    ];
  }
  const differs = plan === undefined ? "no plan is set" : `the setting plan is ${plan}`;
  const isSame = PLANS[likely].requestsPerMinute === PLANS[plan ?? "lite"].requestsPerMinute;
  return [
    {
      check: "plan",
      level: isSame ? "note" : "warning",
      value: { set: plan ?? null, likely },
      message: `the units are those of ${PLANS[likely].title} (${rate(likely)}), but ${differs}`,
      hint: `If this is your plan: solx config set plan ${likely}`,
    },
  ];
}

const keychain: Check = {
  area: "parts",
  name: "keychain",
  run: async ({ settings, ...checkContext }, signal) => {
    if (settings.sandbox) return [];
    const key = await checkContext.key().catch(() => undefined);
    const { source } = key ?? {};
    if (source !== undefined && !source.includes("keychain")) {
      return { level: "ok", value: null, message: "not checked: the key comes from another source" };
    }
    const answer = await requestKeychain({ action: "get", account: "doctor" }, { env: settings.env }, signal);
    if (answer.ok) return { level: "ok", value: true, message: "available" };
    return {
      level: settings.get("key-store") === "keychain" ? "note" : "ok",
      value: false,
      message: `the system keychain ${answer.reason}`,
      hint: "Keys are saved in a file that only you can read instead. To make that explicit: solx config set key-store file",
    };
  },
};

/** Checks of the API key. */
export const KEY_CHECKS: readonly Check[] = [keySource, keyAccepted, keychain];
