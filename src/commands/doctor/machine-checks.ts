/** Checks of this machine: program, settings, files, rate limit, terminal and optional components. */
import { existsSync } from "node:fs";
import { mkdtemp, rmdir, stat, statfs } from "node:fs/promises";
import { arch, release } from "node:os";
import { dirname, join } from "node:path";
import {
  errorMessage,
  isSingleExecutable,
  measureFiles,
  openDatabase,
  pluralize,
  SolxError,
  suggestName,
  toSentence,
} from "../../base/index.ts";
import { isStoreAddress, parseStoreAddress } from "../../chain/ledger/index.ts";
import { readCacheStats } from "../../client/index.ts";
import {
  getSetting,
  KEY_VARIABLES,
  type Paths,
  SETTING_NAMES,
  type Settings,
  settingVariable,
} from "../../config/index.ts";
import { executeJq, formatBytes, shouldUseColor, supportsUnicode } from "../../output/index.ts";
import { displayRedisAddress, loadSharedLimiter } from "../../sources/api/index.ts";
import { resolveRate } from "../../sources/index.ts";
import { isTooSmall, MIN_WINDOW } from "../../ui/index.ts";
import { listSettings, settingsOf } from "../config/config.ts";
import { isScreen } from "../explore/terminal-support.ts";
import { browserOpeners, clipboardTools, osc52 } from "../explore/tools.ts";
import { answerCacheFile, isUnlimited, parseRate, sharedOptions } from "../run/client-options.ts";
import type { Io } from "../run/context.ts";
import { type Check, note, type Outcome, ok, problem, rate, warning } from "./checks.ts";
import type { CheckContext } from "./context.ts";

/** All environment variables that solx reads. */
const KNOWN_VARIABLES: readonly string[] = [
  ...SETTING_NAMES.map(settingVariable),
  ...KEY_VARIABLES,
  "SOLX_HOME",
  "SOLX_SANDBOX",
  "SOLX_FORCE_TTY",
  "SOLX_NO_INPUT",
  "SOLX_HANDED_OVER",
  "SOLX_CLICKHOUSE_PASSWORD",
  "SOLX_GRPC_TOKEN",
  "SOLX_INSECURE",
  "SOLX_MCP_TOKEN",
  "SOLX_RECORD",
  "SOLX_WEBHOOK_SECRET",
];

async function checkVersion({ context: { io } }: CheckContext): Promise<Outcome> {
  const path = isSingleExecutable() ? process.execPath : process.argv[1];
  const message = path === undefined ? io.version : `${io.version}, ${path}`;
  return ok(message, { version: io.version, path: path ?? null });
}

async function checkRuntime(): Promise<Outcome> {
  const { platform, execPath: path } = process;
  const version = process.version.slice(1);
  const value = { version, platform, arch: arch(), system: release(), path };
  return ok(`${version} on ${platform} ${arch()} (${release()})`, value);
}

/** Reports invalid variables and profiles of this run, and unknown variables with the prefix of solx. */
async function checkInput({ problems, context: { io } }: CheckContext): Promise<readonly Outcome[]> {
  const unknown = Object.keys(io.env).filter((name) => name.startsWith("SOLX_") && !KNOWN_VARIABLES.includes(name));
  return [
    ...problems.map(({ name, error }) => {
      const hint = error.hint ?? "Correct or remove it.";
      const message = `${toSentence(error)} It is ignored by the other checks.`;
      return problem(message, { check: name, value: String(error.code), hint });
    }),
    ...unknown.map((name) => {
      const hint = suggestName(name, KNOWN_VARIABLES) ?? `Remove it: unset ${name}`;
      return warning("unknown variable", { check: name, hint });
    }),
  ];
}

async function checkConfigFile({ settings }: CheckContext): Promise<Outcome | readonly Outcome[]> {
  const { path, problem: error, profiles } = settings.file;
  if (path === undefined) {
    return warning("no home folder: settings cannot be saved, defaults apply", {
      hint: "Set HOME, or set SOLX_HOME to a writable folder. SOLX_API_KEY works without one.",
    });
  }
  if (error) return problem(toSentence(error), { value: path, hint: error.hint });
  const invalid = invalidSettings(settings, path);
  if (invalid.length > 0) return invalid;
  const names = [...profiles.keys()];
  const profileText = names.length === 0 ? "no profiles" : `profiles ${names.join(", ")}`;
  return ok(`${path}: ${existsSync(path) ? profileText : "does not exist, defaults apply"}`, path);
}

