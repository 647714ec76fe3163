/**
 * The jq engine, in its own thread: WebAssembly blocks until it is done, so that an endless program can only be stopped
 * from another thread.
 */
import { Worker } from "node:worker_threads";
import { scriptBeside, threadOf, UsageError } from "../../base/index.ts";

/** A request to jq: a program, and the JSON text to run it on. Without text, it is only compiled. */
export interface JqRequest {
  readonly json: string;
  readonly program: string;
}

/** The result of a run of jq. */
export interface JqRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/**
 * Runs a jq program on JSON text; results come one per line, as compact JSON.
 * @throws the reason of the signal when it fires; UsageError when the program needs more memory than the engine has, or
 * nests too deeply; another error of the engine when it crashes
 */
export async function runJq(request: JqRequest, signal?: AbortSignal): Promise<JqRun> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<JqRun>();
  // Messages of the engine are not part of the output, and options of this process do not apply to the thread.
  const [code, options] = threadOf(scriptBeside(import.meta.url, "jq-worker"));
  const worker = new Worker(code, { ...options, workerData: request, stdout: true, stderr: true, execArgv: [] });
  worker.stdout.resume();
  worker.stderr.resume();
  worker.once("message", resolve);
  worker.once("error", (error) => reject(exhaustionError(error) ?? error));
  worker.once("exit", (code) => reject(new Error(`The jq engine stopped with code ${code}.`)));
  const stop = () => reject(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await promise;
  } finally {
    signal?.removeEventListener("abort", stop);
    await worker.terminate();
  }
}

/** The messages of an engine at its limits, of WebAssembly and of the thread. */
const EXHAUSTED = {
  JQ_DEPTH: /memory access out of bounds|call stack|recursion/i,
  JQ_MEMORY: /^Aborted\(|out of memory|memory limit|Invalid string length|Array buffer allocation|could not allocate/i,
} as const;

/** Returns the error of a program that exceeds the limits of the engine; undefined for other failures. */
function exhaustionError(cause: Error): UsageError | undefined {
  const isDeep = EXHAUSTED.JQ_DEPTH.test(cause.message);
  if (!isDeep && !EXHAUSTED.JQ_MEMORY.test(cause.message)) return undefined;
  const problem = isDeep ? "values or calls are nested too deeply" : "out of memory";
  return new UsageError(`jq: ${problem}`, {
    code: isDeep ? "JQ_DEPTH" : "JQ_MEMORY",
    hint: "Check the program for endless recursion. To use an installed jq, pipe -o json to it.",
    cause,
  });
}
