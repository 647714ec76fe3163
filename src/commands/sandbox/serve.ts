/** `solx sandbox`: serves the API on this machine until it is stopped. */
import { DAY_SECONDS, expandTypedPath, UsageError } from "../../base/index.ts";
import { keyProblem, type PlanName, SANDBOX_PORT } from "../../catalogue/index.ts";
import { parseValue, quoteText, type Settings } from "../../config/index.ts";
import { createPainter, escapeJson, isTable, safeText, type Theme } from "../../output/index.ts";
import type { RequestEntry, RunningSandbox } from "../../sandbox/index.ts";
import type { RunContext } from "../run/context.ts";
import { programName } from "../run/printed-command.ts";
import { type ReplayFlags, replayToServe } from "./replay.ts";
import { recordServer } from "./running-servers.ts";
import {
  findFlag,
  ledgerProgress,
  loadSandbox,
  parseRate,
  WORLD_OPTIONS,
  type WorldOverrides,
  worldOptions,
} from "./world.ts";

/** Options of the command as typed. */
export interface ServeOptions extends ReplayFlags {
  readonly port?: string;
  readonly host?: string;
  readonly allowHost?: readonly string[];
  readonly controlToken?: string;
  readonly seed?: string;
  readonly size?: string;
  readonly now?: string;
  readonly key?: string;
  readonly fault?: readonly string[];
  readonly plan?: string;
  readonly rate?: string;
  readonly units?: string;
  readonly hostile?: true;
  readonly live?: string | true;
  readonly state?: string;
  readonly bareLegacy?: true;
}

const MAX_PORT = 65_535;
const MAX_LIVE = DAY_SECONDS;
const MAX_UNITS = 1_000_000_000_000;

/** Serves until SIGINT or SIGTERM, which is a normal end and not a failure. A closed standard output ends it too. */
export async function serve(context: RunContext, input: ServeOptions): Promise<void> {
  const settings = await context.session.settings({ sandbox: true, source: "sandbox" });
  const replay = await replayToServe(context, input);
  const index = replay ? undefined : indexToServe(settings, input);
  const { tty, theme } = await context.printer.options();
  const isReadable = tty && isTable(await context.printer.format());
  const options = serverOptions({
    ...input,
    ...(input.state !== undefined && { state: expandTypedPath(input.state, context.io.env) }),
  });
  const log = createLog(
    (text) => context.printer.printText(text),
    (count) => (isReadable ? `(${count} more)\n` : `${JSON.stringify({ missed: count })}\n`),
  );
  const lineOf = isReadable ? (event: LoggedRequest) => readableLine(event, theme) : jsonLine;
  const onRequest = context.globals.quiet ? undefined : (event: LoggedRequest) => log.add(lineOf(event));
  const openapi = async () => {
    const { openapiDocument } = await import("../openapi/openapi.ts");
    return openapiDocument({ version: context.io.version, server: "/" });
  };
  const serving = { ...options, openapi, signal: context.io.signal, ...(onRequest && { onRequest }) };
  const server =
    index === undefined
      ? await start(context, { ...worldOptions(settings, context, parseOverrides(input)), ...serving, replay })
      : await startIndex(context, settings, { ...serving, name: index });
  const { url, key, seed } = server;
  const forgetServer = recordServer(settings.paths.state, { url, seed });
  try {
    log.add(
      isReadable
        ? welcomeText(context, server, { theme, index, host: input.host })
        : `${JSON.stringify({ url, key, seed, ...(replay && { now: new Date(server.now()).toISOString() }) })}\n`,
    );
    await Promise.race([aborted(context.io.signal), log.failed]);
  } finally {
    forgetServer();
    await server.close();
  }
  await log.end();
  context.outcome.runsUntilStopped = true;
}

/** Returns the name of the index to serve, if any. Throws UsageError for options of a simulated chain. */
function indexToServe(settings: Settings, input: ServeOptions): string | undefined {
  const name = settings.get("index");
  if (name === undefined || name === "off") return undefined;
  const flag = findFlag(input, WORLD_OPTIONS);
  if (flag === undefined) return name;
  throw new UsageError(`${flag} is an option of the simulated chain and cannot be used with --index`, {
    hint: "Remove one of them.",
  });
}

