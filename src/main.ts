/** The entry of the program: process streams and signals in, exit code out. */
import { ExitCode, InterruptedError } from "./base/errors.ts";
import { run } from "./commands/run/run.ts";

/** Milliseconds within which the same signal counts once: a launcher may pass on what the terminal sent too. */
const ECHO_MS = 100;

/**
 * Runs solx in this process. The exit code is set, never forced, so that all output arrives; a second signal of the
 * same run ends it at once.
 */
export async function main({ version }: { readonly version: string }): Promise<void> {
  const controller = new AbortController();
  let stoppedAt = Number.NEGATIVE_INFINITY;
  const stop = (signal: "SIGINT" | "SIGTERM" | "SIGHUP") => {
    const terminated = signal !== "SIGINT";
    const now = performance.now();
    if (now - stoppedAt < ECHO_MS) return;
    stoppedAt = now;
    if (controller.signal.aborted) process.exit(terminated ? ExitCode.terminated : ExitCode.interrupted);
    controller.abort(new InterruptedError(terminated ? "Stopped." : "Interrupted.", { terminated }));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  const { env, stdin, stdout, stderr } = process;
  // A closed standard error must not end the program: its exit code still speaks.
  stderr.on("error", () => {});
  process.exitCode = await run({
    argv: process.argv.slice(2),
    env,
    version,
    stdin,
    stdout,
    stderr,
    now: Date.now,
    signal: controller.signal,
  });
  stdin.unref?.();
}
