/** Sends the requests of a client to its source, with the cache in front of it and a check behind it. */
import type PQueue from "p-queue";
import { PermissionError, ServerError, throwIfAborted, UsageError } from "../base/index.ts";
import type { Answer } from "./answer/answer.ts";
import type { Cache } from "./cache/cache.ts";
import { type ClientSettings, checkSeconds } from "./options.ts";
import type { PreparedRequest } from "./request/prepare.ts";
import type { Send, SendOptions, Source, Support } from "./source.ts";

/** Returns the error for a request of a client that was closed. */
export const closedError = () => new UsageError("This client is closed.", { code: "CLOSED" });

/** Creates a sender. The cache is opened by the first request, the source opens itself. */
export function createSender(source: Source, settings: ClientSettings) {
  const { cache: cacheOptions, concurrency, now, onEvent } = settings;
  let cache: Promise<Cache> | undefined;
  let isClosed = false;
  /** @throws UsageError after the client was closed: a source that was never asked would open now */
  const requireOpen = () => {
    if (isClosed) throw closedError();
  };
  const check = async (answer: Answer, { raw }: SendOptions) => {
    if (!raw) await checkAnswer(answer, source, settings);
    return answer;
  };
  const sendNow: Send = async (request, options) => check(await source.answer(request, options), options);
  const sendUncached = concurrency === undefined ? sendNow : limitConcurrency(sendNow, concurrency);
  return {
    requireOpen,
    async send(prepared: PreparedRequest, options: SendOptions): Promise<Answer> {
      requireOpen();
      if (prepared.endpoint) requireSupport(source.supports(prepared.endpoint));
      const request = withCost(prepared, source);
      if (options.timeout !== undefined) checkSeconds("timeout", options.timeout, 0.001);
      if (!cacheOptions) return sendUncached(request, options);
      cache ??= import("./cache/cache.ts").then(
        (module) => new module.Cache({ options: cacheOptions, source, now, onEvent, send: sendUncached, check }),
      );
      return (await cache).send(request, options);
    },
    async close() {
      isClosed = true;
      await (await cache)?.close();
      await source.close();
    },
  };
}

/** Returns a function that sends a limited number of requests at a time; the others wait, before their permits. */
function limitConcurrency(send: Send, concurrency: number): Send {
  let queue: Promise<PQueue> | undefined;
  return async (request, options) => {
    queue ??= import("p-queue").then(({ default: Queue }) => new Queue({ concurrency }));
    return (await queue).add(() => {
      throwIfAborted(options.signal);
      return send(request, options);
    });
  };
}

/** Returns a request with what it costs at a source. */
export const withCost = (request: PreparedRequest, { facts }: Pick<Source, "facts">): PreparedRequest =>
  facts.chargesUnits ? request : { ...request, cost: 0 };

/**
 * Reports an answer that does not match.
 * @throws ServerError (code `DRIFT`) where that is an error
 */
async function checkAnswer(
  answer: Answer,
  { mask }: Pick<Source, "mask">,
  { drift, onEvent }: Pick<ClientSettings, "drift" | "onEvent">,
): Promise<void> {
  const { endpoint } = answer.request;
  if (drift === "ignore" || !endpoint) return;
  const { findSchemaDrift } = await import("./answer/schema-drift.ts");
  const problems = (await findSchemaDrift(answer)).map(mask);
  if (problems.length === 0) return;
  if (drift === "report") return onEvent({ type: "drift", endpoint: endpoint.route, problems });
  throw new ServerError(`The answer does not match the catalogue: ${problems.join("; ")}.`, {
    code: "DRIFT",
    status: answer.status,
    hint: {
      command: `Without the setting strict it is printed as it is. To see what is documented: solx docs ${endpoint.route}`,
      program: "Without the option strict it is an event, and the answer is returned.",
    },
  });
}

/** @throws UsageError or PermissionError for an endpoint that a source does not answer */
export function requireSupport({ refusal }: Support): void {
  if (refusal)
    throw new (refusal.isUsage ? UsageError : PermissionError)(refusal.reason, {
      code: refusal.code,
      hint: refusal.instead,
    });
}