/** Serves an index; its new blocks appear in later answers. */
async function startIndex(
  context: RunContext,
  settings: Settings,
  options: Parameters<Awaited<ReturnType<typeof loadSandbox>>["startLedgerServer"]>[1],
): Promise<RunningSandbox> {
  const [{ startLedgerServer }, { openIndexForAnswers }] = await Promise.all([
    loadSandbox(),
    import("../indexer/indexes.ts"),
  ]);
  const plan = settings.get("plan");
  const onNote = (text: string) => void context.reporter.note(text);
  return startLedgerServer(await openIndexForAnswers(settings, options.name), { plan, ...options, onNote });
}

type StartOptions = Parameters<Awaited<ReturnType<typeof loadSandbox>>["startSandbox"]>[0];

async function start(context: RunContext, options: StartOptions): Promise<RunningSandbox> {
  const { startSandbox } = await loadSandbox();
  const progress = await ledgerProgress(context);
  try {
    return await startSandbox({
      ...options,
      onProgress: progress.update,
      onNote: (text) => void context.reporter.note(text),
    });
  } finally {
    progress.end();
  }
}

function parseOverrides({ seed, size, now, hostile }: ServeOptions): WorldOverrides {
  const value = (name: "sandbox-seed" | "sandbox-size", text: string, origin: string) =>
    parseValue(name, text, { origin });
  return {
    ...(seed === undefined ? {} : { seed: String(value("sandbox-seed", seed, "--seed")) }),
    ...(size === undefined ? {} : { size: Number(value("sandbox-size", size, "--size")) }),
    ...(now === undefined ? {} : { now }),
    ...(hostile ? { hostile } : {}),
  };
}

function serverOptions(options: ServeOptions) {
  const { port, host, allowHost, controlToken, key, fault, plan, rate, units, live, state, bareLegacy } = options;
  const problem = key === undefined ? undefined : keyProblem(key);
  if (problem !== undefined) throw new UsageError(`--key ${problem}.`);
  return {
    port: port === undefined ? SANDBOX_PORT : numberOption("--port", port, { min: 0, max: MAX_PORT, whole: true }),
    ...(host === undefined ? {} : { host: host.trim() }),
    ...(allowHost === undefined ? {} : { allowedHosts: allowHost }),
    ...(controlToken === undefined ? {} : { controlToken }),
    ...(fault === undefined ? {} : { faults: fault }),
    ...(plan === undefined ? {} : { plan: parseValue("plan", plan, { origin: "--plan" }) as PlanName }),
    ...(rate === undefined ? {} : { rate: parseRate(rate) }),
    ...(units === undefined ? {} : { units: numberOption("--units", units, { min: 0, max: MAX_UNITS, whole: true }) }),
    ...(key === undefined ? {} : { key }),
    ...(live === undefined ? {} : { live: live === true ? live : 1000 * liveSeconds(live) }),
    ...(state === undefined ? {} : { state: state }),
    ...(bareLegacy ? { bareLegacy } : {}),
  };
}

const liveSeconds = (text: string) => numberOption("--live", text, { min: 0.1, max: MAX_LIVE, whole: false });

