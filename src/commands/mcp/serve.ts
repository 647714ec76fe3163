/** `solx mcp`: serves the API to language models over standard input and output, until the input ends. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { toInterruptedError } from "../../base/abort.ts";
import type { RunContext } from "../run/context.ts";
import { type LimitOptions, limitsOf } from "./limits.ts";
import { createServer } from "./server.ts";
import { Session } from "./session.ts";
import { Wire } from "./stdio-transport.ts";

/** Milliseconds beyond the time of a call in which its answer is written. */
const SPARE_MS = 2000;

/**
 * Serves until the input ends, the reader goes or the program is stopped.
 * @throws UsageError for options and settings that cannot be used; InterruptedError when it was stopped
 */
export async function serve(context: RunContext, options: LimitOptions): Promise<void> {
  const { stdin, stdout, signal, version } = context.io;
  const session = new Session(context, limitsOf(options));
  // What is wrong with the settings is told before anybody relies on the server.
  await context.settings();
  if (stdin.isTTY)
    await context.reporter.hint("This is for the settings of an assistant, which talks to it. Ctrl-D ends it.");
  const patience = (await session.callSeconds()) * 1000 + SPARE_MS;
  const wire = new Wire({ input: stdin, output: stdout, patience });
  const closed = new Promise<void>((resolve) => wire.whenClosed(resolve));
  const handle = serveStdio(() => createServer(session, version), {
    transport: wire,
    onerror: (error) => context.reporter.defer(() => tellTrouble(context, error)),
  });
  const stop = () => void handle.close();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    await closed;
  } finally {
    signal.removeEventListener("abort", stop);
    await session.close();
  }
  if (signal.aborted) throw toInterruptedError(signal);
}

/** What is wrong with a message is of use to those who write a client; who types at it is told what it is. */
async function tellTrouble(context: RunContext, { message }: Error): Promise<void> {
  await context.reporter.note(`Protocol: ${message.replace(/\s+/g, " ").slice(0, 300)}`);
}
