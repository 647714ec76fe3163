/** Starts the explorer in a terminal. */

import { createDataStore } from "../data/query-store.ts";
import type { Route } from "../navigation/route.ts";
import type { Services } from "../navigation/services.ts";
import type { View } from "../navigation/view.ts";
import { type ExitReason, fullScreen } from "../terminal/full-screen.tsx";
import { App } from "./app.tsx";

export type { ExitReason } from "../terminal/full-screen.tsx";

/** What the explorer starts with. */
export interface ExploreOptions {
  readonly services: Services;
  readonly route: Route;
  /** The state of the view that it starts at. */
  readonly state?: View["state"];
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

/** Loads the rest once the first frame is written: an import that is started before it runs before it. */
async function loadLazy() {
  await new Promise((resolve) => setImmediate(resolve));
  return import("./lazy.ts");
}

/** Runs the explorer until the user quits, the signal aborts or an error ends it; never rejects. */
export function explore({ services, route, state, stdin, stdout, signal }: ExploreOptions): Promise<ExitReason> {
  const data = createDataStore(services);
  return fullScreen({
    stdin,
    stdout,
    signal,
    log: services.log,
    draw: (terminal, quit) => (
      <App {...{ services, data, quit, terminal }} initialRoute={route} initialState={state} lazy={loadLazy} />
    ),
    close: () => data.close(),
  });
}
