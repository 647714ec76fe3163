/** The capabilities of a terminal, from its stream and the environment. */
import type { Env } from "../../base/index.ts";
import type { ColorDepth } from "../text/style.ts";

/** The values of the setting `color`; `auto` leaves the decision to the environment. */
export type ColorFlag = boolean | "always" | "never" | "auto" | (string & {}) | undefined;

const COLOR_VALUES: Readonly<Record<string, boolean>> = {
  always: true,
  on: true,
  true: true,
  never: false,
  off: false,
  false: false,
};

/** The width when it is unknown. */
const DEFAULT_WIDTH = 80;

/**
 * Returns whether to use colour on a stream. Precedence: `color`, `NO_COLOR` (any value that is not empty, `0` too),
 * `FORCE_COLOR` (`0` and `false` switch it off) or `CLICOLOR_FORCE`, `CLICOLOR=0`, `TERM=dumb`, and whether the stream is
 * a terminal.
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

/** Returns whether a stream counts as a terminal: it is one, or `SOLX_FORCE_TTY` is set. */
export function isTerminal({ env, isTTY }: { env: Env; isTTY: boolean }): boolean {
  return isTTY || isSwitchedOn(env.SOLX_FORCE_TTY);
}

/** Returns whether a variable such as `CI` is set, to something else than `0` or `false`. */
export function isSwitchedOn(value: string | undefined): boolean {
  return value !== undefined && value !== "" && !isOff(value);
}

function isOff(value: string): boolean {
  return value === "0" || value === "false";
}

/** Returns the colours that a stream draws, by its terminal or the environment. */
export function colorDepth(
  stream: { readonly getColorDepth?: ((env?: object) => number) | undefined },
  env: Env,
): ColorDepth {
  const bits = stream.getColorDepth?.({ ...env }) ?? (/^(truecolor|24bit)$/.test(env.COLORTERM ?? "") ? 24 : 4);
  return bits === 24 || bits === 8 ? bits : 4;
}

/** Returns the background of the terminal, where `COLORFGBG` names its colour. */
export function detectBackground({ COLORFGBG = "" }: Env): "dark" | "light" | undefined {
  const color = /;(\d{1,2})$/.exec(COLORFGBG)?.[1];
  return color === undefined ? undefined : color === "7" || color === "15" ? "light" : "dark";
}

/** Returns whether the terminal draws more than ASCII, by its locale; the Linux console does not. */
export function supportsUnicode({ LC_ALL, LC_CTYPE, LANG, TERM }: Env): boolean {
  if (TERM === "linux") return false;
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  return locale === "" || /utf-?8/i.test(locale);
}

/**
 * Returns the width of a line in cells: `SOLX_FORCE_TTY` (a number, or a percentage of the terminal), `COLUMNS`, the
 * reported width of the terminal, else 80; Infinity when `isTTY` is false.
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

/** Parses a whole number above zero; undefined for anything else. */
function parsePositive(text: string): number | undefined {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}
