/**
 * The service over HTTP: the API, and beside it what tests and views steer the sandbox by, under `/_sandbox`. These paths
 * need no key; they answer requests that were sent to this machine by a name of its own, and no page of another origin.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

import type { Context } from "hono";
import { Hono } from "hono/tiny";
import { isArray, isObject, type Json, parseJson, SolxError, UsageError } from "../../base/index.ts";

import { STATUSES } from "../../catalogue/index.ts";
import { jsonAnswer, refusal } from "./answer.ts";
import type { ServiceAnswer } from "./request.ts";
import { send } from "./send.ts";
import type { Service } from "./service.ts";

/** Node's own request and response; missing where a request was made in process. */
export interface Bindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

type Env = { Bindings: Bindings };
type Handler = (context: Context<Env>) => ServiceAnswer | Promise<ServiceAnswer>;

/** Makes the application; `info` is what the sandbox says of itself, `now` is in milliseconds. */
export function createApp(service: Service, info: () => object, now: () => number): Hono<Env> {
  const app = new Hono<Env>();
  const control = (method: string, path: string, handler: Handler) =>
    app.on(method, `/_sandbox${path}`, async (context) => responseOf(await guarded(context, handler)));
  control("GET", "", () => jsonAnswer(200, info() as Json));
  control("GET", "/requests", () =>
    jsonAnswer(200, { total: service.log.count, requests: service.log.list() as unknown as Json }),
  );
  control("PUT", "/faults", async ({ req }) => {
    service.faults.set(textsOf(parseJson(await req.text())));
    return jsonAnswer(200, { faults: service.faults.list });
  });
  control("DELETE", "/faults", () => {
    service.faults.set([]);
    return jsonAnswer(200, { faults: [] });
  });
  control("PUT", "/usage", async ({ req }) => {
    const units = unitsIn(parseJson(await req.text()));
    service.usage.setPeriodUnits(units, now());
    return jsonAnswer(200, { units });
  });
  app.all("/_sandbox/*", () => responseOf(refusal(404, 404, STATUSES[404])));
  app.all("*", (context) => answered(service, context));
  app.onError(() => responseOf(refusal(500, 500, STATUSES[500])));
  return app;
}

async function answered(service: Service, { req, env }: Context<Env>): Promise<Response> {
  const { incoming, outgoing } = env ?? {};
  if (!incoming || !outgoing) {
    const { method, url, signal } = req.raw;
    return responseOf(await service.handle({ method, url, headers: req.header(), signal }));
  }
  const { method = "GET", url = "/", headers } = incoming;
  let gone: AbortSignal | undefined;
  const request = {
    method,
    url,
    headers,
    get signal() {
      gone ??= goneSignal(outgoing);
      return gone;
    },
  };
  try {
    send(outgoing, method, await service.answer(request));
  } catch (error) {
    // The client went while a latency passed: nobody is there to be told.
    if (!gone?.aborted) throw error;
  }
  return RESPONSE_ALREADY_SENT;
}

/** Fires when the client is gone. Few requests wait for anything, so it is made when it is asked for. */
function goneSignal(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (outgoing.destroyed) gone.abort();
  outgoing.once("close", () => gone.abort());
  return gone.signal;
}

const NAMES = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|[\w-]+\.localhost)(:\d+)?$/i;

/**
 * Pages of other origins can make a browser send requests here: under a name of theirs that leads to this machine, or
 * with an origin of theirs. Neither steers the sandbox.
 */
async function guarded(context: Context<Env>, handler: Handler): Promise<ServiceAnswer> {
  const [host, origin] = [context.req.header("host"), context.req.header("origin")];
  const isOwn = (host === undefined || NAMES.test(host)) && (origin === undefined || isLocal(origin));
  if (!isOwn) return refusal(403, 403, STATUSES[403]);
  try {
    return await handler(context);
  } catch (error) {
    if (error instanceof SyntaxError) return refusal(400, 400, "The body is not JSON.");
    if (!(error instanceof SolxError)) throw error;
    return jsonAnswer(400, {
      success: false,
      errors: { code: error.code, message: error.message, hint: error.hint ?? null },
    });
  }
}

const textsOf = (value: Json): readonly string[] => {
  if (isArray(value) && value.every((text) => typeof text === "string")) return value as readonly string[];
  throw new UsageError('Faults are a JSON list of texts, such as ["500:10%"].');
};

const unitsIn = (value: Json): number => {
  const units = isObject(value) ? value.units : undefined;
  if (typeof units === "number" && Number.isSafeInteger(units) && units >= 0) return units;
  throw new UsageError('Compute units are given as {"units": 1000}.');
};

const isLocal = (origin: string): boolean => {
  const url = URL.parse(origin);
  return url !== null && NAMES.test(url.host);
};

const responseOf = ({ status, headers, body }: ServiceAnswer): Response =>
  new Response(body === "" ? null : body, { status, headers });
