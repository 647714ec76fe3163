/** Renders a form as lines. */
import type { Param } from "../../catalogue/index.ts";
import { clip, pad, textWidth, wrap } from "../../output/index.ts";
import type { Size } from "../navigation/context.ts";
import { fitLine, type Span, span, type TextLine } from "../navigation/theme/text-line.ts";
import { fieldLine, type TextField } from "../widgets/text-field.ts";
import { centredTop, fillLines } from "../widgets/viewport.ts";
import { type FormField, matchingOptions, paramNames, type Suggest, unsetLabel } from "./form-fields.ts";
import { type FindAddresses, type FormProblems, resolvedAddresses, resolveTimes } from "./form-problems.ts";
import { type FieldInput, type FormState, findCompletion, inputParams, type OptionsInput } from "./form-state.ts";

const MARK_WIDTH = 3;
/** The share of the width that labels may take. */
const LABEL_SHARE = 0.45;

/** What the lines depend on besides the form. */
export interface FormLineOptions {
  readonly unicode: boolean;
  readonly now: number;
  readonly findAddresses: FindAddresses;
  readonly suggest: Suggest;
}

/** Returns exactly `size.height` lines: the fields around the focused one, and its details and options below. */
export function formLines(
  state: FormState,
  problems: FormProblems,
  size: Size,
  options: FormLineOptions,
): readonly TextLine[] {
  const { fields, inputs, at: focus } = state;
  const { unicode, now, findAddresses, suggest } = options;
  const space = Math.max(1, Math.min(fields.length, size.height - 1 - DETAIL_LINES.least));
  const from = centredTop({ count: fields.length }, space, focus);
  const values = inputParams(state);
  const labelWidth = Math.min(
    Math.max(0, ...fields.map((field) => textWidth(labelOf(field)))),
    Math.floor(size.width * LABEL_SHARE),
  );
  const rows = fields.slice(from, from + space).map((field, index) => {
    const at = from + index;
    const { name, param, end } = field;
    const single: Param = end === undefined ? param : { ...param, arity: "one" };
    const times = paramNames(field).flatMap((one) => resolveTimes(one, single, values[one], now) ?? []);
    const meaning = times.length > 0 ? times.join(" to ") : resolvedAddresses(param, values[name], findAddresses);
    return rowLine(
      {
        field,
        input: inputs[at],
        meaning,
        completion: findCompletion(field, inputs[at], suggest),
        isBad: problems.has(field.name),
        focused: at === focus,
      },
      { width: size.width, labelWidth, unicode },
    );
  });
  const height = size.height - rows.length - 1;
  const about = detailLines(state, problems, size.width);
  const [field, input] = [fields[focus], inputs[focus]];
  const choices =
    field && input?.control === "options"
      ? optionLines(field, input, { ...size, height: height - about.length }, unicode)
      : [];
  return fillLines(
    [...rows, ruleLine(state, size.width, unicode), ...about, ...choices].slice(0, size.height),
    size.height,
  );
}

/** Lines below the fields and the rule: at least, and as many as show a long list of options. */
export const DETAIL_LINES = { least: 4, most: 8 } as const;

const labelOf = ({ label, param }: FormField): string => label + (param.deprecated === undefined ? "" : " (old)");

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

interface RowStyle {
  readonly width: number;
  readonly labelWidth: number;
  readonly unicode: boolean;
}

function rowLine(row: FieldRowOptions, { width, labelWidth, unicode }: RowStyle): TextLine {
  const { field, input, isBad, focused } = row;
  const marks = unicode ? { at: "›", bad: "✗", cut: "…" } : { at: ">", bad: "x", cut: "~" };
  const left: TextLine = [
    span(focused ? marks.at : " ", "active"),
    span(isBad ? marks.bad : " ", "bad"),
    span(" "),
    span(pad(clip(labelOf(field), labelWidth, marks.cut), labelWidth + 1), focused ? "active" : "key"),
  ];
  const space = Math.max(1, width - MARK_WIDTH - labelWidth - 1);
  const value =
    input?.control === "text"
      ? textLine(row, input.field, space, unicode)
      : input
        ? chosenLine(field, input, focused)
        : [];
  // A click on an option has its index, elsewhere on the line the name of the field.
  return fitLine([...left, ...value], width).map((one): Span => ({ hit: field.name, ...one }));
}

