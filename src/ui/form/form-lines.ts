/** Renders a form as lines. */
import type { Param } from "../../catalogue/index.ts";
import { clip, pad, textWidth, wrap } from "../../output/index.ts";
import type { Size } from "../navigation/context.ts";
import { fitLine, lineWidth, type Span, span, type TextLine } from "../navigation/theme/text-line.ts";
import { fieldLine, type TextField } from "../widgets/text-field.ts";
import { centredTop } from "../widgets/viewport.ts";
import { type FormField, type Suggest, unsetLabel } from "./form-fields.ts";
import { type FindAddresses, type FormProblems, resolvedAddresses, resolveTimes } from "./form-problems.ts";
import { type FieldInput, type FormState, findCompletion, inputParams, shownFields } from "./form-state.ts";

const LABEL_WIDTH = 20;
const MARK_WIDTH = 3;

/** What the lines depend on besides the form. */
export interface FormLineOptions {
  readonly unicode: boolean;
  readonly now: number;
  readonly findAddresses: FindAddresses;
  readonly suggest: Suggest;
}

/** Returns exactly `size.height` lines: the fields around the focused one, and its details below. */
export function formLines(
  state: FormState,
  problems: FormProblems,
  size: Size,
  { unicode, now, findAddresses, suggest }: FormLineOptions,
): readonly TextLine[] {
  const details = detailLines(state, problems, size.width);
  const space = Math.max(1, size.height - DETAIL_LINES);
  const count = shownFields(state);
  const folded = state.fields.length - count;
  const from = centredTop({ count }, space, state.at);
  const values = inputParams(state);
  const rows = state.fields.slice(from, Math.min(count, from + space)).map((field, index) => {
    const at = from + index;
    const { name, param } = field;
    const meaning =
      resolveTimes(name, param, values[name], now) ?? resolvedAddresses(param, values[name], findAddresses);
    return rowLine(
      {
        field,
        input: state.inputs[at],
        meaning,
        completion: findCompletion(field, state.inputs[at], suggest),
        isBad: problems.has(field.name),
        focused: at === state.at,
      },
      size.width,
      unicode,
    );
  });
  if (folded > 0 && rows.length < space) rows.push(foldLine(folded, state.fields[count]?.name, unicode));
  const lines = [...rows, ruleLine(state, size.width, unicode), ...details].slice(0, size.height);
  while (lines.length < size.height) lines.push([]);
  return lines;
}

function foldLine(count: number, first: string | undefined, unicode: boolean): TextLine {
  const text = `${" ".repeat(MARK_WIDTH)}${unicode ? "▸" : "+"} more filters (${count})`;
  return [{ ...span(text, "note"), hit: first }];
}

/** Lines below the fields: a rule and the details of the focused field. */
export const DETAIL_LINES = 5;

function ruleLine({ fields, at }: FormState, width: number, unicode: boolean): TextLine {
  const count = fields.length === 0 ? "" : ` ${at + 1} of ${fields.length} `;
  const across = unicode ? "─" : "-";
  return [
    span(across.repeat(2), "frame"),
    span(count, "note"),
    span(across.repeat(Math.max(0, width - 2 - count.length)), "frame"),
  ];
}

interface FieldRowOptions {
  readonly field: FormField;
  readonly input: FieldInput | undefined;
  readonly meaning: string | undefined;
  readonly completion: string | undefined;
  readonly isBad: boolean;
  readonly focused: boolean;
}

function rowLine(row: FieldRowOptions, width: number, unicode: boolean): TextLine {
  const { field, isBad, focused } = row;
  const marks = unicode ? { at: "›", bad: "✗" } : { at: ">", bad: "x" };
  const deprecation = field.param.deprecated === undefined ? "" : " (old)";
  const label = pad(clip(field.label + deprecation, LABEL_WIDTH, unicode ? "…" : "~"), LABEL_WIDTH + 1);
  const left: TextLine = [
    span(focused ? marks.at : " ", "active"),
    span(isBad ? marks.bad : " ", "bad"),
    span(" "),
    span(label, focused ? "active" : "key"),
  ];
  const line = [...left, ...valueLine(row, Math.max(1, width - MARK_WIDTH - LABEL_WIDTH - 1), unicode)];
  // A click on an option has its index, elsewhere on the line the name of the field.
  return fitLine(line, width).map((one): Span => ({ hit: field.name, ...one }));
}

function valueLine(row: FieldRowOptions, width: number, unicode: boolean): TextLine {
  const { field, input, focused } = row;
  if (input?.control === "text") return textLine(row, input.field, width, unicode);
  if (input?.control === "choice")
    return focused ? choiceStrip(field, input, width, unicode) : chosenLine(field, [input.chosen]);
  if (input?.control !== "choices") return [];
  return focused ? choicesStrip(field, input, width, unicode) : chosenLine(field, input.chosen);
}

function textLine(
  { field, meaning, completion, isBad, focused }: FieldRowOptions,
  value: TextField,
  width: number,
  unicode: boolean,
): TextLine {
  if (value.text === "" && !focused) return [span(unsetLabel(field), "missing")];
  if (value.text === "") return [...fieldLine(value, 1, true), span(` ${placeholder(field.param)}`, "missing")];
  const message = meaning === undefined ? "" : ` ${unicode ? "→" : "="} ${meaning}`;
  // In narrow forms the input takes precedence over its meaning.
  const space = width - textWidth(message) >= MIN_INPUT_WIDTH ? width - textWidth(message) : width;
  const line = fieldLine(value, space, focused, isBad ? "bad" : undefined);
  if (!focused || completion === undefined) return [...line, span(message, "note")];
  // The cursor is on the first character of what would complete the input.
  const [first = "", ...rest] = completion;
  const ghost: TextLine = [{ text: first, role: "missing", cursor: "cell" }, span(rest.join(""), "missing")];
  return fitLine([...line.slice(0, -1), ...ghost, span(message, "note")], width);
}

