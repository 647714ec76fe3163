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
import { errorAnswer, jsonAnswer } from "./answer.ts";
import type { ServiceAnswer } from "./request.ts";
import { sendAnswer } from "./send.ts";
import type { Service } from "./service.ts";

/** Node's own request and response; missing where a request was made in process. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

type AppEnv = { Bindings: NodeBindings };
type ControlHandler = (context: Context<AppEnv>) => ServiceAnswer | Promise<ServiceAnswer>;

/** Makes the application; `info` is what the sandbox says of itself, `now` is in milliseconds. */
export function createApp(service: Service, info: () => object, now: () => number): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const control = (method: string, path: string, handler: ControlHandler) =>
    app.on(method, `/_sandbox${path}`, async (context) => responseOf(await handleControl(context, handler)));
  control("GET", "", () => jsonAnswer(200, info() as Json));
  control("GET", "/requests", () =>
    jsonAnswer(200, { total: service.log.count, requests: service.log.list() as unknown as Json }),
  );
  control("PUT", "/faults", async ({ req }) => {
    service.faults.set(parseFaultList(parseJson(await req.text())));
    return jsonAnswer(200, { faults: service.faults.list });
  });
  control("DELETE", "/faults", () => {
    service.faults.set([]);
    return jsonAnswer(200, { faults: [] });
  });
  control("PUT", "/usage", async ({ req }) => {
    const units = parseUnits(parseJson(await req.text()));
    service.usage.setPeriodUnits(units, now());
    return jsonAnswer(200, { units });
  });
  app.all("/_sandbox/*", () => responseOf(errorAnswer(404, 404, STATUSES[404])));
  app.all("*", (context) => handleApiRequest(service, context));
  app.onError(() => responseOf(errorAnswer(500, 500, STATUSES[500])));
  return app;
}

async function handleApiRequest(service: Service, { req, env }: Context<AppEnv>): Promise<Response> {
  const { incoming, outgoing } = env ?? {};
  if (!incoming || !outgoing) {
    const { method, url, signal } = req.raw;
    return responseOf(await service.handle({ method, url, headers: req.header(), signal }));
  }
  const { method = "GET", url = "/", headers } = incoming;
  let disconnected: AbortSignal | undefined;
  const request = {
    method,
    url,
    headers,
    get signal() {
      disconnected ??= disconnectSignal(outgoing);
      return disconnected;
    },
  };
  try {
    sendAnswer(outgoing, method, await service.answer(request));
  } catch (error) {
    // The client went while a latency passed: nobody is there to be told.
    if (!disconnected?.aborted) throw error;
  }
  return RESPONSE_ALREADY_SENT;
}

/** Fires when the client is gone. Few requests wait for anything, so it is made when it is asked for. */
function disconnectSignal(outgoing: ServerResponse): AbortSignal {
  const disconnected = new AbortController();
  if (outgoing.destroyed) disconnected.abort();
  outgoing.once("close", () => disconnected.abort());
  return disconnected.signal;
}

const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|[\w-]+\.localhost)(:\d+)?$/i;

/**
 * Pages of other origins can make a browser send requests here: under a name of theirs that leads to this machine, or
 * with an origin of theirs. Neither steers the sandbox.
 */
async function handleControl(context: Context<AppEnv>, handler: ControlHandler): Promise<ServiceAnswer> {
  const [host, origin] = [context.req.header("host"), context.req.header("origin")];
  const isLocalRequest = (host === undefined || LOOPBACK_HOST.test(host)) && (origin === undefined || isLocal(origin));
  if (!isLocalRequest) return errorAnswer(403, 403, STATUSES[403]);
  try {
    return await handler(context);
  } catch (error) {
    if (error instanceof SyntaxError) return errorAnswer(400, 400, "The body is not JSON.");
    if (!(error instanceof SolxError)) throw error;
    return jsonAnswer(400, {
      success: false,
      errors: { code: error.code, message: error.message, hint: error.hint ?? null },
    });
  }
}

const parseFaultList = (value: Json): readonly string[] => {
  if (isArray(value) && value.every((text) => typeof text === "string")) return value as readonly string[];
  throw new UsageError('Faults are a JSON list of texts, such as ["500:10%"].');
};

const parseUnits = (value: Json): number => {
  const units = isObject(value) ? value.units : undefined;
  if (typeof units === "number" && Number.isSafeInteger(units) && units >= 0) return units;
  throw new UsageError('Compute units are given as {"units": 1000}.');
};

const isLocal = (origin: string): boolean => {
  const url = URL.parse(origin);
  return url !== null && LOOPBACK_HOST.test(url.host);
};

const responseOf = ({ status, headers, body }: ServiceAnswer): Response =>
  new Response(body === "" ? null : body, { status, headers });
