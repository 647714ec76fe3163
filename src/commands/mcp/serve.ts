/** `solx mcp`: serves the API to language models over stdin and stdout until the input ends. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { toInterruptedError } from "../../base/index.ts";
import type { RunContext } from "../run/context.ts";
import { type LimitOptions, parseLimits } from "./limits.ts";
import { createServer } from "./server.ts";
import { Session } from "./session.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** Milliseconds after the time limit of a call in which its response is written. */
const GRACE_MS = 2000;

/**
 * Serves until the input ends, the output is closed or the program is stopped.
 * @throws UsageError for invalid options and settings; InterruptedError when it was stopped
 */
export async function serve(context: RunContext, options: LimitOptions): Promise<void> {
  const { stdin, stdout, signal, version } = context.io;
  const session = new Session(context, parseLimits(options));
  // Invalid settings are reported before the server starts.
  await context.settings();
  if (stdin.isTTY)
    await context.reporter.hint(
      "This command is started by an MCP client and communicates over stdin and stdout. Press Ctrl-D to exit.",
    );
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

/** Reports an invalid message, for developers of clients. */
async function reportProtocolError(context: RunContext, { message }: Error): Promise<void> {
  await context.reporter.note(`Protocol error: ${message.replace(/\s+/g, " ").slice(0, 300)}`);
}
