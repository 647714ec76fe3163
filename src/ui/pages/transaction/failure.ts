/** Why a transaction failed. */
import { countOf, fieldOf, isObject, type Json, listOf, stringifyJson, textOf } from "../../../base/index.ts";
import {
  customErrorMeaning,
  failedCall,
  type LogCall,
  loggedErrorText,
  transactionErrorText,
} from "../../../chain/solana/index.ts";
import { clip, safeText } from "../../../output/index.ts";
import { instructionCalls, logLines } from "./calls.ts";
import type { TransactionFormatter } from "./formatter.ts";

const CUSTOM_ERROR = /^custom program error: 0x([0-9a-f]{1,13})$/i;
const MAX_LENGTH = 200;

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
  const subject = `Instruction ${index + 1}${name === undefined ? "" : ` (${safeText(clip(name, MAX_LENGTH))})`}`;
  const inner = call.program === program ? "" : ` in ${nameOf(call.program)}`;
  return `${subject} of ${nameOf(program)} failed${inner}: ${reasonOf(call)}`;
}

/** Returns the index of the top-level instruction that failed, according to the log; undefined for none. */
export function failedInstruction(detail: Json | undefined): number | undefined {
  const calls = instructionCalls(detail);
  const index = listOf(fieldOf(detail, "parsed_instructions")).findIndex(
    (one) => calls.get(one)?.outcome === "failure",
  );
  return index < 0 ? undefined : index;
}

/** Returns the error of a call: what the program says about it, and its number. */
function reasonOf(call: LogCall): string {
  const { program, failure = "unknown reason" } = call;
  const hex = CUSTOM_ERROR.exec(failure)?.[1];
  const code = hex === undefined ? undefined : Number.parseInt(hex, 16);
  const text = code === undefined ? loggedErrorText(call) : customErrorMeaning(program, code, call);
  const number = code === undefined ? clip(safeText(failure), MAX_LENGTH) : `${code}`;
  if (text === undefined) return code === undefined ? number : `custom program error ${code} (0x${hex})`;
  return `${clip(safeText(text), MAX_LENGTH)} (${number})`;
}

/** Returns the error of the answer itself, for answers without logs. */
function reportedError(detail: Json | undefined): string {
  const error = fieldOf(detail, "error") ?? fieldOf(detail, "err");
  if (error === undefined) return "unknown reason";
  const text = isObject(error) ? transactionErrorText(error) : (textOf(error) ?? stringifyJson(error));
  return clip(safeText(text), MAX_LENGTH);
}
