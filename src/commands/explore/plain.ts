/** The explorer in plain lines, on the standard streams of this run. */
import { createInterface } from "node:readline";
import { SolxError } from "../../base/index.ts";
import { getStreamSink } from "../../output/index.ts";
import { createDataStore, type Route, runPlainExplorer, type Services } from "../../ui/index.ts";
import type { Io, RunContext } from "../run/context.ts";

/**
 * Runs a plain session until the user quits, the input ends, the output is closed, or the signal is aborted.
 * @throws ReaderGone when the output is closed, and any other write error
 */
export async function explorePlain(services: Services, start: Route, { stdin, stdout, signal }: Io): Promise<void> {
  const data = createDataStore(services);
  // No line editing: it needs a terminal that supports control sequences; others edit lines themselves.
  const reader = createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY });
  // Created at once: lines that arrive before there is a listener would be lost.
  const lines = reader[Symbol.asyncIterator]();
  const end = () => reader.close();
  signal.addEventListener("abort", end, { once: true });
  const sink = getStreamSink(stdout);
  // The sink stores a write error and throws it again on flush.
  const write = (text: string) => void sink.write(text, signal).catch(end);
  try {
    const isLeft = await runPlainExplorer({ services, data, initialRoute: start, lines, write, signal });
    // Later output must not follow the prompt on the same line.
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
  if (reason instanceof SolxError && reason.exit === "interrupted") context.outcome.exitCode = reason.exitCode;
  else signal.throwIfAborted();
}
