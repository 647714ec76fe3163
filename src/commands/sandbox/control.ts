/** Subcommands of `solx sandbox` that change and inspect a running server, by its control endpoints. */

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  isObject,
  type JsonObject,
  NetworkError,
  PermissionError,
  parseJson,
  readInputFile,
  ServerError,
  stringifyJson,
  toInterruptedError,
  tryParseJson,
  UNIT_SECONDS,
  UsageError,
} from "../../base/index.ts";
import { parseUnits, SANDBOX_PORT, UNITS_SYNTAX, wellKnownToken } from "../../catalogue/index.ts";
import { formatIso, parseUnixTime } from "../../client/index.ts";
import { quoteText } from "../../config/index.ts";
import { isTable } from "../../output/index.ts";
import { runNameResolver } from "../names/resolve-names.ts";
import { rowSchema } from "../row-schema.ts";
import type { RunContext } from "../run/context.ts";
import { parseRate } from "./world.ts";

/** Options of all subcommands. */
export interface ControlOptions {
  readonly url?: string;
  /** The control token of a sandbox on another machine. */
  readonly controlToken?: string;
  readonly token?: string;
  readonly rate?: string;
  readonly units?: string;
}

/** A request to a control endpoint, whose answer a subcommand prints. */
interface ControlRequest {
  readonly method: "GET" | "PUT" | "POST";
  readonly path: string;
  readonly body?: JsonObject | readonly string[];
}

interface ControlInput {
  readonly args: readonly string[];
  readonly options: ControlOptions;
  /** The current time in milliseconds. */
  readonly now: number;
}

const get = (path: string): ControlRequest => ({ method: "GET", path });
const put = (path: string, body: JsonObject | readonly string[]): ControlRequest => ({ method: "PUT", path, body });
const tokenOf = ({ token }: ControlOptions) => (token === undefined ? {} : { token });

/** The requests by the names of the subcommands. */
const REQUESTS = {
  time: ({ args: [change, value], now }) => (change === undefined ? get("/time") : timeRequest(change, value, now)),
  usage: ({ args: [units] }) =>
    units === undefined ? get("/usage") : put("/usage", { units: parseUnitCount("units", units) }),
  plan: ({ args: [plan], options: { rate, units } }) =>
    plan === undefined && rate === undefined && units === undefined
      ? get("/plan")
      : put("/plan", {
          ...(plan !== undefined && plan !== "none" && { plan }),
          ...(rate !== undefined && { rate: { ...parseRate(rate) } }),
          ...(units !== undefined && { units: parseUnitCount("--units", units) }),
        }),
  balance: ({ args: [address = "", amount = ""], options }) =>
    put("/balance", { address, amount, ...tokenOf(options) }),
  send: ({ args: [from = "", to = "", amount = ""], options }) => ({
    method: "POST",
    path: "/transfers",
    body: { from, to, amount, ...tokenOf(options) },
  }),
  faults: ({ args }) =>
    args.length === 0 ? get("/faults") : put("/faults", args.length === 1 && args[0] === "none" ? [] : args),
  requests: () => get("/requests"),
} as const satisfies Readonly<Record<string, (input: ControlInput) => ControlRequest>>;

/** The name of a subcommand. */
export type ControlName = keyof typeof REQUESTS;

/** How many arguments are addresses. */
const ADDRESS_ARGUMENTS: Readonly<Partial<Record<ControlName, number>>> = { balance: 1, send: 2 };

/** Returns the arguments and options with addresses in place of names, and the mints of well-known symbols. */
async function resolveInput(
  context: RunContext,
  name: ControlName,
  { args, options }: Pick<ControlInput, "args" | "options">,
): Promise<Pick<ControlInput, "args" | "options">> {
  const count = ADDRESS_ARGUMENTS[name];
  if (count === undefined) return { args, options };
  const names = runNameResolver(context);
  const resolve = async (text: string) => (await names.resolve(text)) ?? text;
  const addresses = await Promise.all(args.slice(0, count).map(resolve));
  const { token } = options;
  const mint = token === undefined ? undefined : (wellKnownToken(token, "asset")?.mint ?? (await resolve(token)));
  return {
    args: [...addresses, ...args.slice(count)],
    options: { ...options, ...(mint !== undefined && { token: mint }) },
  };
}

