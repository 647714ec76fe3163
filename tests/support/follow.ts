/** Follows with a clock that waits do not take, against a server whose answers depend on the number of waits. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Writable } from "node:stream";
import type { SolxError } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { endpoints } from "../../src/catalogue/index.ts";
import { follow } from "../../src/commands/follow/follow.ts";
import type { GlobalOptions } from "../../src/commands/options/global-options.ts";
import { createContext } from "../../src/commands/run/create-context.ts";
import { sendJson, serve } from "./server.ts";
import { cleanEnv } from "./solx.ts";

export const WALLET = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
export const START = Date.parse("2026-01-01T00:00:00Z");

/** Answer of the server to a poll: rows, newest first, or an error status. */
export type PollAnswer = readonly number[] | { readonly status: number; readonly retryAfter?: number };

const rowOf = (id: number): JsonObject => ({ trans_id: `t${id}`, block_time: 1_767_225_600 + id, amount: id });

export interface FollowRun {
  readonly stdout: string;
  /** Output before each delay. */
  readonly written: readonly string[];
  readonly notes: readonly string[];
  /** Delays in seconds. */
  readonly waits: readonly number[];
  readonly error: SolxError | undefined;
}

/** What is followed, and the answers of the server after a number of waits. */
interface Followed {
  readonly route?: string;
  readonly params?: JsonObject;
  readonly inputs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly answer: (url: URL, waits: number, response: ServerResponse, request: IncomingMessage) => void;
}

/** Follows a list with the given answers to consecutive polls; the last answer is repeated. */
export function runFollow(answers: readonly PollAnswer[], globals: GlobalOptions, width?: number): Promise<FollowRun> {
  const answerPoll: Followed["answer"] = ({ searchParams }, waits, response) =>
    answer(response, answers[Math.min(waits, answers.length - 1)] ?? [], Number(searchParams.get("page") ?? 1));
  return runFollowed({ params: { address: WALLET }, answer: answerPoll }, globals, width);
}

/** Follows until it ends, or until it has waited 200 times. */
export async function runFollowed(
  { route = "v2-account-transfer", params = {}, inputs, env = {}, answer: reply }: Followed,
  globals: GlobalOptions,
  width?: number,
): Promise<FollowRun> {
  const waits: number[] = [];
  const { url, close } = await serve((request, response) =>
    reply(new URL(request.url ?? "", "http://x"), waits.length, response, request),
  );
  const [stdout, stderr] = [collector(width), collector()];
  const abort = new AbortController();
  let now = START;
  const context = createContext({
    argv: [],
    env: cleanEnv({ SOLX_RETRIES: "0", SOLX_BASE_URL: url, SOLX_RATE: "off", SOLX_BUDGET: "process", ...env }),
    version: "0.0.0",
    stdin: process.stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    now: () => now,
    signal: abort.signal,
  });
  context.globals = { follow: true, ...globals };
  const written: string[] = [];
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds / 1000);
    written.push(stdout.text());
    now += milliseconds;
    if (waits.length > 200) throw new Error("Following does not stop.");
  };
  const requestedRows = globals.limit === undefined ? {} : { limit: Number(globals.limit) };
  const endpoint = endpoints.find((one) => one.route === route) as never;
  const query = { endpoint, params, requestedRows, ...(inputs && { inputs }) };
  const error = await follow(context, query, { now: () => now, sleep }).then(
    () => undefined,
    (failure: SolxError) => failure,
  );
  await context.session.close();
  await close();
  const notes = stderr
    .text()
    .trimEnd()
    .split("\n")
    .map((line) => String(JSON.parse(line).note));
  return { stdout: stdout.text(), written, notes, waits, error };
}

function answer(response: ServerResponse, polled: PollAnswer, page: number): void {
  if ("status" in polled) {
    const headers = polled.retryAfter === undefined ? {} : { "retry-after": String(polled.retryAfter) };
    sendJson(response, '{"success":false,"errors":{"code":1,"message":"Not now."}}', polled.status, headers);
    return;
  }
  const data = polled.slice((page - 1) * 100, page * 100).map(rowOf);
  sendJson(response, JSON.stringify({ success: true, data }));
}

function collector(width?: number) {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const isTTY = width === undefined ? {} : { isTTY: true, columns: width };
  return { stream: Object.assign(stream, isTTY) as unknown as NodeJS.WriteStream, text: () => text };
}
