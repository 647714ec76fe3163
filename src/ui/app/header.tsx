/** The head of the screen: where one is, who asks whom, what is left of the budget, and how old the data is. */
import { useCallback, useSyncExternalStore } from "react";
import { type Explorer, useExplorer } from "./context.ts";
import { type HeadState, headLine } from "./header-line.ts";
import { HEAD_HEIGHT } from "./layout.ts";
import { Lines } from "./lines.tsx";
import { titleOf } from "./route.ts";

const TICK_MS = 1000;

/** Drawn anew when what it says changes, which is looked at each second; most seconds nothing does. */
export function Head({ width }: { width: number }) {
  const explorer = useExplorer();
  const { services, navigation, data } = explorer;
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = [navigation.subscribe(listener), data.subscribe(listener)];
      const timer = setInterval(listener, TICK_MS);
      return () => {
        clearInterval(timer);
        for (const end of ends) end();
      };
    },
    [navigation, data],
  );
  const shown = useSyncExternalStore(subscribe, () =>
    JSON.stringify(headLine(stateOf(explorer), width, services.unicode)),
  );
  return <Lines lines={[JSON.parse(shown)]} width={width} height={HEAD_HEIGHT} />;
}

/** Crumbs that are looked at: more never fit. */
const MOST_CRUMBS = 12;

/** What the head knows now. */
export function stateOf({ services, navigation, data, subject }: Explorer): HeadState {
  const trail = navigation.trail();
  const crumbs = trail.slice(-MOST_CRUMBS).map(({ place }) => titleOf(place));
  const { requests, units, waitingUntil } = data.gauge();
  const now = services.now();
  const request = subject()?.request;
  const entry = request && data.read(request);
  const waiting = waitingUntil === undefined ? 0 : Math.ceil((waitingUntil - now) / 1000);
  return {
    crumbs: trail.length > MOST_CRUMBS ? ["…", ...crumbs] : crumbs,
    identity: services.identity,
    requests,
    units,
    waiting: waiting > 0 ? waiting : undefined,
    spent: data.spent(),
    age: entry?.at === undefined ? undefined : now - entry.at,
    isStale: entry?.answer !== undefined && entry.problem !== undefined,
  };
}
