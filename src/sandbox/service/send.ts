/** Sends answers over connections and applies connection faults. */
import type { ServerResponse } from "node:http";
import type { FaultyAnswer } from "./effects.ts";
import type { ServiceAnswer } from "./request.ts";

/** Sends an answer; for HEAD only its head. */
export function sendAnswer(outgoing: ServerResponse, method: string, { answer, connection }: FaultyAnswer): void {
  if (connection?.kind === "hang") return;
  if (connection?.kind === "reset") {
    outgoing.socket?.resetAndDestroy();
    return;
  }
  outgoing.writeHead(answer.status, answer.headers);
  if (method === "HEAD") outgoing.end();
  else if (connection?.kind === "truncate") truncate(outgoing, answer.body);
  else if (connection?.kind === "drip") drip(outgoing, Buffer.from(answer.body), connection.interval);
  else outgoing.end(answer.body, isAscii(answer) ? "latin1" : "utf8");
}

/** Whether each character is one byte; Node writes such text in half the time. */
const isAscii = ({ headers, body }: ServiceAnswer): boolean => headers["content-length"] === String(body.length);

/** Sends half of the body and closes the connection, short of the announced length. */
function truncate(outgoing: ServerResponse, body: string): void {
  const bytes = Buffer.from(body);
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
