/** The HTTP server of the sandbox: it listens on loopback unless another address is given, and closes within a second. */
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { NetworkError, type SolxError, UsageError } from "../base/index.ts";

/** Options of {@link startHttpServer}. */
export interface HttpServerOptions {
  /** An IP address or `localhost`; 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** 0 selects a free port. */
  readonly port: number;
}

/** A listening server. */
export interface HttpServer {
  /** Base URL for clients on this machine, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Closes all connections, active ones included, within a second. */
  close(): Promise<void>;
}

/** Milliseconds for active requests to finish when the server closes. */
const CLOSE_GRACE = 200;

const MAX_PORT = 65_535;

/** Addresses that stand for all of a machine, and the ones under which clients on it reach the server. */
const LOCAL_ADDRESSES: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Returns the IP address of a host. Throws UsageError for a name other than `localhost`. */
export function parseHost(host = "127.0.0.1"): string {
  const address = host === "localhost" ? "127.0.0.1" : host.replace(/^\[(.*)\]$/, "$1");
  if (isIP(address) !== 0) return address;
  throw new UsageError(`invalid host "${host}": expected an IP address or localhost`, { code: "BAD_HOST" });
}

/** Serves requests at an address. Throws UsageError for one that is invalid, in use or not permitted. */
export async function startHttpServer(
  listener: RequestListener,
  { host, port }: HttpServerOptions,
): Promise<HttpServer> {
  const address = parseHost(host);
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) {
    throw new UsageError(`invalid port ${port}: expected 0 (any free port) to ${MAX_PORT}`, { code: "BAD_PORT" });
  }
  const server = createServer(listener);
  await listen(server, port, address);
  const { port: bound } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= closeServer(server);
    return closed;
  };
  const local = LOCAL_ADDRESSES[address] ?? address;
  return { url: `http://${local.includes(":") ? `[${local}]` : local}:${bound}`, port: bound, close };
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
  const hint = "Choose another port, or use --port 0 for any free port.";
  if (cause.code === "EADDRINUSE") {
    return new UsageError(`port ${port} is in use`, { code: "PORT_TAKEN", hint, cause });
  }
  if (cause.code === "EADDRNOTAVAIL") {
    return new UsageError(`this machine has no address ${host}`, { code: "BAD_HOST", cause });
  }
  if (cause.code === "EACCES") {
    return new UsageError(`permission denied for port ${port}`, { code: "PORT_DENIED", hint, cause });
  }
  return new NetworkError(`cannot listen on ${host}: ${cause.message}`, { code: cause.code ?? "LISTEN", cause });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
