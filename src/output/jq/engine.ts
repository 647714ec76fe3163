/**
 * The jq engine, in its own thread: WebAssembly blocks until it is done, so that an endless program can only be stopped
 * from another thread.
 */
import { Worker } from "node:worker_threads";
import { scriptBeside, threadOf } from "../../base/index.ts";

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
 * @throws the reason of the signal when it fires; the error of the engine when it crashes
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
