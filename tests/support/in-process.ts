/** Runs the source of solx in this process, in milliseconds instead of the tenth of a second that a process takes. */
import { Readable, Writable } from "node:stream";
import { commandLine } from "../../src/catalogue/command-line.ts";
import type { Endpoint } from "../../src/catalogue/endpoint.ts";
import type { Io } from "../../src/commands/run/context.ts";
import { run } from "../../src/commands/run/run.ts";
import { cleanEnv, type RunOptions, type RunResult, splitAssignments } from "./solx.ts";

/** Options of a run, beside those of a process. */
export interface InProcessOptions extends RunOptions {
  /** Width of the terminal on standard output (default: a pipe). */
  readonly terminal?: number;
  /** Standard input as a stream, in place of a text. */
  readonly stdin?: Readable;
  /** Called with all output so far after each write to standard output. */
  readonly onOutput?: (text: string) => void;
  /** Whether standard error is a terminal. */
  readonly isStderrTTY?: boolean;
  /** Aborted in place of a process signal. */
  readonly signal?: AbortSignal;
  readonly version?: string;
}

/** Returns the arguments of an example command, split as a shell does. */
export function exampleArguments(endpoint: Endpoint, { params }: Endpoint["examples"][number]): string[] {
  const [, ...words] = commandLine(endpoint, params).match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ""));
}

/**
 * Runs solx to its end; words such as `SOLX_RATE=off` are variables of its environment. Runs with the same home folder must not overlap: the locks of a database that protect processes
 * from each other do not protect runs of one process.
 */
export async function runInProcess(words: readonly string[], options: InProcessOptions = {}): Promise<RunResult> {
  const { args: argv, env } = splitAssignments(words, options.env);
  const { input = "", terminal, isStderrTTY, signal, version = "0.0.0", onOutput } = options;
  const { stdin = Readable.from([input]) } = options;
  const [stdout, stderr] = [createCollector(terminal, onOutput), createCollector(isStderrTTY ? 80 : undefined)];
  const code = await run({
    argv,
    env: cleanEnv(env),
    version,
    stdin: stdin as unknown as Io["stdin"],
    stdout: stdout.stream,
    stderr: stderr.stream,
    now: Date.now,
    signal: signal ?? new AbortController().signal,
  });
  return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
}

/** Returns an output stream and its text so far; with a number of columns, it is a terminal. */
export function createCollector(terminal?: number, onOutput?: (text: string) => void) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      onOutput?.(Buffer.concat(chunks).toString());
      done();
    },
  });
  const isTTY = terminal === undefined ? {} : { isTTY: true, columns: terminal };
  return {
    stream: Object.assign(stream, isTTY) as unknown as Io["stdout"],
    text: () => Buffer.concat(chunks).toString(),
  };
}
