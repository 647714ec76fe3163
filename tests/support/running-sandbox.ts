/** A sandbox over HTTP that the tests of a file share. */

import { afterAll, beforeAll } from "vitest";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import type { ConnectedClient } from "../../src/sources/index.ts";
import { createClient } from "../../src/sources/index.ts";
import { worldsFolder } from "./ledger.ts";

/** The time of the sandbox in Unix seconds. */
export const SANDBOX_NOW = Date.UTC(2024, 6, 5, 12) / 1000;

/** A sandbox that runs while the tests of a file run. */
export interface SharedSandbox extends Pick<RunningSandbox, "url" | "key" | "requests"> {
  /** A client of the sandbox, at its time. */
  readonly client: ConnectedClient;
  /** Returns the environment of runs against the sandbox, each with its own rate limit and no cache. */
  env(): Record<string, string>;
}

/** Starts a sandbox before the tests of a file and stops it afterwards. */
export function useSandbox({ size = 0.5 } = {}): SharedSandbox {
  let sandbox: RunningSandbox;
  let client: ConnectedClient;
  beforeAll(async () => {
    sandbox = await startSandbox({ seed: "test", size, now: SANDBOX_NOW, port: 0, folder: worldsFolder() });
    client = createClient({ baseUrl: sandbox.url, key: sandbox.key, now: () => SANDBOX_NOW * 1000 });
  });
  afterAll(async () => {
    await client.close();
    await sandbox.close();
  });
  return {
    get url() {
      return sandbox.url;
    },
    get key() {
      return sandbox.key;
    },
    get client() {
      return client;
    },
    requests: () => sandbox.requests(),
    env: () => ({
      SOLX_BASE_URL: sandbox.url,
      SOLX_API_KEY: sandbox.key,
      SOLX_BUDGET: "process",
      SOLX_CACHE: "off",
      SOLX_SANDBOX_NOW: String(SANDBOX_NOW),
    }),
  };
}