const MIN_INPUT_WIDTH = 10;

function chosenLine(field: FormField, chosen: readonly (number | undefined)[]): TextLine {
  const labels = chosen.flatMap((index) => (index === undefined ? [] : [field.options[index]?.label ?? ""]));
  return labels.length === 0 ? [span(unsetLabel(field), "missing")] : [span(labels.join(", "))];
}

function choiceStrip(
  field: FormField,
  { chosen }: { readonly chosen: number | undefined },
  width: number,
  unicode: boolean,
): TextLine {
  const labels = [unsetLabel(field), ...field.options.map(({ label }) => label)];
  const at = chosen === undefined ? 0 : chosen + 1;
  const items = labels.map(
    (label, index): Span => ({
      ...(index === at ? { text: `[${label}]`, role: "active", cursor: "cell" } : span(` ${label} `)),
      hit: index - 1,
    }),
  );
  return strip(items, at, width, unicode);
}

function choicesStrip(
  field: FormField,
  { chosen, at }: Extract<FieldInput, { control: "choices" }>,
  width: number,
  unicode: boolean,
): TextLine {
  const items = field.options.map(({ label }, index): Span => {
    const isChosen = chosen.includes(index);
    return {
      text: `[${isChosen ? "x" : " "}] ${label} `,
      role: isChosen ? "active" : undefined,
      cursor: index === at ? "cell" : undefined,
      hit: index,
    };
  });
  return strip(items, at, width, unicode);
}

/** Returns as many items as fit around the one of the cursor, with marks where there are more. */
function strip(items: readonly Span[], at: number, width: number, unicode: boolean): TextLine {
  if (lineWidth(items) <= width) return items;
  const [before, after] = unicode ? ["‹ ", " ›"] : ["< ", " >"];
  let space = width - textWidth(before) - textWidth(after) - textWidth(items[at]?.text ?? "");
  let [from, to] = [at, at + 1];
  const grow = (index: number): boolean => {
    const item = items[index];
    if (!item || textWidth(item.text) > space) return false;
    space -= textWidth(item.text);
    return true;
  };
  while (grow(to)) to += 1;
  while (grow(from - 1)) from -= 1;
  const mark = (isCut: boolean, text: string) => span(isCut ? text : " ".repeat(textWidth(text)), "note");
  return [mark(from > 0, before), ...items.slice(from, to), mark(to < items.length, after)];
}

const EXAMPLES: Readonly<Partial<Record<Param["type"], string>>> = {
  address: "an address, or a known name",
  signature: "a signature",
  slot: "a slot",
  time: "7d, yesterday, 2024-07-05",
  date: "7d, yesterday, 2024-07-05",
  integer: "a whole number",
  decimal: "a number",
};

const RANGES: Readonly<Partial<Record<Param["type"], string>>> = {
  time: "from..to: 7d..now",
  date: "from..to: 7d..yesterday",
};

function placeholder({ type, arity }: Param): string {
  if (arity === "range") return RANGES[type] ?? "from..to: 1..100";
  return arity === "list" ? "one or more, comma-separated" : (EXAMPLES[type] ?? "");
}

function detailLines(state: FormState, problems: FormProblems, width: number): readonly TextLine[] {
  const field = state.fields[state.at];
  if (!field) return [[span("No filters here.", "note")]];
  const { name, param } = field;
  const problem = problems.get(name);
  const facts = describeParam(param).join(" ");
  const lines = (text: string, role: "note" | "bad" | "warning"): readonly TextLine[] =>
    text === "" ? [] : wrap(text, width).map((row) => [span(row, role)]);
  const message = problem === undefined ? [] : lines(problem.message, "bad");
  const hint = problem?.hint === undefined ? [] : lines(problem.hint, "note");
  const chosen = lines(chosenText(state), "note");
  const deprecation = param.deprecated === undefined ? [] : lines(param.deprecated, "warning");
  // Problems come first, since not all lines may fit.
  return [...message, ...hint, ...deprecation, ...chosen, ...lines(facts, "note")];
}

/** Returns the selected options of a multiple choice, which may not all be visible; empty for other fields. */
function chosenText({ fields, inputs, at }: FormState): string {
  const one = inputs[at];
  if (one?.control !== "choices" || one.chosen.length === 0) return "";
  return `Selected: ${one.chosen.map((index) => fields[at]?.options[index]?.label ?? "").join(", ")}.`;
}

function describeParam(param: Param): readonly string[] {
  const { description, needs, default: defaultValue, role, note } = param;
  return [
    `${description}${limitText(param)}`,
    needs === undefined ? "" : `Requires ${needs.replaceAll("_", " ")}`,
    defaultValue === undefined || role === "size" ? "" : `Default: ${String(defaultValue)}`,
    note ?? "",
  ]
    .filter(Boolean)
    .map((text) => `${text.replace(/\.$/, "")}.`);
}

function limitText({ arity, maxItems, min, max }: Param): string {
  if (arity === "list") return maxItems === undefined ? "" : `, up to ${maxItems}`;
  if (min === undefined) return max === undefined ? "" : `, at most ${max}`;
  return max === undefined ? `, at least ${min}` : `, ${min} to ${max}`;
}