function textLine(
  { field, meaning = "", completion, isBad, focused }: FieldRowOptions,
  value: TextField,
  width: number,
  unicode: boolean,
): TextLine {
  if (value.text === "" && !focused) return [span(unsetLabel(field), "missing")];
  if (value.text === "") return [...fieldLine(value, 1, true), span(` ${placeholder(field.param)}`, "missing")];
  const message = meaning === "" ? "" : ` ${unicode ? "→" : "="} ${meaning}`;
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

/** Returns the chosen options and, in the focused field, what is searched for. */
function chosenLine(field: FormField, { chosen, query }: OptionsInput, focused: boolean): TextLine {
  const labels = chosen.map((index) => field.options[index]?.label ?? "");
  const choice =
    labels.length === 0 ? span(unsetLabel(field), "missing") : span(labels.join(", "), focused ? "active" : undefined);
  if (!focused) return [choice];
  return [choice, span("  /", "hotkey"), span(query), { text: " ", cursor: "caret" }];
}

/** Returns the options that match in columns, as many lines around the cursor as fit; each has its index as `hit`. */
function optionLines(
  field: FormField,
  { chosen, at, query }: OptionsInput,
  { width, height }: Size,
  unicode: boolean,
): readonly TextLine[] {
  const isSeveral = field.param.arity === "list";
  const none = isSeveral || query !== "" || field.param.required ? [] : [-1];
  const items = [...none, ...matchingOptions(field, query)];
  const labels = items.map((index) => {
    const label = field.options[index]?.label ?? unsetLabel(field);
    if (isSeveral) return `[${chosen.includes(index) ? "x" : " "}] ${label}`;
    return index === at ? `[${label}]` : ` ${label} `;
  });
  const cell = Math.min(width, Math.max(...labels.map(textWidth)) + 1);
  const columns = Math.max(1, Math.floor(width / cell));
  const rows = Array.from(
    { length: Math.ceil(items.length / columns) },
    (_, row): TextLine =>
      items.slice(row * columns, (row + 1) * columns).flatMap((index, column): TextLine => {
        const text = clip(labels[row * columns + column] ?? "", cell - 1, unicode ? "…" : "~");
        const isChosen = chosen.includes(index);
        return [
          { text, hit: index, role: isChosen ? "active" : undefined, cursor: index === at ? "cell" : undefined },
          span(" ".repeat(cell - textWidth(text))),
        ];
      }),
  );
  const from = centredTop({ count: rows.length }, height, Math.floor(Math.max(0, items.indexOf(at)) / columns));
  return rows.slice(from, from + Math.max(0, height));
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
  if (arity === "range") return RANGES[type] ?? "from..to: 1..100, 1000.. or ..5";
  return arity === "list" ? "one or more, comma-separated" : (EXAMPLES[type] ?? "");
}

function detailLines({ fields, inputs, at }: FormState, problems: FormProblems, width: number): readonly TextLine[] {
  const [field, input] = [fields[at], inputs[at]];
  if (!field) return [[span("No filters here.", "note")]];
  const { name, param, options } = field;
  const problem = problems.get(name);
  const count =
    input?.control === "options" && options.length > MANY_OPTIONS ? matchingOptions(field, input.query).length : 0;
  const search = count === 0 ? [] : [`${count} of ${options.length} values: type to search.`];
  const lines = (text: string, role: "note" | "bad" | "warning"): readonly TextLine[] =>
    text === "" ? [] : wrap(text, width).map((row) => [span(row, role)]);
  // Problems come first, since not all lines may fit.
  return [
    ...lines(problem?.message ?? "", "bad"),
    ...lines(problem?.hint ?? "", "note"),
    ...lines(param.deprecated ?? "", "warning"),
    ...lines([...describeParam(param), ...search].join(" "), "note"),
  ];
}

/** Fields with more options say how many there are. */
const MANY_OPTIONS = 12;

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
  if (min === undefined || min === Number.MIN_SAFE_INTEGER) return max === undefined ? "" : `, at most ${max}`;
  return max === undefined ? `, at least ${min}` : `, ${min} to ${max}`;
}
