/** Pages that are refreshed while the user follows what they show. */
import { useMemo } from "react";
import { pluralize } from "../../base/index.ts";
import { useBindings, useExplorer, useViewState } from "../navigation/context.ts";
import { bindAction } from "../navigation/keys/bindings.ts";
import { formatKeyHints, keyLabelsOf } from "../navigation/keys/key-hints.ts";
import { span, type TextLine } from "../navigation/theme/text-line.ts";
import type { Resource } from "./hooks.ts";
import { type LiveState, useLive } from "./live.ts";
import { ageText } from "./status-text.ts";

/** How often a page is refreshed, if the quota allows it. */
const FOLLOW_MS = 15_000;

/**
 * Registers the key that follows a page: its answer is requested again and again, within the share of the quota that
 * pages may use. Returns the state for the header, the longest form first; nothing while it is off.
 * @param canChange whether the answer may still change; following ends when it cannot
 */
export function useFollow(resource: Resource, canChange: boolean): readonly TextLine[] {
  const explorer = useExplorer();
  const [isChosen, setChosen] = useViewState("follow", false);
  const { request, answer } = resource;
  const canFollow = answer !== undefined && canChange;
  const isOn = isChosen && canFollow;
  const requests = useMemo(() => (isOn ? [{ ...request, everyMs: FOLLOW_MS }] : []), [request, isOn]);
  const live = useLive(requests, isOn);
  useBindings("screen", [
    bindAction("list.auto", isOn ? "stop following" : "follow", () => setChosen(!isOn), {
      hint: 41,
      active: canFollow,
    }),
  ]);
  return isOn ? followVariants(live, formatKeyHints(keyLabelsOf(explorer), [["list.auto", "stop"]])) : [];
}

/** Returns the state of a page that is followed, the longest form first. */
function followVariants({ status, everyMs, costPerHour }: LiveState, hint: string): readonly TextLine[] {
  if (status === "paused") return [[span("○ paused: press any key", "warning")]];
  const live: TextLine = [span("● ", "good"), span(`every ${ageText(everyMs[0] ?? FOLLOW_MS)}`, "good")];
  const cost = costPerHour === 0 ? [] : [span(` · ${pluralize(costPerHour, "unit")}/h`, "note")];
  const key = hint === "" ? [] : [span(` · ${hint}`, "note")];
  return [[...live, ...cost, ...key], [...live, ...key], live];
}
