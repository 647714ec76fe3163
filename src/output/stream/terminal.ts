/** What a terminal can do, by its stream and the environment, and links in its text (OSC 8). */
import type { Env } from "../../base/index.ts";
import { webPageUrl } from "../../catalogue/index.ts";
import type { Role } from "../text/roles.ts";
import type { ColorDepth } from "../text/style.ts";

/** The values of `--color` and its setting; `auto` leaves the decision to the environment. */
type ColorFlag = boolean | "always" | "never" | "auto" | (string & {}) | undefined;

const COLOR_VALUES: Readonly<Record<string, boolean>> = {
  always: true,
  on: true,
  true: true,
  never: false,
  off: false,
  false: false,
};

const DEFAULT_WIDTH = 80;

/**
 * Returns whether to use colour on a stream. Precedence: `--color`, `NO_COLOR` (any value that is not empty, `0` too),
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

function parsePositive(text: string): number | undefined {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}

/** A terminal that draws links, by the variables that it sets. */
interface LinkTerminal {
  readonly name: string;
  readonly isActive: (env: Env) => boolean;
}

const program = (name: string, value: string): LinkTerminal => ({
  name,
  isActive: ({ TERM_PROGRAM }) => TERM_PROGRAM === value,
});
const term = (name: string, pattern: RegExp): LinkTerminal => ({
  name,
  isActive: ({ TERM = "" }) => pattern.test(TERM),
});

/** VTE draws links since 0.50. */
const MIN_VTE = 5000;
/** Konsole draws links since 20.12, where they are enabled. */
const MIN_KONSOLE = 201200;

/** Terminals that draw links. */
export const LINK_TERMINALS: readonly LinkTerminal[] = [
  program("iTerm2", "iTerm.app"),
  program("WezTerm", "WezTerm"),
  program("Ghostty", "ghostty"),
  program("Visual Studio Code", "vscode"),
  program("Hyper", "Hyper"),
  program("Zed", "zed"),
  { name: "Windows Terminal", isActive: ({ WT_SESSION = "" }) => WT_SESSION !== "" },
  { name: "GNOME Terminal and others with VTE", isActive: ({ VTE_VERSION }) => Number(VTE_VERSION) >= MIN_VTE },
  { name: "Konsole", isActive: ({ KONSOLE_VERSION }) => Number(KONSOLE_VERSION) >= MIN_KONSOLE },
  term("kitty", /^xterm-kitty$/),
  term("Alacritty", /^alacritty/),
  term("foot", /^foot/),
];

/**
 * Returns whether a terminal draws links. `always` is for terminals that are not recognised; multiplexers need it too,
 * since they do not say what they pass on.
 */
export function supportsLinks(mode: "auto" | "always" | "never", env: Env): boolean {
  if (mode !== "auto" || env.TERM === "dumb") return mode === "always";
  if (env.TMUX || env.STY || env.CI) return false;
  return LINK_TERMINALS.some(({ isActive }) => isActive(env));
}

/** The kinds of entities that roles of identifiers stand for. */
const ENTITIES: Readonly<Partial<Record<Role, string>>> = {
  account: "account",
  token: "token",
  program: "program",
  market: "market",
  transaction: "transaction",
  block: "block",
};

/** Adds a link to a text that is an identifier, or its name. */
export type Link = (id: string, role: Role | undefined, text: string) => string;

/** Returns what adds links to the pages of a cluster; texts without a page stay as they are. */
export function createLinker(cluster?: string): Link {
  return (id, role, text) => {
    const url = webPageUrl(ENTITIES[role ?? "account"] ?? "", id, cluster);
    return url === undefined ? text : `\u001B]8;;${url}\u0007${text}\u001B]8;;\u0007`;
  };
}
