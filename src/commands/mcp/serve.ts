/** `solx mcp`: serves the API to language models over standard input and output, until the input ends. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { interruption } from "../../base/abort.ts";
import type { Frame } from "../run/context.ts";
import { type LimitOptions, limitsOf } from "./limits.ts";
import { createServer } from "./server.ts";
import { Session } from "./session.ts";
import { Wire } from "./wire.ts";

/** Milliseconds beyond the time of a call in which its answer is written. */
const SPARE_MS = 2000;

/**
 * Serves until the input ends, the reader goes or the program is stopped.
 * @throws UsageError for options and settings that cannot be used; InterruptedError when it was stopped
 */
export async function serve(frame: Frame, options: LimitOptions): Promise<void> {
  const { stdin, stdout, signal, version } = frame.io;
  const session = new Session(frame, limitsOf(options));
  // What is wrong with the settings is told before anybody relies on the server.
  await frame.settings();
  if (stdin.isTTY) await frame.hint("This is for the settings of an assistant, which talks to it. Ctrl-D ends it.");
  const patience = (await session.callSeconds()) * 1000 + SPARE_MS;
  const wire = new Wire({ input: stdin, output: stdout, patience });
  const closed = new Promise<void>((resolve) => wire.whenClosed(resolve));
  const handle = serveStdio(() => createServer(session, version), {
    transport: wire,
    onerror: (error) => frame.told.later(() => tellTrouble(frame, error)),
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
  if (signal.aborted) throw interruption(signal);
}

/** What is wrong with a message is of use to those who write a client; who types at it is told what it is. */
async function tellTrouble(frame: Frame, { message }: Error): Promise<void> {
  await frame.note(`Protocol: ${message.replace(/\s+/g, " ").slice(0, 300)}`);
}
