/**
 * The service over HTTP: the API, and the control endpoints for tests and user interfaces under `/_sandbox`. Control
 * endpoints need no key; they accept requests of programs and pages on this machine, and those with the control token.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import { Hono } from "hono/tiny";
import { type Json, type JsonObject, parseJson, SolxError } from "../../base/index.ts";
import { STATUSES } from "../../catalogue/index.ts";
import { hasControlToken, isControlRequest } from "./access.ts";
import { errorAnswer, hintHeaders, jsonAnswer } from "./answer.ts";
import type { SentAnswer } from "./effects.ts";
import type { ControlEndpoint, EncodedAnswer, ServiceAnswer } from "./request.ts";
import type { HttpService } from "./service.ts";

/** Node's request and response; absent when a request was made in process. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

type AppEnv = { Bindings: NodeBindings };
/** The parts of an application. */
export interface AppOptions {
  readonly service: HttpService;
  readonly controls: readonly ControlEndpoint[];
  /** Whether the API answers requests with this `Host` header; all by default. */
  readonly acceptsHost?: ((header: string | undefined) => boolean) | undefined;
  /** The token with which other machines may use the control endpoints; none may without it. */
  readonly controlToken?: string | undefined;
  readonly openapi?: (() => Promise<JsonObject>) | undefined;
}

/** Bytes of a request at most: batches of calls and states of the sandbox are smaller. */
const MAX_BODY_BYTES = 4_194_304;
const tooLargeAnswer = (): ServiceAnswer => errorAnswer(413, 413, "The request body is larger than 4 MiB.");

