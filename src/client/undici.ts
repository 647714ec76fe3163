/// <reference path="./undici-parts.d.ts" />
/**
 * The parts of undici that are used, by path: its index would load fetch, caches and mocks too, which costs more
 * start-up time than everything else together.
 */
import Agent from "undici/lib/dispatcher/agent.js";

export type { Dispatcher } from "undici";
export { Agent };

/** The agent for proxies, loaded when there is one. */
export async function loadProxyAgent() {
  return (await import("undici/lib/dispatcher/env-http-proxy-agent.js")).default;
}
