/** A loopback HTTP server for tests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A running server and the requests it received. */
export interface TestServer {
  readonly url: string;
  readonly requests: { readonly url: string; readonly headers: IncomingMessage["headers"] }[];
  close(): Promise<void>;
}

/** Starts a server on a free port; it does not prevent the test run from ending. */
export async function serve(
  handler: (request: IncomingMessage, response: ServerResponse, count: number) => void,
): Promise<TestServer> {
  const requests: TestServer["requests"] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? "", headers: request.headers });
    handler(request, response, requests.length);
  });
  // A connection that is idle while the machine is busy would be closed: another fault than a test is about.
  server.keepAliveTimeout = 0;
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  server.unref();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close };
}

/** Sends a JSON text. */
export function sendJson(
  response: ServerResponse,
  text: string,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers }).end(text);
}
