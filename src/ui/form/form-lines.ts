/** A form as lines. Pure. */
import type { Param } from "../../catalogue/param.ts";
import { clip, pad, textWidth, wrap } from "../../output/text/width.ts";
import type { Size } from "../app/context.ts";
import { lineWidth, type Span, span, type TextLine } from "../app/theme/text-line.ts";
import { centredTop } from "../widgets/viewport.ts";
import { type FormField, unsetLabel } from "./form-fields.ts";
import { type Problems, resolved } from "./form-problems.ts";
import { type Entered, enteredParams, type FormState } from "./form-state.ts";
import { type AddressesOf, namedAddresses } from "./named-addresses.ts";
import { fieldLine } from "./text-field.ts";

/** Cells of a label. */
const LABEL_WIDTH = 20;
/** What stands before a label: the cursor and the mark of a problem. */
const MARK_WIDTH = 3;

/** What the lines of a form depend on beside it. */
export interface FormLook {
  readonly unicode: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly addressesOf: AddressesOf;
}

/** Exactly `size.height` lines: the fields around the one that keys are for, and below what is to be known of it. */
export function formLines(
  state: FormState,
  problems: Problems,
  size: Size,
  { unicode, now, addressesOf }: FormLook,
): readonly TextLine[] {
  const about = aboutLines(state, problems, size.width);
  const room = Math.max(1, size.height - LEAST_BELOW);
  const from = centredTop({ count: state.fields.length }, room, state.at);
  const values = enteredParams(state);
  const rows = state.fields.slice(from, from + room).map((field, index) => {
    const at = from + index;
    const { name, param } = field;
    const meaning = resolved(name, param, values[name], now) ?? namedAddresses(param, values[name], addressesOf);
    return rowLine(
      { field, entered: state.entered[at], meaning, isBad: problems.has(field.name), focused: at === state.at },
      size.width,
      unicode,
    );
  });
  const lines = [...rows, ruleLine(state, size.width, unicode), ...about].slice(0, size.height);
  while (lines.length < size.height) lines.push([]);
  return lines;
}

/** Lines below the fields: a rule, and what is to be known of the field. */
export const LEAST_BELOW = 5;

/** Between the fields and what is said of one: which it is of how many. */
function ruleLine({ fields, at }: FormState, width: number, unicode: boolean): TextLine {
  const count = fields.length === 0 ? "" : ` ${at + 1} of ${fields.length} `;
  const across = unicode ? "─" : "-";
  return [
    span(across.repeat(2), "frame"),
    span(count, "note"),
    span(across.repeat(Math.max(0, width - 2 - count.length)), "frame"),
  ];
}

interface Row {
  readonly field: FormField;
  readonly entered: Entered | undefined;
  readonly meaning: string | undefined;
  readonly isBad: boolean;
  readonly focused: boolean;
}

function rowLine(row: Row, width: number, unicode: boolean): TextLine {
  const { field, isBad, focused } = row;
  const marks = unicode ? { at: "›", bad: "✗" } : { at: ">", bad: "x" };
  const old = field.param.deprecated === undefined ? "" : " (old)";
  const label = pad(clip(field.label + old, LABEL_WIDTH, unicode ? "…" : "~"), LABEL_WIDTH + 1);
  const left: TextLine = [
    span(focused ? marks.at : " ", "active"),
    span(isBad ? marks.bad : " ", "bad"),
    span(" "),
    span(label, focused ? "active" : "key"),
  ];
  return [...left, ...valueLine(row, Math.max(1, width - MARK_WIDTH - LABEL_WIDTH - 1), unicode)];
}

function valueLine({ field, entered, meaning, isBad, focused }: Row, width: number, unicode: boolean): TextLine {
  if (entered?.control === "text") {
    const role = isBad ? "bad" : undefined;
    if (entered.field.text === "" && !focused) return [span(unsetLabel(field), "missing")];
    if (entered.field.text === "") {
      const example = span(` ${placeholder(field.param)}`, "missing");
      return [...fieldLine(entered.field, 1, true), example];
    }
    const told = meaning === undefined ? "" : ` ${unicode ? "→" : "="} ${meaning}`;
    // Where there is little room, what was typed is more than what it means.
    const room = width - textWidth(told) >= LEAST_TYPED ? width - textWidth(told) : width;
    return [...fieldLine(entered.field, room, focused, role), span(told, "note")];
  }
  if (entered?.control === "choice")
    return focused ? choiceStrip(field, entered, width, unicode) : chosenLine(field, [entered.chosen]);
  if (entered?.control !== "choices") return [];
  return focused ? choicesStrip(field, entered, width, unicode) : chosenLine(field, entered.chosen);
}

const LEAST_TYPED = 10;

