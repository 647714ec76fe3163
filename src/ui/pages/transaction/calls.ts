/** What the log of a transaction says: the calls of its instructions, why it failed, and its lines by call depth. */
import { countOf, fieldOf, isObject, type Json, listOf, stringifyJson, textOf } from "../../../base/index.ts";
import {
  customErrorMeaning,
  failedCall,
  type LogCall,
  loggedErrorText,
  logTree,
  transactionErrorText,
} from "../../../chain/solana/index.ts";
import { clip, safeText } from "../../../output/index.ts";
import { type Role, span } from "../../navigation/theme/text-line.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { noteRow } from "../entity/rows.ts";
import { shortProgram, type TransactionFormatter } from "./formatter.ts";

function logLines(detail: Json | undefined): readonly string[] {
  return listOf(fieldOf(detail, "log_message")).map((text) => textOf(text) ?? "");
}

/** Returns the call of each instruction, at any depth, as far as the log has it. */
export function instructionCalls(detail: Json | undefined): ReadonlyMap<Json, LogCall> {
  const calls = new Map<Json, LogCall>();
  align(listOf(fieldOf(detail, "parsed_instructions")), logTree(logLines(detail)), calls);
  return calls;
}

/** Assigns calls to instructions of the same program, in order: precompiled programs have no call. */
function align(instructions: readonly Json[], calls: readonly LogCall[], aligned: Map<Json, LogCall>): void {
  let next = 0;
  for (const instruction of instructions) {
    const program = textOf(fieldOf(instruction, "program_id"));
    let at = next;
    while (at < calls.length && calls[at]?.program !== program) at += 1;
    const call = calls[at];
    if (!call) continue;
    next = at + 1;
    aligned.set(instruction, call);
    const inner = listOf(fieldOf(instruction, "inner_instructions"));
    if (inner.length === 0) continue;
    const below = innerCalls(call);
    // Answers list inner instructions by their caller, or all of them below the top-level instruction.
    const all = below.flatMap(allCalls);
    align(inner, all.length === inner.length ? all : below, aligned);
  }
}

const innerCalls = ({ entries }: LogCall): readonly LogCall[] => entries.filter((entry) => typeof entry !== "string");

function allCalls(call: LogCall): readonly LogCall[] {
  return [call, ...innerCalls(call).flatMap(allCalls)];
}

const CUSTOM_ERROR = /^custom program error: 0x([0-9a-f]{1,13})$/i;
const MAX_REASON = 200;

/** Returns whether the transaction failed; undefined when its status is unknown. */
export function hasFailed(detail: Json | undefined): boolean | undefined {
  const status = fieldOf(detail, "status");
  if (status === undefined) return undefined;
  const count = countOf(status);
  return count === undefined ? !/^success$/i.test(textOf(status) ?? "") : count === 0;
}

/** Returns the name of an instruction: that of its program's interface, otherwise the label of the API. */
export function instructionName(instruction: Json | undefined): string | undefined {
  return textOf(fieldOf(instruction, "type")) ?? textOf(fieldOf(instruction, "parsed_type"));
}

/**
 * Returns in one sentence what failed, in which program, and the program's own error: `Instruction 2 (swapV2) of Orca
 * Whirlpools failed: Amount out below minimum threshold (6036)`. Undefined when the transaction did not fail.
 */
export function failureOf(detail: Json | undefined, formatter: TransactionFormatter): string | undefined {
  if (hasFailed(detail) !== true) return undefined;
  const call = failedCall(logLines(detail));
  if (call === undefined) return reportedError(detail);
  const nameOf = (program: string) => formatter.nameOf(program) ?? formatter.address(program, "program_id").text;
  const index = failedInstruction(detail);
  const instruction = index === undefined ? undefined : listOf(fieldOf(detail, "parsed_instructions"))[index];
  const program = textOf(fieldOf(instruction, "program_id"));
  if (index === undefined || program === undefined) return `${nameOf(call.program)} failed: ${reasonOf(call)}`;
  const name = instructionName(instruction);
  const subject = `Instruction ${index + 1}${name === undefined ? "" : ` (${safeText(clip(name, MAX_REASON))})`}`;
  const inner = call.program === program ? "" : ` in ${nameOf(call.program)}`;
  return `${subject} of ${nameOf(program)} failed${inner}: ${reasonOf(call)}`;
}

