/** Websockets of nodes: opened with the proxies and the certificates of other connections. */
import type { OpenDispatcher } from "../../chain/indexer/index.ts";
import type { Settings } from "../../config/index.ts";
import { loadUpstreams } from "../../sources/api/index.ts";
import { CONNECT_SECONDS, readCertificates } from "./client-options.ts";
import type { RunContext } from "./context.ts";

/** Returns what opens the connections to websockets. */
export async function openWebSockets({ io }: RunContext, settings: Settings): Promise<OpenDispatcher> {
  const [{ openUpstream }, caCert] = await Promise.all([loadUpstreams(), readCertificates(settings)]);
  const timeouts = { connect: Math.min(CONNECT_SECONDS, settings.get("timeout")) };
  return async ({ href }, options) => {
    const url = new URL(href.replace(/^ws/, "http"));
    return (await openUpstream(url, { env: io.env, caCert, timeouts, ...options })).dispatcher;
  };
}
