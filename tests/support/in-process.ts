/** Runs the program's source in this process: what takes a process a tenth of a second takes some milliseconds. */
import { Readable, Writable } from "node:stream";
import { commandLine } from "../../src/catalogue/command-line.ts";
import type { Endpoint, Example } from "../../src/catalogue/endpoint.ts";
import type { Io } from "../../src/commands/run/io.ts";
import { run } from "../../src/commands/run/run.ts";
import { cleanEnv, type RunOptions, type RunResult } from "./solx.ts";

/** How to run it: as in a process, and what its standard output is. */
export interface InProcessOptions extends RunOptions {
  /** The width of the terminal that reads; without it, a pipe reads. */
  readonly terminal?: number;
  /** Standard input that stays open, in place of a text. */
  readonly stdin?: Readable;
  /** Told what has been written to standard output so far, whenever something was. */
  readonly onOutput?: (text: string) => void;
  /** Whether a person sees standard error. */
  readonly isStderrTTY?: boolean;
  /** Fires when it is to stop, as when a signal comes. */
  readonly signal?: AbortSignal;
  readonly version?: string;
}

/** The command line of an example as words, read as a shell reads it. */
export function exampleArguments(endpoint: Endpoint, { params }: Example): string[] {
  const [, ...words] = commandLine(endpoint, params).match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ""));
}

/** Runs the program to its end. */
export async function runInProcess(argv: readonly string[], options: InProcessOptions = {}): Promise<RunResult> {
  const { env, input = "", terminal, isStderrTTY, signal, version = "0.0.0", onOutput } = options;
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

function createCollector(terminal?: number, onOutput?: (text: string) => void) {
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