/** Returns the index of the top-level instruction that failed, according to the log; undefined for none. */
export function failedInstruction(detail: Json | undefined): number | undefined {
  const calls = instructionCalls(detail);
  const all = listOf(fieldOf(detail, "parsed_instructions"));
  const index = all.findIndex((one) => calls.get(one)?.outcome === "failure");
  return index < 0 ? undefined : index;
}

/** Returns the error of a call: what the program says about it, and its number. */
function reasonOf(call: LogCall): string {
  const { program, failure = "unknown reason" } = call;
  const hex = CUSTOM_ERROR.exec(failure)?.[1];
  const code = hex === undefined ? undefined : Number.parseInt(hex, 16);
  const text = code === undefined ? loggedErrorText(call) : customErrorMeaning(program, code, call);
  const number = code === undefined ? clip(safeText(failure), MAX_REASON) : `${code}`;
  if (text === undefined) return code === undefined ? number : `custom program error ${code} (0x${hex})`;
  return `${clip(safeText(text), MAX_REASON)} (${number})`;
}

/** Returns the error of the answer itself, for answers without logs. */
function reportedError(detail: Json | undefined): string {
  const error = fieldOf(detail, "error") ?? fieldOf(detail, "err");
  if (error === undefined) return "unknown reason";
  const text = isObject(error)
    ? (textOf(error.message) ?? transactionErrorText(error))
    : (textOf(error) ?? stringifyJson(error));
  return clip(safeText(text), MAX_REASON);
}

const CALL_START = /^Program (\S+) invoke \[(\d{1,3})\]$/;
const CALL_END = /^Program (\S+) (success|failed(?:: .*)?)$/;
const PROGRAM_OUTPUT = /^Program (log|data|return): /;
const WITH_PROGRAM = /^(Program )([1-9A-HJ-NP-Za-km-z]{32,44})( .*)$/;
const ERROR_LINE = /^Program \S+ failed|Error|panicked|^Log truncated/;
const INDENT = 2;
/** Maximum indentation; the chain permits fewer levels. */
const MAX_DEPTH = 16;
const MAX_LINE = 4000;

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

/** Returns the lines of the log, with the names of programs. */
export function logRows(detail: Json | undefined, formatter: TransactionFormatter): readonly TreeRow[] {
  const lines = logLines(detail);
  if (lines.length === 0) return [noteRow("none", "No logs available for this transaction.")];
  const depths = logDepths(lines);
  return lines.map((text, at) => ({
    key: `${at}`,
    line: () => [span(" ".repeat(INDENT * (depths[at] ?? 0))), ...logLine(text, formatter)],
    cell: { field: "log_message", value: text, kind: "text" },
    row: text,
  }));
}

function logLine(text: string, formatter: TransactionFormatter): readonly LinkSpan[] {
  const role: Role | undefined = ERROR_LINE.test(text) ? "bad" : PROGRAM_OUTPUT.test(text) ? undefined : "note";
  const [, before, program, after] = WITH_PROGRAM.exec(text) ?? [];
  if (before === undefined || program === undefined || after === undefined) return [logText(text, role)];
  const link = formatter.program(program);
  return [span(before, role), { ...link, text: shortProgram(link.text), ...(role && { role }) }, logText(after, role)];
}

function logText(text: string, role: Role | undefined): LinkSpan {
  const more = text.length > MAX_LINE ? ` … ${text.length} characters in total` : "";
  return span(clip(safeText(text.slice(0, MAX_LINE)), MAX_LINE) + more, role);
}
