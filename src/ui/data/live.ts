/** Lists and pages that refresh by themselves, within a share of the quota, or while the user follows them. */
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { pluralize } from "../../base/index.ts";
import { type Explorer, useBindings, useExplorer, useViewState } from "../navigation/context.ts";
import type { EndpointRequest } from "../navigation/data-store.ts";
import { bindAction, formatKeyHints, keyLabelsOf } from "../navigation/keys/bindings.ts";
import { span, type TextLine } from "../navigation/theme/text-line.ts";
import type { Resource } from "./hooks.ts";
import { backOff, isScarce, type LivePlan, planLive } from "./live-plan.ts";
import { isPermanent } from "./query.ts";
import { ageText } from "./status-text.ts";
import { TIMERS, type Timers } from "./timers.ts";

/** A request of such a page, and the interval at which it should be refreshed if the quota allows it. */
export interface LiveRequest extends EndpointRequest {
  readonly everyMs: number;
}

/**
 * Whether the page refreshes: `paused` while the user is away, until the next key; `off` by the user; unless the user has
 * turned it on, `scarce` while little is left of the quota, and `still` in a sandbox whose chain does not grow.
 */
export type LiveStatus = "on" | "paused" | "scarce" | "still" | "off";

/** The state of a page that refreshes by itself. */
export interface LiveState extends LivePlan {
  readonly status: LiveStatus;
  /** Whether no key was pressed for a while. */
  readonly isLeft: boolean;
}

/**
 * Refreshes the requests of a page repeatedly.
 * @param requests the same array until something changes
 * @param choice what the user chose; undefined for the default: on, unless the quota is scarce or the chain does not grow
 */
export function useLive(
  requests: readonly LiveRequest[],
  choice: boolean | undefined,
  timing: Timers = TIMERS,
): LiveState {
  const explorer = useExplorer();
  const { data, services } = explorer;
  const { isSandbox, isGrowing = false } = services.identity;
  const isStill = isSandbox && !isGrowing;
  const [pace, setPace] = useState<Pace>("full");
  // As text: the plan changes seldom, the quota with every request.
  const planText = useSyncExternalStore(data.subscribe, () => JSON.stringify(createPlan(explorer, requests)));
  const plan = useMemo((): LivePlan => JSON.parse(planText), [planText]);
  const hasLittle = useSyncExternalStore(data.subscribe, () => isScarce(data.quota().units));
  const isOn = choice ?? !(hasLittle || isStill);
  useEffect(
    () => (isOn ? startRefreshing(explorer, requests, timing, setPace) : undefined),
    [isOn, explorer, requests, timing],
  );
  const offStatus = choice === false ? "off" : isStill ? "still" : "scarce";
  const status = isOn ? (pace === "paused" ? "paused" : "on") : offStatus;
  return { ...(isOn && pace === "relaxed" ? relaxedPlan(plan) : plan), status, isLeft: pace !== "full" };
}

/** The interval of an answer that the user follows, if the quota allows it. */
const FOLLOW_MS = 15_000;

/** Refreshes an answer repeatedly while `isOn`, like {@link useLive}. */
export function useLiveAnswer({ request }: Pick<Resource, "request">, isOn: boolean, everyMs = FOLLOW_MS): LiveState {
  const requests = useMemo(() => (isOn ? [{ ...request, everyMs }] : []), [request, isOn, everyMs]);
  return useLive(requests, isOn);
}

/** Returns how often the first request is refreshed and what all cost: `every 15s · 24,000 units/h`. */
export function paceText({ status, everyMs: [everyMs = FOLLOW_MS], costPerHour }: LiveState): string {
  if (status === "paused") return "paused: press any key";
  return `every ${ageText(everyMs)}${costPerHour === 0 ? "" : ` · ${pluralize(costPerHour, "unit")}/h`}`;
}

/** How a page refreshes: less often after {@link RELAXED_MS} without a key, no longer after {@link IDLE_MS}. */
type Pace = "full" | "relaxed" | "paused";

/** Milliseconds without a key after which a page refreshes less often, so that one left open costs next to nothing. */
export const RELAXED_MS = 60_000;
const RELAXED_FACTOR = 4;
/** Milliseconds without a key after which the user is away. */
export const IDLE_MS = 600_000;

const relaxedPlan = ({ everyMs, costPerHour }: LivePlan): LivePlan => ({
  everyMs: everyMs.map((interval) => interval * RELAXED_FACTOR),
  costPerHour: Math.ceil(costPerHour / RELAXED_FACTOR),
});

type LiveContext = Pick<Explorer, "services" | "data" | "keys">;

