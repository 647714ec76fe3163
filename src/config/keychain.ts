/**
 * The system keychain, accessed by a child process with a timeout: a locked collection or a missing session bus can
 * block forever, and a native call that blocks cannot be interrupted inside its own process.
 */

import { type Env, InterruptedError, scriptArguments, scriptBeside } from "../base/index.ts";

/** The service name of keychain entries. */
export const KEYCHAIN_SERVICE = "solx";

/** A request to the keychain, which the worker reads from standard input. */
export interface KeychainRequest {
  readonly action: "get" | "set" | "delete";
  readonly service: string;
  readonly account: string;
  readonly key?: string;
}

/** The worker's answer on standard output; `reason` completes a sentence that starts with "The system keychain". */
export type KeychainAnswer =
  | { readonly ok: true; readonly key?: string }
  | { readonly ok: false; readonly reason: string };

/** How the keychain is accessed. */
export interface KeychainOptions {
  readonly env: Env;
  readonly platform?: NodeJS.Platform;
  /** The worker's script. */
  readonly worker?: URL;
  /** Timeout in milliseconds. */
  readonly limit?: number;
}

/** The default timeout in milliseconds. */
const TIMEOUT = 2_000;

/**
 * Sends a request to the keychain; an answer always comes within the timeout.
 * @throws InterruptedError when the signal fires
 */
export async function requestKeychain(
  request: Omit<KeychainRequest, "service">,
  options: KeychainOptions,
  signal?: AbortSignal,
): Promise<KeychainAnswer> {
  const {
    env,
    platform = process.platform,
    worker = scriptBeside(import.meta.url, "keychain-worker"),
    limit = TIMEOUT,
  } = options;
  if (signal?.aborted) throw new InterruptedError(undefined, { cause: signal.reason });
  if (platform === "linux" && !env.DBUS_SESSION_BUS_ADDRESS) {
    return { ok: false, reason: "cannot be reached without a session bus (DBUS_SESSION_BUS_ADDRESS is not set)" };
  }
  const expiry = AbortSignal.timeout(limit);
  const stop = signal ? AbortSignal.any([signal, expiry]) : expiry;
  const text = await runWorker(worker, env, JSON.stringify({ ...request, service: KEYCHAIN_SERVICE }), stop);
  if (signal?.aborted) throw new InterruptedError(undefined, { cause: signal.reason });
  if (expiry.aborted) return { ok: false, reason: `did not answer within ${limit / 1000} seconds` };
  return parseAnswer(text);
}

/** Returns what the worker wrote before it ended; kills it when `stop` fires. */
async function runWorker(worker: URL, env: Env, request: string, stop: AbortSignal): Promise<string> {
  // Options of this process, such as an inspector's port, must not stop the worker.
  const { NODE_OPTIONS: _dropped, ...rest } = env;
  // Most commands do not use the keychain, and the module takes part of their start-up time.
  const { spawn } = await import("node:child_process");
  const child = spawn(process.execPath, [...scriptArguments(worker)], {
    env: rest as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "ignore"],
    signal: stop,
    killSignal: "SIGKILL",
    windowsHide: true,
  });
  return new Promise((resolve) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    // A worker that cannot be started, or ends early, has no answer: the text stays empty.
    child.stdin.on("error", () => {});
    child.on("error", () => resolve(text));
    child.on("close", () => resolve(text));
    child.stdin.end(request);
  });
}

function parseAnswer(text: string): KeychainAnswer {
  try {
    const answer = JSON.parse(text) as KeychainAnswer;
    if (answer.ok === true || typeof answer.reason === "string") return answer;
  } catch {
    // Reported below: the output was not an answer.
  }
  return { ok: false, reason: "cannot be used on this machine" };
}
