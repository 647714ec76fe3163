/** The instructions of a transaction: in every form of a node's answer, in the order of execution, each with the one that called it. */
import { isObject } from "../../../base/index.ts";
import { parseLogLine } from "../logs.ts";
import { Member } from "../members.ts";
import type { ChainInstruction, ParsedInstruction } from "../model.ts";
import type { CompiledInstruction } from "./message.ts";

/** What positions of keys are resolved with. */
export interface KeyList {
  readonly addresses: readonly string[];
  /** False when keys of lookup tables follow that the node did not resolve. */
  readonly complete: boolean;
}

/** Returns an instruction with addresses in place of positions. */
export function resolveInstruction(
  { program, accounts, data }: CompiledInstruction,
  keys: KeyList,
  height: number | undefined,
): Call {
  return {
    program: addressOf(program, keys),
    accounts: resolveAccounts(accounts, keys),
    data,
    parsed: undefined,
    height,
  };
}

function addressOf(position: number, { addresses }: KeyList): string {
  const address = addresses[position];
  if (address === undefined) throw new Member(position, "programIdIndex").malformed("the position of a key");
  return address;
}

function resolveAccounts(positions: ArrayLike<number>, { addresses, complete }: KeyList): string[] | undefined {
  const accounts: string[] = [];
  for (let index = 0; index < positions.length; index++) {
    const address = addresses[positions[index] as number];
    if (address === undefined) {
      if (!complete) return undefined;
      throw new Member(index, "instructions[].accounts").malformed("a list of positions of keys");
    }
    accounts.push(address);
  }
  return accounts;
}

/** Returns an instruction of a node's answer. */
export function readInstruction(instruction: Member, keys: KeyList): Call {
  const { programIdIndex, parsed } = instruction.object();
  const height = instruction.at("stackHeight").optional()?.count();
  if (programIdIndex !== undefined) return resolveInstruction(compiledOf(instruction), keys, height);
  const program = instruction.at("programId").address();
  if (parsed !== undefined) {
    return { program, accounts: undefined, data: undefined, parsed: readParsed(instruction), height };
  }
  const accounts = instruction
    .at("accounts")
    .list()
    .map((account) => account.text());
  return { program, accounts, data: instruction.at("data").base58(), parsed: undefined, height };
}

const compiledOf = (instruction: Member): CompiledInstruction => ({
  program: instruction.at("programIdIndex").count(),
  accounts: instruction
    .at("accounts")
    .list()
    .map((position) => position.count()),
  data: instruction.at("data").base58(),
});

function readParsed(instruction: Member): ParsedInstruction {
  const program = instruction.at("program").text();
  const parsed = instruction.at("parsed");
  // The parsed form of a memo is the bare text.
  if (typeof parsed.value === "string") return { program, type: "memo", info: { memo: parsed.value } };
  const info = parsed.at("info").value;
  return { program, type: parsed.at("type").text(), info: isObject(info) ? info : {} };
}

/**
 * Returns the called instructions of a node's answer by the position of the top-level instruction.
 * @param last the last position that there is, where that is known
 */
export function readInnerInstructions(
  list: Member,
  last: number | undefined,
  keys: KeyList,
): ReadonlyMap<number, readonly Call[]> {
  const groups = new Map<number, Call[]>();
  for (const group of list.items()) {
    const index = group.at("index").count(last);
    const calls = group
      .at("instructions")
      .list()
      .map((instruction) => readInstruction(instruction, keys));
    groups.set(index, [...(groups.get(index) ?? []), ...calls]);
  }
  return groups;
}

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
