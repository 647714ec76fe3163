/** Lists and pages that refresh by themselves, within a share of the quota, or while the user follows them. */
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { pluralize } from "../../base/index.ts";
import { type Explorer, useBindings, useExplorer, useViewState } from "../navigation/context.ts";
import type { DataStore, EndpointRequest, QueryState, QuotaView } from "../navigation/data-store.ts";
import { bindAction, formatKeyHints, keyLabelsOf } from "../navigation/keys/bindings.ts";
import type { Services } from "../navigation/services.ts";
import { span, type TextLine } from "../navigation/theme/text-line.ts";
import type { Resource } from "./hooks.ts";
import { backOff, hourlyCost, isScarce, type LivePlan, planLive, refreshInterval } from "./live-plan.ts";
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
  const { sandbox, isGrowing = false } = services.identity;
  const isStill = sandbox && !isGrowing;
  const [pace, setPace] = useState<Pace>("full");
  // As text: the plan changes seldom, the quota with every request.
  const planText = useSyncExternalStore(data.subscribe, () => JSON.stringify(createPlan(explorer, requests)));
  const { hasLittle, ...plan } = useMemo((): ReturnType<typeof createPlan> => JSON.parse(planText), [planText]);
  const isOn = choice ?? !(hasLittle || isStill);
  useEffect(
    () => (isOn ? startPage(explorer, requests, timing, setPace) : undefined),
    [isOn, explorer, requests, timing],
  );
  const offStatus = choice === false ? "off" : isStill ? "still" : "scarce";
  const status = isOn ? (pace === "paused" ? "paused" : "on") : offStatus;
  return { ...(isOn && pace === "relaxed" ? relaxedPlan(plan) : plan), status };
}

/** How a page refreshes: less often after {@link RELAXED_MS} without a key, and no longer while the user is away. */
type Pace = "full" | "relaxed" | "paused";

/** Milliseconds without a key after which a page refreshes less often, so that one left open costs next to nothing. */
export const RELAXED_MS = 60_000;
const RELAXED_FACTOR = 4;

const relaxedPlan = ({ everyMs, costPerHour }: LivePlan): LivePlan => ({
  everyMs: everyMs.map((interval) => interval * RELAXED_FACTOR),
  costPerHour: Math.ceil(costPerHour / RELAXED_FACTOR),
});

function createPlan({ data, services }: Explorer, requests: readonly LiveRequest[]): LivePlan & { hasLittle: boolean } {
  const { identity } = services;
  const { units } = data.quota();
  const parts = requests.map((request) => ({ units: unitCost(services, data, request), everyMs: request.everyMs }));
  const plan = planLive(parts, { rate: identity.rate, unitsLeft: units?.remaining ?? identity.units });
  return { ...plan, hasLittle: isScarce(units) };
}

function startPage(
  explorer: Explorer,
  requests: readonly LiveRequest[],
  timing: Timers,
  onPace: (pace: Pace) => void,
): () => void {
  const { services, keys } = explorer;
  let lastKeyAt = services.now();
  const isRelaxed = () => services.now() - lastKeyAt >= RELAXED_MS;
  const planned = () => (isRelaxed() ? relaxedPlan(createPlan(explorer, requests)) : createPlan(explorer, requests));
  const stopKeys = keys.onInput(() => {
    lastKeyAt = services.now();
  });
  const stop = requests.map((request, at) =>
    startRefreshing(explorer, request, {
      timing,
      interval: (failures) => backOff(planned().everyMs[at] ?? request.everyMs, failures),
      onChange: ({ isPaused }) => onPace(isPaused ? "paused" : isRelaxed() ? "relaxed" : "full"),
    }),
  );
  return () => {
    stopKeys();
    onPace("full");
    for (const end of stop) end();
  };
}

interface Refreshing {
  readonly timing: Timers;
  /** Returns the milliseconds between two refreshes after a number of failures in a row. */
  readonly interval: (failures: number) => number;
  readonly onChange: (schedule: RefreshSchedule) => void;
}

function startRefreshing(
  { services, data, keys }: Explorer,
  request: EndpointRequest,
  { onChange, ...options }: Refreshing,
): () => void {
  const scheduler: RefreshScheduler = new RefreshScheduler({
    ...options,
    now: services.now,
    read: () => data.read(request),
    quota: () => data.quota(),
    refresh: () => data.refresh(request),
    onChange: () => onChange(scheduler.schedule()),
  });
  const stopKeys = keys.onInput(() => scheduler.onKeyPress());
  const stopWatching = data.watch(request, () => scheduler.onStateChange());
  scheduler.start();
  return () => {
    stopKeys();
    scheduler.stop();
    stopWatching();
  };
}

/** The state of automatic refresh. */
interface AutoRefresh extends RefreshSchedule {
  readonly costPerHour: number;
}

/**
 * Refreshes a list repeatedly while `isOn`: as often as the quota allows, less often after failures, and paused after
 * ten minutes without a key (`isPaused`; the next key resumes it).
 */
export function useAutoRefresh({ request }: Resource, isOn: boolean): AutoRefresh {
  const explorer = useExplorer();
  const { services, data } = explorer;
  const [schedule, setSchedule] = useState<RefreshSchedule>();
  useEffect(() => {
    if (!isOn) return;
    const interval = (failures: number) => listInterval(explorer, request, failures);
    const stop = startRefreshing(explorer, request, { timing: TIMERS, interval, onChange: setSchedule });
    return () => {
      stop();
      setSchedule(undefined);
    };
  }, [isOn, explorer, request]);
  const { everyMs, isPaused } = schedule ?? { everyMs: listInterval(explorer, request, 0), isPaused: false };
  return { everyMs, isPaused, costPerHour: hourlyCost(unitCost(services, data, request), everyMs) };
}

