/** The cells of transactions in lists: outcome with its reason, and the main action. */
import { isArray, isObject, type Json, listOf } from "../../base/index.ts";
import { type FieldMeta, PROGRAM } from "../../catalogue/index.ts";
import { type Cell, formatValue, type NameOf, nameText, safeText } from "../../output/index.ts";

/**
 * Describes the error of a failed transaction: `{"InstructionError":[1,{"Custom":6001}]}` is `instruction 2: custom
 * program error 6001`. Undefined for anything else.
 */
export function transactionErrorText(error: Json | undefined): string | undefined {
  if (typeof error === "string") return error === "" ? undefined : spacedWords(error);
  if (!isObject(error)) return undefined;
  const [[name, detail] = ["", null], ...others] = Object.entries(error);
  if (name === "" || others.length > 0) return undefined;
  if (name !== "InstructionError") return spacedWords(name);
  const [index, reason] = listOf(detail);
  const reasonText = instructionErrorText(reason);
  return reasonText === undefined || !/^\d+$/.test(String(index))
    ? undefined
    : `instruction ${Number(index) + 1}: ${reasonText}`;
}

function instructionErrorText(reason: Json | undefined): string | undefined {
  if (!isObject(reason)) return typeof reason === "string" && reason !== "" ? spacedWords(reason) : undefined;
  const code = reason.Custom;
  return code === undefined ? transactionErrorText(reason) : `custom program error ${safeText(String(code))}`;
}

/** Converts `InsufficientFunds` to `insufficient funds`. */
function spacedWords(name: string): string {
  return safeText(name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase());
}

/** Programs whose instructions prepare others. */
const HELPERS: ReadonlySet<string> = new Set([
  ...[PROGRAM.system, PROGRAM.token, PROGRAM.token2022, PROGRAM.associatedToken, PROGRAM.computeBudget],
  ...[PROGRAM.memoV1, PROGRAM.memo, PROGRAM.memoV4],
]);
const TRANSFER = /^transfer/i;

/** Returns the instruction that a transaction is for: of a program that others prepare, otherwise a transfer. */
export function mainInstruction(instructions: Json | undefined): Json | undefined {
  if (instructions === undefined || !isArray(instructions)) return undefined;
  const all = instructions.filter(isObject);
  return (
    all.find(({ program_id }) => typeof program_id === "string" && !HELPERS.has(program_id)) ??
    all.find(({ type }) => typeof type === "string" && TRANSFER.test(type)) ??
    all[0]
  );
}

/** Returns the name of an action: `Orca Whirlpools › swapV2`. */
export function actionText(instruction: Json | undefined, nameOf: NameOf): string | undefined {
  if (instruction === undefined || !isObject(instruction)) return undefined;
  const { program_id, program, type } = instruction;
  const known = typeof program_id === "string" ? nameText(nameOf(program_id)) : undefined;
  const words = [
    known ?? (typeof program === "string" ? program : undefined),
    typeof type === "string" ? type : undefined,
  ];
  const parts = words.flatMap((word) =>
    word === undefined || word === "" ? [] : [safeText(word).replace(/ Program$/, "")],
  );
  return parts.length === 0 ? undefined : parts.join(" › ");
}

/** Returns the cell of a field that says what a transaction did; undefined for other fields. */
export function transactionCell(
  row: Json,
  field: string | undefined,
  value: Json | undefined,
  meta: FieldMeta | undefined,
  nameOf: NameOf,
): Cell | undefined {
  if (field === "err") {
    const text = transactionErrorText(value);
    return text === undefined ? undefined : { text, role: "bad", elastic: true };
  }
  if (field === "parsed_instructions") {
    const text = actionText(mainInstruction(value), nameOf);
    const others = Math.max(0, listOf(value).length - 1);
    return text === undefined ? undefined : { text: others > 0 ? `${text} +${others}` : text, elastic: true };
  }
  return meta?.kind === "status" ? statusCell(row, value, meta) : undefined;
}

/** Returns the outcome as a sign, with the reason of a failure where the row has it. */
function statusCell(row: Json, value: Json | undefined, meta: FieldMeta): Cell | undefined {
  const cell = formatValue(value, meta, row, { style: "iso", now: 0, timeZone: "UTC" });
  if (cell.role === "good") return { text: "✔", role: "good" };
  if (cell.role !== "bad") return undefined;
  const reason = isObject(row) ? transactionErrorText(row.err ?? row.error) : undefined;
  return {
    text: reason === undefined ? "✖" : `✖ ${reason}`,
    role: "bad",
    ...(reason !== undefined && { elastic: true }),
  };
}
