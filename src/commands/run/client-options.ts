/** The client's options, from the settings and options of a run. */

import { UsageError } from "../../base/index.ts";
import { isLoopback } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import { isSwitchedOn } from "../../output/index.ts";
import type { ClientOptions } from "../../sources/index.ts";
import { cacheOptions } from "./cache-options.ts";
import type { RunContext } from "./context.ts";
import { sourceOf } from "./data-source.ts";
import { nodeOptions, rateLimitOptions, readCertificates } from "./rate-limit-options.ts";
import { recordOptions } from "./record-options.ts";
import { createRequestMetrics } from "./request-metrics.ts";

/** Timeouts of parts of an exchange, in seconds. */
const CONNECT_SECONDS = 10;
const SILENCE_SECONDS = 30;

/** Returns the client's options. The key only identifies the rate limit here. */
export async function clientOptions(
  settings: Settings,
  context: RunContext,
  key: string | undefined,
): Promise<ClientOptions> {
  const { io, globals } = context;
  const total = settings.get("timeout");
  const { facts } = sourceOf(settings);
  const clock = await context.session.clock();
  return {
    keyHeader: settings.get("key-header"),
    baseUrls: settings.baseUrls(),
    plan: settings.get("plan"),
    timeouts: {
      connect: Math.min(CONNECT_SECONDS, total),
      firstByte: Math.min(SILENCE_SECONDS, total),
      idle: Math.min(SILENCE_SECONDS, total),
      total,
    },
    retries: settings.get("retries"),
    concurrency: settings.get("concurrency"),
    maxWait: settings.get("max-wait"),
    ...rateLimitOptions(settings, context, key),
    ...(facts.isInProcess ? await inProcessOptions(settings, context) : await networkOptions(settings, context)),
    rpc: nodeOptions(settings),
    cache: cacheOptions(settings, context),
    record: await recordOptions(settings, context),
    strict: settings.get("strict") === "on",
    drift: globals.verbose,
    userAgent: `solx/${io.version}`,
    onExchange: facts.chargesUnits ? createRequestMetrics(settings, context, key, clock) : undefined,
    now: clock,
  };
}

async function networkOptions(settings: Settings, context: RunContext): Promise<ClientOptions> {
  const { io } = context;
  if (io.env.NODE_TLS_REJECT_UNAUTHORIZED === "0") await checkUnverified(settings, context);
  return { caCert: await readCertificates(settings), env: io.env };
}

/** Returns the options of a client that is answered in this process, by the sandbox or an index. */
async function inProcessOptions(settings: Settings, context: RunContext): Promise<ClientOptions> {
  const { ledgerOptions } = await import("../sandbox/world.ts");
  return { ledger: ledgerOptions(context, settings) };
}

/**
 * Notes that certificates are not verified, so that anyone on the network can read the key.
 * @throws UsageError where it would be sent to another machine, unless that is explicitly allowed
 */
async function checkUnverified(settings: Settings, { globals, io, reporter }: RunContext): Promise<void> {
  const { node: _keyless, ...servers } = settings.baseUrls();
  const addresses = settings.node() ? [] : Object.values(servers).map((address) => new URL(address));
  const remote = addresses.find(({ hostname, protocol }) => protocol === "https:" && !isLoopback(hostname));
  const unverified = "NODE_TLS_REJECT_UNAUTHORIZED=0 disables the verification of certificates";
  if (remote !== undefined && !isSwitchedOn(io.env.SOLX_INSECURE) && !globals.dryRun && !globals.curl) {
    throw new UsageError(`${unverified}: the API key is not sent to ${remote.host}`, {
      code: "INSECURE",
      hint: "Unset it, and set the missing certificate authority: solx config set ca-cert <file>\nTo send the key anyway: SOLX_INSECURE=1",
    });
  }
  await reporter.note(`${unverified}: the API key is sent unprotected.`);
}