/** Sends the request of a subcommand to the running sandbox and prints the answer. */
export async function controlSandbox(
  context: RunContext,
  name: ControlName,
  { args, options }: Pick<ControlInput, "args" | "options">,
): Promise<void> {
  const input = await resolveInput(context, name, { args, options });
  const request: ControlRequest = REQUESTS[name]({ ...input, now: context.io.now() });
  const origin = await findAddress(context, options);
  const answer = await sendControl(origin, request, { token: options.controlToken, signal: context.io.signal });
  if (request.method !== "GET") await context.reporter.note(`Changed the sandbox at ${origin}.`, { url: origin });
  if (name === "requests" && isTable(await context.printer.format())) {
    const rows = (answer.requests as JsonObject[]).map((row) => ({
      ...row,
      time: Math.floor(Number(row.time) / 1000),
    }));
    return context.printer.printRows(rows, { entity: schemaOf({ time: 0, units: 0 }), columns: REQUEST_COLUMNS });
  }
  const entity = schemaOf(answer);
  await context.printer.printObject(isTable(await context.printer.format()) ? withDates(answer) : answer, { entity });
  if (name === "time" && request.method === "PUT") {
    await context.reporter.hint(`To run commands at this time: export SOLX_SANDBOX_NOW=${String(answer.now)}`);
  }
}

/** Returns an answer with dates in place of Unix seconds: its times are those of the sandbox, which may not be near the present. */
const withDates = (answer: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) =>
      (name === "now" || name === "time") && typeof value === "number" ? [name, formatIso(value)] : [name, value],
    ),
  );

const REQUEST_COLUMNS = ["time", "method", "path", "query", "status", "units", "faults", "message", "note"] as const;

/** Returns the schema of an answer, with the kinds of its members. */
const schemaOf = (answer: JsonObject) =>
  rowSchema((f) => {
    const kinds = { now: f.unixTime, time: f.unixTime, units: f.count, used: f.count, limit: f.count };
    const members = Object.entries(kinds).filter(([name]) => Object.hasOwn(answer, name));
    return Object.fromEntries(members.map(([name, kind]) => [name, kind(name)]));
  });

function timeRequest(change: string, value: string | undefined, now: number): ControlRequest {
  const [, count, unit = ""] = /^\+(\d{1,9}) ?([smhdwy])$/.exec(change) ?? [];
  if (count !== undefined) {
    return put("/time", { advance: Number(count) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS] });
  }
  if (change === "set" && value !== undefined) return put("/time", { now: parseUnixTime(value, "time", now) });
  if (change === "freeze" || change === "resume") return put("/time", { frozen: change === "freeze" });
  throw new UsageError(
    `invalid value ${quoteText(change)} for change: expected a duration such as +1d, set <time>, freeze or resume`,
  );
}

function parseUnitCount(name: string, text: string): number {
  const units = parseUnits(text);
  if (units !== undefined) return units;
  throw new UsageError(`invalid value ${quoteText(text)} for ${name}: expected a number such as ${UNITS_SYNTAX}`);
}

/** Returns the address of `--url`, else the base URL on this machine, else the only sandbox that runs. */
async function findAddress(context: RunContext, { url, controlToken }: ControlOptions): Promise<string> {
  if (url !== undefined) {
    const origin = parseOrigin(url, controlToken !== undefined);
    if (origin !== undefined) return origin;
    throw new UsageError(`invalid value ${quoteText(url)} for --url: expected a URL of this machine`, {
      hint: `For example: --url http://127.0.0.1:${SANDBOX_PORT}. For another machine: --control-token <token>`,
    });
  }
  const settings = await context.session.settings();
  const origin = parseOrigin(String(settings.resolve("base-url").value ?? ""), false);
  if (origin !== undefined) return origin;
  const servers = await findRunningServers(settings.paths.state, context.io.signal);
  const [only, another] = servers;
  if (another === undefined) return only?.url ?? `http://127.0.0.1:${SANDBOX_PORT}`;
  const list = servers.map((server) => `${server.url} (${quoteText(server.seed)})`).join(", ");
  throw new UsageError(`several sandboxes run: ${list}`, {
    code: "SEVERAL_SANDBOXES",
    hint: `Name one of them: --url ${only?.url ?? ""}`,
  });
}

