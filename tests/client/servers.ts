/** Servers of all kinds on loopback: each test has its own, and they are all closed afterwards. */

import { readFileSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import net, { type AddressInfo, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { SolxError } from "../../src/base/errors.ts";
import type { RateLimiter } from "../../src/client/index.ts";

import type { ClientOptions } from "../../src/sources/index.ts";
import { createExactClient, type ExactClient } from "../support/exact-client.ts";

export const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
export const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
export const SIGNATURE = "5vwF267YiYngfWBscpx975UM7xsNzEDhqycEsUKmfHtc8CGH5XXqLoYVrGhTyJ4VPCPaQT1XjWghmrH2NAjQ3eTh";
export const KEY = "eyJhbGciOi-a-secret-key";

/** A certificate or key of the test authority; they are worthless outside these tests. */
export const pem = (name: string) => readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), "utf8");

export type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;

export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** The requests received, in order. */
  readonly requests: IncomingMessage[];
}

/** An HTTP server; `count` is the number of the request, from 1. */
export async function serve(handler: Handler): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    requests.push(request);
    handler(request, response, requests.length);
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, port, requests };
}

/** An HTTPS server with one of the certificates. */
export async function serveTls(certificate: string, handler: Handler): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const options = { key: pem("server.key"), cert: pem(certificate) };
  const server = https.createServer(options, (request, response) => {
    requests.push(request);
    handler(request, response, requests.length);
  });
  const port = await listen(server);
  return { url: `https://localhost:${port}`, port, requests };
}

/** A server of bytes, which answers connections with or without HTTP. */
export async function serveSocket(
  handler: (socket: Socket, count: number) => void,
): Promise<TestServer & { connections(): number }> {
  let count = 0;
  const server = net.createServer((socket) => {
    count += 1;
    socket.on("error", () => {});
    handler(socket, count);
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, port, requests: [], connections: () => count };
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** The time at which test clients start. */
export const NOW = Date.UTC(2024, 6, 5, 12);

/** What a test client did instead of waiting. */
export interface Waits {
  /** Milliseconds before retries. */
  readonly slept: number[];
  /** Pauses of the rate limiter, in milliseconds. */
  readonly paused: number[];
  /** Compute units of the permits, request by request. */
  readonly taken: number[];
}

/**
 * A client that never really waits: its clock advances by what it would have slept, and its rate limiter has no limit.
 */
export function testClient(server: { readonly url: string }, options: ClientOptions = {}): ExactClient & Waits {
  const [slept, paused, taken]: [number[], number[], number[]] = [[], [], []];
  let clock = NOW;
  const rateLimiter: RateLimiter = {
    acquire: async (cost) => {
      taken.push(cost);
      return { release: () => {} };
    },
    pause: (milliseconds) => {
      paused.push(milliseconds);
    },
    remaining: () => undefined,
    close: async () => {},
  };
  const client = createExactClient({
    baseUrl: server.url,
    key: KEY,
    rateLimiter,
    random: () => 1,
    now: () => clock,
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      clock += milliseconds;
    },
    ...options,
  });
  onTestFinished(() => client.close());
  return Object.assign(client, { slept, paused, taken });
}

/** The error that a promise is rejected with. */
export async function failure(promise: PromiseLike<unknown>): Promise<SolxError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof SolxError) return error;
    throw error;
  }
  throw new Error("It succeeded.");
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** An answer of the API with data. */
export const success = (data: unknown) => ({ success: true, data });
/** An error in the API's usual shape. */
export const refusal = (code: number, message: string) => ({ success: false, errors: { code, message } });
