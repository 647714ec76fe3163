/** How the websocket of an index connects: as all other connections do. */
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { fileURLToPath } from "node:url";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { pem } from "../client/servers.ts";
import { runInProcess } from "../support/in-process.ts";
import { useTestNode } from "../support/node/use-test-node.ts";

const node = useTestNode();
const home = mkdtempSync(join(tmpdir(), "solx-network-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Listens and returns the port. All sockets end with the test. */
async function listen(server: net.Server): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket: net.Socket) => sockets.add(socket.on("error", () => {})));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function relay(one: net.Socket, other: net.Socket): void {
  for (const socket of [one, other]) socket.on("error", () => [one, other].map((each) => each.destroy()));
  one.pipe(other).pipe(one);
}

test("with the proxy, and the certificates of ca-cert", async () => {
  let transcript = "";
  const secure = tls.createServer({ key: pem("server.key"), cert: pem("signed") }, (socket) => {
    socket.on("data", (chunk) => {
      transcript += chunk.toString("latin1");
    });
    relay(socket, net.connect(Number(new URL(node.url).port), "127.0.0.1"));
  });
  const port = await listen(secure);
  const targets: string[] = [];
  const proxy = http.createServer().on("connect", (request, client: net.Socket) => {
    targets.push(String(request.url));
    const upstream = net.connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      relay(client, upstream);
    });
  });
  const stop = new AbortController();
  const env = {
    ...{
      SOLX_HOME: home,
      HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}`,
      SOLX_RPC_URL: "https://api.example.test",
    },
    SOLX_CA_CERT: fileURLToPath(new URL("../client/certificates/ca.pem", import.meta.url)),
  };
  const running = runInProcess(["index", "--from", "earliest"], { env, signal: stop.signal });
  await expect.poll(() => /upgrade: websocket/i.test(transcript), { timeout: 20_000 }).toBe(true);
  stop.abort();
  expect(await running).toMatchObject({ code: 0 });
  expect(targets.length).toBeGreaterThan(1);
  expect(new Set(targets)).toEqual(new Set(["api.example.test:443"]));
});
