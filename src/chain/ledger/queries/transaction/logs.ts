/** Derives the log lines of a transaction from its instructions. */
import { Buffer } from "node:buffer";
import { capitalize, isObject, type Json, type JsonObject, parseJson, tryParseJson } from "../../../../base/index.ts";
import { EVENT_CALL } from "../../interfaces/interface.ts";
import type { OutputLine } from "./instruction-output.ts";
import { type Instruction, topInstructions } from "./tree.ts";

/** The transaction that is logged. */
export interface ExecutedTransaction {
  readonly tree: readonly Instruction[];
  readonly error: string | undefined;
  readonly computeUnits: number;
}

/** Built-in programs: they log no lines, and each call costs the same. */
const NATIVE = /^(1{32}|(ComputeBudget|Vote|Stake|Config)1+|BPFLoaderUpgradeab1e1+|AddressLookupTab1e1+)$/;
const NATIVE_UNITS = 150;
/** Compute units of a transaction: default per instruction, and maximum. */
const UNITS_PER_INSTRUCTION = 200_000;
const MAX_UNITS = 1_400_000;

const CUSTOM = /^custom program error: 0x([0-9a-f]+)$/i;

/** Parses an error stored in the format of a Solana node. */
function parseJsonObject(error: string): JsonObject | undefined {
  const parsed = tryParseJson(error);
  return isObject(parsed) ? parsed : undefined;
}

/** Returns e.g. `ComputationalBudgetExceeded` for `Computational budget exceeded`. */
const nameOf = (error: string): string => error.split(/\s+/).map(capitalize).join("");

/** Returns the error of a transaction in the format of a Solana node; null for success. */
export function errorOf({ tree, error }: Pick<ExecutedTransaction, "tree" | "error">): Json {
  if (error === undefined) return null;
  // Of a chain, the error is stored as nodes return it: a name as JSON text, or an object.
  if (error.startsWith('"')) return parseJson(error);
  const code = CUSTOM.exec(error)?.[1];
  const last = topInstructions(tree).length - 1;
  return (
    parseJsonObject(error) ?? {
      InstructionError: [last, code === undefined ? nameOf(error) : { Custom: Number.parseInt(code, 16) }],
    }
  );
}

function failureOf(run: ExecutedTransaction): { readonly at: Instruction | undefined; readonly message: string } {
  const error = errorOf(run);
  const [index, reason = null] = ((isObject(error) ? error.InstructionError : undefined) ?? []) as readonly Json[];
  const top = topInstructions(run.tree);
  if (run.error === undefined) return { at: undefined, message: "" };
  const custom = isObject(reason) ? reason.Custom : undefined;
  const description = parseJsonObject(run.error) && typeof reason === "string" ? reason : run.error;
  const message = typeof custom === "number" ? `custom program error: 0x${custom.toString(16)}` : description;
  return { at: top[Number(index ?? top.length - 1)], message };
}

/** Returns the relative amount of work of a program: token transfers need less than other programs. */
const weightOf = (program: string): number => (NATIVE.test(program) ? 0 : program.startsWith("Token") ? 1 : 4);

/** Returns the units of each instruction without inner ones: fixed for built-in programs, else by their work. */
function unitsOf({ tree, computeUnits }: ExecutedTransaction): ReadonlyMap<Instruction, number> {
  const native = tree.filter(({ program }) => weightOf(program) === 0).length;
  const weights = tree.reduce((sum, { program }) => sum + weightOf(program), 0);
  const rest = Math.max(0, computeUnits - native * NATIVE_UNITS);
  const part = weights === 0 ? 0 : Math.floor(rest / weights);
  let first = rest - part * weights;
  const units = new Map<Instruction, number>();
  for (const instruction of tree) {
    const weight = weightOf(instruction.program);
    units.set(instruction, weight === 0 ? NATIVE_UNITS : part * weight + first);
    if (weight > 0) first = 0;
  }
  return units;
}