/** Returns the origin of an HTTP URL: of this machine, unless there is a token for another one. */
function parseOrigin(text: string, hasToken: boolean): string | undefined {
  const { hostname = "", protocol = "", origin } = URL.parse(text) ?? {};
  const isLocal = hostname === "localhost" || hostname === "[::1]" || /^127\.[\d.]+$/.test(hostname);
  return (isLocal || hasToken) && (protocol === "http:" || (hasToken && protocol === "https:")) ? origin : undefined;
}

async function sendControl(
  origin: string,
  { method, path, body }: ControlRequest,
  { token, signal }: { readonly token: string | undefined; readonly signal: AbortSignal },
): Promise<JsonObject> {
  const reply = await fetch(`${origin}/_sandbox${path}`, {
    method,
    signal,
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    ...(body && { body: stringifyJson(body) }),
  }).catch((cause: unknown) => {
    if (signal.aborted) throw toInterruptedError(signal);
    throw new NetworkError(`No sandbox answers at ${origin}.`, {
      code: "NO_SANDBOX",
      hint: "Start one: solx sandbox. For another address: --url http://127.0.0.1:<port>",
      // The error of fetch says only that it failed.
      cause: (cause as Error).cause ?? cause,
    });
  });
  const answer = tryParseJson(await reply.text());
  if (reply.ok && isObject(answer)) return answer;
  const errors = isObject(answer) ? answer.errors : undefined;
  if (reply.status === 400 && isObject(errors)) {
    const { code, message, hint } = errors;
    throw new UsageError(String(message), {
      code: String(code),
      ...(typeof hint === "string" ? { hint } : {}),
    });
  }
  if (reply.status === 403) {
    throw new PermissionError(`The sandbox at ${origin} refuses to be changed from here.`, {
      status: reply.status,
      hint: "Start it with --control-token <token>, and type the same option here.",
    });
  }
  throw new ServerError(`${origin} is no sandbox of this version: it answers ${path} with status ${reply.status}.`, {
    code: "NO_SANDBOX",
    status: reply.status,
  });
}

/** A sandbox that runs on this machine. */
export interface RunningServer {
  readonly url: string;
  /** The seed of the simulated chain, or the name of the index. */
  readonly seed: string;
}

const ANSWER_MS = 2000;
const MAX_RECORD_BYTES = 65_536;

/** Records a server. Returns a function that removes the record; both do nothing where the folder cannot be written. */
export function recordServer(stateFolder: string | undefined, server: RunningServer): () => void {
  if (stateFolder === undefined) return () => {};
  const folder = recordFolder(stateFolder);
  const path = join(folder, `${new URL(server.url).port}.json`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, JSON.stringify(server), { mode: 0o600 });
  } catch {
    return () => {};
  }
  return () => rmSync(path, { force: true });
}

/** Returns the servers that answer. Records of servers that were killed are removed. */
export async function findRunningServers(
  stateFolder: string | undefined,
  signal: AbortSignal,
): Promise<readonly RunningServer[]> {
  if (stateFolder === undefined) return [];
  const folder = recordFolder(stateFolder);
  const found = await Promise.all(
    listFiles(folder).map(async (name) => {
      const server = await readRecord(join(folder, name), signal);
      if (server && (await answers(server, signal))) return [server];
      rmSync(join(folder, name), { force: true });
      return [];
    }),
  );
  return found.flat();
}

const recordFolder = (stateFolder: string) => join(stateFolder, "sandboxes");

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

async function readRecord(path: string, signal: AbortSignal): Promise<RunningServer | undefined> {
  try {
    const text = await readInputFile(path, { signal, maxBytes: MAX_RECORD_BYTES, isInFolder: true });
    const { url, seed } = parseJson(text) as JsonObject;
    return typeof url === "string" && typeof seed === "string" ? { url, seed } : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Whether a sandbox answers at the address: another program may have its port by now. */
async function answers({ url }: RunningServer, signal: AbortSignal): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/_sandbox/time`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    return isObject(parseJson(await reply.text()));
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
