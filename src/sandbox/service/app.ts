/**
 * The service over HTTP: the API, and the control endpoints for tests and user interfaces under `/_sandbox`. Control
 * endpoints need no key; they accept requests of programs and pages on this machine, and those with the control token.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type Json, type JsonObject, parseJson, SolxError } from "../../base/index.ts";
import { STATUSES } from "../../catalogue/index.ts";
import { hasControlToken, isControlRequest } from "./access.ts";
import { errorAnswer, hintHeaders, jsonAnswer } from "./answer.ts";
import type { SentAnswer } from "./effects.ts";
import type { ControlEndpoint, EncodedAnswer, ServiceAnswer } from "./request.ts";
import type { HttpService } from "./service.ts";

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
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  // The rest is read too: a client that is still sending would not see the answer.
  for await (const part of incoming) {
    size += part.length;
    if (size <= MAX_BODY_BYTES) parts.push(part);
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(parts).toString("utf8");
}

/** The path of the control endpoints, with theirs as the rest. */
const CONTROL_PATH = /^\/_sandbox(|\/.*)$/;

/** Creates the listener of a server. */
export function createApp(options: AppOptions): RequestListener {
  const controls = new Map(options.controls.map((control) => [`${control.method} ${control.path}`, control]));
  const respond = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const path = requestPath(incoming);
    const [, controlPath] = CONTROL_PATH.exec(path) ?? [];
    if (controlPath === undefined) return handleRequest(options, path, incoming, outgoing);
    const method = incoming.method === "HEAD" ? "GET" : incoming.method;
    return handleControl(incoming, controls.get(`${method} ${controlPath}`), options.controlToken);
  };
  return async (incoming, outgoing) => {
    const answer = await respond(incoming, outgoing).catch((error: unknown) => {
      const headers = error instanceof SolxError ? hintHeaders(error.message) : undefined;
      return { answer: errorAnswer(500, 500, STATUSES[500], headers) };
    });
    if (answer) sendAnswer(outgoing, incoming.method, answer);
  };
}

/** Returns the path of a request, which may name the server too. */
const requestPath = ({ url = "/" }: IncomingMessage): string =>
  url.startsWith("/") ? (url.split("?", 1)[0] as string) : (URL.parse(url)?.pathname ?? "/");

/** Answers a request of the API or of its document; undefined when the client disconnected while a latency passed. */
async function handleRequest(
  { service, acceptsHost = () => true, openapi }: AppOptions,
  path: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<SentAnswer | undefined> {
  const { method = "GET", url = "/", headers } = incoming;
  if (!acceptsHost(headers.host)) return { answer: unknownHostAnswer(headers.host) };
  if (openapi && method === "GET" && path === "/openapi.json")
    return { answer: await encodeAnswer(incoming, jsonAnswer(200, await openapi())) };
  const hasBody = service.readsBodies && method === "POST";
  const body = hasBody ? await readBody(incoming) : undefined;
  if (hasBody && body === undefined) return { answer: tooLargeAnswer() };
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
    return { ...fault, answer: fault.connection === undefined ? await encodeAnswer(incoming, answer) : answer };
  } catch (error) {
    if (!disconnected?.aborted) throw error;
    return undefined;
  }
}

/** Whether a client reads gzip. */
const ACCEPTS_GZIP = /(?:^|[\s,])gzip\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/i;

async function encodeAnswer({ method, headers }: IncomingMessage, answer: EncodedAnswer): Promise<EncodedAnswer> {
  const encodings = headers["accept-encoding"];
  const isCompressed = typeof encodings === "string" && ACCEPTS_GZIP.test(encodings) && method !== "HEAD";
  return isCompressed ? compressAnswer(answer) : answer;
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
  incoming: IncomingMessage,
  control: ControlEndpoint | undefined,
  token: string | undefined,
): Promise<SentAnswer> {
  if (!control) return { answer: errorAnswer(404, 404, STATUSES[404]) };
  const { headers, socket } = incoming;
  if (!isControlRequest(socket.remoteAddress, headers) && !hasControlToken(headers, token))
    return { answer: errorAnswer(403, 403, STATUSES[403]) };
  try {
    const body = await readBody(incoming);
    if (body === undefined) return { answer: tooLargeAnswer() };
    return { answer: jsonAnswer(200, (await control.answer(body === "" ? null : parseJson(body))) as Json) };
  } catch (error) {
    if (error instanceof SyntaxError) return { answer: errorAnswer(400, 400, "The request body is not valid JSON.") };
    if (!(error instanceof SolxError)) throw error;
    const errors = { code: error.code, message: error.message, hint: error.hint ?? null };
    return { answer: jsonAnswer(400, { success: false, errors }) };
  }
}

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
function sendAnswer(outgoing: ServerResponse, method: string | undefined, { answer, connection }: SentAnswer): void {
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
