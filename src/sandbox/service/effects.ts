/** What faults do to answers, as far as an answer alone can show it, and in process, where there is no connection. */
import { NetworkError, ServerError, sleep, toInterruptedError } from "../../base/index.ts";

import { STATUSES } from "../../catalogue/index.ts";
import { answerOf, refusal, TYPES } from "./answer.ts";
import type { Effect } from "./faults.ts";
import type { ServiceAnswer } from "./request.ts";

/** What the connection has to do, beside carrying the answer. */
export type Wire =
  | { readonly kind: "truncate" | "hang" | "reset" }
  | { readonly kind: "drip"; readonly interval: number };

/** An answer that a fault has struck. */
export interface Struck {
  readonly answer: ServiceAnswer;
  readonly wire?: Wire;
}

const PAGE = (title: string) =>
  `<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n<hr><center>sandbox</center>\n</body>\n</html>\n`;

const GATEWAY: Readonly<Record<number, string>> = {
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};
/** What a status is called. */
const words = (status: number): string =>
  (STATUSES as Readonly<Record<number, string>>)[status] ??
  GATEWAY[status] ??
  (status < 400 ? "OK" : status < 500 ? "Bad Request" : "Server Error");

/** What the API says when requests come too fast. */
export const TOO_MANY = "Too many requests, please try again later.";

/** The answer after the fault; `now` in milliseconds. */
export function struck(answer: ServiceAnswer, effect: Exclude<Effect, { kind: "latency" }>, now: number): Struck {
  switch (effect.kind) {
    case "status":
      return { answer: statusAnswer(effect, now) };
    case "html":
      return { answer: answerOf(effect.status, TYPES.html, PAGE(`${effect.status} ${words(effect.status)}`)) };
    case "empty":
      return { answer: answerOf(effect.status, TYPES.json, "") };
    case "refused":
      return {
        answer: refusal(200, effect.code, effect.code === 500 ? STATUSES[500] : `Refused with code ${effect.code}`),
      };
    case "bad-json":
      return { answer: answerOf(answer.status, TYPES.json, spoiled(answer.body)) };
    case "wrong-type":
      return { answer: { ...answer, headers: { ...answer.headers, "content-type": TYPES.html } } };
    case "bad-gzip":
      return { answer: { ...answer, headers: { ...answer.headers, "content-encoding": "gzip" } } };
    case "truncate":
    case "hang":
    case "reset":
      return { answer, wire: { kind: effect.kind } };
    case "drip":
      return { answer, wire: effect };
  }
}

/** Text that is no JSON and yet has its end, so that it does not look like one that broke off. */
const spoiled = (body: string): string => (body.includes(":") ? body.replace(":", "=") : `${body}}`);

function statusAnswer(effect: Extract<Effect, { kind: "status" }>, now: number): ServiceAnswer {
  const { status, retryAfter, asDate } = effect;
  const at = retryAfter === undefined ? undefined : new Date(now + retryAfter * 1000).toUTCString();
  const headers = at === undefined ? {} : { "retry-after": asDate ? at : String(retryAfter) };
  return refusal(status, status, status === 429 ? TOO_MANY : words(status), headers);
}

/**
 * Does in process what a fault would do on a connection: a reset, an answer that breaks off and one that is not the gzip
 * it says are the errors that a client makes of them, a hang lasts until the signal fires, a drip takes its time.
 * @throws NetworkError, ServerError or InterruptedError
 */
export async function carried({ answer, wire }: Struck, signal: AbortSignal | undefined): Promise<ServiceAnswer> {
  switch (wire?.kind) {
    case "reset":
      throw new NetworkError("The sandbox closed the connection without an answer.", { code: "RESET" });
    case "truncate":
      throw new ServerError("Incomplete response: the answer of the sandbox broke off before its end.", {
        code: "TRUNCATED",
        retryable: true,
      });
    case "hang":
      return never(signal);
    case "drip":
      await sleep(wire.interval * Buffer.byteLength(answer.body), signal);
      return answer;
    default:
      if (answer.headers["content-encoding"] === undefined) return answer;
      throw new ServerError("The answer of the sandbox cannot be read: it says that it is gzip and is not.", {
        code: "ENCODING",
      });
  }
}

function never(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(toInterruptedError(signal));
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
}
