/** The sandbox for tests of programs that use the library; nothing of it is loaded before it starts. */
import { resolvePaths } from "./config/index.ts";
import type { RunningSandbox, ServerOptions } from "./sandbox/index.ts";

/**
 * Serves the API over HTTP on loopback: no key of the real service, no network.
 *
 *     const sandbox = await startSandbox({ seed: "mine", now: 1_720_000_000 });
 *     const client = createClient({ baseUrl: sandbox.url, key: sandbox.key, now: sandbox.now });
 *     …
 *     await sandbox.close();
 *
 * A free port is picked when none is named. The first sandbox of a seed and size takes seconds: its data is made, and
 * kept where `solx sandbox` keeps it.
 * @throws UsageError for options that make no sense and for a port that is taken, InterruptedError when the signal fires
 */
export async function startSandbox(options: ServerOptions = {}): Promise<RunningSandbox> {
  const { startSandbox: start } = await import("./sandbox/index.ts");
  const { cache } = resolvePaths(process.env);
  return start({ port: 0, ...(cache === undefined ? {} : { folder: cache }), ...options });
}
