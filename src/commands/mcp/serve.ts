/** `solx mcp`: serves the API to language models over standard input and output, until the input ends. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { toInterruptedError } from "../../base/index.ts";
import type { RunContext } from "../run/context.ts";
import { type LimitOptions, parseLimits } from "./limits.ts";
import { createServer } from "./server.ts";
import { Session } from "./session.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** Milliseconds beyond the time of a call in which its answer is written. */
const GRACE_MS = 2000;

/**
 * Serves until the input ends, the reader goes or the program is stopped.
 * @throws UsageError for options and settings that cannot be used; InterruptedError when it was stopped
 */
export async function serve(context: RunContext, options: LimitOptions): Promise<void> {
  const { stdin, stdout, signal, version } = context.io;
  const session = new Session(context, parseLimits(options));
  // What is wrong with the settings is told before anybody relies on the server.
  await context.settings();
  if (stdin.isTTY)
    await context.reporter.hint("This is for the settings of an assistant, which talks to it. Ctrl-D ends it.");
  const maxWaitMs = (await session.callSeconds()) * 1000 + GRACE_MS;
  const transport = new StdioTransport({ input: stdin, output: stdout, maxWaitMs });
  const closed = new Promise<void>((resolve) => transport.whenClosed(resolve));
  const handle = serveStdio(() => createServer(session, version), {
    transport,
    onerror: (error) => context.reporter.defer(() => reportProtocolError(context, error)),
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
async function reportProtocolError(context: RunContext, { message }: Error): Promise<void> {
  await context.reporter.note(`Protocol: ${message.replace(/\s+/g, " ").slice(0, 300)}`);
}
