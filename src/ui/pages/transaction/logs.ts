/** The lines that the programs of a transaction wrote, each as deep as the call that wrote it. */
import type { Json } from "../../../base/json.ts";
import { safeText } from "../../../output/text/safe.ts";
import { clip } from "../../../output/text/width.ts";
import { span } from "../../app/theme/text-line.ts";
import type { Role } from "../../app/theme/theme.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { fieldOf, listOf, textOf } from "../entity/json-fields.ts";
import type { Pieces } from "./spans.ts";

const INVOKE = /^Program (\S+) invoke \[(\d{1,3})\]$/;
const END = /^Program (\S+) (success|failed(?:: .*)?)$/;
const SAID = /^Program (log|data|return): /;
const WITH_PROGRAM = /^(Program )([1-9A-HJ-NP-Za-km-z]{32,44})( .*)$/;
const WRONG = /^Program \S+ failed|Error|panicked|^Log truncated/;
const INDENT = 2;
/** Deeper calls are set no further in: the chain allows fewer. */
const DEEPEST = 16;
/** Characters of a line that are shown: data can be as long as a transaction. */
const LONGEST = 4000;

/** How deep each line stands: the lines of a call, and of the calls in it, one deeper than its beginning and its end. */
export function logDepths(lines: readonly string[]): readonly number[] {
  let depth = 0;
  return lines.map((text) => {
    const level = INVOKE.exec(text)?.[2];
    if (level !== undefined) {
      // Where lines were cut off, the number is right and what was counted is not.
      depth = Math.max(1, Number(level));
      return Math.min(depth - 1, DEEPEST);
    }
    if (END.test(text)) depth = Math.max(0, depth - 1);
    return Math.min(depth, DEEPEST);
  });
}

/** The rows of the logs. */
export function logRows(detail: Json | undefined, pieces: Pieces): readonly TreeRow[] {
  const lines = listOf(fieldOf(detail, "log_message")).map((text) => textOf(text) ?? "");
  if (lines.length === 0) return [{ key: "none", line: [span("No logs are kept of this transaction.", "note")] }];
  const depths = logDepths(lines);
  return lines.map((text, at) => ({
    key: `${at}`,
    line: () => [span(" ".repeat(INDENT * (depths[at] ?? 0))), ...logLine(text, pieces)],
    cell: { field: "log_message", value: text, kind: "text" },
    row: text,
  }));
}

/** A line, the program in it by its name. */
function logLine(text: string, pieces: Pieces): readonly LinkSpan[] {
  const role = roleOf(text);
  const [, before, program, after] = WITH_PROGRAM.exec(text) ?? [];
  if (before === undefined || program === undefined || after === undefined) return [said(text, role)];
  return [span(before, role), { ...pieces.program(program), ...(role && { role }) }, said(after, role)];
}

const said = (text: string, role: Role | undefined): LinkSpan => {
  const more = text.length > LONGEST ? ` … ${text.length} characters in all` : "";
  return span(clip(safeText(text.slice(0, LONGEST)), LONGEST) + more, role);
};

function roleOf(text: string): Role | undefined {
  if (WRONG.test(text)) return "bad";
  if (SAID.test(text)) return undefined;
  return "note";
}
