/** Starts the explorer in a terminal, and ends it in such a way that the terminal is as it was. */
import { render } from "ink";
import { createData } from "./data/create.ts";
import { App } from "./frame/app.tsx";
import type { Place } from "./frame/place.ts";
import type { Services } from "./frame/services.ts";

export interface Start {
  readonly services: Services;
  readonly place: Place;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

/** Runs the explorer until it is left. */
export async function explore({ services, place, stdin, stdout, signal }: Start): Promise<void> {
  const data = createData(services);
  const app = render(<App services={services} data={data} start={place} quit={() => app.unmount()} />, {
    stdin,
    stdout,
    exitOnCtrlC: false,
    alternateScreen: true,
    incrementalRendering: true,
    maxFps: 60,
    patchConsole: true,
  });
  signal.addEventListener("abort", () => app.unmount(), { once: true });
  await app.waitUntilExit();
  await data.close();
}
