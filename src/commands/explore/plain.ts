/** The explorer in plain lines, over the streams of this run. */
import { createInterface } from "node:readline";
import { SolxError } from "../../base/errors.ts";
import { getStreamSink } from "../../output/stream/stream-sink.ts";
import type { Route } from "../../ui/app/route.ts";
import type { Services } from "../../ui/app/services.ts";
import { createDataStore } from "../../ui/data/query-store.ts";
import { runPlainExplorer } from "../../ui/plain/session.ts";
import type { RunContext } from "../run/context.ts";
import type { Io } from "../run/io.ts";

/**
 * Talks until it is left, what is typed ends, nobody reads any more, or the signal.
 * @throws ReaderGone when nobody reads any more, and what kept it from writing
 */
export async function explorePlain(services: Services, start: Route, { stdin, stdout, signal }: Io): Promise<void> {
  const data = createDataStore(services);
  // Editing a line needs a terminal that obeys something; others edit it themselves.
  const reader = createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY });
  // Lines are kept from the first on: readers tell who listens of a line, and those of before are lost.
  const lines = reader[Symbol.asyncIterator]();
  const end = () => reader.close();
  signal.addEventListener("abort", end, { once: true });
  const sink = getStreamSink(stdout);
  // The sink remembers a failure, and tells it again at the end.
  const write = (text: string) => void sink.write(text, signal).catch(end);
  try {
    const isLeft = await runPlainExplorer({ services, data, initialRoute: start, lines, write, signal });
    // What comes next does not belong behind the prompt.
    if (!isLeft) write("\n");
    if (!signal.aborted) await sink.flush(signal);
  } finally {
    signal.removeEventListener("abort", end);
    reader.close();
    await data.close();
  }
}

/** Ends a plain session: after Ctrl-C only the exit code is set, since no message is needed at a prompt. */
export function endQuietly(context: RunContext): void {
  const { signal } = context.io;
  const reason: unknown = signal.reason;
  if (reason instanceof SolxError && reason.exit === "interrupted") context.exitCode = reason.exitCode;
  else signal.throwIfAborted();
}
