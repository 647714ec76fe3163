/** Checks of the shared rate limit, the terminal, and optional components. */

import { openDatabase, pluralize, SolxError } from "../../base/index.ts";
import {
  accountId,
  createBucket,
  displayRedisAddress,
  openRedisStore,
  openSqliteStore,
  type RateLimitBucket,
  type RateLimitStore,
  resolveRate,
} from "../../client/index.ts";
import { executeJq, shouldUseColor, supportsUnicode } from "../../output/index.ts";
import { isTooSmall, MIN_WINDOW } from "../../ui/index.ts";
import { browserOpeners } from "../explore/browser.ts";
import { clipboardTools, osc52 } from "../explore/clipboard.ts";
import { isScreen } from "../explore/terminal-support.ts";
import type { Io } from "../run/io.ts";
import { dailyUnitLimit, isUnlimited, parseRate } from "../run/rate-limit-options.ts";
import type { CheckContext } from "./context.ts";
import type { Check, Outcome } from "./finding.ts";

const rateLimit: Check = {
  area: "budget",
  name: "rate",
  run: async (checkContext) => {
    const { settings } = checkContext;
    const plan = settings.get("plan") ?? "lite";
    const allowed = isUnlimited(settings) ? undefined : resolveRate(plan, parseRate(settings.get("rate")));
    if (allowed === undefined) return { level: "ok", value: null, message: "no rate limit" };
    const description = `${pluralize(allowed.requests, "request")} in ${allowed.seconds} s`;
    const where = settings.get("budget");
    const shared = displayRedisAddress(where);
    if (where === "process") return { level: "ok", value: { shared }, message: `${description}, per process` };
    if (where !== "machine" && checkContext.options.offline) {
      return { level: "note", value: { shared }, message: `${description}, shared through ${shared} (not checked)` };
    }
    const key = await checkContext.key().catch(() => undefined);
    const bucket = createBucket(accountId(key?.value, settings.get("base-url-v2")), allowed);
    try {
      const { remaining, units } = await readBucket(where, checkContext, bucket);
      const value = { shared, left: remaining, of: allowed.requests, seconds: allowed.seconds, units };
      const sharing = where === "machine" ? "by all processes of this machine" : `through ${shared}`;
      const outcome: Outcome = {
        level: "ok",
        value,
        message: `${description}, ${pluralize(remaining, "request")} available now; shared ${sharing}`,
      };
      return [outcome, unitsOutcome(units, dailyUnitLimit(settings))];
    } catch (error) {
      const address = where === "machine" ? "" : `${shared}: `;
      return {
        level: "warning",
        value: { shared },
        message: `the rate limit is not shared: ${address}${shortReason(error)}`,
        hint:
          where === "machine" ? "Make the state folder writable, or set SOLX_HOME to a writable folder." : REDIS_HINT,
      };
    }
  },
};

const REDIS_HINT =
  "Check that the server is running and its address, or share on this machine only: solx config set budget machine";

