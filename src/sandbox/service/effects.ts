/** Applies faults to answers, and simulates connection faults for requests in process. */
import { NetworkError, ServerError, sleep, toInterruptedError } from "../../base/index.ts";
import { REFUSALS, STATUSES } from "../../catalogue/index.ts";
import { CONTENT_TYPES, createAnswer, errorAnswer } from "./answer.ts";
import type { FaultEffect } from "./faults.ts";
import type { EncodedAnswer, ServiceAnswer } from "./request.ts";

/** What happens to the connection in addition to the answer. */
export type ConnectionFault =
  | { readonly kind: "truncate" | "hang" | "reset" }
  | { readonly kind: "drip"; readonly interval: number };

/** An answer after a fault was applied. */
export interface FaultyAnswer {
  readonly answer: ServiceAnswer;
  readonly connection?: ConnectionFault;
}

/** An answer as it is sent over HTTP, and what happens to the connection. */
export interface SentAnswer extends Omit<FaultyAnswer, "answer"> {
  readonly answer: EncodedAnswer;
}

const htmlPage = (title: string) =>
  `<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n<hr><center>sandbox</center>\n</body>\n</html>\n`;

const GATEWAY: Readonly<Record<number, string>> = {
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};
const statusText = (status: number): string =>
  (STATUSES as Readonly<Record<number, string>>)[status] ??
  GATEWAY[status] ??
  (status < 400 ? "OK" : status < 500 ? "Bad Request" : "Server Error");

/** Applies an effect to an answer; `now` is in milliseconds. */
export function applyEffect(
  answer: ServiceAnswer,
  effect: Exclude<FaultEffect, { kind: "latency" }>,
  now: number,
): FaultyAnswer {
  switch (effect.kind) {
    case "status":
      return { answer: statusAnswer(effect, now) };
    case "html": {
      const page = htmlPage(`${effect.status} ${statusText(effect.status)}`);
      return { answer: createAnswer(effect.status, CONTENT_TYPES.html, page) };
    }
    case "empty":
      return { answer: createAnswer(effect.status, CONTENT_TYPES.json, "") };
    case "refused": {
      const message = effect.code === 500 ? STATUSES[500] : `Refused with code ${effect.code}`;
      return { answer: errorAnswer(200, effect.code, message) };
    }
    case "bad-json":
      return { answer: createAnswer(answer.status, CONTENT_TYPES.json, invalidJson(answer.body)) };
    case "wrong-type":
      return { answer: { ...answer, headers: { ...answer.headers, "content-type": CONTENT_TYPES.html } } };
    case "bad-gzip":
      return { answer: { ...answer, headers: { ...answer.headers, "content-encoding": "gzip" } } };
    case "truncate":
    case "hang":
    case "reset":
      return { answer, connection: { kind: effect.kind } };
    case "drip":
      return { answer, connection: effect };
  }
}

/** Returns text that is not JSON but complete, so that it does not look like a truncated answer. */
const invalidJson = (body: string): string => (body.includes(":") ? body.replace(":", "=") : `${body}}`);

function statusAnswer(effect: Extract<FaultEffect, { kind: "status" }>, now: number): ServiceAnswer {
  const { status, retryAfter, asDate } = effect;
  const at = retryAfter === undefined ? undefined : new Date(now + retryAfter * 1000).toUTCString();
  const headers = at === undefined ? {} : { "retry-after": asDate ? at : String(retryAfter) };
  return errorAnswer(status, status, status === 429 ? REFUSALS.rate : statusText(status), headers);
}

/** Delivers an answer in process, where faults of a connection are the errors that a client would report. */
export async function deliverInProcess(
  { answer, connection }: FaultyAnswer,
  signal: AbortSignal | undefined,
): Promise<ServiceAnswer> {
  switch (connection?.kind) {
    case "reset":
      throw new NetworkError("The sandbox closed the connection without an answer.", { code: "RESET" });
    case "truncate":
      throw new ServerError("Incomplete response: the answer of the sandbox ended early.", {
        code: "TRUNCATED",
        retryable: true,
      });
    case "hang":
      return waitForAbort(signal);
    case "drip":
      await sleep(connection.interval * Buffer.byteLength(answer.body), signal);
      return answer;
    default:
      if (answer.headers["content-encoding"] === undefined) return answer;
      throw new ServerError("Cannot decode the answer of the sandbox: it is declared as gzip but is not.", {
        code: "ENCODING",
      });
  }
}

function waitForAbort(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(toInterruptedError(signal));
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
}
