/** The instructions of a transaction as a tree of calls with their inputs. */
import { isArray, isNumeric, isObject, type Json, numericText, stringifyJson } from "../../../base/index.ts";
import { isAddress } from "../../../catalogue/index.ts";
import { clip, escapeJson, SOL_DECIMALS, safeText } from "../../../output/index.ts";
import { span } from "../../app/theme/text-line.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { fieldOf, listOf, textOf } from "../entity/json-fields.ts";
import type { TransactionFormatter } from "./formatter.ts";
import { stepKind, stepLine, stepOf } from "./steps.ts";

/** Maximum number of characters of a value. */
const MAX_LENGTH = 2000;
/** Number of call levels that start open. */
const OPEN_LEVELS = 8;

/** Returns the rows of the tree. */
export function instructionRows(detail: Json | undefined, formatter: TransactionFormatter): readonly TreeRow[] {
  const rows = listOf(fieldOf(detail, "parsed_instructions")).map((each, at) =>
    instructionRow(each, `${at + 1}`, formatter),
  );
  return rows.length > 0 ? rows : [{ key: "none", line: [span("No instructions.", "note")] }];
}

function instructionRow(instruction: Json, number: string, formatter: TransactionFormatter): TreeRow {
  const inner = listOf(fieldOf(instruction, "inner_instructions"));
  const inputRowsOf = () => inputRows(instruction, number, formatter);
  const below = () => inner.map((each, at) => instructionRow(each, `${number}.${at + 1}`, formatter));
  const children =
    inner.length === 0
      ? inputRowsOf
      : () => [{ key: `${number} inputs`, line: [span("inputs", "note")], children: inputRowsOf }, ...below()];
  return {
    key: number,
    line: () => instructionLine(instruction, number, formatter),
    row: instruction,
    children,
    isOpen: inner.length > 0 && number.split(".").length <= OPEN_LEVELS,
  };
}

/** Returns number, program and name of an instruction, and its effect when it has a single one. */
function instructionLine(instruction: Json, number: string, formatter: TransactionFormatter): readonly LinkSpan[] {
  const type = textOf(fieldOf(instruction, "type")) ?? textOf(fieldOf(instruction, "parsed_type"));
  const effect = effectOf(instruction);
  return [
    span(`${number} `, "key"),
    formatter.program(fieldOf(instruction, "program_id")),
    span(" "),
    type === undefined ? span("unnamed instruction", "missing") : { ...formatter.text(type), role: "title" },
    ...(effect === undefined ? [] : [span("  "), ...stepLine(stepOf(effect), formatter)]),
    ...listOf(fieldOf(instruction, "tags")).flatMap((tag) => {
      const text = textOf(tag);
      return text === undefined ? [] : [span(" "), { ...formatter.text(text), role: "warning" as const }];
    }),
  ];
}

/** Returns the activity of an instruction that describes its effect, otherwise its transfer. */
function effectOf(instruction: Json): Json | undefined {
  const activities = listOf(fieldOf(instruction, "activities")).filter(
    (each) => stepKind(fieldOf(each, "activity_type")) !== "common",
  );
  return activities[0] ?? listOf(fieldOf(instruction, "transfers"))[0];
}

/** Returns the inputs of an instruction: its decoded data and its accounts. */
function inputRows(instruction: Json, key: string, formatter: TransactionFormatter): readonly TreeRow[] {
  const raw = fieldOf(instruction, "data_raw");
  const info = fieldOf(raw, "info") ?? raw;
  const named = fieldOf(instruction, "idl_data");
  const accounts = listOf(fieldOf(instruction, "accounts"));
  return [
    ...(info === undefined
      ? [{ key: `${key} nothing`, line: [span("no data", "note")] }]
      : isObject(info)
        ? fieldRows(info, `${key} data`, formatter)
        : [valueRow(isObject(raw) ? "data" : "data, not decoded", info, `${key} data`, formatter)]),
    ...(isObject(named) ? fieldRows(named, `${key} idl`, formatter) : []),
    ...(accounts.length === 0
      ? []
      : [
          {
            key: `${key} accounts`,
            line: [span(`accounts (${accounts.length})`, "key")],
            children: () => accounts.map((id, at) => valueRow(`${at + 1}`, id, `${key} account ${at}`, formatter)),
          },
        ]),
  ];
}

function fieldRows(value: Json, key: string, formatter: TransactionFormatter): readonly TreeRow[] {
  const entries = isObject(value)
    ? Object.entries(value)
    : isArray(value)
      ? value.map((each, at) => [`${at + 1}`, each] as const)
      : [];
  return entries.map(([name, inner]) => valueRow(name, inner, `${key} ${name}`, formatter));
}

/** Returns a named value: a link for an address, folded for a nested value. */
function valueRow(name: string, value: Json, key: string, formatter: TransactionFormatter): TreeRow {
  const label = span(`${clip(safeText(name), 40)} `, "key");
  const isNested = (isObject(value) && Object.keys(value).length > 0) || (isArray(value) && value.length > 0);
  if (isNested) {
    const preview = clip(escapeJson(stringifyJson(value).slice(0, MAX_LENGTH)), 60);
    return { key, line: [label, span(preview, "note")], row: value, children: () => fieldRows(value, key, formatter) };
  }
  if (typeof value === "string" && isAddress(value)) {
    const address = formatter.address(value, name, { whole: true, ...(/mint/i.test(name) && { entity: "token" }) });
    return { key, line: [label, address], row: value };
  }
  return {
    key,
    line: [label, ...scalarSpans(name, value, formatter)],
    row: value,
    cell: { field: name, value, kind: undefined },
  };
}

function scalarSpans(name: string, value: Json, formatter: TransactionFormatter): readonly LinkSpan[] {
  if (value === null || value === "") return [span("nothing", "missing")];
  if (typeof value === "boolean") return [span(value ? "yes" : "no")];
  if (!isNumeric(value) && typeof value !== "string") return [span("empty", "missing")];
  const text = isNumeric(value) ? numericText(value) : value;
  const more = text.length > MAX_LENGTH ? ` … ${text.length} characters in total` : "";
  const sol = name === "lamports" ? ` (${formatter.amount(value, SOL_DECIMALS)} SOL)` : "";
  return [span(safeText(text.slice(0, MAX_LENGTH)) + more), span(sol, "note")];
}