/** Returns the body of a request, of which no more than the limit is kept; undefined when it was larger. */
async function readBody({ req, env }: Context<AppEnv>): Promise<string | undefined> {
  if (!env?.incoming) return req.text();
  const parts: Buffer[] = [];
  let size = 0;
  // The rest is read too: a client that is still sending would not see the answer.
  for await (const part of env.incoming) {
    size += part.length;
    if (size <= MAX_BODY_BYTES) parts.push(part);
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(parts).toString("utf8");
}

/** Creates the application. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const { service, controls, acceptsHost = () => true, controlToken, openapi } = options;
  const app = new Hono<AppEnv>();
  for (const control of controls) {
    app.on(control.method, `/_sandbox${control.path}`, async (context) =>
      responseOf(await handleControl(context, control, controlToken)),
    );
  }
  app.all("/_sandbox/*", () => responseOf(errorAnswer(404, 404, STATUSES[404])));
  app.all("*", async (context) => {
    const host = context.req.header("host");
    if (!acceptsHost(host)) return responseOf(unknownHostAnswer(host));
    const isDocument = openapi && context.req.method === "GET" && context.req.path === "/openapi.json";
    return isDocument
      ? responseOf(await encodeAnswer(context, jsonAnswer(200, await openapi())))
      : handleApiRequest(service, context);
  });
  app.onError(() => responseOf(errorAnswer(500, 500, STATUSES[500])));
  return app;
}

async function handleApiRequest(service: HttpService, context: Context<AppEnv>): Promise<Response> {
  const { req, env } = context;
  const { incoming, outgoing } = env ?? {};
  if (!incoming || !outgoing) {
    const { method, url, signal } = req.raw;
    return responseOf(await service.handle({ method, url, headers: req.header(), signal }));
  }
  const { method = "GET", url = "/", headers } = incoming;
  const hasBody = service.readsBodies && method === "POST";
  const body = hasBody ? await readBody(context) : undefined;
  if (hasBody && body === undefined) return responseOf(tooLargeAnswer());
  let disconnected: AbortSignal | undefined;
  const request = {
    method,
    url,
    headers,
    ...(body !== undefined && { body }),
    get signal() {
      disconnected ??= disconnectSignal(outgoing);
      return disconnected;
    },
  };
  try {
    const { answer, ...fault } = await service.answer(request);
    // Faults of the connection are exact to the byte.
    const encoded = fault.connection === undefined ? await encodeAnswer(context, answer) : answer;
    sendAnswer(outgoing, method, { ...fault, answer: encoded });
  } catch (error) {
    // The client disconnected while a latency passed.
    if (!disconnected?.aborted) throw error;
  }
  return RESPONSE_ALREADY_SENT;
}

async function encodeAnswer(context: Context<AppEnv>, answer: EncodedAnswer): Promise<EncodedAnswer> {
  const encoding = accepts(context, { header: "Accept-Encoding", supports: ["gzip"], default: "" });
  return encoding === "" || context.req.method === "HEAD" ? answer : compressAnswer(answer);
}

/** Returns a signal that fires when the client disconnects. Created on demand because few requests wait. */
function disconnectSignal(outgoing: ServerResponse): AbortSignal {
  const disconnected = new AbortController();
  if (outgoing.destroyed) disconnected.abort();
  outgoing.once("close", () => disconnected.abort());
  return disconnected.signal;
}

const unknownHostAnswer = (host = ""): ServiceAnswer => {
  const name = host.replace(/:\d*$/, "");
  const hint = `The host name ${JSON.stringify(name)} is not accepted. To accept it, start the sandbox with --allow-host.`;
  return errorAnswer(403, 403, STATUSES[403], hintHeaders(hint));
};

async function handleControl(
  context: Context<AppEnv>,
  { answer }: ControlEndpoint,
  token: string | undefined,
): Promise<ServiceAnswer> {
  const { incoming } = context.env;
  const isAccepted =
    incoming &&
    (isControlRequest(incoming.socket.remoteAddress, incoming.headers) || hasControlToken(incoming.headers, token));
  if (!isAccepted) return errorAnswer(403, 403, STATUSES[403]);
  try {
    const body = await readBody(context);
    if (body === undefined) return tooLargeAnswer();
    return jsonAnswer(200, (await answer(body === "" ? null : parseJson(body))) as Json);
  } catch (error) {
    if (error instanceof SyntaxError) return errorAnswer(400, 400, "The request body is not valid JSON.");
    if (!(error instanceof SolxError)) throw error;
    return jsonAnswer(400, {
      success: false,
      errors: { code: error.code, message: error.message, hint: error.hint ?? null },
    });
  }
}

const responseOf = ({ status, headers, body }: EncodedAnswer): Response =>
  new Response(body === "" ? null : (body as ConstructorParameters<typeof Response>[0]), { status, headers });

/** Minimum size of a compressed body; smaller ones fit into a packet anyway. */
const MIN_COMPRESSED_BYTES = 1400;

const compress = promisify(gzip);

async function compressAnswer(answer: EncodedAnswer): Promise<EncodedAnswer> {
  const { headers, body } = answer;
  if (body.length < MIN_COMPRESSED_BYTES || headers["content-encoding"] !== undefined) return answer;
  const compressed = await compress(body, { level: 1 });
  const encoding = { "content-encoding": "gzip", vary: "accept-encoding", "content-length": String(compressed.length) };
  return { ...answer, headers: { ...headers, ...encoding }, body: compressed };
}

/** Sends an answer; for HEAD only its head. */
function sendAnswer(outgoing: ServerResponse, method: string, { answer, connection }: SentAnswer): void {
  if (connection?.kind === "hang") return;
  if (connection?.kind === "reset") {
    outgoing.socket?.resetAndDestroy();
    return;
  }
  outgoing.writeHead(answer.status, answer.headers);
  if (method === "HEAD") outgoing.end();
  else if (connection?.kind === "truncate") truncate(outgoing, Buffer.from(answer.body));
  else if (connection?.kind === "drip") drip(outgoing, Buffer.from(answer.body), connection.interval);
  else outgoing.end(answer.body, isAscii(answer) ? "latin1" : "utf8");
}

/** Whether each character is one byte; Node writes such text in half the time. */
const isAscii = ({ headers, body }: EncodedAnswer): boolean => headers["content-length"] === String(body.length);

/** Sends half of the body and closes the connection, short of the announced length. */
function truncate(outgoing: ServerResponse, bytes: Buffer): void {
  outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => outgoing.socket?.end());
}

/** Sends one byte at a time while the client is connected. */
function drip(outgoing: ServerResponse, bytes: Buffer, interval: number): void {
  let at = 0;
  const next = () => {
    if (outgoing.destroyed) return;
    outgoing.write(bytes.subarray(at, at + 1));
    at += 1;
    if (at < bytes.length) return;
    clearInterval(timer);
    outgoing.end();
  };
  const timer = setInterval(next, interval);
  timer.unref();
  outgoing.once("close", () => clearInterval(timer));
  outgoing.flushHeaders();
}
