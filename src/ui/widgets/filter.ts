/**
 * The filter of one page: `usdc` finds text in any case, `~re` or `/re/` a pattern, a leading `!` what does not match.
 * A pattern is plain text until it says otherwise, since amounts and names are full of its signs. It is tried on each
 * cell alone: `^` and `$` are the ends of a cell.
 */
import { createContext, Script } from "node:vm";

/** What was typed. */
export type Filter =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string; readonly isInverse: boolean }
  | { readonly kind: "pattern"; readonly pattern: RegExp; readonly isInverse: boolean }
  | { readonly kind: "invalid"; readonly message: string };

/** The rows that a filter leaves, or why it could not be tried. */
export interface Filtered {
  readonly matches: readonly number[];
  readonly problem?: string;
}

/** Reads what was typed. */
export function parseFilter(typed: string): Filter {
  const isInverse = typed.startsWith("!");
  const text = isInverse ? typed.slice(1) : typed;
  const source = /^~(.*)$/.exec(text)?.[1] ?? /^\/(.*?)\/?$/.exec(text)?.[1];
  if (text === "" || source === "") return { kind: "none" };
  if (source === undefined) return { kind: "text", text: text.toLowerCase(), isInverse };
  const pattern = patternOf(source, "imu") ?? patternOf(source, "im");
  if (pattern) return { kind: "pattern", pattern, isInverse };
  return { kind: "invalid", message: `${source} is no regular expression` };
}

function patternOf(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** Milliseconds that a pattern may take for a page: some take longer than the universe is old. */
const LONGEST_MS = 100;
const TRY = new Script("texts.map((text) => pattern.test(text))");

/** The places of the texts that a filter leaves. Where it cannot be tried, all stay, and the problem says why. */
export function filtered(filter: Filter, texts: readonly string[]): Filtered {
  const all = texts.map((_text, index) => index);
  if (filter.kind === "none") return { matches: all };
  if (filter.kind === "invalid") return { matches: all, problem: filter.message };
  const { isInverse } = filter;
  if (filter.kind === "text") {
    return { matches: all.filter((index) => texts[index]?.toLowerCase().includes(filter.text) !== isInverse) };
  }
  const found = tried(filter.pattern, texts);
  if (!found) return { matches: all, problem: "this pattern takes too long to try: make it simpler" };
  return { matches: all.filter((index) => found[index] !== isInverse) };
}

/** Tries a pattern on texts; undefined when that takes too long. Only code in a context of its own can be stopped. */
function tried(pattern: RegExp, texts: readonly string[]): readonly boolean[] | undefined {
  try {
    return TRY.runInContext(createContext({ pattern, texts }), { timeout: LONGEST_MS }) as boolean[];
  } catch {
    // What the pattern itself could throw there is the same to the user: it cannot be tried.
    return undefined;
  }
}
