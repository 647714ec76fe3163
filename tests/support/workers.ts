/** Processes that share an API key, and a Redis server for them. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { WorkerResult, WorkerTask } from "./rate-limit-worker.ts";

const WORKER = fileURLToPath(new URL("rate-limit-worker.ts", import.meta.url));

/** A running process. */
export interface Worker {
  readonly child: ChildProcess;
  /** Messages so far: `{}` after each answer, and notes. */
  readonly messages: readonly { readonly note?: string }[];
  /** Waits until the messages meet a condition. */
  waitForMessage(test: (messages: Worker["messages"]) => boolean): Promise<void>;
  readonly outcome: Promise<WorkerResult>;
}

/** Starts a process. */
export function startWorker(options: WorkerTask): Worker {
  const child = spawn(process.execPath, [WORKER, JSON.stringify(options)], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  // A process may end before it is asked to.
  child.stdin.on("error", () => {});
  const messages: { note?: string }[] = [];
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    const lines = (text + chunk).split("\n");
    text = lines.pop() ?? "";
    messages.push(...lines.map((line) => JSON.parse(line)));
    child.emit("message");
  });
  const outcome = once(child, "close").then(() => {
    const last = messages.at(-1);
    if (last === undefined || !("answered" in last)) throw new Error("The process was ended.");
    return last as unknown as WorkerResult;
  });
  outcome.catch(() => {});
  const waitForMessage = async (test: (messages: Worker["messages"]) => boolean) => {
    while (!test(messages)) await once(child, "message");
  };
  return { child, messages, waitForMessage, outcome };
}

/**
 * Starts a Redis server without persistence on a free loopback port.
 * @param atEnd registers the function that stops it (default: at the end of the test)
 * @param options further arguments
 * @param file a configuration file
 */
export async function redisServer(
  port?: number,
  atEnd: (stop: () => void) => void = onTestFinished,
  options: readonly string[] = [],
  file?: string,
): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  const free = port ?? (await freePort());
  const storage = options.includes("--sentinel") ? [] : ["--save", "", "--appendonly", "no"];
  const args = [...(file ? [file] : []), "--port", `${free}`, "--bind", "127.0.0.1", ...storage, ...options];
  // A replica writes what it receives into a file.
  const cwd = mkdtempSync(join(tmpdir(), "solx-redis-"));
  const child = spawn("redis-server", args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  atEnd(() => {
    child.kill("SIGKILL");
    rmSync(cwd, { recursive: true, force: true });
  });
  let log = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    log += chunk;
    if (/Ready to accept connections|Sentinel ID is/.test(log)) break;
  }
  return { port: free, child };
}

/** Returns a port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** Starts a Redis server with a self-signed certificate in a folder; returns its address and the certificate. */
export async function tlsServer(folder: string): Promise<{ readonly url: string; readonly cert: string }> {
  const [key, cert] = [join(folder, "tls.key"), join(folder, "tls.crt")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  const form = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync("openssl", [...form, "-keyout", key, "-out", cert, "-days", "2", ...subject], { stdio: "ignore" });
  const port = await freePort();
  await redisServer(undefined, onTestFinished, [
    ...["--tls-port", `${port}`, "--tls-cert-file", cert, "--tls-key-file", key],
    ...["--tls-ca-cert-file", cert, "--tls-auth-clients", "no"],
  ]);
  return { url: `rediss://127.0.0.1:${port}`, cert };
}
