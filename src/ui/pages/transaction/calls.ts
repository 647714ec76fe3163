/** The calls in the log of a transaction, by instruction: outcome, compute units and what each printed. */
import { fieldOf, type Json, listOf, textOf } from "../../../base/index.ts";
import { type LogCall, logTree } from "../../../chain/solana/index.ts";

/** The call of each instruction, as far as the log has it. */
export type InstructionCalls = ReadonlyMap<Json, LogCall>;

/** Returns the lines of the log. */
export function logLines(detail: Json | undefined): readonly string[] {
  return listOf(fieldOf(detail, "log_message")).map((text) => textOf(text) ?? "");
}

/** Returns the calls of the instructions of a transaction, at any depth. */
export function instructionCalls(detail: Json | undefined): InstructionCalls {
  const calls = new Map<Json, LogCall>();
  align(listOf(fieldOf(detail, "parsed_instructions")), logTree(logLines(detail)).calls, calls);
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

const innerCalls = ({ entries }: LogCall): readonly LogCall[] =>
  entries.filter((entry): entry is LogCall => typeof entry !== "string");

/** Returns a call and those that it made, in the order of the log. */
function allCalls(call: LogCall): readonly LogCall[] {
  return [call, ...innerCalls(call).flatMap(allCalls)];
}
