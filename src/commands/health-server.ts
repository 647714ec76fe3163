/** What monitoring asks a command that runs until it is stopped: `/metrics` for Prometheus, `/health` for supervisors. */
import type { JsonObject } from "../base/index.ts";
import { startFetchServer } from "../sandbox/index.ts";
import { PORTS, parseNumberOption } from "./number-option.ts";

/** The state of a command. */
export interface HealthReport {
  /** Whether it does its work; otherwise the status of `/health` is 503. */
  readonly isHealthy: boolean;
  readonly status: JsonObject;
  /** Metrics in Prometheus's text format. */
  readonly metrics: string;
}

/** Serves the state on this machine; undefined without a port. @throws UsageError for an invalid or taken port */
export async function serveHealth(
  port: string | undefined,
  report: () => HealthReport,
): Promise<{ readonly url: string; close(): Promise<void> } | undefined> {
  if (port === undefined) return undefined;
  return startFetchServer(async (request) => answerHealth(request, report()), {
    port: parseNumberOption("--health", port, PORTS),
  });
}

/** Answers a request of monitoring. */
function answerHealth({ url }: Request, { isHealthy, status, metrics }: HealthReport): Response {
  const path = URL.parse(url)?.pathname;
  if (path === "/metrics") return new Response(metrics, { headers: { "content-type": "text/plain; version=0.0.4" } });
  if (path !== "/health") return new Response("Not found: /metrics or /health\n", { status: 404 });
  return Response.json(status, { status: isHealthy ? 200 : 503 });
}
