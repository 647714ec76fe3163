/** Answers from a ledger in this process: the sandbox or an index. Their service stands in for the network. */
import { isObject, PermissionError, ServerError, textOf, tryParseJson } from "../../base/index.ts";
import type { HttpResponse } from "../../client/index.ts";
import { type Transport, totalTimeoutError } from "../api/index.ts";

/** The API served in this process. */
export interface LedgerService {
  handle(request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  }): Promise<Pick<HttpResponse, "status" | "headers" | "body">>;
  close(): Promise<void>;
}

/** A ledger and its service. */
export interface LedgerOptions {
  /** Opens the service; called by the first request. */
  readonly open: () => Promise<LedgerService>;
  readonly source: { readonly kind: "sandbox" | "index"; readonly name: string };
  /** The error for a failure of the service itself, most likely over a damaged file. */
  readonly failure: { readonly code: string; readonly hint: string };
}

/** The header for hints that the API does not give; bodies never contain them. */
export const HINT_HEADER = "x-solx-hint";

/**
 * Creates a transport to the service of a ledger.
 * @param total seconds of an exchange: simulated faults can delay an answer or withhold it
 */
export function createLedgerTransport({ open, failure, source }: LedgerOptions, total: number): Transport {
  let opened: Promise<LedgerService> | undefined;
  const names =
    source.kind === "index"
      ? { source: `The index ${source.name}`, lacks: indexLacks(source.name) }
      : { source: "The sandbox" };
  return {
    async send({ url, headers, signal }, seconds = total) {
      opened ??= open();
      const service = await opened;
      const answer = await withTimeout(seconds, { url, signal }, (stop) =>
        service.handle({ method: "GET", url: url.href, headers, signal: stop }),
      );
      const hint = answer.headers[HINT_HEADER];
      if (answer.status === 500 && hint !== undefined) throw new ServerError(hint, failure);
      // No key is refused, but what the blocks of a chain do not say.
      if (answer.status === 403 && source.kind === "index")
        throw new PermissionError(parseMessage(answer.body), { code: "INDEX_UNSUPPORTED", hint: { command: hint } });
      return { ...answer, ...names, url, bytes: Buffer.from(answer.body) };
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

function indexLacks(name: string): HttpResponse["lacks"] {
  const text = "It may be in a block that the index lacks, or was not selected for it.";
  const hint = { command: `${text} To see its slots: solx index info ${name}`, program: text, tool: text };
  return { signature: hint, slot: hint };
}

/** Returns the message of an error answer. */
function parseMessage(body: string): string {
  const answer = tryParseJson(body);
  return (isObject(answer) && isObject(answer.errors) ? textOf(answer.errors.message) : undefined) ?? body;
}

/** Runs an action with a time limit. @throws NetworkError when the time limit is exceeded */
async function withTimeout<T>(
  seconds: number,
  { url, signal }: { readonly url: URL; readonly signal: AbortSignal | undefined },
  action: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
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
