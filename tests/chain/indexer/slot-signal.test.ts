/** Which messages of a websocket are news. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createSlotSignal } from "../../../src/chain/indexer/slot-signal.ts";
import { acceptWebSockets, type WebSocketPeer } from "../../support/node/websocket.ts";
import { openDispatcher } from "../../support/open-dispatcher.ts";

const ID = "18446744073709551557";

/** A websocket that answers subscriptions, and what happens to its first client. */
async function serve() {
  const server = createServer();
  const [subscribed, closed] = [Promise.withResolvers<WebSocketPeer>(), Promise.withResolvers<void>()];
  const dropAll = acceptWebSockets(server, (peer) => ({
    message() {
      peer.send(`{"jsonrpc":"2.0","id":1,"result":${ID}}`);
      subscribed.resolve(peer);
    },
    close: closed.resolve,
  }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    dropAll();
    server.close();
  });
  const webSocketUrls = [`ws://127.0.0.1:${(server.address() as AddressInfo).port}`];
  return { webSocketUrls, subscribed: subscribed.promise, closed: closed.promise };
}

test("notifications of its subscription are, whatever its number", async () => {
  const { webSocketUrls, subscribed } = await serve();
  const signal = createSlotSignal("slotSubscribe", { webSocketUrls, openDispatcher, pollInterval: 600_000 });
  onTestFinished(signal.close);
  await signal.wait();
  (await subscribed).send(`{"jsonrpc":"2.0","method":"slotNotification","params":{"result":1,"subscription":${ID}}}`);
  await signal.wait();
});

test.each([
  '{"jsonrpc":"2.0","method":"otherNotification"}',
  '{"jsonrpc":"2.0","method":"slotNotification","params":{"result":1,"subscription":18446744073709551558}}',
  '{"jsonrpc":"2.0","id":2,"result":1}',
])("others are not: a websocket that sends %s only is given up", async (message) => {
  const { webSocketUrls, subscribed, closed } = await serve();
  const signal = createSlotSignal("slotSubscribe", { webSocketUrls, openDispatcher, pollInterval: 5 });
  onTestFinished(signal.close);
  const peer = await subscribed;
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  while (!isClosed) {
    peer.send(message);
    await signal.wait();
  }
  expect(isClosed).toBe(true);
});
