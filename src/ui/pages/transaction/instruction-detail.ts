/** What a selected instruction did: its effects, its log, its arguments and its accounts. */
import {
  fieldOf,
  groupThousands,
  isArray,
  isNumeric,
  isObject,
  type Json,
  listOf,
  numericText,
  pluralize,
  textOf,
} from "../../../base/index.ts";
import { isAddress } from "../../../catalogue/index.ts";
import { clip, SOL_DECIMALS, safeText, textWidth, wrap } from "../../../output/index.ts";
import { span } from "../../navigation/theme/text-line.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { joinSections, noteRow, titledRows } from "../entity/rows.ts";
import type { TransactionFormatter } from "./formatter.ts";
import type { CalledInstruction } from "./instructions.ts";
import { effectsOf, stepLine, stepOf } from "./steps.ts";

/** Maximum number of characters of a value. */
const MAX_LENGTH = 2000;
const MAX_NAME = 40;
/** Nested values with at most so many entries start open. */
const MAX_OPEN = 6;
const UNLIMITED_WIDTH = 1000;
const ERROR_TEXT = /error|panicked|failed/i;

/** Returns the rows about an instruction; the log comes first where it failed. */
export function instructionDetailRows(
  one: CalledInstruction,
  formatter: TransactionFormatter,
  width = UNLIMITED_WIDTH,
): readonly TreeRow[] {
  const effects = effectRows(one, formatter);
  const log = titledRows("Log", logRows(one, width));
  const inputs = titledRows("Arguments", argumentRows(one.instruction, formatter));
  const accounts = titledRows("Accounts", accountRows(one.instruction, formatter));
  const rows = joinSections(one.outcome === "failed" ? [log, inputs, accounts] : [effects, inputs, log, accounts]);
  if (one.outcome === "not executed") return joinSections([[noteRow("outcome", "Not executed.")], rows]);
  return rows.length > 0 ? rows : [noteRow("nothing", "No arguments and no log.")];
}

function effectRows({ instruction }: CalledInstruction, formatter: TransactionFormatter): readonly TreeRow[] {
  return effectsOf(instruction).map((value, at) => ({
    key: `effect ${at}`,
    line: stepLine(stepOf(value), formatter),
    row: value,
  }));
}

/** Returns what the instruction itself printed, without the calls that it made. */
function logRows({ call }: CalledInstruction, width: number): readonly TreeRow[] {
  if (!call) return [];
  const { entries, units, unitLimit, outcome, failure } = call;
  const lines = entries
    .filter((entry) => typeof entry === "string")
    .map((text) => span(clip(safeText(text), MAX_LENGTH), ERROR_TEXT.test(text) ? "bad" : undefined));
  const limit = unitLimit === undefined ? "" : ` of ${groupThousands(unitLimit)} available`;
  const end = [
    ...(units === undefined ? [] : [span(`${groupThousands(units)}${limit} compute units used`, "note")]),
    ...(outcome === "failure" ? [span(`failed: ${clip(safeText(failure ?? ""), MAX_LENGTH)}`, "bad")] : []),
  ];
  return [...lines, ...end].flatMap((one, at) => {
    const cell = { field: "log_message", value: one.text, kind: "text" as const };
    return wrap(one.text, Math.max(1, width)).map(
      (text, part): TreeRow => ({ key: `log ${at} ${part}`, line: [{ ...one, text }], cell }),
    );
  });
}

/** Returns the decoded arguments, or the data that could not be decoded. */
function argumentRows(instruction: Json, formatter: TransactionFormatter): readonly TreeRow[] {
  const raw = fieldOf(instruction, "data_raw");
  const info = fieldOf(raw, "info") ?? raw;
  const named = fieldOf(instruction, "idl_data");
  const decoded = isObject(info) ? Object.entries(info) : [];
  const known = new Set(decoded.map(([name]) => name));
  const others = Object.entries(isObject(named) ? named : {}).flatMap(([name, value]) =>
    name === "input_args" && isObject(value) ? Object.entries(value) : [[name, value] as const],
  );
  const fields = [...decoded, ...others.filter(([name]) => !known.has(name))];
  const width = Math.min(MAX_NAME, Math.max(0, ...fields.map(([name]) => name.length)));
  const rows = fields.map(([name, value], at) => valueRow(name, value, `input ${at} ${name}`, { formatter, width }));
  if (info === undefined || isObject(info)) return rows;
  const label = isObject(raw) ? "data" : "data, not decoded";
  return [valueRow(label, info, "input data", { formatter, width: label.length }), ...rows];
}

function accountRows(instruction: Json, formatter: TransactionFormatter): readonly TreeRow[] {
  const accounts = listOf(fieldOf(instruction, "accounts"));
  const width = `${accounts.length}`.length;
  return accounts.map((id, at) => valueRow(`${at + 1}`.padStart(width), id, `account ${at}`, { formatter, width }));
}

interface ValueFormat {
  readonly formatter: TransactionFormatter;
  /** Cells of the names. */
  readonly width: number;
}

/** Returns a named value: a link for an address, rows below it for a nested value. */
function valueRow(name: string, value: Json, key: string, format: ValueFormat): TreeRow {
  const { formatter, width } = format;
  const label = span(`${clip(safeText(name), MAX_NAME).padEnd(width)}  `, "key");
  const plain = plainValue(value);
  if (isObject(plain) || isArray(plain)) {
    const entries = Object.entries(plain) as readonly (readonly [string, Json])[];
    if (entries.length === 0) return { key, line: [label, span("empty", "missing")], row: value };
    const named = isArray(plain) ? entries.map(([at, inner]) => [`${Number(at) + 1}`, inner] as const) : entries;
    const inner = { formatter, width: Math.min(MAX_NAME, Math.max(...named.map(([one]) => one.length))) };
    return {
      key,
      line: [label, span(pluralize(entries.length, "entry", "entries"), "note")],
      row: value,
      children: () => named.map(([one, each]) => valueRow(one, each, `${key} ${one}`, inner)),
      isOpen: entries.length <= MAX_OPEN,
    };
  }
  if (typeof plain === "string" && isAddress(plain)) {
    const entity = /mint/i.test(name) ? "token" : "account";
    return {
      key,
      line: (space) => {
        const whole = formatter.address(plain, name, { whole: true, entity });
        const fits = textWidth(whole.text) <= space - width - 2;
        return [label, fits ? whole : formatter.address(plain, name, { entity })];
      },
      row: value,
    };
  }
  return {
    key,
    line: [label, ...scalarSpans(name, plain, formatter)],
    row: value,
    cell: { field: name, value: plain, kind: undefined },
  };
}

/** Returns an argument without its type, and a token amount as it is meant. */
function plainValue(value: Json): Json {
  const typed =
    isObject(value) && Object.keys(value).length === 2 && textOf(value.type) !== undefined ? value.data : undefined;
  return typed ?? fieldOf(value, "uiAmountString") ?? value;
}

function scalarSpans(name: string, value: Json, formatter: TransactionFormatter): readonly LinkSpan[] {
  if (value === null || value === "") return [span("none", "missing")];
  if (typeof value === "boolean") return [span(value ? "yes" : "no")];
  if (!isNumeric(value) && typeof value !== "string") return [span("empty", "missing")];
  const text = isNumeric(value) ? numericText(value) : value;
  const more = text.length > MAX_LENGTH ? ` … ${text.length} characters in total` : "";
  const sol = name === "lamports" ? ` (${formatter.amount(value, SOL_DECIMALS)} SOL)` : "";
  return [span(safeText(text.slice(0, MAX_LENGTH)) + more), span(sol, "note")];
}
