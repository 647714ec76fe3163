/** Runs the program's source in this process: what takes a process a tenth of a second takes some milliseconds. */
import { Readable, Writable } from "node:stream";
import { commandLine } from "../../src/catalogue/command-line.ts";
import type { Endpoint, Example } from "../../src/catalogue/endpoint.ts";
import type { Io } from "../../src/commands/io.ts";
import { run } from "../../src/commands/run.ts";
import { cleanEnv, type Run, type RunOptions } from "./solx.ts";

/** How to run it: as in a process, and what its standard output is. */
export interface HereOptions extends RunOptions {
  /** The width of the terminal that reads; without it, a pipe reads. */
  readonly terminal?: number;
}

/** The command line of an example as words, read as a shell reads it. */
export function wordsOf(endpoint: Endpoint, { params }: Example): string[] {
  const [, ...words] = commandLine(endpoint, params).match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ""));
}

/** Runs the program to its end. */
export async function here(argv: readonly string[], { env, input = "", terminal }: HereOptions = {}): Promise<Run> {
  const [stdout, stderr] = [collector(terminal), collector()];
  const code = await run({
    argv,
    env: cleanEnv(env),
    version: "0.0.0",
    stdin: Readable.from([input]) as unknown as Io["stdin"],
    stdout: stdout.stream,
    stderr: stderr.stream,
    now: Date.now,
    signal: new AbortController().signal,
  });
  return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
}

function collector(terminal?: number) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  const isTTY = terminal === undefined ? {} : { isTTY: true, columns: terminal };
  return {
    stream: Object.assign(stream, isTTY) as unknown as Io["stdout"],
    text: () => Buffer.concat(chunks).toString(),
  };
}
