/** The instructions of a transaction in the order of execution, each with the instruction that called it. */
import { parseLogLine } from "../logs.ts";
import type { ChainInstruction } from "../model.ts";

/** An instruction as a node lists it: top-level ones, and in groups those that they called. */
export type Call = Omit<ChainInstruction, "parent" | "height"> & {
  /** Call depth; undefined where old nodes do not report it. */
  readonly height: number | undefined;
};

/**
 * Returns the instructions in the order of execution.
 * @param inner the called instructions by the position of the top-level instruction
 */
export function callTree(
  outer: readonly Call[],
  inner: ReadonlyMap<number, readonly Call[]>,
  logs: readonly string[] | undefined,
): readonly ChainInstruction[] {
  const instructions: ChainInstruction[] = [];
  const depths = needsLogs(inner) ? loggedDepths(outer, logs ?? []) : [];
  outer.forEach((call, index) => {
    instructions.push({ ...call, parent: -1, height: 1 });
    // Positions of the instructions that are being executed, the innermost last.
    const active = [instructions.length - 1];
    const logged = depths[index] ?? [];
    for (const called of inner.get(index) ?? []) {
      const height = Math.max(2, called.height ?? nextDepth(logged, called.program) ?? 2);
      active.length = Math.min(active.length, height - 1);
      instructions.push({ ...called, parent: active.at(-1) as number, height });
      active.push(instructions.length - 1);
    }
  });
  return instructions;
}

const needsLogs = (inner: ReadonlyMap<number, readonly Call[]>) =>
  [...inner.values()].some((group) => group.some(({ height }) => height === undefined));

interface LoggedCall {
  readonly program: string;
  readonly depth: number;
}

/** Returns the inner calls in the log by the position of the top-level instruction. */
function loggedDepths(outer: readonly Call[], logs: readonly string[]): readonly LoggedCall[][] {
  const groups: LoggedCall[][] = outer.map(() => []);
  let current = -1;
  for (const text of logs) {
    const line = parseLogLine(text);
    if (line.kind !== "invoke") continue;
    if (line.depth > 1) groups[current]?.push(line);
    // Precompiled programs are top-level instructions that are not in the log.
    else current = nextTopLevel(outer, current + 1, line.program);
  }
  return groups;
}

function nextTopLevel(outer: readonly Call[], start: number, program: string): number {
  const position = outer.findIndex((call, index) => index >= start && call.program === program);
  return position < 0 ? start : position;
}

/** Takes the next call of a program from the log and returns its depth. */
function nextDepth(logged: LoggedCall[], program: string): number | undefined {
  const position = logged.findIndex((call) => call.program === program);
  return position < 0 ? undefined : logged.splice(0, position + 1).at(-1)?.depth;
}
