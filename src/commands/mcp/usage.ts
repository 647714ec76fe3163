/** What the key has left, and what this server spent of it. */
import { isObject, type Json, QuotaError } from "../../base/index.ts";

import { forecastText, forecastUsage } from "../../client/index.ts";
import { endpointAt } from "../endpoint/answers.ts";
import { dailyUnits } from "../run/rate-limit-options.ts";
import { createResult } from "./results.ts";
import type { Session } from "./session.ts";
import type { ToolHandler } from "./tools.ts";
import { compact } from "./values.ts";

/** Tells the usage of the key. */
export const usage: ToolHandler = async (session, _args, { signal }) => {
  const { data, note } = await fetchKeyUsage(session, signal);
  const now = (await session.context.clock())();
  const minute = (await session.client()).budget()?.remaining();
  const today = await dailyUnits(session.context);
  const { units } = session.limits;
  const value = compact({
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

/** What the API tells of the key; a note where that may not be spent any more. */
async function fetchKeyUsage(session: Session, signal: AbortSignal): Promise<{ data?: Json; note?: string }> {
  const request = (await session.client()).prepare(endpointAt("/monitor/usage"));
  try {
    const { data } = await session.spend(request, (client) =>
      client.request(request, { signal, priority: "interactive" }),
    );
    return { data };
  } catch (error) {
    if (!(error instanceof QuotaError)) throw error;
    return { note: `The API was not asked what the key has left. ${error.message}` };
  }
}
