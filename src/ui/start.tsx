/** Starts the explorer in a terminal. */

import { App } from "./app/app.tsx";
import type { Place } from "./app/route.ts";
import type { Services } from "./app/services.ts";
import { createData } from "./data/query-store.ts";
import { type End, fullScreen } from "./terminal/full-screen.tsx";

export type { End } from "./terminal/full-screen.tsx";

export interface Start {
  readonly services: Services;
  readonly place: Place;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

const loadParts = () => import("./lazy.ts");

/** Runs the explorer until it is left, stopped by the signal, or cannot go on; never rejects. */
export function explore({ services, place, stdin, stdout, signal }: Start): Promise<End> {
  const data = createData(services);
  return fullScreen({
    stdin,
    stdout,
    signal,
    log: services.log,
    draw: (terminal, quit) => (
      <App services={services} data={data} start={place} quit={quit} parts={loadParts} terminal={terminal} />
    ),
    close: () => data.close(),
  });
}