function listInterval({ services, data }: Explorer, request: EndpointRequest, failures: number): number {
  const { rate, units } = services.identity;
  const unitsLeft = data.quota().units?.remaining ?? units;
  return refreshInterval({ units: unitCost(services, data, request), rate, unitsLeft, failures });
}

/** Returns the compute units of one refresh, by the last one. */
const unitCost = ({ source }: Pick<Services, "source">, data: DataStore, request: EndpointRequest) =>
  source.facts.chargesUnits ? (data.read(request).answer?.request.cost ?? request.endpoint.cost.units) : 0;

/** Options of {@link RefreshScheduler}. */
interface SchedulerOptions {
  readonly now: () => number;
  readonly timing: Timers;
  readonly read: () => QueryState;
  readonly quota: () => QuotaView;
  readonly refresh: () => void;
  /** Returns the milliseconds between two refreshes after a number of failures in a row. */
  readonly interval: (failures: number) => number;
  readonly onChange: () => void;
}

/** The displayed schedule; the same object until something changes. */
interface RefreshSchedule {
  /** Milliseconds between two refreshes. */
  readonly everyMs: number;
  /** Whether it waits for a key press because the user is away. */
  readonly isPaused: boolean;
}

/** Milliseconds without a key press after which refreshing pauses. */
export const IDLE_MS = 600_000;
const RESERVED_SHARE = 0.1;

/** Refreshes one list from {@link start} to {@link stop}. */
export class RefreshScheduler {
  readonly #options: SchedulerOptions;
  #schedule: RefreshSchedule;
  #failures = 0;
  #wasLoading = false;
  #requestedAt: number;
  #lastKeyAt: number;
  #stopTimer = () => {};

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#schedule = { everyMs: this.#interval(), isPaused: false };
    this.#requestedAt = options.read().at ?? options.now();
    this.#lastKeyAt = options.now();
  }

  schedule(): RefreshSchedule {
    return this.#schedule;
  }

  start(): void {
    this.#wasLoading = this.#options.read().isLoading;
    this.#wait();
  }

  stop(): void {
    this.#stopTimer();
  }

  /** Records that the user is present; resumes a paused schedule, and one whose intervals were longer meanwhile. */
  onKeyPress(): void {
    this.#lastKeyAt = this.#options.now();
    const before = this.#schedule;
    this.#update({ everyMs: this.#interval(), isPaused: false });
    if (this.#schedule !== before) this.#wait();
  }

  /** Handles a change of the query state: schedules the next refresh when a request has ended. */
  onStateChange(): void {
    const { isLoading, problem } = this.#options.read();
    const hasEnded = this.#wasLoading && !isLoading;
    // A manual refresh restarts the interval.
    if (isLoading && !this.#wasLoading) this.#requestedAt = this.#options.now();
    this.#wasLoading = isLoading;
    if (!hasEnded) return;
    this.#failures = problem ? this.#failures + 1 : 0;
    this.#update({ everyMs: this.#interval() });
    if (!this.#schedule.isPaused) this.#wait();
  }

  #interval(): number {
    return this.#options.interval(this.#failures);
  }

  #wait(): void {
    this.#stopTimer();
    const due = this.#requestedAt + this.#schedule.everyMs - this.#options.now();
    this.#stopTimer = this.#options.timing.after(Math.max(0, due), () => this.#fire());
  }

  #fire(): void {
    const now = this.#options.now();
    if (now - this.#lastKeyAt >= IDLE_MS) {
      this.#update({ isPaused: true });
      return;
    }
    this.#requestedAt = now;
    if (this.#canRefresh()) this.#options.refresh();
    this.#wait();
  }

  /** Returns whether the list may be refreshed now: not during a wait, and not after a permanent failure. */
  #canRefresh(): boolean {
    const { isLoading, problem, retryAt } = this.#options.read();
    const { requests, waitingUntil } = this.#options.quota();
    if (isLoading || retryAt !== undefined || waitingUntil !== undefined) return false;
    if (requests && requests.remaining <= requests.limit * RESERVED_SHARE) return false;
    return !problem || !isPermanent(problem);
  }

  #update(change: Partial<RefreshSchedule>): void {
    const schedule = { ...this.#schedule, ...change };
    if (schedule.everyMs === this.#schedule.everyMs && schedule.isPaused === this.#schedule.isPaused) return;
    this.#schedule = schedule;
    this.#options.onChange();
  }
}

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

function followVariants({ status, everyMs, costPerHour }: LiveState, hint: string): readonly TextLine[] {
  if (status === "paused") return [[span("○ paused: press any key", "warning")]];
  const live: TextLine = [span("● ", "good"), span(`every ${ageText(everyMs[0] ?? FOLLOW_MS)}`, "good")];
  const cost = costPerHour === 0 ? [] : [span(` · ${pluralize(costPerHour, "unit")}/h`, "note")];
  const key = hint === "" ? [] : [span(` · ${hint}`, "note")];
  return [[...live, ...cost, ...key], [...live, ...key], live];
}
