/** `solx sandbox`: serves the API on this machine until it is stopped. */
import { once } from "node:events";
import { DAY_SECONDS, expandTypedPath, sleep, UsageError } from "../../base/index.ts";
import { keyProblem, type PlanName, SANDBOX_PORT } from "../../catalogue/index.ts";
import { parseUnixTime } from "../../client/index.ts";
import { parseValue, type Settings } from "../../config/index.ts";
import { createPainter, escapeJson, isTable, safeText, type Theme } from "../../output/index.ts";
import type { RequestEntry, RunningSandbox, ShapeName } from "../../sandbox/index.ts";
import { PORTS, parseNumberOption } from "../number-option.ts";
import type { RunContext } from "../run/context.ts";
import { programName } from "../run/printed-command.ts";
import { recordServer } from "./control.ts";
import { type ReplayFlags, replayToServe } from "./replay.ts";
import { findFlag, loadSandbox, openWithProgress, parseRate, WORLD_OPTIONS, worldOptions } from "./world.ts";

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
  readonly shape?: readonly ShapeName[];
}

const MAX_LIVE = DAY_SECONDS;
const MAX_UNITS = 1_000_000_000_000;

/** Serves until SIGINT or SIGTERM, which is a normal end and not a failure. A closed standard output ends it too. */
export async function serve(context: RunContext, input: ServeOptions): Promise<void> {
  const { io, printer, globals, outcome } = context;
  const settings = await context.session.settings({ sandbox: true, source: "sandbox" });
  const replay = await replayToServe(context, input);
  const index = replay ? undefined : indexToServe(settings, input);
  const { isTerminal, theme } = await printer.options();
  const isReadable = isTerminal && isTable(await printer.format());
  const log = createLog(
    (text) => printer.printText(text),
    (count) => (isReadable ? `(${count} more)\n` : `${JSON.stringify({ missed: count })}\n`),
  );
  const logRequest = (request: LoggedRequest) => log.add(isReadable ? readableLine(request, theme) : jsonLine(request));
  const openapi = async () => {
    const [{ openapiDocument }, { loadExamples }] = await Promise.all([
      import("../openapi/openapi.ts"),
      import("../openapi/examples.ts"),
    ]);
    return openapiDocument({ version: io.version, server: "/", examples: await loadExamples() });
  };
  const onRequest = globals.quiet ? undefined : logRequest;
  const options = { ...serverOptions(input, context), openapi, signal: io.signal, onRequest };
  const server =
    index === undefined
      ? await startWorld(context, {
          ...worldOptions(settings, context),
          ...worldFlags(input, io.now()),
          ...options,
          replay,
        })
      : await startIndex(context, settings, { ...options, name: index });
  const { url, key, seed } = server;
  const forgetServer = recordServer(settings.paths.state, { url, seed });
  try {
    const now = replay && { now: new Date(server.now()).toISOString() };
    log.add(
      isReadable
        ? welcomeText(context, server, { theme, index, host: input.host })
        : `${JSON.stringify({ url, key, seed, ...now })}\n`,
    );
    await Promise.race([io.signal.aborted || once(io.signal, "abort"), log.failed]);
  } finally {
    forgetServer();
    await server.close();
  }
  await log.end();
  outcome.runsUntilStopped = true;
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

type SandboxModule = Awaited<ReturnType<typeof loadSandbox>>;

/** Serves an index; its new blocks appear in later answers. */
async function startIndex(
  context: RunContext,
  settings: Settings,
  options: Parameters<SandboxModule["startLedgerServer"]>[1],
): Promise<RunningSandbox> {
  const [{ startLedgerServer }, { openIndexForAnswers }] = await Promise.all([
    loadSandbox(),
    import("../indexer/indexes.ts"),
  ]);
  const plan = settings.get("plan");
  const onNote = (text: string) => void context.reporter.note(text);
  return startLedgerServer(await openIndexForAnswers(settings, options.name), { plan, ...options, onNote });
}

async function startWorld(
  context: RunContext,
  options: Parameters<SandboxModule["startSandbox"]>[0],
): Promise<RunningSandbox> {
  const { startSandbox } = await loadSandbox();
  return openWithProgress(context, (reporting) => startSandbox({ ...options, ...reporting }));
}

/** Returns the options of the simulated chain that were typed. */
const worldFlags = ({ seed, size, now, hostile }: ServeOptions, present: number) => ({
  ...(seed !== undefined && { seed: String(parseValue("sandbox-seed", seed, { origin: "--seed" })) }),
  ...(size !== undefined && { size: Number(parseValue("sandbox-size", size, { origin: "--size" })) }),
  ...(now !== undefined && { now: parseUnixTime(now, "--now", present) }),
  ...(hostile && { hostile }),
});

function serverOptions(options: ServeOptions, { io }: RunContext) {
  const { port, host, controlToken, key, fault, plan, rate, units, live, state, shape } = options;
  const problem = key === undefined ? undefined : keyProblem(key);
  if (problem !== undefined) throw new UsageError(`--key ${problem}.`);
  return {
    port: port === undefined ? SANDBOX_PORT : parseNumberOption("--port", port, PORTS),
    host: host?.trim(),
    allowedHosts: options.allowHost,
    controlToken,
    rate: rate === undefined ? undefined : parseRate(rate),
    units: units === undefined ? undefined : parseNumberOption("--units", units, { min: 0, max: MAX_UNITS }),
    key,
    live:
      typeof live === "string"
        ? 1000 * parseNumberOption("--live", live, { min: 0.1, max: MAX_LIVE, isWhole: false })
        : live,
    state: state === undefined ? undefined : expandTypedPath(state, io.env),
    shapes: shape,
    // Those of the settings apply otherwise.
    ...(fault && { faults: fault }),
    ...(plan !== undefined && { plan: parseValue("plan", plan, { origin: "--plan" }) as PlanName }),
  };
}

function welcomeText(
  context: RunContext,
  { url, key, seed, info, now }: RunningSandbox,
  { theme, index, host }: { theme: Theme | undefined; index: string | undefined; host: string | undefined },
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
type LoggedRequest = Omit<RequestEntry, "number" | "route">;

/** Returns a request as a line of NDJSON. */
function jsonLine({ time, milliseconds, path, query, ...event }: LoggedRequest) {
  const { method, client, status, units, faults, message, note } = event;
  const ms = Math.round(milliseconds * 10) / 10;
  const target = formatTarget({ path, query });
  const outcome = { status, ms, units, faults, message, note };
  const entry = { time: new Date(time).toISOString(), client, method, path: target, ...outcome };
  return `${escapeJson(JSON.stringify(entry))}\n`;
}

/** Returns a request as a line for people: time, status, method, target, duration. */
function readableLine(event: LoggedRequest, theme: Theme | undefined): string {
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
/** Milliseconds from a write to the next. */
const WRITE_INTERVAL_MS = 20;

/**
 * Creates a log over a text sink, which writes lines in order without blocking. `failed` rejects when it cannot.
 * @param lost returns the line that reports how many lines were dropped
 */
function createLog(write: (text: string) => Promise<void>, lost: (count: number) => string) {
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
      // What is answered meanwhile is written together: to write each line took a seventh of the time of an answer.
      await sleep(WRITE_INTERVAL_MS);
    }
  };
  return {
    add(line: string): void {
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
