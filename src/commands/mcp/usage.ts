/** What the key has left, and what this server spent of it. */
import { isObject } from "../../base/json.ts";
import { endpointAt } from "../answers.ts";
import { unitsToday } from "../budget-options.ts";
import { resultOf } from "./results.ts";
import type { Run } from "./tools.ts";
import { compact } from "./values.ts";

/** Tells the usage of the key. */
export const usage: Run = async (session, _args, { signal }) => {
  const request = (await session.client()).prepare(endpointAt("/monitor/usage"));
  const answer = await session.spend(request, (client) => client.request(request, { signal, priority: "interactive" }));
  const { forecastOf, forecastText } = await import("../../client/usage/forecast.ts");
  const now = (await session.frame.clock())();
  const left = (await session.client()).budget()?.left();
  const today = await unitsToday(session.frame);
  const { units } = session.limits;
  const value = compact({
    key: answer.data,
    forecast: isObject(answer.data) ? forecastText(forecastOf(answer.data, now)) : undefined,
    today: today && { units_spent: today.spent, units_allowed: today.most },
    this_server: {
      requests: session.spent.requests,
      units: session.spent.units,
      ...(Number.isFinite(units) ? { units_allowed: units } : {}),
    },
    this_minute: left && { requests_left: left.requests, requests: left.of },
  });
  return resultOf(value, session.room);
};
