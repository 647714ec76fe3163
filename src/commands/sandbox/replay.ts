/** `solx sandbox --replay`: which recordings answer, and what answers the requests that were not recorded. */
import { Buffer } from "node:buffer";
import { resolve } from "node:path";
import {
  expandTypedPath,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  parseJson,
  SolxError,
  stringifyJson,
  UsageError,
} from "../../base/index.ts";
import type { SendOptions } from "../../client/index.ts";
import { loadSettings } from "../../config/index.ts";
import type { FallthroughAnswer, FallthroughHandler, ReplayOptions } from "../../sandbox/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import type { RunContext } from "../run/context.ts";
import { findFlag, WORLD_OPTIONS } from "./world.ts";

/** Options of a replay as typed. */
export interface ReplayFlags {
  readonly replay?: string;
  readonly fallthrough?: "sandbox" | "live";
}

/** Returns the recordings to serve, if any. Throws UsageError for options that cannot be used together. */
export async function replayToServe(context: RunContext, input: ReplayFlags): Promise<ReplayOptions | undefined> {
  const { replay, fallthrough } = input;
  if (replay === undefined) {
    if (fallthrough === undefined) return undefined;
    throw new UsageError("--fallthrough needs recordings", { hint: "Add them: --replay <folder>" });
  }
  const flag = fallthrough === "sandbox" ? undefined : findFlag(input, [...WORLD_OPTIONS, "fault", "rate", "units"]);
  if (flag !== undefined) {
    throw new UsageError(`${flag} is an option of the simulated chain and needs --fallthrough sandbox`);
  }
  const folder = resolve(expandTypedPath(replay, context.io.env));
  return {
    folder,
    fallthrough: fallthrough === "live" ? await createLiveHandler(context, folder) : fallthrough,
    onMiss: (message) => void context.reporter.note(`${message}.`),
  };
}

/** Returns a handler that sends requests to the API or the node of the settings, and records successful answers. */
async function createLiveHandler(context: RunContext, folder: string): Promise<FallthroughHandler> {
  const settings = await loadSettings(await context.session.settingsOptions());
  const key = await settings.key(context.io.signal);
  const client = await context.session.clientFor(settings, key?.value, { record: { folder, successesOnly: true } });
  context.session.onClose(() => client.close());
  const isNode = settings.node() !== undefined;
  return async ({ url, body, signal }) => {
    if (isNode !== (body !== undefined)) return undefined;
    const options = signal ? { signal } : {};
    return isNode ? callNode(client, body ?? "", options) : requestApi(client, url, options);
  };
}

async function requestApi(client: ConnectedClient, url: string, options: SendOptions) {
  const { pathname, search } = new URL(url, "http://localhost");
  try {
    const {
      status,
      headers,
      body,
      bytes = Buffer.from(body),
    } = await client.request(pathname + search, {
      ...options,
      raw: true,
    });
    return { status, headers: { "content-type": headers["content-type"] ?? "application/json" }, body: bytes };
  } catch (error) {
    if (!(error instanceof SolxError)) throw error;
    const { code, message, status = 502 } = error;
    return jsonAnswer(status, { success: false, errors: { code, message } });
  }
}

async function callNode(client: ConnectedClient, body: string, options: SendOptions) {
  const value = parseJson(body);
  const calls = (isArray(value) ? value : [value]).filter((call) => isObject(call));
  const replies = await Promise.all(calls.map((call) => replyTo(client, call, options)));
  return jsonAnswer(200, isArray(value) ? replies : (replies[0] ?? null));
}

async function replyTo(client: ConnectedClient, { id = null, method, params }: JsonObject, options: SendOptions) {
  const base = { jsonrpc: "2.0", id };
  try {
    return { ...base, result: await client.node().call(String(method), listOf(params), options) };
  } catch (error) {
    if (!(error instanceof SolxError)) throw error;
    const { code, message } = error;
    return { ...base, error: { code: typeof code === "number" ? code : INTERNAL_ERROR, message } };
  }
}

const INTERNAL_ERROR = -32_603;

const jsonAnswer = (status: number, value: Json): FallthroughAnswer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: stringifyJson(value),
});
