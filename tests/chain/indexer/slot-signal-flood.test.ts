/** Websockets that flood: what they can send before they are given up is bounded, whatever it is. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSlotSignal } from "../../../src/chain/indexer/slot-signal.ts";
import { openDispatcher } from "../../support/open-dispatcher.ts";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** A frame of a server: opcode with the bit of the last fragment, and at most 65,535 bytes. */
const frame = (first: number, payload: Buffer) => {
  const { length } = payload;
  const size = length < 126 ? [length] : [126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([first, ...size]), payload]);
};

/** A server whose websockets send something first, and then the same for ever. */
async function floodWith(start: Buffer, again: Buffer) {
  const server = createServer();
  const flooded = Promise.withResolvers<number>();
  server.on("upgrade", ({ headers }, socket: Socket) => {
    const accept = createHash("sha1")
      .update(headers["sec-websocket-key"] + GUID)
      .digest("base64");
    socket.on("error", () => {}).on("close", () => flooded.resolve(socket.bytesWritten));
    socket.resume();
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    socket.write(start);
    const flood = () => {
      while (!socket.destroyed && socket.write(again));
    };
    socket.on("drain", flood);
    flood();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, flooded: flooded.promise };
}

describe("a websocket that floods", () => {
  const text = Buffer.alloc(60_000, "a");
  const FLOODS: Readonly<Record<string, readonly [Buffer, Buffer]>> = {
    pings: [Buffer.alloc(0), Buffer.concat(Array.from({ length: 500 }, () => frame(0x89, text.subarray(0, 125))))],
    "a message without end": [frame(0x01, text), frame(0x00, text)],
    "a frame of gigabytes": [Buffer.from([0x81, 127, 0, 0, 0, 16, 0, 0, 0, 0]), text],
  };

  test.for(Object.entries(FLOODS))("%s: it is closed after some megabytes", async ([, [start, again]]) => {
    const { url, flooded } = await floodWith(start, again);
    const signal = createSlotSignal("slotSubscribe", { webSocketUrls: [url], openDispatcher });
    onTestFinished(signal.close);
    // Beyond the limit, the buffers of both systems.
    expect(await flooded).toBeLessThan(24_000_000);
  });
});