/** Returns the findings for invalid settings of the file; the defaults apply in place of all but addresses. */
function invalidSettings(settings: Settings, path: string): readonly Outcome[] {
  const hint = "List all settings: solx config list. Remove one: solx config unset <name>";
  const urlNames = SETTING_NAMES.filter((name) => getSetting(name).type === "url");
  const addresses = [...new Set(urlNames.flatMap((name) => settings.resolve(name).problem ?? []).map(toSentence))];
  const others = settings.warnings.filter((text) => !addresses.some((message) => text.startsWith(message)));
  return [
    ...addresses.map((message) => problem(message, { hint })),
    ...others.map((message) => warning(message, { value: path, hint })),
  ];
}

/** Lists settings that differ from their defaults, with their sources. Invalid ones are reported with the file. */
async function checkSettingValues({ settings, problems }: CheckContext): Promise<readonly Outcome[]> {
  const all = listSettings(settings);
  const customized = all.filter(
    // The fallback to the default profile is reported with its problem.
    ({ name, source }) => source !== "default" && !(name === "profile" && problems.length > 0),
  );
  const valid = customized.filter(({ name }) => settingsOf(name).every((one) => !settings.resolve(one).problem));
  const others = all.length - customized.length;
  const summary = `${pluralize(others, "setting")} at the default; list all: solx config list`;
  return [
    ...valid.map(({ name, value, source }) => {
      const error = name === "index" ? invalidStore(String(settings.get("index"))) : undefined;
      if (error) return problem(`${toSentence(error)} It is from ${source}.`, { check: name, hint: error.hint });
      return { check: name, ...ok(`${String(value)}, from ${source}`, { value, source }) };
    }),
    { check: "others", ...ok(summary, others) },
  ];
}

function invalidStore(text: string): SolxError | undefined {
  try {
    if (isStoreAddress(text)) parseStoreAddress(text, undefined);
    return undefined;
  } catch (error) {
    return error as SolxError;
  }
}

/** Free bytes below which writes will soon fail. */
const LOW_DISK_BYTES = 100_000_000;

/** The contents of each folder, and the consequence if it is not writable. */
const FOLDERS: Readonly<Record<keyof Paths, readonly [contents: string, consequence: string]>> = {
  config: ["settings and keys", "Settings and keys cannot be saved; set SOLX_API_KEY instead."],
  state: [
    "rate limit, checkpoints",
    "Processes do not share the rate limit, and interrupted exports cannot be resumed.",
  ],
  cache: ["answers, sandbox", "Answers are not cached, and the sandbox is created on every run."],
};

async function checkFolder(name: keyof Paths, path: string | undefined): Promise<Outcome> {
  const [contents, consequence] = FOLDERS[name];
  const hint = `${consequence} Set SOLX_HOME to a folder that you may write to.`;
  if (path === undefined) return warning(`no folder for ${contents}`, { hint });
  const existing = await nearestExistingFolder(path);
  const reason = await findWriteProblem(existing, path);
  if (reason !== undefined) return warning(reason, { value: { path, writable: false }, hint });
  if (existing !== path) return ok(`${path}: created when needed`, { path, writable: true, bytes: 0 });
  // With `SOLX_HOME`, the other folders are inside that of the configuration.
  const size = name === "config" ? undefined : await measureFiles(path);
  const sizeText = size ? `; ${pluralize(size.files, "file")}, ${formatBytes(size.bytes)}` : "";
  const message = `${path}: ${contents}${sizeText}`;
  const disk = await statfs(path).catch(() => undefined);
  const free = disk ? disk.bavail * disk.bsize : Number.POSITIVE_INFINITY;
  const isLow = free < LOW_DISK_BYTES;
  return rate(
    isLow ? `${message}; only ${formatBytes(free)} free on the disk` : message,
    { path, writable: true, ...size },
    [isLow, "warning", "Free some space, or delete cached data: solx cache clear, solx sandbox reset"],
  );
}

async function nearestExistingFolder(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined);
  return stats || dirname(path) === path ? path : nearestExistingFolder(dirname(path));
}

/**
 * Returns why a folder is not writable, or undefined if it is. Writes to it, since its mode alone is not conclusive.
 * @param path the required folder: this one, or one to be created in it
 */
