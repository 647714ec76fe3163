/** The state of an answer on the screen. */

import type { Size } from "../frame/context.ts";
import { useExplorer } from "../frame/context.ts";
import type { Line } from "../frame/line.ts";
import { Lines } from "../frame/lines.tsx";
import { useNow } from "./hooks.ts";
import type { Entry } from "./store.ts";
import { SPINNER_MS, stateLine, stateLines, type Telling } from "./words.ts";

export { ageText, isEmpty } from "./words.ts";

/**
 * The line that a panel shows above what it has; undefined where nothing is to be said.
 * @param now milliseconds since the epoch
 */
export function resourceLine(entry: Entry, now: number, unicode: boolean, timeZone?: string): Line | undefined {
  return stateLine(entry, { now, unicode, timeZone });
}

const SECOND = 1000;
/** An age is in minutes mostly. */
const STALE_MS = 15_000;

/** The present, as often anew as the words about an entry change: nothing ticks where nothing turns. */
function useTelling({ isLoading, problem, retryAt }: Entry): Telling {
  const { services } = useExplorer();
  const { unicode, timeZone } = services;
  const everyMs = isLoading ? SPINNER_MS : retryAt === undefined ? STALE_MS : SECOND;
  const now = useNow(everyMs, isLoading || retryAt !== undefined || problem !== undefined);
  return { now, unicode, timeZone };
}

/** {@link resourceLine}, kept up to date. */
export function useResourceLine(entry: Entry): Line | undefined {
  return stateLine(entry, useTelling(entry));
}

export interface ResourceStateProps {
  readonly resource: Entry;
  readonly region: Size;
  /** What is said where an answer holds nothing: a sentence. */
  readonly empty?: string;
}

const MARGIN = 2;

/** Fills a region with the state of a resource that has nothing to show. */
export function ResourceState({ resource, region, empty }: ResourceStateProps) {
  const { width, height } = region;
  const told = stateLines(resource, useTelling(resource), width - 2 * MARGIN, empty);
  const lines: readonly Line[] = told.map((one) => [{ text: " ".repeat(MARGIN) }, ...one]);
  return <Lines lines={height > told.length ? [[], ...lines] : lines} width={width} height={height} />;
}