function limitOf({ tree, computeUnits }: ExecutedTransaction): number {
  const limitInstruction = tree.find(({ type }) => type.toLowerCase() === "setcomputeunitlimit");
  const limit = Object.values(limitInstruction?.info ?? {}).find((value) => typeof value === "number");
  const defaultLimit =
    topInstructions(tree).filter(({ program }) => !program.startsWith("ComputeBudget")).length * UNITS_PER_INSTRUCTION;
  return Math.max(computeUnits, Number(limit ?? Math.min(MAX_UNITS, defaultLimit)));
}

/** Lines that programs write before they return an error, by program and code. */
const ERROR_LINES: Readonly<Record<string, readonly [code: number, line: string]>> = {
  JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4: [
    6001,
    anchorError("SlippageToleranceExceeded", 6001, "Slippage tolerance exceeded"),
  ],
  "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8": [30, "Program log: Error: exceeds desired slippage limit"],
  CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK: [
    6022,
    anchorError("TooLittleOutputReceived", 6022, "Too little output received"),
  ],
  whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc: [
    6036,
    anchorError("AmountOutBelowMinimum", 6036, "Amount out below minimum threshold"),
  ],
  LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo: [
    6003,
    anchorError("ExceededAmountSlippageTolerance", 6003, "Exceeded amount slippage tolerance"),
  ],
  pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA: [6004, anchorError("ExceededSlippage", 6004, "slippage: exceeded")],
  "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P": [
    6002,
    anchorError("TooMuchSolRequired", 6002, "slippage: Too much SOL required to buy the given amount of tokens."),
  ],
};

function anchorError(name: string, code: number, message: string): string {
  return `Program log: AnchorError occurred. Error Code: ${name}. Error Number: ${code}. Error Message: ${message}.`;
}

/** How programs announce an instruction that do not write its name after `Instruction:`. */
const ANNOUNCEMENTS: Readonly<Record<string, (instruction: Instruction) => readonly string[]>> = {
  "spl-associated-token-account": ({ type }) => [capitalize(type)],
  "spl-memo": ({ info }) => {
    const memo = String(info?.memo ?? "");
    return [`Memo (len ${Buffer.byteLength(memo)}): ${JSON.stringify(memo)}`];
  },
  raydium_amm: () => [],
  spl_noop: () => [],
};

function announce(instruction: Instruction): readonly string[] {
  const { programName, type } = instruction;
  if (type === EVENT_CALL) return [];
  const texts = ANNOUNCEMENTS[programName]?.(instruction) ?? [`Instruction: ${capitalize(type)}`];
  return texts.map((text) => `Program log: ${text}`);
}

/** Returns the log of a transaction up to the instruction that failed, inner calls nested. */
export function composeLogs(
  run: ExecutedTransaction,
  outputsOf: (instruction: Instruction) => readonly OutputLine[],
): readonly string[] {
  const { at, message } = failureOf(run);
  const units = unitsOf(run);
  const lines: string[] = [];
  let remaining = limitOf(run);
  const write = (instruction: Instruction): void => {
    const { program, level, inner } = instruction;
    const outputs = instruction === at ? [] : outputsOf(instruction);
    const linesOf = (isReturned: boolean) =>
      outputs.filter((output) => output.isReturned === isReturned).map(({ text }) => text);
    const writesLogs = !NATIVE.test(program);
    const before = remaining;
    lines.push(`Program ${program} invoke [${level}]`);
    if (writesLogs) lines.push(...announce(instruction));
    for (const each of inner) write(each);
    lines.push(...linesOf(false));
    const [code = 0, line] = ERROR_LINES[program] ?? [];
    if (instruction === at && line !== undefined && message.endsWith(`0x${code.toString(16)}`)) lines.push(line);
    remaining -= units.get(instruction) ?? 0;
    if (writesLogs) lines.push(`Program ${program} consumed ${before - remaining} of ${before} compute units`);
    lines.push(...linesOf(true));
    lines.push(instruction === at ? `Program ${program} failed: ${message}` : `Program ${program} success`);
  };
  for (const instruction of topInstructions(run.tree)) {
    write(instruction);
    if (instruction === at) break;
  }
  return lines;
}
