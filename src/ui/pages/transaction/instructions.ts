/** The instructions of a transaction as a tree of calls, with their outcome and their compute units. */
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
  toNumber,
} from "../../../base/index.ts";
import { isAddress, PROGRAM } from "../../../catalogue/index.ts";
import type { LogCall } from "../../../chain/solana/index.ts";
import { clip, SOL_DECIMALS, safeText, textWidth, wrap } from "../../../output/index.ts";
import { shareBar } from "../../frame/share-bar.ts";
import { fitLine, lineWidth, type Role, span } from "../../navigation/theme/text-line.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { joinSections, noteRow, titledRows } from "../entity/rows.ts";
import { instructionCalls, instructionName } from "./calls.ts";
import { shortProgram, type TransactionFormatter } from "./formatter.ts";
import { effectsOf, stepLine, toStep } from "./steps.ts";
import { unitsOf } from "./summary.ts";

type Outcome = "executed" | "failed" | "not executed";

/** An instruction with its place in the tree. */
interface CalledInstruction {
  readonly instruction: Json;
  /** Its position in each list on the way to it, from 1: `2.1`. */
  readonly number: string;
  /** 0 for top-level instructions. */
  readonly depth: number;
  readonly call: LogCall | undefined;
  readonly outcome: Outcome;
}

/** Levels of calls that are drawn; the chain permits fewer. */
const MAX_DEPTH = 16;

/** Returns all instructions in the order of their execution, inner ones after those that call them. */
export function calledInstructions(detail: Json | undefined): readonly CalledInstruction[] {
  const calls = instructionCalls(detail);
  const all: CalledInstruction[] = [];
  const add = (list: readonly Json[], parent: CalledInstruction | undefined) => {
    let isAfterFailure = parent?.outcome === "not executed";
    for (const [at, instruction] of list.entries()) {
      const call = calls.get(instruction);
      // An inner instruction of a call that failed was not reached where the log does not have it.
      const isMissing = parent?.outcome === "failed" && call === undefined;
      const outcome =
        call?.outcome === "failure" ? "failed" : isAfterFailure || isMissing ? "not executed" : "executed";
      const number = parent ? `${parent.number}.${at + 1}` : `${at + 1}`;
      const one = { instruction, number, depth: parent ? depthBelow(parent, instruction) : 0, call, outcome } as const;
      all.push(one);
      add(listOf(fieldOf(instruction, "inner_instructions")), one);
      isAfterFailure ||= outcome === "failed";
    }
  };
  add(listOf(fieldOf(detail, "parsed_instructions")), undefined);
  return all;
}

/** Returns the depth of an inner instruction. Some answers list those of all levels below the top-level one. */
function depthBelow({ depth }: CalledInstruction, instruction: Json): number {
  const level = toNumber(fieldOf(instruction, "program_invoke_level"));
  return Math.min(level !== undefined && level > 1 ? level - 1 : depth + 1, MAX_DEPTH);
}

/** Returns the instructions as a tree, with their compute units. */
export function instructionRows(
  detail: Json | undefined,
  formatter: TransactionFormatter,
  unicode = true,
): readonly TreeRow[] {
  const all = calledInstructions(detail);
  if (all.length === 0) return [noteRow("none", "No instructions.")];
  const branches = drawBranches(all.map(({ depth }) => depth));
  const isFailed = all.some(({ outcome }) => outcome === "failed");
  const used = all.filter(({ depth }) => depth === 0).reduce((sum, { call }) => sum + (call?.units ?? 0), 0);
  const limit = unitsOf(detail).limit ?? used;
  return all.map((one, at) => {
    const { instruction, number, call } = one;
    return {
      key: number,
      row: instruction,
      target: formatter.program(fieldOf(instruction, "program_id")).target,
      line: (width) => {
        const line = instructionLine(one, branches[at] ?? "", { formatter, isFailed, width });
        return withUnits(line, call?.units, { limit, width, unicode });
      },
    };
  });
}

/**
 * Returns the key of the row that matters most: the innermost call that failed, otherwise the largest instruction with an
 * effect.
 */
export function mainRow(detail: Json | undefined): string | undefined {
  const all = calledInstructions(detail);
  const failed = all.findLast(({ outcome }) => outcome === "failed");
  const rank = ({ instruction, call }: CalledInstruction) => {
    const isBudget = fieldOf(instruction, "program_id") === PROGRAM.computeBudget;
    const hasEffect = !isBudget && effectsOf(instruction).length > 0;
    return (hasEffect ? EFFECT_RANK : 0) + (call?.units ?? 0);
  };
  return (failed ?? all.toSorted((a, b) => rank(b) - rank(a))[0])?.number;
}

/** More than the compute units of any transaction. */
const EFFECT_RANK = 1e9;

