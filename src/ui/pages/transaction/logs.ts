/** The logs of a transaction, indented by call depth. */
import { fieldOf, type Json, listOf, textOf } from "../../../base/index.ts";
import { clip, safeText } from "../../../output/index.ts";
import { type Role, span } from "../../navigation/theme/text-line.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { shortProgram, type TransactionFormatter } from "./formatter.ts";

const CALL_START = /^Program (\S+) invoke \[(\d{1,3})\]$/;
const CALL_END = /^Program (\S+) (success|failed(?:: .*)?)$/;
const PROGRAM_OUTPUT = /^Program (log|data|return): /;
const WITH_PROGRAM = /^(Program )([1-9A-HJ-NP-Za-km-z]{32,44})( .*)$/;
const ERROR_LINE = /^Program \S+ failed|Error|panicked|^Log truncated/;
const INDENT = 2;
/** Maximum indentation; the chain permits fewer levels. */
const MAX_DEPTH = 16;
/** Maximum number of characters of a line. */
const MAX_LENGTH = 4000;

/** Returns the depth of each line: lines of a call are one deeper than its start and end. */
export function logDepths(lines: readonly string[]): readonly number[] {
  let depth = 0;
  return lines.map((text) => {
    const level = CALL_START.exec(text)?.[2];
    if (level !== undefined) {
      // The depth in the log is right where preceding lines were truncated.
      depth = Math.max(1, Number(level));
      return Math.min(depth - 1, MAX_DEPTH);
    }
    if (CALL_END.test(text)) depth = Math.max(0, depth - 1);
    return Math.min(depth, MAX_DEPTH);
  });
}

/** Returns the rows of the logs. */
export function logRows(detail: Json | undefined, formatter: TransactionFormatter): readonly TreeRow[] {
  const lines = listOf(fieldOf(detail, "log_message")).map((text) => textOf(text) ?? "");
  if (lines.length === 0) return [{ key: "none", line: [span("No logs available for this transaction.", "note")] }];
  const depths = logDepths(lines);
  return lines.map((text, at) => ({
    key: `${at}`,
    line: () => [span(" ".repeat(INDENT * (depths[at] ?? 0))), ...logLine(text, formatter)],
    cell: { field: "log_message", value: text, kind: "text" },
    row: text,
  }));
}

/** Returns a line with the name of its program. */
function logLine(text: string, formatter: TransactionFormatter): readonly LinkSpan[] {
  const role = roleOf(text);
  const [, before, program, after] = WITH_PROGRAM.exec(text) ?? [];
  if (before === undefined || program === undefined || after === undefined) return [logText(text, role)];
  const link = formatter.program(program);
  return [span(before, role), { ...link, text: shortProgram(link.text), ...(role && { role }) }, logText(after, role)];
}

const logText = (text: string, role: Role | undefined): LinkSpan => {
  const more = text.length > MAX_LENGTH ? ` … ${text.length} characters in total` : "";
  return span(clip(safeText(text.slice(0, MAX_LENGTH)), MAX_LENGTH) + more, role);
};

function roleOf(text: string): Role | undefined {
  if (ERROR_LINE.test(text)) return "bad";
  if (PROGRAM_OUTPUT.test(text)) return undefined;
  return "note";
}
