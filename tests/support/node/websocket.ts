/** A websocket server for text messages on an HTTP server (RFC 6455), as far as subscriptions of a node need it. */
import { createHash } from "node:crypto";
import type { Server } from "node:http";
import type { Duplex } from "node:stream";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const [TEXT, CLOSE, PING, PONG] = [0x1, 0x8, 0x9, 0xa];

/** A client that is connected. */
export interface WebSocketPeer {
  send(text: string): void;
  /** Ends the connection without a word, as when a network fails. */
  drop(): void;
}

/** What happens to a client. */
export interface WebSocketHandlers {
  message(text: string): void;
  close(): void;
}

/** Accepts websocket connections; returns a function that ends all of them. */
export function acceptWebSockets(server: Server, connect: (peer: WebSocketPeer) => WebSocketHandlers): () => void {
  const sockets = new Set<Duplex>();
  server.on("upgrade", (request, socket: Duplex) => {
    const key = request.headers["sec-websocket-key"];
    if (key === undefined) return socket.destroy();
    const accept = createHash("sha1")
      .update(key + GUID)
      .digest("base64");
    const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
    socket.write([...lines, `Sec-WebSocket-Accept: ${accept}`, "", ""].join("\r\n"));
    sockets.add(socket);
    const handlers = connect({
      send: (text) => socket.writable && socket.write(frame(TEXT, Buffer.from(text))),
      drop: () => socket.destroy(),
    });
    readFrames(socket, handlers);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      handlers.close();
    });
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

function readFrames(socket: Duplex, handlers: WebSocketHandlers): void {
  let buffer: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (let next = takeFrame(buffer); next !== undefined; next = takeFrame(buffer)) {
      buffer = next.rest;
      if (next.opcode === CLOSE) return socket.end(frame(CLOSE, next.payload));
      if (next.opcode === PING) socket.write(frame(PONG, next.payload));
      if (next.opcode > TEXT) continue;
      parts.push(next.payload);
      if (!next.isLast) continue;
      handlers.message(Buffer.concat(parts).toString());
      parts = [];
    }
  });
}

/** Takes the first frame of a buffer; undefined while it is not complete. */
function takeFrame(buffer: Buffer) {
  if (buffer.length < 2) return undefined;
  const short = buffer.readUInt8(1) & 0x7f;
  const offset = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (buffer.length < offset + 4) return undefined;
  const length = short === 126 ? buffer.readUInt16BE(2) : short === 127 ? Number(buffer.readBigUInt64BE(2)) : short;
  const end = offset + 4 + length;
  if (buffer.length < end) return undefined;
  const mask = buffer.subarray(offset, offset + 4);
  const payload = Buffer.from(buffer.subarray(offset + 4, end).map((byte, index) => byte ^ (mask[index % 4] ?? 0)));
  const first = buffer.readUInt8(0);
  return { opcode: first & 0xf, isLast: first >= 0x80, payload, rest: buffer.subarray(end) };
}

function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const header = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  header.writeUInt8(0x80 | opcode, 0);
  header.writeUInt8(length < 126 ? length : length < 65_536 ? 126 : 127, 1);
  if (header.length === 4) header.writeUInt16BE(length, 2);
  if (header.length === 10) header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, payload]);
}
