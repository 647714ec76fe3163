/** `solx mcp`: serves the API to language models, over stdin and stdout until the input ends, or over HTTP. */

import type { McpServerFactory } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { toInterruptedError, UsageError } from "../../base/index.ts";
import { toWriteFailure } from "../../output/index.ts";
import type { Invocation } from "../run/command-definition.ts";
import type { RunContext } from "../run/context.ts";
import { type LimitOptions, parseLimits } from "./definitions.ts";
import { Manual } from "./manual.ts";
import { createServer } from "./server.ts";
import { Session } from "./session.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** Options of the command as typed. */
export interface ServeOptions extends LimitOptions {
  readonly http?: true;
  readonly port?: string;
}

/** Milliseconds after the time limit of a call in which its response is written. */
const GRACE_MS = 2000;

/** Serves until the input ends or the output is closed. Throws InterruptedError when the program is stopped. */
export async function serve(context: RunContext, { options, command }: Invocation<ServeOptions>): Promise<void> {
  const { http, port, ...limits } = options;
  if (port !== undefined && !http) throw new UsageError("--port requires --http");
  const session = new Session(context, parseLimits(limits), new Manual(command.parent ?? command));
  // Invalid settings are reported before the server starts.
  await context.session.settings();
  const createSessionServer = () => createServer(session);
  const onError = (error: Error) => context.reporter.defer(() => reportProtocolError(context, error));
  try {
    if (http) {
      const { serveHttp } = await import("./http.ts");
      await serveHttp(context, { createServer: createSessionServer, onError, port });
    } else {
      const maxWaitMs = (await session.callSeconds()) * 1000 + GRACE_MS;
      await serveStreams(context, { createServer: createSessionServer, onError, maxWaitMs });
    }
  } finally {
    await session.close();
  }
}

interface StreamOptions {
  readonly createServer: McpServerFactory;
  readonly onError: (error: Error) => void;
  /** Maximum wait for pending responses after the end of the input in milliseconds. */
  readonly maxWaitMs: number;
}

async function serveStreams(
  context: RunContext,
  { createServer: factory, onError, maxWaitMs }: StreamOptions,
): Promise<void> {
  const { stdin, stdout, signal } = context.io;
  if (stdin.isTTY)
    await context.reporter.hint(
      "This command is started by an MCP client and communicates over stdin and stdout. Press Ctrl-D to exit.",
    );
  const transport = new StdioTransport({ input: stdin, output: stdout, maxWaitMs });
  const handle = serveStdio(factory, { transport, onerror: onError });
  const stop = () => void handle.close();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const failure = await transport.closed;
  signal.removeEventListener("abort", stop);
  if (signal.aborted) throw toInterruptedError(signal);
  // A client that closes the connection ends it normally.
  if (failure) throw toWriteFailure(failure);
}

async function reportProtocolError(context: RunContext, { message }: Error): Promise<void> {
  await context.reporter.note(`Protocol error: ${message.replace(/\s+/g, " ").slice(0, 300)}`);
}
