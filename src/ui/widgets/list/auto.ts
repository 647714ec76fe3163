/** A list that is asked again by itself. */
import { useAutoRefresh } from "../../data/auto-refresh.ts";
import type { Resource } from "../../data/hooks.ts";
import { ageText } from "../../data/status.tsx";
import { counted } from "./status.ts";

/** Asks again while it is on, and gives the words for it: how often, and what an hour of it costs. */
export function useAuto(resource: Resource, isOn: boolean): string | undefined {
  const { everyMs, costPerHour, isPaused } = useAutoRefresh(resource, isOn);
  if (!isOn) return undefined;
  if (isPaused) return "auto refresh waits for a key";
  return `every ${ageText(everyMs)} · ${counted(costPerHour, "unit")}/h`;
}
