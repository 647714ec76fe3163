/** The client's options, from the settings and options of a run. */

import { UsageError } from "../../base/index.ts";
import { isLoopback } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import type { ClientOptions } from "../../sources/index.ts";
import type { RecordOptions } from "../../sources/recording/index.ts";
import { cacheOptions } from "./cache-options.ts";
import type { RunContext } from "./context.ts";
import { sourceOf } from "./data-source.ts";
import { nodeOptions, rateLimitOptions, readCertificates } from "./rate-limit-options.ts";
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
    concurrency: parseConcurrency(globals.concurrency),
    maxWait: settings.get("max-wait"),
    ...rateLimitOptions(settings, context, key),
    ...(facts.isInProcess ? await inProcessOptions(settings, context) : await networkOptions(settings, context)),
    rpc: nodeOptions(settings),
    cache: cacheOptions(settings, context),
    record: await recordOptions(settings),
    strict: globals.strict,
    drift: globals.verbose,
    userAgent: `solx/${io.version}`,
    onExchange: facts.chargesUnits ? createRequestMetrics(settings, context, key, clock) : undefined,
    now: clock,
  };
}

/**
 * Returns where exchanges are recorded.
 * @throws UsageError for `--record-pseudonyms` without a folder, and when the secret of pseudonyms cannot be created
 */
async function recordOptions(settings: Settings): Promise<RecordOptions | undefined> {
  const folder = settings.get("record");
  if (folder === undefined) {
    if (settings.resolve("record-pseudonyms").level !== "flag") return undefined;
    throw new UsageError("--record-pseudonyms needs a folder for recordings", { hint: "Add it: --record <folder>" });
  }
  if (settings.get("record-pseudonyms") !== "on") return { folder };
  const { state } = settings.paths;
  if (state === undefined) {
    throw new UsageError("there is no folder for the secret of --record-pseudonyms", {
      hint: "Set HOME or SOLX_HOME.",
    });
  }
  const { loadPseudonyms } = await import("../../sources/recording/index.ts");
  return { folder, pseudonyms: (await loadPseudonyms()).loadPseudonymSecret(state) };
}

/** Requests at a time that a reading or a batch prepares at most. */
const MAX_CONCURRENCY = 16;

/** @throws UsageError for an invalid value of `--concurrency` */
function parseConcurrency(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MAX_CONCURRENCY) return count;
  throw new UsageError(
    `invalid value "${text}" for --concurrency: expected a whole number from 1 to ${MAX_CONCURRENCY}`,
  );
}

async function networkOptions(settings: Settings, context: RunContext): Promise<ClientOptions> {
  const { io } = context;
  if (io.env.NODE_TLS_REJECT_UNAUTHORIZED === "0") await checkUnverified(settings, context);
  return { caCert: await readCertificates(settings), env: io.env };
}

/** Returns the options of a client that is answered in this process, by the sandbox or an index. */
async function inProcessOptions(settings: Settings, context: RunContext): Promise<ClientOptions> {
  const { ledgerOptions } = await import("../sandbox/ledger-source.ts");
  return { ledger: ledgerOptions(context, settings) };
}

/**
 * Notes that certificates are not verified, so that anyone on the network can read the key.
 * @throws UsageError where it would be sent to another machine, unless that is explicitly allowed
 */
async function checkUnverified(settings: Settings, { globals, reporter }: RunContext): Promise<void> {
  const addresses = settings.node() ? [] : Object.values(settings.baseUrls()).map((address) => new URL(address));
  const remote = addresses.find(({ hostname, protocol }) => protocol === "https:" && !isLoopback(hostname));
  const unverified = "NODE_TLS_REJECT_UNAUTHORIZED=0 disables the verification of certificates";
  if (remote !== undefined && !globals.insecure && !globals.dryRun && !globals.curl) {
    throw new UsageError(`${unverified}: the API key is not sent to ${remote.host}`, {
      code: "INSECURE",
      hint: "Unset it, and pass the missing certificate authority: --ca-cert <file>\nTo send the key anyway: --insecure",
    });
  }
  await reporter.note(`${unverified}: the API key is sent unprotected.`);
}
