/** Who shares the rate of a run, and how much it is. */
import type { Rate } from "../catalogue/plans.ts";
import { type Budget, type ClientOptions, rateOf } from "../client/index.ts";
import type { Settings } from "../config/index.ts";
import type { Frame } from "./frame.ts";
import { loadSqlite } from "./sqlite.ts";

/** The options of the client that have to do with its budget. Nothing is opened before the first request. */
export function budgetOptions(
  settings: Settings,
  frame: Frame,
  key: string | undefined,
): Pick<ClientOptions, "budget" | "rate" | "wait"> {
  const wait = frame.globals.wait !== false;
  const plan = settings.get("plan");
  const given = rateGiven(settings.get("rate"));
  // Nothing holds requests to the sandbox in process back, unless limits are asked for.
  if (isUnheld(settings)) return { wait, budget: UNLIMITED };
  const rate = given === undefined ? {} : { rate: given };
  const shared = settings.get("budget");
  if (shared === "process") return { wait, ...rate };
  const budget = async () => {
    loadSqlite();
    const { createSharedBudget } = await import("../client/budget/shared.ts");
    return createSharedBudget({
      folder: settings.paths.state,
      key,
      server: settings.get("base-url-v2"),
      rate: rateOf(plan ?? "lite", given),
      redis: shared === "machine" ? undefined : shared,
      onNote: (text) => void frame.note(text),
    });
  };
  return { wait, ...rate, budget };
}

/** Whether nothing holds requests back: those to the sandbox in process, unless limits are asked for. */
export function isUnheld(settings: Settings): boolean {
  return settings.sandbox && settings.get("plan") === undefined && settings.get("rate") === undefined;
}

/** Reads `200/10`; the form was checked with the settings. */
export function rateGiven(text: string | undefined): Rate | "off" | undefined {
  if (text === undefined || text === "off") return text;
  const [requests, seconds] = text.split("/").map(Number);
  return { requests: requests as number, seconds: seconds as number };
}

const UNLIMITED: Budget = {
  take: async () => ({ done: () => {} }),
  pause: () => {},
  left: () => undefined,
  close: async () => {},
};
