/// <reference path="./undici-parts.d.ts" />
/**
 * The parts of undici that are used, imported by path: its index would also load fetch, caches and mocks, which takes
 * longer than the rest of the start-up.
 */
import Agent from "undici/lib/dispatcher/agent.js";

export type { Dispatcher } from "undici";
export { Agent };

/** Loads the agent for proxies. It opens tunnels with a method that undici's index would add. */
export async function loadProxyAgent() {
  const [{ default: Dispatcher }, { default: connect }, { default: ProxyAgent }] = await Promise.all([
    import("undici/lib/dispatcher/dispatcher.js"),
    import("undici/lib/api/api-connect.js"),
    import("undici/lib/dispatcher/proxy-agent.js"),
  ]);
  Object.assign(Dispatcher.prototype, { connect });
  return ProxyAgent;
}
