/**
 * The system keychain, asked by a child process with a time limit: a locked collection or a missing session bus may
 * block the caller for ever, and a native call that blocks cannot be interrupted in its own process.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { InterruptedError } from "../base/errors.ts";
import type { Env } from "./paths.ts";

/** The service that keychain entries are filed under. */
export const KEYCHAIN_SERVICE = "solx";

/** What the keychain is asked to do. The worker reads it from its standard input. */
export interface KeychainRequest {
  readonly action: "get" | "set" | "delete";
  readonly service: string;
  readonly account: string;
  readonly key?: string;
}

/** What the worker answers on its standard output; `reason` continues the words "The system keychain". */
export type KeychainAnswer =
  | { readonly ok: true; readonly key?: string }
  | { readonly ok: false; readonly reason: string };

/** How the keychain is reached. */
export interface KeychainOptions {
  readonly env: Env;
  readonly platform?: NodeJS.Platform;
  /** The worker's script. */
  readonly worker?: URL;
  /** Milliseconds to wait for it. */
  readonly limit?: number;
}

/** Milliseconds that a keychain may take. */
const TIMEOUT = 2_000;

/** The worker's script: built next to this module, or its source when running from source. */
export function findWorker(): URL {
  const built = new URL("./keychain-worker.js", import.meta.url);
  return existsSync(built) ? built : new URL("./keychain-worker.ts", import.meta.url);
}

/**
 * Asks the keychain; an answer always comes within the limit.
 * @throws InterruptedError when the signal fires.
 */
export async function requestKeychain(
  request: Omit<KeychainRequest, "service">,
  options: KeychainOptions,
  signal?: AbortSignal,
): Promise<KeychainAnswer> {
  const { env, platform = process.platform, worker = findWorker(), limit = TIMEOUT } = options;
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

/** What the worker wrote before it ended; it is killed when `stop` fires. */
function runWorker(worker: URL, env: Env, request: string, stop: AbortSignal): Promise<string> {
  // Options meant for solx itself, such as an inspector's port, must not stop the worker.
  const { NODE_OPTIONS: _dropped, ...rest } = env;
  const child = spawn(process.execPath, [fileURLToPath(worker)], {
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
    // A worker that cannot be started, or ends before it has read everything, has no answer: the text stays empty.
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
    // Reported below: whatever the worker said, it was not an answer.
  }
  return { ok: false, reason: "cannot be used on this machine" };
}