function createPlan({ data, services }: LiveContext, requests: readonly LiveRequest[]): LivePlan {
  const { identity, source } = services;
  const unitsLeft = data.quota().units?.remaining ?? identity.units;
  // The cost of a refresh is that of the last one.
  const unitsOf = (request: EndpointRequest) =>
    source.facts.chargesUnits ? (data.read(request).answer?.request.cost ?? request.endpoint.cost.units) : 0;
  const parts = requests.map((request) => ({ units: unitsOf(request), everyMs: request.everyMs }));
  return planLive(parts, { rate: identity.rate, unitsLeft });
}

/** Refreshes requests until the returned function is called. @param onPace is called when the pace changes */
export function startRefreshing(
  context: LiveContext,
  requests: readonly LiveRequest[],
  timing: Timers,
  onPace: (pace: Pace) => void,
): () => void {
  const { services, keys } = context;
  let lastKeyAt = services.now();
  let pace: Pace = "full";
  const updatePace = (): Pace => {
    const before = pace;
    const idle = services.now() - lastKeyAt;
    pace = idle >= IDLE_MS ? "paused" : idle >= RELAXED_MS ? "relaxed" : "full";
    if (pace !== before) onPace(pace);
    return pace;
  };
  const loops = requests.map((request, at) =>
    refreshLoop(context, request, timing, () => {
      const isRelaxed = updatePace() === "relaxed";
      if (pace === "paused") return undefined;
      const plan = createPlan(context, requests);
      return (isRelaxed ? relaxedPlan(plan) : plan).everyMs[at];
    }),
  );
  const stopKeys = keys.onInput(() => {
    lastKeyAt = services.now();
    const before = pace;
    if (updatePace() !== before) for (const { wait } of loops) wait();
  });
  return () => {
    stopKeys();
    onPace("full");
    for (const { stop } of loops) stop();
  };
}

const RESERVED_SHARE = 0.1;

/**
 * Refreshes one request. `wait` schedules the next refresh again.
 * @param interval returns the milliseconds between two refreshes; undefined while there are none
 */
function refreshLoop(
  { services, data }: LiveContext,
  request: EndpointRequest,
  timing: Timers,
  interval: () => number | undefined,
) {
  let failures = 0;
  let requestedAt = data.read(request).at ?? services.now();
  let stopTimer = () => {};
  const wait = () => {
    stopTimer();
    const everyMs = interval();
    if (everyMs === undefined) return;
    const due = requestedAt + backOff(everyMs, failures) - services.now();
    stopTimer = timing.after(Math.max(0, due), () => {
      if (interval() === undefined) return;
      requestedAt = services.now();
      if (canRefresh()) data.refresh(request);
      wait();
    });
  };
  /** Not during a wait, and not after a permanent failure. */
  const canRefresh = (): boolean => {
    const { isLoading, problem, retryAt } = data.read(request);
    const { requests, waitingUntil } = data.quota();
    if (isLoading || retryAt !== undefined || waitingUntil !== undefined) return false;
    if (requests && requests.remaining <= requests.limit * RESERVED_SHARE) return false;
    return !problem || !isPermanent(problem);
  };
  let wasLoading = data.read(request).isLoading;
  const stopWatching = data.watch(request, () => {
    const { isLoading, problem } = data.read(request);
    const hasEnded = wasLoading && !isLoading;
    // A manual refresh restarts the interval.
    if (isLoading && !wasLoading) requestedAt = services.now();
    wasLoading = isLoading;
    if (!hasEnded) return;
    failures = problem ? failures + 1 : 0;
    wait();
  });
  wasLoading = data.read(request).isLoading;
  wait();
  return {
    wait,
    stop: () => {
      stopTimer();
      stopWatching();
    },
  };
}

/**
 * Registers the key that follows a page: its answer is requested again and again, within the share of the quota that
 * pages may use. Returns the state for the header, the longest form first; nothing while it is off.
 * @param canChange whether the answer may still change; following ends when it cannot
 */
export function useFollow(resource: Resource, canChange: boolean): readonly TextLine[] {
  const explorer = useExplorer();
  const [isChosen, setChosen] = useViewState("follow", false);
  const canFollow = resource.answer !== undefined && canChange;
  const isOn = isChosen && canFollow;
  const live = useLiveAnswer(resource, isOn);
  useBindings("screen", [
    bindAction("list.auto", isOn ? "stop following" : "follow", () => setChosen(!isOn), {
      hint: 41,
      active: canFollow,
    }),
  ]);
  return isOn ? followVariants(live, formatKeyHints(keyLabelsOf(explorer), [["list.auto", "stop"]])) : [];
}

function followVariants(live: LiveState, hint: string): readonly TextLine[] {
  if (live.status === "paused") return [[span(`○ ${paceText(live)}`, "warning")]];
  const [pace = "", ...cost] = paceText(live).split(" · ");
  const sign: TextLine = [span("● ", "good"), span(pace, "good")];
  const notes = [...cost, hint].filter(Boolean).map((text) => span(` · ${text}`, "note"));
  return [[...sign, ...notes], [...sign, ...notes.slice(cost.length)], sign];
}