/** Returns the branches that connect items with their parents, from the depth of each. */
export function drawBranches(depths: readonly number[]): readonly string[] {
  /** Whether an item follows at a depth before a shallower one. */
  const follows: boolean[] = [];
  return depths
    .toReversed()
    .map((depth) => {
      const trunks = Array.from({ length: Math.max(0, depth - 1) }, (_, at) => (follows[at + 1] ? "│ " : "  "));
      const branch = depth === 0 ? "" : follows[depth] ? "├ " : "└ ";
      follows.length = depth;
      follows[depth] = true;
      return trunks.join("") + branch;
    })
    .reverse();
}

const MARKS: Readonly<Record<Outcome, readonly [sign: string, role: Role]>> = {
  executed: ["✔ ", "good"],
  failed: ["✖ ", "bad"],
  "not executed": ["· ", "note"],
};
/** From this width on the line shows what an instruction does. */
const EFFECT_WIDTH = 90;
/** Minimum and maximum width of the name of a program. */
const PROGRAM_WIDTH = { min: 8, max: 32 };

interface LineFormat {
  readonly formatter: TransactionFormatter;
  /** Whether the transaction failed: then each instruction says whether it was executed. */
  readonly isFailed: boolean;
  readonly width: number;
}

/** Returns outcome, number, program and name of an instruction, and its effect where there is space. */
function instructionLine(one: CalledInstruction, branch: string, { formatter, isFailed, width }: LineFormat) {
  const { instruction, number, outcome } = one;
  const [sign, role] = MARKS[outcome];
  const isDim = outcome === "not executed";
  const name = instructionName(instruction);
  const lead: readonly LinkSpan[] = [
    span(branch, "frame"),
    ...(isFailed ? [span(sign, role)] : []),
    span(`${number} `, "key"),
  ];
  const title: readonly LinkSpan[] = [
    span(" › ", "note"),
    name === undefined
      ? span("unnamed instruction", "missing")
      : { ...formatter.text(name), role: isDim ? "note" : "title" },
    ...listOf(fieldOf(instruction, "tags")).flatMap((tag) => {
      const text = textOf(tag);
      return text === undefined ? [] : [span(" "), { ...formatter.text(text), role: "warning" as const }];
    }),
  ];
  const program = formatter.program(fieldOf(instruction, "program_id"));
  // The bar of compute units takes the rest of the line.
  const space = Math.max(
    PROGRAM_WIDTH.min,
    Math.min(PROGRAM_WIDTH.max, width - lineWidth([...lead, ...title]) - UNITS_SPACE),
  );
  const effect = width >= EFFECT_WIDTH ? effectsOf(instruction)[0] : undefined;
  return [
    ...lead,
    { ...program, text: clip(shortProgram(program.text), space), ...(isDim && { role: "note" as const }) },
    ...title,
    ...(effect === undefined ? [] : [span("  "), ...stepLine(toStep(effect), formatter)]),
  ];
}

const UNITS_SPACE = 17;

/** Returns the title of an instruction: `2.1 Token Program › transferChecked`. */
export function instructionTitle({ instruction, number }: CalledInstruction, formatter: TransactionFormatter): string {
  const program = formatter.program(fieldOf(instruction, "program_id")).text;
  const name = instructionName(instruction);
  return `${number} ${program}${name === undefined ? "" : ` › ${clip(safeText(name), 60)}`}`;
}

const UNITS_WIDTH = 9;
/** Cells of the bar in narrow and in wide lines, and from which width on it is wide. */
const BAR_WIDTH = { narrow: 6, wide: 12 };
const WIDE_WIDTH = 80;
/** Minimum width of a line that is left for the instruction itself. */
const MIN_TEXT = 36;

/**
 * Returns a line with compute units and their bar at its right end; without them where space is short or unknown.
 * @param limit the units of a full bar
 */
export function withUnits(
  line: readonly LinkSpan[],
  units: number | undefined,
  { limit, width, unicode }: { readonly limit: number; readonly width: number; readonly unicode: boolean },
): readonly LinkSpan[] {
  const size = width >= WIDE_WIDTH ? BAR_WIDTH.wide : BAR_WIDTH.narrow;
  const used = UNITS_WIDTH + 1 + size;
  if (limit <= 0 || width < MIN_TEXT + used) return line;
  const space = width - used;
  const text = fitLine(line, space);
  if (units === undefined) return text;
  return [
    ...text,
    span(`${groupThousands(units).padStart(UNITS_WIDTH)} `, "note"),
    // Tracks of bars below each other would hide the tree.
    ...shareBar(units / limit, size, unicode).map((one) =>
      one.role === "track" ? span(" ".repeat(textWidth(one.text))) : one,
    ),
  ];
}

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
    line: stepLine(toStep(value), formatter),
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
        const whole = formatter.address(plain, name, { isWhole: true, entity });
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
