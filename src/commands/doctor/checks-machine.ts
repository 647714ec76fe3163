/** Checks of the shared rate limit, the terminal, and optional components. */

import { openDatabase, pluralize, SolxError } from "../../base/index.ts";
import { executeJq, shouldUseColor, supportsUnicode } from "../../output/index.ts";
import {
  accountId,
  createBucket,
  displayRedisAddress,
  openRedisStore,
  openSqliteStore,
  type RateLimitBucket,
  type RateLimitStore,
} from "../../sources/api/index.ts";
import { resolveRate } from "../../sources/index.ts";
import { isTooSmall, MIN_WINDOW } from "../../ui/index.ts";
import { browserOpeners } from "../explore/browser.ts";
import { clipboardTools, osc52 } from "../explore/clipboard.ts";
import { isScreen } from "../explore/terminal-support.ts";
import type { Io } from "../run/io.ts";
import { dailyUnitLimit, isUnlimited, parseRate } from "../run/rate-limit-options.ts";
import type { CheckContext } from "./context.ts";
import { type Check, localCheck, note, type Outcome, ok, problem, warning } from "./finding.ts";

const REDIS_HINT =
  "Check that the server is running and its address, or share on this machine only: solx config set rate scope=machine";

const rateLimit = localCheck("budget", "rate", async (checkContext) => {
  const { settings } = checkContext;
  const plan = settings.get("plan") ?? "lite";
  const allowed = isUnlimited(settings) ? undefined : resolveRate(plan, parseRate(settings.get("rate")));
  if (allowed === undefined) return ok("no rate limit");
  const { requests, seconds } = allowed;
  const description = `${pluralize(requests, "request")} in ${seconds} s`;
  const where = settings.get("budget");
  const isMachine = where === "machine";
  const shared = displayRedisAddress(where);
  if (where === "process") return ok(`${description}, per process`, { shared });
  if (!isMachine && checkContext.options.offline) {
    return note(`${description}, shared through ${shared} (not checked)`, { value: { shared } });
  }
  const key = await checkContext.key().catch(() => undefined);
  const bucket = createBucket(accountId(key?.value, settings.get("base-url-v2")), allowed);
  try {
    const { remaining, units } = await readBucket(where, checkContext, bucket);
    const sharing = isMachine ? "by all processes of this machine" : `through ${shared}`;
    const message = `${description}, ${pluralize(remaining, "request")} available now; shared ${sharing}`;
    const value = { shared, left: remaining, of: requests, seconds, units };
    return [ok(message, value), unitsOutcome(units, dailyUnitLimit(settings))];
  } catch (error) {
    return warning(`the rate limit is not shared: ${isMachine ? "" : `${shared}: `}${shortReason(error)}`, {
      value: { shared },
      hint: isMachine ? "Make the state folder writable, or set SOLX_HOME to a writable folder." : REDIS_HINT,
    });
  }
});

/** Returns the finding for the compute units spent today and their daily limit. */
export function unitsOutcome(spent: number, most: number | undefined): Outcome {
  const check = "units";
  const description = `${pluralize(spent, "compute unit")} spent today (UTC)`;
  const value = { spent, most: most ?? null };
  if (most === undefined) return { check, ...ok(`${description}, no daily limit`, value) };
  if (spent < most) return { check, ...ok(`${description} of ${most}`, value) };
  const hint = "Raise it: solx config set units day=<units>. For one command: SOLX_UNITS_PER_DAY=off";
  return problem(`${description}: daily limit of ${most} reached, no more requests are sent today`, {
    check,
    value,
    hint,
  });
}

/** Reads the state of a bucket without acquiring a permit. */
async function readBucket(where: string, { settings }: CheckContext, bucket: RateLimitBucket) {
  const store = await openStore(where, settings.paths.state);
  try {
    return await store.step(bucket, { interactive: [], background: [], released: [], units: 0, pause: 0 });
  } finally {
    await store.close();
  }
}

async function openStore(where: string, folder: string | undefined): Promise<RateLimitStore> {
  if (where !== "machine") return openRedisStore(where);
  if (folder === undefined) throw new Error("no home folder");
  return openSqliteStore({ folder, calendar: Date.now, onNote: () => {} });
}

const shortReason = (error: unknown): string => {
  const { message = "", code = "" } = error as NodeJS.ErrnoException;
  return (message || code || String(error)).split("\n")[0]?.replace(/\.$/, "") ?? "";
};

