/** The cells of transactions in lists: outcome with its reason, and the main action. */
import { fieldOf, isArray, isObject, type Json, listOf, textOf } from "../../base/index.ts";
import { type FieldMeta, PROGRAM } from "../../catalogue/index.ts";
import { transactionErrorText } from "../../chain/solana/index.ts";
import { type Cell, formatValue, type NameOf, nameText, safeText } from "../../output/index.ts";

/**
 * Returns why a transaction failed: `Instruction 2 failed: custom error 6001`, in a cell of a table only the reason where
 * that is known; undefined where the error does not say it.
 */
export function failureReason(error: Json | undefined, member: "message" | "reason" = "message"): string | undefined {
  const said = textOf(fieldOf(error, member));
  if (said !== undefined) return safeText(said);
  const isNamed = isObject(error) ? Object.keys(error).length === 1 : typeof error === "string" && error !== "";
  return error !== undefined && isNamed ? safeText(transactionErrorText(error)) : undefined;
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
    const text = failureReason(value, "reason");
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
  const reason = isObject(row) ? failureReason(row.err ?? row.error, "reason") : undefined;
  return {
    text: reason === undefined ? "✖" : `✖ ${reason}`,
    role: "bad",
    ...(reason !== undefined && { elastic: true }),
  };
}
