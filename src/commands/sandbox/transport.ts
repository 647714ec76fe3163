/** A transport that answers requests from the sandbox in this process instead of sending them. */
import { ServerError } from "../../base/index.ts";
import { type Transport, totalTimeoutError } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import type { Sandbox, ServiceAnswer } from "../../sandbox/index.ts";
import type { RunContext } from "../run/context.ts";
import { ledgerProgress, loadSandbox, usageFile, worldOptions } from "./world.ts";

/** Returns a transport over the sandbox, which is opened by the first request. */
export function sandboxTransport(context: RunContext, settings: Settings): Transport {
  let opened: Promise<Sandbox> | undefined;
  return {
    async send({ url, headers, signal }, seconds = settings.get("timeout")) {
      opened ??= openInProcess(context, settings);
      const [sandbox, { HINT_HEADER }] = await Promise.all([opened, loadSandbox()]);
      const reply = await withTimeout(seconds, { url, signal }, (stop) =>
        sandbox.handle({ method: "GET", url: url.href, headers, signal: stop }),
      );
      const failure = reply.status === 500 ? reply.headers[HINT_HEADER] : undefined;
      if (failure !== undefined) throw sandboxError(failure);
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

/** Returns the error of a failure of the sandbox itself, most likely over a damaged file; a retry would fail too. */
const sandboxError = (message: string): ServerError =>
  new ServerError(message, { code: "SANDBOX", hint: "Recreate its data: solx sandbox reset" });

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
