/** The entry point: connects a run with the streams, signals and exit code of the process. */
import { ExitCode, InterruptedError } from "./base/index.ts";
import { run } from "./commands/index.ts";

/** Milliseconds within which a repeated signal counts once: a launcher may forward what the terminal sent too. */
const ECHO_MS = 100;

/** The signals that end a run. Windows has no SIGTERM; Ctrl-Break (SIGBREAK) takes its place. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"] as const;

/**
 * Runs solx in this process. The exit code is set, not forced, so that all output is written; a second signal exits
 * immediately.
 */
export async function main({ version }: { readonly version: string }): Promise<void> {
  const controller = new AbortController();
  let stoppedAt = Number.NEGATIVE_INFINITY;
  const stop = (signal: NodeJS.Signals) => {
    const terminated = signal !== "SIGINT";
    const now = performance.now();
    if (now - stoppedAt < ECHO_MS) return;
    stoppedAt = now;
    if (controller.signal.aborted) process.exit(terminated ? ExitCode.terminated : ExitCode.interrupted);
    controller.abort(new InterruptedError(terminated ? "Stopped." : "Interrupted.", { terminated }));
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  const { env, stdout, stderr } = process;
  let stdin: typeof process.stdin | undefined;
  // A closed standard error must not end the program: the exit code still reports the outcome.
  stderr.on("error", () => {});
  process.exitCode = await run({
    argv: process.argv.slice(2),
    env,
    version,
    // Opening it loads a part of Node that most commands do without.
    get stdin() {
      stdin ??= process.stdin;
      return stdin;
    },
    stdout,
    stderr,
    now: Date.now,
    signal: controller.signal,
  });
  stdin?.unref?.();
}