function numberOption(name: string, text: string, bounds: { min: number; max: number; whole: boolean }): number {
  const { min, max, whole } = bounds;
  const value = (whole ? /^\d{1,13}$/ : /^\d{1,6}(\.\d{1,6})?$/).test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(
    `invalid value ${quoteText(text)} for ${name}: expected a ${whole ? "whole " : ""}number from ${min} to ${max}`,
  );
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function welcomeText(
  context: RunContext,
  { url, key, seed, info, now }: RunningSandbox,
  {
    theme,
    index,
    host,
  }: { readonly [name in "index" | "host"]: string | undefined } & {
    readonly theme: Theme | undefined;
  },
): string {
  const paint = createPainter(theme);
  const { plan, replay } = info();
  const kind = replay ? "replay" : index === undefined ? "sandbox" : "index";
  const facts: readonly (readonly [string, string])[] = [
    ["URL", `${url}  v2 at /v2.0, legacy at /v1.0, public at /`],
    ...(host === undefined ? [] : [["Host", host] as const]),
    ["Key", `${key}  in the header token`],
    ...(replay ? [["Files", `${replay.recordings} in ${replay.folder}`] as const] : []),
    ...(seed === "" ? [] : [[kind === "index" ? "Index" : "Seed", seed] as const]),
    ...(plan === null ? [] : [["Plan", plan] as const]),
  ];
  const solx = programName(context.io).join(" ");
  const server = `SOLX_BASE_URL=${url} SOLX_API_KEY=${key}`;
  const examples = replay
    ? [`SOLX_SANDBOX_NOW=${new Date(now()).toISOString()} ${server} ${solx} <command>`]
    : [`curl -H "token: ${key}" ${url}/v2.0/token/trending`, `${server} ${solx} overview`];
  return [
    paint("title", `The ${kind} is running. Press Ctrl-C to stop it.`),
    ...facts.map(([name, value]) => `  ${paint("key", name.padEnd(5))} ${value}`),
    "",
    paint("title", "Try, in another terminal:"),
    ...examples.map((line) => `  ${line}`),
    "",
    paint("note", "Any client of the API works with this URL and key. Requests:"),
    "",
  ].join("\n");
}

/** The logged part of a request; it contains no key. */
export type LoggedRequest = Omit<RequestEntry, "number" | "route">;

/** Returns a request as a line of NDJSON. */
export function jsonLine({ time, milliseconds, path, query, ...event }: LoggedRequest) {
  const { method, client, status, units, faults, message, note } = event;
  const ms = Math.round(milliseconds * 10) / 10;
  const target = formatTarget({ path, query });
  const outcome = { status, ms, units, faults, message, note };
  const entry = { time: new Date(time).toISOString(), client, method, path: target, ...outcome };
  return `${escapeJson(JSON.stringify(entry))}\n`;
}

/** Returns a request as a line for people: time, status, method, target, duration. */
export function readableLine(event: LoggedRequest, theme: Theme | undefined): string {
  const paint = createPainter(theme);
  const { time, method, client, status, milliseconds, faults = [], message, note } = event;
  const clock = new Date(time).toTimeString().slice(0, 8);
  const statusText = paint(status < 400 ? "good" : "bad", String(status));
  const speed = `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
  const reasons = [client && `client ${client}`, ...faults.map((fault) => `fault ${fault}`), message, note];
  const details = [speed, ...reasons.filter((reason) => reason !== undefined)];
  const line = [paint("note", clock), statusText, safeText(method), safeText(formatTarget(event))].join(" ");
  return `${line} ${paint("note", safeText(details.join(" · ")))}\n`;
}

function formatTarget({ path, query = "" }: { readonly path: string; readonly query?: string | undefined }): string {
  return query === "" || query.startsWith("?") ? path + query : `${path}?${query}`;
}

/** Maximum number of unwritten lines; further lines are counted and dropped. */
const MAX_PENDING = 10_000;

/** Writes lines in order without blocking the caller. */
export interface Log {
  add(line: string): void;
  /** Waits until all lines are written. */
  end(): Promise<void>;
  /** Rejects when a line could not be written. */
  readonly failed: Promise<never>;
}

/**
 * Creates a log over a text sink.
 * @param lost returns the line that reports how many lines were dropped
 */
export function createLog(write: (text: string) => Promise<void>, lost: (count: number) => string): Log {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  let pending: string[] = [];
  let dropped = 0;
  let writing: Promise<void> | undefined;
  const drain = async () => {
    while (pending.length > 0) {
      const text = pending.join("") + (dropped > 0 ? lost(dropped) : "");
      pending = [];
      dropped = 0;
      await write(text);
    }
  };
  return {
    add(line) {
      if (pending.length < MAX_PENDING) pending.push(line);
      else dropped += 1;
      writing ??= drain()
        .catch(failed.reject)
        .finally(() => {
          writing = undefined;
        });
    },
    end: async () => writing,
    failed: failed.promise,
  };
}
