/** What answers at the address of a Redis server, a sentinel or a cluster, and is none: it is lost at once, not read. */
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { openRedisStore } from "../../../../src/sources/api/rate-limit/redis-store.ts";

/** Sends a start, and then the same bytes for ever. */
const flood = (start: string, rest: string) => (socket: Socket) => {
  const chunk = Buffer.from(rest.repeat(Math.ceil(65_536 / rest.length)));
  const send = () => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once("drain", send);
  };
  socket.write(start);
  send();
};

/** Answers each command with a reply. Commands are lists of texts. */
const answer = (reply: string) => (socket: Socket) => {
  socket.on("data", (data) => socket.write(reply.repeat(data.toString().match(/^\*\d/gm)?.length ?? 0)));
};

const PEERS: Readonly<Record<string, (socket: Socket) => void>> = {
  "a text of 4 GB": flood("$4000000000\r\n", "a"),
  "a text of any length": flood("$99999999999999999999\r\n", "a"),
  "an endless line": flood("+", "a"),
  "an endless error": flood("-", "a"),
  "lists of many items": flood("", "*70000\r\n"),
  "lists of more items than there are": flood("", "*9999999999999999\r\n"),
  "a map of many items": flood("%70000\r\n", "+a\r\n"),
  "endless nesting": flood("", "*1\r\n"),
  garbage: flood("", "\0\x01"),
  "endless replies": flood("", "+OK\r\n"),
  HTTP: answer("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"),
  "another reply than the requested one": answer("+OK\r\n"),
  "a server that has moved": answer("-MOVED 1 127.0.0.1:1\r\n"),
  "a cluster whose keys are always elsewhere": (socket) => {
    const ok = "+OK\r\n";
    const moved = `-MOVED 1 127.0.0.1:${socket.localPort}\r\n`;
    const slots = `*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n$9\r\n127.0.0.1\r\n:${socket.localPort}\r\n$1\r\na\r\n`;
    const reply = (data: string) =>
      /CLUSTER/.test(data) ? slots : /EVAL/.test(data) ? moved : ok.repeat(data.match(/^\*\d/gm)?.length ?? 0);
    socket.on("data", (data) => socket.write(reply(data.toString())));
  },
  silence: () => {},
};

async function serve(behave: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", (data) => {
      behave(socket);
      socket.emit("data", data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.each(Object.keys(PEERS))("%s", (name) => {
  test.each([
    ["redis://", ""],
    ["redis+sentinel://", "/name"],
    ["redis+cluster://", ""],
  ])("at %s", async (scheme, path) => {
    const host = await serve(PEERS[name] as (socket: Socket) => void);
    const before = process.memoryUsage().rss;
    const reason = await openRedisStore(`${scheme}${host}${path}`).catch((error: Error) => error.message);
    expect(reason).toMatch(/not that of a Redis server|no answer within|MOVED|root nodes|redirections/);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1_048_576);
  });
});
