/** The lines that programs write, as the instructions of a transaction tell them. */
import { isObject, type Json, type JsonObject, parseJson } from "../../../base/index.ts";
import { type Instruction, topInstructions } from "./tree.ts";

/** What is logged about. */
export interface ExecutedTransaction {
  readonly tree: readonly Instruction[];
  /** Why it failed, as the ledger has it. */
  readonly error: string | undefined;
  readonly computeUnits: number;
}

/** Programs of the cluster itself: they write no lines of their own, and each call of them costs the same. */
const NATIVE = /^(1{32}|(ComputeBudget|Vote|Stake|Config)1+|BPFLoaderUpgradeab1e1+|AddressLookupTab1e1+)$/;
const NATIVE_UNITS = 150;
/** Units that a transaction may use: for each instruction where it does not say, and at most. */
const UNITS_PER_INSTRUCTION = 200_000;
const MAX_UNITS = 1_400_000;

const CUSTOM = /^custom program error: 0x([0-9a-f]+)$/i;

/** The reason in the ledger, where it has the form of a Solana node. */
function jsonOf(error: string): JsonObject | undefined {
  try {
    const parsed = parseJson(error);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** `ComputationalBudgetExceeded` of `Computational budget exceeded`. */
const nameOf = (error: string): string => error.split(/\s+/).map(capital).join("");

/** Why a transaction failed, in the form of a Solana node; null for success. */
export function errorOf({ tree, error }: Pick<ExecutedTransaction, "tree" | "error">): JsonObject | null {
  if (error === undefined) return null;
  const code = CUSTOM.exec(error)?.[1];
  const last = topInstructions(tree).length - 1;
  return (
    jsonOf(error) ?? {
      InstructionError: [last, code === undefined ? nameOf(error) : { Custom: Number.parseInt(code, 16) }],
    }
  );
}

/** The instruction at the top that failed, and what its program says of it. */
function failureOf(run: ExecutedTransaction): { readonly at: Instruction | undefined; readonly message: string } {
  const [index, reason = null] = (errorOf(run)?.InstructionError ?? []) as readonly Json[];
  const top = topInstructions(run.tree);
  if (run.error === undefined) return { at: undefined, message: "" };
  const custom = isObject(reason) ? reason.Custom : undefined;
  const description = jsonOf(run.error) && typeof reason === "string" ? reason : run.error;
  const message = typeof custom === "number" ? `custom program error: 0x${custom.toString(16)}` : description;
  return { at: top[Number(index ?? top.length - 1)], message };
}

/** How much work a program has, against others: tokens are moved by less than it takes to know where. */
const weightOf = (program: string): number => (NATIVE.test(program) ? 0 : program.startsWith("Token") ? 1 : 4);

/** Units of each instruction for itself: the native ones theirs, the others parts of the rest by their work. */
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

/** What the transaction may use: what it asks for, or what it gets without asking. */
function limitOf({ tree, computeUnits }: ExecutedTransaction): number {
  const limitInstruction = tree.find(({ type }) => type.toLowerCase() === "setcomputeunitlimit");
  const limit = Object.values(limitInstruction?.info ?? {}).find((value) => typeof value === "number");
  const defaultLimit =
    topInstructions(tree).filter(({ program }) => !program.startsWith("ComputeBudget")).length * UNITS_PER_INSTRUCTION;
  return Math.max(computeUnits, Number(limit ?? Math.min(MAX_UNITS, defaultLimit)));
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The lines of a transaction, calls inside their callers, up to the instruction that failed. */
export function logsOf(run: ExecutedTransaction): readonly string[] {
  const { at, message } = failureOf(run);
  const units = unitsOf(run);
  const lines: string[] = [];
  let remaining = limitOf(run);
  const write = (instruction: Instruction): void => {
    const { program, level, type, inner } = instruction;
    const writesLogs = !NATIVE.test(program);
    const before = remaining;
    lines.push(`Program ${program} invoke [${level}]`);
    if (writesLogs) lines.push(`Program log: Instruction: ${capital(type)}`);
    for (const each of inner) write(each);
    remaining -= units.get(instruction) ?? 0;
    if (writesLogs) lines.push(`Program ${program} consumed ${before - remaining} of ${before} compute units`);
    lines.push(instruction === at ? `Program ${program} failed: ${message}` : `Program ${program} success`);
  };
  for (const instruction of topInstructions(run.tree)) {
    write(instruction);
    if (instruction === at) break;
  }
  return lines;
}
