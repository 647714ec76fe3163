/**
 * Row filters: `usdc` matches text in any case, `~re` or `/re/` a regular expression, `-f usc` characters in this order
 * (fuzzy); a leading `!` inverts. Plain text is the default, since amounts and names contain the special characters of
 * patterns. Patterns and fuzzy text are tested on each cell separately: `^` and `$` are the ends of a cell. No filter
 * changes the order of the rows.
 */
import { createContext, Script } from "node:vm";
import { prepare, single } from "fuzzysort";

/** What a list, a table or a tree says instead of rows when its filters leave none. */
export const NO_MATCHES = "No rows match the filters";

/** A parsed filter. */
type RowFilter =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string; readonly isInverse: boolean }
  | { readonly kind: "fuzzy"; readonly text: string; readonly isInverse: boolean }
  | { readonly kind: "pattern"; readonly pattern: RegExp; readonly isInverse: boolean }
  | { readonly kind: "invalid"; readonly message: string };

/** The indices of the matching texts, or why the filter could not be applied. */
export interface FilterResult {
  readonly matches: readonly number[];
  readonly problem?: string;
}

/** A fuzzy filter; `-f` alone is the start of one. */
const FUZZY = /^-f(?:\s+(.*))?$/;
/** The minimum score of a fuzzy match, from 0 to 1: lower ones are characters that are scattered over a cell. */
const MIN_FUZZY_SCORE = 0.25;
/** Identifiers contain most short texts as scattered characters: only adjacent ones match. */
const IDENTIFIER = /^[0-9A-Za-z]{32,}$/;

function isFuzzyMatch(text: string, cell: string): boolean {
  if (IDENTIFIER.test(cell)) return cell.toLowerCase().includes(text.toLowerCase());
  return (single(text, prepare(cell))?.score ?? 0) >= MIN_FUZZY_SCORE;
}

/** Parses the text of a filter. */
export function parseFilter(typed: string): RowFilter {
  const isInverse = typed.startsWith("!");
  const text = isInverse ? typed.slice(1) : typed;
  const fuzzy = FUZZY.exec(text);
  if (fuzzy) return fuzzy[1] ? { kind: "fuzzy", text: fuzzy[1], isInverse } : { kind: "none" };
  const source = /^~(.*)$/.exec(text)?.[1] ?? /^\/(.*?)\/?$/.exec(text)?.[1];
  if (text === "" || source === "") return { kind: "none" };
  if (source === undefined) return { kind: "text", text: text.toLowerCase(), isInverse };
  const pattern = compilePattern(source, "imu") ?? compilePattern(source, "im");
  if (pattern) return { kind: "pattern", pattern, isInverse };
  return { kind: "invalid", message: `${source} is not a valid regular expression` };
}

function compilePattern(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** Maximum time in milliseconds for a pattern on one page, against catastrophic backtracking; a busy machine needs some. */
const TIMEOUT_MS = 400;
const TEST_SCRIPT = new Script("texts.map((text) => pattern.test(text))");

/** Returns the indices of the texts that match. All match when the filter cannot be applied; `problem` says why. */
export function applyFilter(filter: RowFilter, texts: readonly string[]): FilterResult {
  const all = texts.map((_text, index) => index);
  if (filter.kind === "none") return { matches: all };
  if (filter.kind === "invalid") return { matches: all, problem: filter.message };
  const { isInverse } = filter;
  if (filter.kind === "fuzzy") {
    const isMatch = (cell: string) => isFuzzyMatch(filter.text, cell);
    return { matches: all.filter((index) => (texts[index] ?? "").split("\n").some(isMatch) !== isInverse) };
  }
  if (filter.kind === "text") {
    return { matches: all.filter((index) => texts[index]?.toLowerCase().includes(filter.text) !== isInverse) };
  }
  const results = testPattern(filter.pattern, texts);
  if (!results) return { matches: all, problem: "the pattern takes too long to match: simplify it" };
  return { matches: all.filter((index) => results[index] !== isInverse) };
}

/**
 * Tests a pattern on texts; undefined when that takes too long. Only code in a separate VM context can be interrupted.
 */
function testPattern(pattern: RegExp, texts: readonly string[]): readonly boolean[] | undefined {
  try {
    return TEST_SCRIPT.runInContext(createContext({ pattern, texts }), { timeout: TIMEOUT_MS }) as boolean[];
  } catch {
    // Other errors of the pattern are treated alike: it cannot be applied.
    return undefined;
  }
}
