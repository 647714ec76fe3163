/** Starts the watch in a terminal. */
import { type End, fullScreen } from "../terminal/full-screen.tsx";
import { WatchScreen, type WatchScreenProps } from "./screen.tsx";

/** What is watched, and in which terminal. */
export interface WatchStart extends Omit<WatchScreenProps, "terminal" | "quit"> {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

/** Runs the watch until it is left, stopped by the signal, or cannot go on; never rejects. */
export function watchInTerminal({ stdin, stdout, signal, ...screen }: WatchStart): Promise<End> {
  return fullScreen({
    stdin,
    stdout,
    signal,
    log: screen.log,
    draw: (terminal, quit) => <WatchScreen {...screen} terminal={terminal} quit={quit} />,
    close: async () => screen.watcher.close(),
  });
}
