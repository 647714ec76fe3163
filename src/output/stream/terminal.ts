/** What a terminal can do, decided from the environment: pure functions, one written order each. */

/** The environment variables of a process. */
export type Env = Readonly<Record<string, string | undefined>>;

/** What `--color` and its setting may say; `auto` leaves the decision to the environment. */
export type ColorFlag = boolean | "always" | "never" | "auto" | (string & {}) | undefined;

const COLOR_VALUES: Readonly<Record<string, boolean>> = {
  always: true,
  on: true,
  true: true,
  never: false,
  off: false,
  false: false,
};

/** The width when nothing tells it. */
const DEFAULT_WIDTH = 80;

/**
 * Whether to use colour on one stream. The order: `--color`, `NO_COLOR` (any value that is not empty, `0` too),
 * `FORCE_COLOR` (`0` and `false` switch off) or `CLICOLOR_FORCE`, `CLICOLOR=0`, `TERM=dumb`, and then whether the
 * stream is a terminal.
 */
export function shouldUseColor({ flag, env, isTTY }: { flag?: ColorFlag; env: Env; isTTY: boolean }): boolean {
  const decided = typeof flag === "string" ? COLOR_VALUES[flag] : flag;
  if (decided !== undefined) return decided;
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !isOff(env.FORCE_COLOR);
  if (env.CLICOLOR_FORCE && !isOff(env.CLICOLOR_FORCE)) return true;
  if (env.CLICOLOR === "0" || env.TERM === "dumb") return false;
  return isTerminal({ env, isTTY });
}

/** Whether a stream counts as a terminal: it is one, or `SOLX_FORCE_TTY` says so. */
export function isTerminal({ env, isTTY }: { env: Env; isTTY: boolean }): boolean {
  return isTTY || (env.SOLX_FORCE_TTY !== undefined && env.SOLX_FORCE_TTY !== "" && !isOff(env.SOLX_FORCE_TTY));
}

function isOff(value: string): boolean {
  return value === "0" || value === "false";
}

/** Whether the terminal draws more than ASCII: the locale may say that it does not, and Linux' own console cannot. */
export function supportsUnicode({ LC_ALL, LC_CTYPE, LANG, TERM }: Env): boolean {
  if (TERM === "linux") return false;
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  return locale === "" || /utf-?8/i.test(locale);
}

/**
 * The width of a line in cells: `SOLX_FORCE_TTY` (a number, or a percentage of the terminal), `COLUMNS`, the
 * terminal's own width, else 80; without limit when `isTTY` says that no terminal is reading.
 */
export function terminalWidth({
  columns,
  env,
  isTTY,
}: {
  columns?: number | undefined;
  env: Env;
  isTTY?: boolean;
}): number {
  const reported = parsePositive(String(columns));
  const forced = env.SOLX_FORCE_TTY ?? "";
  const share = forced.endsWith("%") ? parsePositive(forced.slice(0, -1)) : undefined;
  if (share !== undefined) return Math.max(1, Math.floor(((reported ?? DEFAULT_WIDTH) * share) / 100));
  const decided = parsePositive(forced) ?? parsePositive(env.COLUMNS ?? "") ?? reported;
  if (decided !== undefined) return decided;
  return isTTY === false && !isTerminal({ env, isTTY }) ? Number.POSITIVE_INFINITY : DEFAULT_WIDTH;
}

/** A whole number above zero; undefined for anything else. */
function parsePositive(text: string): number | undefined {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}
