/** A transport that answers requests in this process, from the sandbox or an index, instead of sending them. */
import { ServerError } from "../../base/index.ts";
import { type Transport, totalTimeoutError } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import type { Sandbox, ServiceAnswer } from "../../sandbox/index.ts";
import type { RunContext } from "../run/context.ts";
import { ledgerProgress, loadSandbox, usageFile, worldOptions } from "./world.ts";

/** Returns a transport over the sandbox or the index of the settings, which is opened by the first request. */
export function inProcessTransport(context: RunContext, settings: Settings): Transport {
  let opened: Promise<Sandbox> | undefined;
  return {
    async send({ url, headers, signal }, seconds = settings.get("timeout")) {
      opened ??= settings.source === "index" ? openIndexService(context, settings) : openInProcess(context, settings);
      const [sandbox, { HINT_HEADER }] = await Promise.all([opened, loadSandbox()]);
      const reply = await withTimeout(seconds, { url, signal }, (stop) =>
        sandbox.handle({ method: "GET", url: url.href, headers, signal: stop }),
      );
      const failure = reply.status === 500 ? reply.headers[HINT_HEADER] : undefined;
      if (failure !== undefined) throw serviceError(failure, settings);
      return { ...reply, url, bytes: Buffer.from(reply.body) };
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

/**
 * Runs an action with a time limit: simulated faults can delay an answer or withhold it.
 * @throws NetworkError when the time limit is exceeded
 */
async function withTimeout(
  seconds: number,
  { url, signal }: { readonly url: URL; readonly signal: AbortSignal | undefined },
  action: (stop: AbortSignal) => Promise<ServiceAnswer>,
): Promise<ServiceAnswer> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(totalTimeoutError(url, seconds)), seconds * 1000);
  try {
    return await action(signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal);
  } catch (error) {
    throw timeout.signal.aborted && !signal?.aborted ? timeout.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the error of a failure of the service itself, most likely over a damaged file; a retry would fail too. */
const serviceError = (message: string, settings: Settings): ServerError =>
  settings.source === "index"
    ? new ServerError(message, {
        code: "INDEX",
        hint: `If the file is damaged, remove it and index again: solx index remove ${settings.get("index")}`,
      })
    : new ServerError(message, { code: "SANDBOX", hint: "Recreate its data: solx sandbox reset" });

/** Opens the index in process; its new blocks appear in later answers. */
async function openIndexService(context: RunContext, settings: Settings): Promise<Sandbox> {
  const [{ openLedgerService }, { openIndexForAnswers }] = await Promise.all([
    loadSandbox(),
    import("../indexer/open-ledger.ts"),
  ]);
  const key = await settings.key(context.io.signal);
  const name = String(settings.get("index"));
  const options = { name, key: key?.value, onNote: (text: string) => void context.reporter.note(text) };
  return openLedgerService(await openIndexForAnswers(settings, name), options);
}

async function openInProcess(context: RunContext, settings: Settings): Promise<Sandbox> {
  const options = worldOptions(settings, context);
  const { openSandbox } = await loadSandbox();
  const progress = await ledgerProgress(context);
  try {
    const usage = usageFile(settings);
    return await openSandbox({
      ...options,
      usage,
      onProgress: progress.update,
      onNote: (text) => void context.reporter.note(text),
    });
  } finally {
    progress.end();
  }
}