async function findWriteProblem(folder: string, path: string): Promise<string | undefined> {
  try {
    await rmdir(await mkdtemp(join(folder, ".solx-doctor-")));
    return undefined;
  } catch (error) {
    const stats = await stat(folder).catch(() => undefined);
    const prefix = path === folder ? "" : `${path} is not writable: `;
    if (stats?.isDirectory() === false) return `${prefix}${folder} is a file, not a folder`;
    return `${path} is not writable (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
  }
}

async function checkAnswerCache({ settings, facts }: CheckContext): Promise<Outcome | readonly Outcome[]> {
  const path = answerCacheFile(settings);
  if (facts.isSimulated || path === undefined) return [];
  if (settings.get("cache") === "off") {
    return note("caching is off", { value: { on: false }, hint: "Turn it on: solx config set cache on" });
  }
  try {
    const count = readCacheStats(path).reduce((sum, kind) => sum + kind.count, 0);
    return ok(`${pluralize(count, "answer")} cached`, { on: true, path, count });
  } catch (error) {
    return warning(`${path} cannot be used: ${errorMessage(error)}`, {
      value: { on: true, path },
      hint: "Delete it; it only holds cached answers: solx cache clear",
    });
  }
}

async function checkRateLimit(checkContext: CheckContext): Promise<Outcome | readonly Outcome[]> {
  const { context, settings, options, key } = checkContext;
  const plan = settings.get("plan") ?? "lite";
  const allowed = isUnlimited(settings) ? undefined : resolveRate(plan, parseRate(settings.get("rate")));
  if (allowed === undefined) return ok("no rate limit");
  const { requests, seconds } = allowed;
  const description = `${pluralize(requests, "request")} in ${seconds} s`;
  const where = settings.get("budget");
  const shared = displayRedisAddress(where);
  const isMachine = where === "machine";
  if (where === "process") return ok(`${description}, per process`, { shared });
  if (!isMachine && options.offline) {
    return note(`${description}, shared through ${shared} (not checked)`, { value: { shared } });
  }
  const keyValue = (await key().catch(() => undefined))?.value;
  const limitOptions = await sharedOptions(settings, context, keyValue);
  try {
    const { readSharedLimit } = await loadSharedLimiter();
    const { remaining, units } = await readSharedLimit({ ...limitOptions, onNote: () => {} });
    const sharing = isMachine ? "by all processes of this machine" : `through ${shared}`;
    const message = `${description}, ${pluralize(remaining, "request")} available now; shared ${sharing}`;
    const value = { shared, left: remaining, of: requests, seconds, units };
    return [ok(message, value), unitsOutcome(units, limitOptions.unitsPerDay)];
  } catch (error) {
    return warning(`the rate limit is not shared: ${isMachine ? "" : `${shared}: `}${shortReason(error)}`, {
      value: { shared },
      hint: isMachine
        ? "Make the state folder writable, or set SOLX_HOME to a writable folder."
        : "Check that the server is running and its address, or share on this machine only: solx config set rate scope=machine",
    });
  }
}

/** Returns the finding for the compute units spent today and their daily limit. */
export function unitsOutcome(spent: number, most: number | undefined): Outcome {
  const description = `${pluralize(spent, "compute unit")} spent today (UTC)`;
  const isReached = most !== undefined && spent >= most;
  const message =
    most === undefined
      ? `${description}, no daily limit`
      : isReached
        ? `${description}: daily limit of ${most} reached, no more requests are sent today`
        : `${description} of ${most}`;
  const hint = "Raise it: solx config set units day=<units>. For one command: SOLX_UNITS_PER_DAY=off";
  return { check: "units", ...rate(message, { spent, most: most ?? null }, [isReached, "problem", hint]) };
}

const shortReason = (error: unknown): string => {
  const { message = "", code = "" } = error as NodeJS.ErrnoException;
  return (message || code || String(error)).split("\n")[0]?.replace(/\.$/, "") ?? "";
};

async function checkStreams({ context: { io } }: CheckContext): Promise<Outcome> {
  const terminals = Object.entries({ input: io.stdin.isTTY, output: io.stdout.isTTY, errors: io.stderr.isTTY });
  const message = terminals.map(([name, isTTY]) => `${name} ${isTTY ? "terminal" : "file or pipe"}`).join(", ");
  return ok(message, Object.fromEntries(terminals.map(([name, isTTY]) => [name, isTTY === true])));
}

async function checkScreen({ context: { io } }: CheckContext): Promise<Outcome> {
  const { TERM = "", TERM_PROGRAM, COLORTERM, TMUX, STY } = io.env;
  const { columns = 0, rows = 0, isTTY = false } = io.stdout;
  const multiplexer = TMUX ? ", in tmux" : STY ? ", in GNU screen" : "";
  const name = [TERM || "no TERM", TERM_PROGRAM, COLORTERM].filter(Boolean).join(", ");
  const message = `${columns > 0 ? `${columns} × ${rows}, ` : ""}${name}${multiplexer}`;
  const { width, height } = MIN_WINDOW;
  return rate(
    message,
    { columns, rows, term: TERM, program: TERM_PROGRAM ?? null },
    [isTTY && !isScreen(io), "note", "The explorer needs a full-screen terminal: set TERM, e.g. xterm-256color."],
    [
      isTTY && isTooSmall({ width: columns, height: rows }),
      "note",
      `The explorer needs at least ${width} × ${height}: enlarge the window.`,
    ],
  );
}

async function checkAppearance({ settings, context: { io } }: CheckContext): Promise<Outcome> {
  const color = shouldUseColor({ flag: settings.get("color"), env: io.env, isTTY: io.stdout.isTTY === true });
  const unicode = supportsUnicode(io.env);
  const reason = ["NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR"].find((name) => io.env[name]);
  const cause = reason === undefined ? "" : ` (${reason}=${io.env[reason]})`;
  const message = `colours ${color ? "on" : "off"}${cause}, ${unicode ? "Unicode" : "ASCII only"}`;
  const hint = "For box drawing and symbols set a UTF-8 locale, e.g. LANG=C.UTF-8.";
  return rate(message, { color, unicode }, [!unicode, "note", hint]);
}

/** Returns the finding for the clipboard: the methods that the explorer tries, in order. */
export function clipboardOutcome(env: Io["env"], platform: NodeJS.Platform): Outcome {
  const ways = [
    ...clipboardTools(env, platform).map(({ name }) => `${name} if installed`),
    ...(env.TMUX ? ["tmux"] : []),
    ...(osc52("", env) === undefined ? [] : ["the terminal (OSC 52)"]),
  ];
  const [browser] = browserOpeners(env, platform);
  const remote = env.SSH_CONNECTION || env.SSH_TTY ? " over SSH" : "";
  const message = ways.length > 0 ? `copies through ${ways.join(", then ")}` : "no clipboard access";
  const hint = "Select text with the mouse, or use a terminal that supports OSC 52.";
  const value = { ways, browser: browser?.name ?? null, ssh: remote !== "" };
  return rate(message + remote, value, [ways.length === 0, "note", hint]);
}

async function checkSqlite(): Promise<Outcome> {
  const db = openDatabase(":memory:");
  try {
    const version = String(db.prepare("SELECT sqlite_version() AS version").get()?.version);
    return ok(version, version);
  } finally {
    db.close();
  }
}

async function checkJq(_: CheckContext, signal: AbortSignal): Promise<Outcome> {
  try {
    const { stdout } = await executeJq('{"works":true}', ".works", signal);
    if (stdout.trim() === "true") return ok("works", true);
    throw new SolxError("unexpected", "unexpected result");
  } catch (error) {
    signal.throwIfAborted();
    const hint = "Reinstall solx: npm install --global solx";
    return warning(`--jq does not work: ${shortReason(error)}`, { value: false, hint });
  }
}

/** Checks of this machine, which send no request. */
export const MACHINE_CHECKS: readonly Check[] = [
  { area: "program", name: "solx", run: checkVersion },
  { area: "program", name: "Node", run: checkRuntime },
  { area: "settings", name: "given", run: checkInput },
  { area: "settings", name: "file", run: checkConfigFile },
  { area: "settings", name: "values", run: checkSettingValues },
  ...(["config", "state", "cache"] as const).map((name): Check => {
    return { area: "files", name, run: ({ settings }) => checkFolder(name, settings.paths[name]) };
  }),
  { area: "files", name: "answers", run: checkAnswerCache },
  { area: "budget", name: "rate", run: checkRateLimit },
  { area: "terminal", name: "streams", run: checkStreams },
  { area: "terminal", name: "screen", run: checkScreen },
  { area: "terminal", name: "looks", run: checkAppearance },
  {
    area: "terminal",
    name: "clipboard",
    run: async ({ context }) => clipboardOutcome(context.io.env, process.platform),
  },
  { area: "parts", name: "SQLite", run: checkSqlite },
  { area: "parts", name: "jq", run: checkJq },
];
