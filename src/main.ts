/** The entry point: connects a run with the streams, signals and exit code of the process. */
import { ExitCode, InterruptedError } from "./base/index.ts";
import { run } from "./commands/index.ts";

/** Milliseconds within which a repeated signal counts once: a launcher may forward what the terminal sent too. */
const ECHO_MS = 100;

/** The signals that end a run. Windows has no SIGTERM; Ctrl-Break (SIGBREAK) takes its place. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"] as const;

/** Milliseconds after a signal or the end of the work within which connections, files and timers may end in order. */
const CLOSE_MS = 2000;

/**
 * Ends the process within a while, whatever is open: a server, file or reader that is silent has no say in that. The
 * exit code is set first, so that a process in which nothing is open any more ends by itself, with all output written.
 */
function endProcess(code: number): void {
  process.exitCode = code;
  setTimeout(() => process.exit(process.exitCode), CLOSE_MS).unref();
}

/**
 * Runs solx in this process. A second signal exits immediately. Under `nohup`, SIGHUP stays ignored: Node forgets that it
 * was, but shells say in `_` what they have started.
 */
export async function main({ version }: { readonly version: string }): Promise<void> {
  const controller = new AbortController();
  let stoppedAt = Number.NEGATIVE_INFINITY;
  const stop = (signal: NodeJS.Signals) => {
    const terminated = signal !== "SIGINT";
    const now = performance.now();
    if (now - stoppedAt < ECHO_MS) return;
    stoppedAt = now;
    const code = terminated ? ExitCode.terminated : ExitCode.interrupted;
    if (controller.signal.aborted) process.exit(code);
    endProcess(code);
    controller.abort(new InterruptedError(terminated ? "Stopped." : "Interrupted.", { terminated }));
  };
  const { env, stdout, stderr } = process;
  const isHangupIgnored = /(?:^|\/)nohup$/.test(env._ ?? "");
  for (const signal of SIGNALS) process.on(signal, signal === "SIGHUP" && isHangupIgnored ? () => {} : stop);
  let stdin: typeof process.stdin | undefined;
  // A closed standard error must not end the program: the exit code still reports the outcome.
  stderr.on("error", () => {});
  await run({
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
    onOutcome: endProcess,
  });
  stdin?.unref?.();
}