const streams = localCheck("terminal", "streams", async ({ context: { io } }) => {
  const terminals = { input: io.stdin.isTTY, output: io.stdout.isTTY, errors: io.stderr.isTTY };
  const names = Object.entries(terminals);
  return ok(
    names.map(([name, isTTY]) => `${name} ${isTTY ? "terminal" : "file or pipe"}`).join(", "),
    Object.fromEntries(names.map(([name, isTTY]) => [name, isTTY === true])),
  );
});

const screen = localCheck("terminal", "screen", async ({ context: { io } }) => {
  const { TERM = "", TERM_PROGRAM, COLORTERM, TMUX, STY } = io.env;
  const { columns = 0, rows = 0 } = io.stdout;
  const multiplexer = TMUX ? ", in tmux" : STY ? ", in GNU screen" : "";
  const name = [TERM || "no TERM", TERM_PROGRAM, COLORTERM].filter(Boolean).join(", ");
  const message = `${columns > 0 ? `${columns} × ${rows}, ` : ""}${name}${multiplexer}`;
  const value = { columns, rows, term: TERM, program: TERM_PROGRAM ?? null };
  if (io.stdout.isTTY && !isScreen(io)) {
    const hint = "The explorer needs a full-screen terminal: set TERM, e.g. xterm-256color.";
    return note(message, { value, hint });
  }
  if (io.stdout.isTTY && isTooSmall({ width: columns, height: rows })) {
    const hint = `The explorer needs at least ${MIN_WINDOW.width} × ${MIN_WINDOW.height}: enlarge the window.`;
    return note(message, { value, hint });
  }
  return ok(message, value);
});

const appearance = localCheck("terminal", "looks", async ({ settings, context: { io } }) => {
  const color = shouldUseColor({ flag: settings.get("color"), env: io.env, isTTY: io.stdout.isTTY === true });
  const unicode = supportsUnicode(io.env);
  const reason = ["NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR"].find((name) => io.env[name]);
  const cause = reason === undefined ? "" : ` (${reason}=${io.env[reason]})`;
  const message = `colours ${color ? "on" : "off"}${cause}, ${unicode ? "Unicode" : "ASCII only"}`;
  const value = { color, unicode };
  if (unicode) return ok(message, value);
  return note(message, { value, hint: "For box drawing and symbols set a UTF-8 locale, e.g. LANG=C.UTF-8." });
});

const clipboard = localCheck("terminal", "clipboard", async ({ context: { io } }) =>
  clipboardOutcome(io.env, process.platform),
);

/** Returns the finding for the clipboard: the methods that the explorer tries, in order. */
export function clipboardOutcome(env: Io["env"], platform: NodeJS.Platform): Outcome {
  const ways = [
    ...clipboardTools(env, platform).map(({ name }) => `${name} if installed`),
    ...(env.TMUX ? ["tmux"] : []),
    ...(osc52("", env) === undefined ? [] : ["the terminal (OSC 52)"]),
  ];
  const [browser] = browserOpeners(env, platform);
  const remote = env.SSH_CONNECTION || env.SSH_TTY ? " over SSH" : "";
  const value = { ways, browser: browser?.name ?? null, ssh: remote !== "" };
  if (ways.length > 0) return ok(`copies through ${ways.join(", then ")}${remote}`, value);
  const hint = "Select text with the mouse, or use a terminal that supports OSC 52.";
  return note(`no clipboard access${remote}`, { value, hint });
}

const sqlite = localCheck("parts", "SQLite", async () => {
  const db = openDatabase(":memory:");
  try {
    const version = String(db.prepare("SELECT sqlite_version() AS version").get()?.version);
    return ok(version, version);
  } finally {
    db.close();
  }
});

const jq = localCheck("parts", "jq", async (_, signal) => {
  try {
    const { stdout } = await executeJq('{"works":true}', ".works", signal);
    if (stdout.trim() === "true") return ok("works", true);
    throw new SolxError("unexpected", "unexpected result");
  } catch (error) {
    signal.throwIfAborted();
    const hint = "Reinstall solx: npm install --global solx";
    return warning(`--jq does not work: ${shortReason(error)}`, { value: false, hint });
  }
});

/** Checks of the rate limit, the terminal and components. */
export const MACHINE_CHECKS: readonly Check[] = [rateLimit, streams, screen, appearance, clipboard, sqlite, jq];
