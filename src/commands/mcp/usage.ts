/** Remaining units of the key, and units spent by this server. */
import { isObject, type Json, omitUndefined, QuotaError } from "../../base/index.ts";
import { forecastText, forecastUsage } from "../../client/index.ts";
import { usageEndpoint } from "../endpoint/answers.ts";
import { dailyUnits } from "../run/rate-limit-options.ts";
import { createResult } from "./results.ts";
import { type CallContext, type Session, sendOptions } from "./session.ts";
import type { ToolHandler } from "./tools.ts";

/** Returns the usage of the key. */
export const usage: ToolHandler = async (session, _args, call) => {
  const { data, note } = await fetchKeyUsage(session, call);
  const now = (await session.context.session.clock())();
  const minute = (await session.client()).rateLimiter()?.remaining();
  const today = await dailyUnits(session.context);
  const { units } = session.limits;
  const value = omitUndefined({
    note,
    key: data,
    forecast: isObject(data) ? forecastText(forecastUsage(data, now)) : undefined,
    today: today && { units_spent: today.spent, units_allowed: today.limit },
    this_server: {
      requests: session.spent.requests,
      units: session.spent.units,
      ...(Number.isFinite(units) ? { units_allowed: units } : {}),
    },
    this_minute: minute && { requests_left: minute.requests, requests: minute.of },
  });
  return createResult(value, session.store);
};

/** Requests the usage of the key; returns a note if the spending limit prevents it. */
async function fetchKeyUsage(session: Session, call: CallContext): Promise<{ data?: Json; note?: string }> {
  const request = (await session.client()).prepare(usageEndpoint());
  try {
    const { data } = await session.spend(request, (client) => client.request(request, sendOptions(call)));
    return { data };
  } catch (error) {
    if (!(error instanceof QuotaError)) throw error;
    return { note: `The usage of the key was not requested. ${error.message}` };
  }
}
