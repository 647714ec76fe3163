/** Links in the output of a terminal (OSC 8), to pages of the public explorer. */
import type { Env } from "../../base/index.ts";
import { webPageUrl } from "../../catalogue/index.ts";
import type { Role } from "../text/roles.ts";

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
