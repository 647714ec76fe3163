/** `solx/sandbox`: the sandbox, for tests of programs that use the library; it loads when it is started. */
import { resolvePaths } from "./config/index.ts";
import type { RunningSandbox, ServerOptions } from "./sandbox/index.ts";

export type {
  AccountAmount,
  ChainChange,
  FallthroughAnswer,
  FallthroughHandler,
  ReplayOptions,
  RequestEntry,
  RunningSandbox,
  SandboxControls,
  SandboxInfo,
  SandboxOptions,
  SandboxPlan,
  SandboxTime,
  SandboxUsage,
  ServerOptions,
  TransferRequest,
} from "./sandbox/index.ts";

/**
 * Serves the API over HTTP on loopback, without an API key and without a network.
 *
 *     import { startSandbox } from "solx/sandbox";
 *
 *     const sandbox = await startSandbox({ seed: "mine", now: 1_720_000_000 });
 *     const client = createClient({ baseUrl: sandbox.url, key: sandbox.key, now: sandbox.now });
 *     …
 *     await sandbox.close();
 *
 * Uses a free port by default. The first sandbox of a seed and size takes seconds to generate its data, which is cached
 * in the same folder as that of `solx sandbox`.
 * @throws UsageError for invalid options and for a port in use, InterruptedError when the signal aborts
 */
export async function startSandbox(options: ServerOptions = {}): Promise<RunningSandbox> {
  const { startSandbox: start } = await import("./sandbox/index.ts");
  const { cache } = resolvePaths(process.env);
  return start({ port: 0, ...(cache === undefined ? {} : { folder: cache }), ...options });
}