function chosenLine(field: FormField, chosen: readonly (number | undefined)[]): TextLine {
  const labels = chosen.flatMap((index) => (index === undefined ? [] : [field.options[index]?.label ?? ""]));
  return labels.length === 0 ? [span(unsetLabel(field), "missing")] : [span(labels.join(", "))];
}

/** All options, the chosen one in brackets. */
function choiceStrip(
  field: FormField,
  { chosen }: { readonly chosen: number | undefined },
  width: number,
  unicode: boolean,
): TextLine {
  const labels = [unsetLabel(field), ...field.options.map(({ label }) => label)];
  const at = chosen === undefined ? 0 : chosen + 1;
  const items = labels.map(
    (label, index): Span =>
      index === at ? { text: `[${label}]`, role: "active", cursor: "cell" } : span(` ${label} `),
  );
  return strip(items, at, width, unicode);
}

/** All options with a box each; the cursor is on one. */
function choicesStrip(
  field: FormField,
  { chosen, at }: Extract<Entered, { control: "choices" }>,
  width: number,
  unicode: boolean,
): TextLine {
  const items = field.options.map(({ label }, index): Span => {
    const isChosen = chosen.includes(index);
    return {
      text: `[${isChosen ? "x" : " "}] ${label} `,
      role: isChosen ? "active" : undefined,
      cursor: index === at ? "cell" : undefined,
    };
  });
  return strip(items, at, width, unicode);
}

/** As many items as there is room for, the one of the cursor among them; marks tell that there are more. */
function strip(items: readonly Span[], at: number, width: number, unicode: boolean): TextLine {
  if (lineWidth(items) <= width) return items;
  const [less, more] = unicode ? ["‹ ", " ›"] : ["< ", " >"];
  let room = width - textWidth(less) - textWidth(more) - textWidth(items[at]?.text ?? "");
  let [from, to] = [at, at + 1];
  const grow = (index: number): boolean => {
    const item = items[index];
    if (!item || textWidth(item.text) > room) return false;
    room -= textWidth(item.text);
    return true;
  };
  while (grow(to)) to += 1;
  while (grow(from - 1)) from -= 1;
  const mark = (isCut: boolean, text: string) => span(isCut ? text : " ".repeat(textWidth(text)), "note");
  return [mark(from > 0, less), ...items.slice(from, to), mark(to < items.length, more)];
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

/** What could be typed. */
function placeholder({ type, arity }: Param): string {
  if (arity === "range") return RANGES[type] ?? "from..to: 1..100";
  return arity === "list" ? "one, or several with commas" : (EXAMPLES[type] ?? "");
}

function aboutLines(state: FormState, problems: Problems, width: number): readonly TextLine[] {
  const field = state.fields[state.at];
  if (!field) return [[span("This has nothing to filter by.", "note")]];
  const { name, param } = field;
  const problem = problems.get(name);
  const facts = factsOf(param).join(" ");
  const lines = (text: string, role: "note" | "bad" | "warning"): readonly TextLine[] =>
    text === "" ? [] : wrap(text, width).map((row) => [span(row, role)]);
  const told = problem === undefined ? [] : lines(problem.message, "bad");
  const hint = problem?.hint === undefined ? [] : lines(problem.hint, "note");
  const chosen = lines(chosenText(state), "note");
  const old = param.deprecated === undefined ? [] : lines(param.deprecated, "warning");
  // What is wrong goes first: below there may be no room for all.
  return [...told, ...hint, ...old, ...chosen, ...lines(facts, "note")];
}

/** Of a list of which a part is on view, what was chosen; nothing for other fields. */
function chosenText({ fields, entered, at }: FormState): string {
  const one = entered[at];
  if (one?.control !== "choices" || one.chosen.length === 0) return "";
  return `Chosen: ${one.chosen.map((index) => fields[at]?.options[index]?.label ?? "").join(", ")}.`;
}

/** What is to be known of a parameter, in sentences. */
function factsOf(param: Param): readonly string[] {
  const { description, needs, default: usual, role, note } = param;
  return [
    `${description}${limitsOf(param)}`,
    needs === undefined ? "" : `Needs ${needs.replaceAll("_", " ")} too`,
    usual === undefined || role === "size" ? "" : `Default: ${String(usual)}`,
    note ?? "",
  ]
    .filter(Boolean)
    .map((text) => `${text.replace(/\.$/, "")}.`);
}

/** `, 1 to 100`, `, up to 5`, `, at least 0`; nothing where all is allowed. */
function limitsOf({ arity, maxItems, min, max }: Param): string {
  if (arity === "list") return maxItems === undefined ? "" : `, up to ${maxItems}`;
  if (min === undefined) return max === undefined ? "" : `, at most ${max}`;
  return max === undefined ? `, at least ${min}` : `, ${min} to ${max}`;
}
