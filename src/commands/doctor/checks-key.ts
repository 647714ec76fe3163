/** Checks of the key: found, accepted, how much is left. */

import { SolxError, toSentence } from "../../base/errors.ts";
import { isObject, type JsonObject, toNumber } from "../../base/json.ts";
import { pluralize } from "../../base/text.ts";
import { PLANS, type PlanName } from "../../catalogue/plans.ts";
import { isLoopback } from "../../client/index.ts";
import { abbreviateKey, noKeyError, requestKeychain } from "../../config/index.ts";
import type { CheckContext } from "./context.ts";
import type { Check, Outcome } from "./finding.ts";
import { isApi } from "./probe.ts";

/** The share of units below which it is time to think of the rest of the period. */
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
    const { hint = "" } = noKeyError(settings.profile);
    const isNeeded = !isLocal(checkContext);
    return {
      level: isNeeded ? "problem" : "note",
      value: null,
      message: isNeeded ? "There is no API key." : "There is no API key; a server of this machine may need none.",
      hint: `${hint}\nOn made-up data, without one:  solx --sandbox`,
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
        message: "not asked: the server does not answer as the API does",
        hint: "See what is told of the network: v2",
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

/** What the API says of the key, and whether it fits the settings. */
export function usageOutcomes(usage: JsonObject, { settings }: Pick<CheckContext, "settings">): readonly Outcome[] {
  const [remaining, used] = [toNumber(usage.remaining_cus ?? null), toNumber(usage.usage_cus ?? null)];
  if (remaining === undefined || used === undefined) {
    return [{ level: "ok", value: null, message: "The API accepts the key; it does not say what is left." }];
  }
  const end = typeof usage.end_date === "string" ? ` until ${usage.end_date.slice(0, 10)}` : "";
  const share = remaining / Math.max(1, remaining + used);
  return [
    {
      level: remaining <= 0 ? "problem" : share < LOW_SHARE ? "warning" : "ok",
      value: { remaining, used, until: usage.end_date ?? null },
      message: `The API accepts the key: ${pluralize(remaining, "compute unit")} left${end} (${Math.round(share * 100)} %).`,
      ...(share < LOW_SHARE ? { hint: "See how fast they go: solx usage. More of them come with a larger plan." } : {}),
    },
    ...(settings.sandbox ? [] : planOutcomes(remaining + used, settings.get("plan"))),
  ];
}

/** The plan, as far as its units tell which one it is. */
function planOutcomes(units: number, plan: PlanName | undefined): readonly Outcome[] {
  const names = Object.keys(PLANS) as PlanName[];
  const likely = names.find((name) => PLANS[name].units === units);
  const rate = (name: PlanName) => `${PLANS[name].requestsPerMinute} requests a minute`;
  if (likely === undefined || likely === plan) {
    const description = plan === undefined ? `not known; counted as lite, ${rate("lite")}` : `${plan}, ${rate(plan)}`;
    return [
      {
        check: "plan",
        level: plan === undefined ? "note" : "ok",
        value: plan ?? null,
        message: description,
        ...(plan === undefined ? { hint: `Say which it is: solx config set plan ${names.join("|")}` } : {}),
      },
    ];
  }
  const differs = plan === undefined ? "no plan is set" : `the setting says ${plan}`;
  const isSame = PLANS[likely].requestsPerMinute === PLANS[plan ?? "lite"].requestsPerMinute;
  return [
    {
      check: "plan",
      level: isSame ? "note" : "warning",
      value: { set: plan ?? null, likely },
      message: `The units are those of ${PLANS[likely].title} (${rate(likely)}), but ${differs}.`,
      hint: `If that is your plan: solx config set plan ${likely}`,
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
      return { level: "ok", value: null, message: "not asked: the key comes from elsewhere" };
    }
    const answer = await requestKeychain({ action: "get", account: "doctor" }, { env: settings.env }, signal);
    if (answer.ok) return { level: "ok", value: true, message: "can be reached" };
    return {
      level: settings.get("key-store") === "keychain" ? "note" : "ok",
      value: false,
      message: `The system keychain ${answer.reason}.`,
      hint: "A login then keeps the key in a file that only you can read. To choose that: solx config set key-store file",
    };
  },
};

/** The checks of this file. */
export const KEY_CHECKS: readonly Check[] = [keySource, keyAccepted, keychain];
