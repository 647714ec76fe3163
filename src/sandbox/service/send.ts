/** Sends answers over connections: compresses them and applies connection faults. */
import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FaultyAnswer } from "./effects.ts";
import type { ServiceAnswer } from "./request.ts";

/** An answer whose body may be compressed. */
export interface EncodedAnswer extends Omit<ServiceAnswer, "body"> {
  readonly body: string | Buffer;
}

/** Minimum size of a compressed body; smaller ones fit into a packet anyway. */
const MIN_COMPRESSED_BYTES = 1400;

const compress = promisify(gzip);

/** Compresses the body of an answer if it is worth it. */
export async function compressAnswer(answer: EncodedAnswer): Promise<EncodedAnswer> {
  const { headers, body } = answer;
  if (body.length < MIN_COMPRESSED_BYTES || headers["content-encoding"] !== undefined) return answer;
  const compressed = await compress(body, { level: 1 });
  const encoding = { "content-encoding": "gzip", vary: "accept-encoding", "content-length": String(compressed.length) };
  return { ...answer, headers: { ...headers, ...encoding }, body: compressed };
}

/** An answer as it is sent, and what happens to the connection. */
export type SentAnswer = Omit<FaultyAnswer, "answer"> & { readonly answer: EncodedAnswer };

/** Sends an answer; for HEAD only its head. */
export function sendAnswer(outgoing: ServerResponse, method: string, { answer, connection }: SentAnswer): void {
  if (connection?.kind === "hang") return;
  if (connection?.kind === "reset") {
    outgoing.socket?.resetAndDestroy();
    return;
  }
  outgoing.writeHead(answer.status, answer.headers);
  if (method === "HEAD") outgoing.end();
  else if (connection?.kind === "truncate") truncate(outgoing, Buffer.from(answer.body));
  else if (connection?.kind === "drip") drip(outgoing, Buffer.from(answer.body), connection.interval);
  else outgoing.end(answer.body, isAscii(answer) ? "latin1" : "utf8");
}

/** Whether each character is one byte; Node writes such text in half the time. */
const isAscii = ({ headers, body }: EncodedAnswer): boolean => headers["content-length"] === String(body.length);

/** Sends half of the body and closes the connection, short of the announced length. */
function truncate(outgoing: ServerResponse, bytes: Buffer): void {
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
