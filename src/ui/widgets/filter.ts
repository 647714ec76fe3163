/**
 * The filter of one page: `usdc` finds text in any case, `~re` or `/re/` a pattern, a leading `!` what does not match.
 * A pattern is plain text until it says otherwise, since amounts and names are full of its signs. It is tried on each
 * cell alone: `^` and `$` are the ends of a cell.
 */
import { createContext, Script } from "node:vm";

/** What was typed. */
export type RowFilter =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string; readonly isInverse: boolean }
  | { readonly kind: "pattern"; readonly pattern: RegExp; readonly isInverse: boolean }
  | { readonly kind: "invalid"; readonly message: string };

/** The rows that a filter leaves, or why it could not be tried. */
export interface FilterResult {
  readonly matches: readonly number[];
  readonly problem?: string;
}

/** Reads what was typed. */
export function parseFilter(typed: string): RowFilter {
  const isInverse = typed.startsWith("!");
  const text = isInverse ? typed.slice(1) : typed;
  const source = /^~(.*)$/.exec(text)?.[1] ?? /^\/(.*?)\/?$/.exec(text)?.[1];
  if (text === "" || source === "") return { kind: "none" };
  if (source === undefined) return { kind: "text", text: text.toLowerCase(), isInverse };
  const pattern = compilePattern(source, "imu") ?? compilePattern(source, "im");
  if (pattern) return { kind: "pattern", pattern, isInverse };
  return { kind: "invalid", message: `${source} is no regular expression` };
}

function compilePattern(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** Milliseconds that a pattern may take for a page: some take longer than the universe is old. */
const TIMEOUT_MS = 100;
const TEST_SCRIPT = new Script("texts.map((text) => pattern.test(text))");

/** The places of the texts that a filter leaves. Where it cannot be tried, all stay, and the problem says why. */
export function applyFilter(filter: RowFilter, texts: readonly string[]): FilterResult {
  const all = texts.map((_text, index) => index);
  if (filter.kind === "none") return { matches: all };
  if (filter.kind === "invalid") return { matches: all, problem: filter.message };
  const { isInverse } = filter;
  if (filter.kind === "text") {
    return { matches: all.filter((index) => texts[index]?.toLowerCase().includes(filter.text) !== isInverse) };
  }
  const results = testPattern(filter.pattern, texts);
  if (!results) return { matches: all, problem: "this pattern takes too long to try: make it simpler" };
  return { matches: all.filter((index) => results[index] !== isInverse) };
}

/** Tries a pattern on texts; undefined when that takes too long. Only code in a context of its own can be stopped. */
function testPattern(pattern: RegExp, texts: readonly string[]): readonly boolean[] | undefined {
  try {
    return TEST_SCRIPT.runInContext(createContext({ pattern, texts }), { timeout: TIMEOUT_MS }) as boolean[];
  } catch {
    // What the pattern itself could throw there is the same to the user: it cannot be tried.
    return undefined;
  }
}
