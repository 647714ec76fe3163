/// <reference path="./undici-parts.d.ts" />
/**
 * The parts of undici that are used, by path: its index would load fetch, caches and mocks too, which costs more
 * start-up time than everything else together.
 */
import Agent from "undici/lib/dispatcher/agent.js";

export type { Dispatcher } from "undici";
export { Agent };

/** The agent for a proxy, loaded when there is one. It opens tunnels with a method that undici's index would add. */
export async function loadProxyAgent() {
  const [{ default: Dispatcher }, { default: connect }, { default: ProxyAgent }] = await Promise.all([
    import("undici/lib/dispatcher/dispatcher.js"),
    import("undici/lib/api/api-connect.js"),
    import("undici/lib/dispatcher/proxy-agent.js"),
  ]);
  Object.assign(Dispatcher.prototype, { connect });
  return ProxyAgent;
}
