/** The HTTP server of the sandbox: on this machine alone, and quickly gone when it is to go. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { NetworkError, type SolxError, UsageError } from "../base/index.ts";

/** How to serve. */
export interface ServeOptions {
  /** An address of this machine: 127.0.0.1 by default, or ::1. */
  readonly host?: string | undefined;
  /** 0 picks a free one. */
  readonly port: number;
}

/** A server that listens. */
export interface HttpServer {
  /** Without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Ends all connections, whatever is under way; done within a second. */
  close(): Promise<void>;
}

/** Milliseconds that requests under way have to end when the server closes. */
const CLOSE_GRACE = 200;

const MAX_PORT = 65_535;

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1)$/;

/**
 * Serves on loopback.
 * @throws UsageError when the host is not this machine alone, or the port is none, taken or not allowed
 */
export async function serve(
  fetch: (request: Request, env: object) => Response | Promise<Response>,
  { host = "127.0.0.1", port }: ServeOptions,
): Promise<HttpServer> {
  const address = host === "localhost" ? "127.0.0.1" : host.replace(/^\[(.*)\]$/, "$1");
  if (!LOOPBACK.test(address)) {
    throw new UsageError(`The sandbox listens on this machine alone: ${host} is no loopback address.`, {
      code: "NOT_LOOPBACK",
      hint: "Leave the host out, or give 127.0.0.1 or ::1.",
    });
  }
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) {
    throw new UsageError(`${port} is no port: ports are from 0 (a free one) to ${MAX_PORT}.`, { code: "BAD_PORT" });
  }
  const server = createAdaptorServer({ fetch, hostname: address, overrideGlobalObjects: false }) as Server;
  await listen(server, port, address);
  const { port: bound } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= closeServer(server);
    return closed;
  };
  return { url: `http://${address.includes(":") ? `[${address}]` : address}:${bound}`, port: bound, close };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(listenError(error, port, host)));
    server.listen(port, host, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });
}

function listenError(cause: NodeJS.ErrnoException, port: number, host: string): SolxError {
  const hint = "Choose another port, or let the system pick a free one: --port 0";
  if (cause.code === "EADDRINUSE") {
    return new UsageError(`Port ${port} is taken by another program.`, { code: "PORT_TAKEN", hint, cause });
  }
  if (cause.code === "EACCES") {
    return new UsageError(`Port ${port} is not open to this user.`, { code: "PORT_DENIED", hint, cause });
  }
  return new NetworkError(`Cannot listen on ${host}: ${cause.message}.`, { code: cause.code ?? "LISTEN", cause });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const rest = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE);
    server.close(() => {
      clearTimeout(rest);
      resolve();
    });
  });
}