/** Returns the finding for the compute units spent today and their daily limit. */
export function unitsOutcome(spent: number, most: number | undefined): Outcome {
  const description = `${pluralize(spent, "compute unit")} spent today (UTC)`;
  const outcome = { check: "units", value: { spent, most: most ?? null } };
  if (most === undefined) return { ...outcome, level: "ok", message: `${description}, no daily limit` };
  if (spent < most) return { ...outcome, level: "ok", message: `${description} of ${most}` };
  return {
    ...outcome,
    level: "problem",
    message: `${description}: daily limit of ${most} reached, no more requests are sent today`,
    hint: "Raise it: solx config set units-per-day <units>. For one command: --units-per-day off",
  };
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

const streams: Check = {
  area: "terminal",
  name: "streams",
  run: async ({ context: { io } }) => {
    const kinds = { input: io.stdin.isTTY, output: io.stdout.isTTY, errors: io.stderr.isTTY };
    const description = Object.entries(kinds).map(([name, isTTY]) => `${name} ${isTTY ? "terminal" : "file or pipe"}`);
    const value = Object.fromEntries(Object.entries(kinds).map(([name, isTTY]) => [name, isTTY === true]));
    return { level: "ok", value, message: description.join(", ") };
  },
};

const screen: Check = {
  area: "terminal",
  name: "screen",
  run: async ({ context: { io } }) => {
    const { TERM = "", TERM_PROGRAM, COLORTERM, TMUX, STY } = io.env;
    const { columns = 0, rows = 0 } = io.stdout;
    const inside = TMUX ? ", in tmux" : STY ? ", in GNU screen" : "";
    const name = [TERM || "no TERM", TERM_PROGRAM, COLORTERM].filter(Boolean).join(", ");
    const size = columns > 0 ? `${columns} × ${rows}, ` : "";
    const value = { columns, rows, term: TERM, program: TERM_PROGRAM ?? null };
    const message = `${size}${name}${inside}`;
    if (io.stdout.isTTY && !isScreen(io)) {
      const hint = "The explorer needs a full-screen terminal: set TERM, e.g. xterm-256color.";
      return { level: "note", value, message, hint };
    }
    if (io.stdout.isTTY && isTooSmall({ width: columns, height: rows })) {
      return {
        level: "note",
        value,
        message,
        hint: `The explorer needs at least ${MIN_WINDOW.width} × ${MIN_WINDOW.height}: enlarge the window.`,
      };
    }
    return { level: "ok", value, message };
  },
};

const appearance: Check = {
  area: "terminal",
  name: "looks",
  run: async ({ settings, context: { io } }) => {
    const color = shouldUseColor({ flag: settings.get("color"), env: io.env, isTTY: io.stdout.isTTY === true });
    const unicode = supportsUnicode(io.env);
    const reason = ["NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR"].find((name) => io.env[name]);
    const cause = reason === undefined ? "" : ` (${reason}=${io.env[reason]})`;
    const outcome = {
      value: { color, unicode },
      message: `colours ${color ? "on" : "off"}${cause}, ${unicode ? "Unicode" : "ASCII only"}`,
    };
    if (unicode) return { level: "ok", ...outcome };
    return { level: "note", ...outcome, hint: "For box drawing and symbols set a UTF-8 locale, e.g. LANG=C.UTF-8." };
  },
};

const clipboard: Check = {
  area: "terminal",
  name: "clipboard",
  run: async ({ context: { io } }) => clipboardOutcome(io.env, process.platform),
};

/** Returns the finding for the clipboard: the methods that the explorer tries, in order. */
export function clipboardOutcome(env: Io["env"], platform: NodeJS.Platform): Outcome {
  const tools = clipboardTools(env, platform).map(({ name }) => name);
  const ways = [
    ...tools.map((name) => `${name} if installed`),
    ...(env.TMUX ? ["tmux"] : []),
    ...(osc52("", env) === undefined ? [] : ["the terminal (OSC 52)"]),
  ];
  const [browser] = browserOpeners(env, platform);
  const remote = env.SSH_CONNECTION || env.SSH_TTY ? " over SSH" : "";
  const value = { ways, browser: browser?.name ?? null, ssh: remote !== "" };
  const message = `${ways.length === 0 ? "no clipboard access" : `copies through ${ways.join(", then ")}`}${remote}`;
  if (ways.length > 0) return { level: "ok", value, message };
  return { level: "note", value, message, hint: "Select text with the mouse, or use a terminal that supports OSC 52." };
}

const sqlite: Check = {
  area: "parts",
  name: "SQLite",
  run: async () => {
    const db = openDatabase(":memory:");
    try {
      const version = String(db.prepare("SELECT sqlite_version() AS version").get()?.version);
      return { level: "ok", value: version, message: version };
    } finally {
      db.close();
    }
  },
};

const jq: Check = {
  area: "parts",
  name: "jq",
  run: async (_, signal) => {
    try {
      const { stdout } = await executeJq('{"works":true}', ".works", signal);
      if (stdout.trim() === "true") return { level: "ok", value: true, message: "works" };
      throw new SolxError("unexpected", "unexpected result");
    } catch (error) {
      signal.throwIfAborted();
      return {
        level: "warning",
        value: false,
        message: `--jq does not work: ${shortReason(error)}`,
        hint: "Reinstall solx: npm install --global solx",
      };
    }
  },
};

/** Checks of the rate limit, the terminal and components. */
export const MACHINE_CHECKS: readonly Check[] = [rateLimit, streams, screen, appearance, clipboard, sqlite, jq];
