/** Starts a ClickHouse server for tests, in a process of its own: chdb has one folder of data in a process. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { StoreAddress } from "../../../src/chain/ledger/clickhouse/address.ts";
import type { Fault } from "./faults.ts";
import type { ServerOptions } from "./server.ts";
import { SHARDS_CONFIG } from "./shards.ts";

const SERVER = fileURLToPath(new URL("server.ts", import.meta.url));

/** A running server. */
export interface ClickHouseServer {
  /** The address, without user and password. */
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** Makes queries fail, from now on. */
  fail(fault: Fault): Promise<void>;
  /** Ends all faults. */
  recover(): Promise<void>;
  /** Ends the server after the queries that it executes. */
  stop(): Promise<void>;
  /** Ends the server as the loss of its machine does, with what it has on disk. */
  kill(): Promise<void>;
}

/** Returns the address of a database of a server of tests. */
export const storeAt = (url: string, database = "default", cluster?: string): StoreAddress => ({
  ...{ url, user: "default", password: undefined, database, cluster },
});

/**
 * Starts a server on a folder, which has the data of the server before.
 * @param atEnd registers the function that kills it, such as `onTestFinished` or `afterAll`
 */
export async function startClickHouse(
  atEnd: (stop: () => Promise<void>) => void,
  options: ServerOptions,
): Promise<ClickHouseServer> {
  // Each query that is executed has a thread.
  const env = { ...process.env, UV_THREADPOOL_SIZE: "16" };
  const cwd = options.hasShards ? mkdtempSync(`${options.folder}-config-`) : process.cwd();
  if (options.hasShards) writeFileSync(join(cwd, "config.xml"), SHARDS_CONFIG);
  const child = fork(SERVER, [JSON.stringify(options)], {
    ...{ env, cwd, serialization: "advanced", execArgv: [] },
    // What waits for the output of the test's process does not wait for the server.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    // Who waits for it has nothing else to wait for.
    child.ref();
    child.kill(signal);
    await exit;
  };
  const kill = () => end("SIGKILL");
  atEnd(kill);
  process.once("exit", () => child.kill("SIGKILL"));
  const send = async (message: Fault | "clear") => {
    // One that has been killed, also meanwhile, answers no more.
    const answered = new AbortController();
    const { signal } = answered;
    const answer = Promise.race([once(child, "message", { signal }), once(child, "exit", { signal })]);
    if (child.connected) child.send(message, () => {});
    if (child.exitCode === null && child.signalCode === null) await answer;
    answer.catch(() => {});
    answered.abort();
  };
  const { port } = await Promise.race([
    once(child, "message").then(([message]) => message as { port: number }),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`ClickHouse ended at its start, with ${code}.`))),
  ]);
  // The process of a test may end before it: the server ends when its channel is closed.
  child.unref();
  child.channel?.unref();
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    child,
    fail: send,
    recover: () => send("clear"),
    stop: () => end("SIGTERM"),
    kill,
  };
}
