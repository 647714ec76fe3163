/**
 * The jq engine, in a thread of its own: WebAssembly runs to its end without looking up, so that a program that never
 * ends can only be stopped from outside.
 */
import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";

/** What jq is asked to do: a program, and the JSON text to run it on. Without any text, it is only compiled. */
export interface JqRequest {
  readonly json: string;
  readonly program: string;
}

/** What one run of jq gave. */
export interface JqRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The thread's script: built next to this module, or its source when running from source. */
function jqWorker(): URL {
  const built = new URL("./jq-worker.js", import.meta.url);
  return existsSync(built) ? built : new URL("./jq-worker.ts", import.meta.url);
}

/**
 * Runs a jq program on JSON text; results come one per line, as compact JSON.
 * @throws the reason of the signal when it fires; what the engine threw, or an Error, when it breaks down.
 */
export async function runJq(request: JqRequest, signal?: AbortSignal): Promise<JqRun> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<JqRun>();
  // The engine's own remarks are nobody's output, and options of this process are not meant for the thread.
  const worker = new Worker(jqWorker(), { workerData: request, stdout: true, stderr: true, execArgv: [] });
  worker.stdout.resume();
  worker.stderr.resume();
  worker.once("message", resolve);
  worker.once("error", reject);
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
