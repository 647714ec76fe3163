/** Rules as forms have them, and the text of a file with a rule that was added or changed. */
import { isMap, isNode, isScalar, isSeq, type Pair, parseDocument, stringify, type YAMLMap } from "yaml";
import type * as z from "zod";
import { isObject, type Json, type JsonObject, objectsOf, stringifyJson } from "../../base/index.ts";
import type { RuleField, RuleTexts } from "../../ui/index.ts";
import { Action, findPair, Rule } from "./rules-file.ts";

/** A field of a form: one of a rule, or the text of its first action of a kind. */
interface FormField extends RuleField {
  readonly isAction: boolean;
}

const isOptional = ([, schema]: readonly [string, z.ZodType]) => schema.safeParse(undefined).success;

/** The fields of forms. Actions that one text does not describe are written in the file alone. */
export const RULE_FIELDS: readonly FormField[] = [
  ...Object.entries(Rule.shape).flatMap(([name, schema]) => {
    const { description = "" } = schema;
    const { data } = (schema as z.ZodType).safeParse(undefined);
    return name === "then" ? [] : [{ name, description, isAction: false, default: data as string | undefined }];
  }),
  ...Action.options.flatMap(({ shape }) => {
    const [[name, { description = "" }], ...others] = Object.entries(shape) as [[string, z.ZodType]];
    return description === "" || name === "print" || !others.every(isOptional)
      ? []
      : [{ name, description, isAction: true }];
  }),
];

/** Returns a rule as a form has it. */
export function ruleTexts(rule: JsonObject): RuleTexts {
  const actions: JsonObject = Object.assign({}, ...objectsOf(rule.then).toReversed());
  return Object.fromEntries(
    RULE_FIELDS.flatMap(({ name, isAction }) => {
      const value = (isAction ? actions : rule)[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}

/** Returns a rule with the texts of a form: those that are missing are removed, and new actions come first. */
function withTexts(rule: JsonObject, texts: RuleTexts): JsonObject {
  const before = ruleTexts(rule);
  const fields = RULE_FIELDS.filter(({ isAction }) => !isAction).flatMap(({ name }) =>
    texts[name] === undefined ? [] : [[name, texts[name]] as const],
  );
  let actions = objectsOf(rule.then);
  for (const { name } of RULE_FIELDS.filter(({ isAction }) => isAction)) {
    const [text, at] = [texts[name], actions.findIndex((action) => typeof action[name] === "string")];
    if (text === before[name]) continue;
    if (text === undefined) actions = actions.toSpliced(at, 1);
    else actions = at < 0 ? [{ [name]: text }, ...actions] : actions.with(at, { ...actions[at], [name]: text });
  }
  // biome-ignore lint/suspicious/noThenProperty: it is the word of the file, and never awaited.
  return { ...Object.fromEntries(fields), then: actions };
}

/**
 * Returns the text of a file with a rule that was added or changed. Everything else stays as it is written, with all
 * comments. Only what cannot be cut, such as rules in braces, is written anew.
 */
export function writeRule(text: string, name: string, texts: RuleTexts): string {
  const document = parseDocument(text);
  const file = (document.toJS() ?? {}) as JsonObject;
  const rules = isObject(file.rules) ? file.rules : {};
  const before = isObject(rules[name]) ? rules[name] : {};
  const after = withTexts(before, texts);
  const cut = applyEdits(text, findEdits(text, name, before, after));
  const whole = { ...file, rules: { ...rules, [name]: after } };
  const result = parseDocument(cut);
  if (result.errors.length === 0 && stringifyJson(sorted(result.toJS())) === stringifyJson(sorted(whole))) return cut;
  document.setIn(["rules", name], document.createNode(after));
  return document.toString({ lineWidth: 0 });
}

/** Returns a value with its names in order, for comparisons. */
const sorted = (value: Json): Json =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toSorted()
          .map(([name, inner]) => [name, sorted(inner)]),
      )
    : Array.isArray(value)
      ? value.map(sorted)
      : value;

/** A part of a text that is replaced. */
type Edit = readonly [start: number, end: number, text: string];

const applyEdits = (text: string, edits: readonly Edit[]): string =>
  edits
    .toSorted(([a, aEnd], [b, bEnd]) => b - a || bEnd - aEnd)
    .reduce((before, [start, end, part]) => before.slice(0, start) + part + before.slice(end), text);

function findEdits(text: string, name: string, before: JsonObject, after: JsonObject): readonly Edit[] {
  const rules = parseDocument(text).get("rules");
  const pair = isMap(rules) ? findPair(rules, name) : undefined;
  if (isMap(pair?.value))
    return [...fieldEdits(text, pair.value, after), ...actionEdits(text, pair.value, before, after)];
  if (!isMap(rules)) {
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    return [[text.length, text.length, `${gap}${stringify({ rules: { [name]: after } }, { lineWidth: 0 })}`]];
  }
  const end = lineEnd(text, lastOffset(rules));
  const lines = stringify({ [name]: after }, { lineWidth: 0 })
    .trimEnd()
    .split("\n");
  const margin = " ".repeat(columnOf(text, startOf(rules.items[0]?.key)));
  return [
    [
      end,
      end,
      lines.map((line) => `${text.endsWith("\n") || line !== lines[0] ? "" : "\n"}${margin}${line}\n`).join(""),
    ],
  ];
}

function fieldEdits(text: string, rule: YAMLMap, after: JsonObject): readonly Edit[] {
  const behind = startOf(findPair(rule, "then")?.key);
  return RULE_FIELDS.filter(({ isAction }) => !isAction).flatMap(({ name }): readonly Edit[] => {
    const [pair, value] = [findPair(rule, name), after[name]];
    if (pair && typeof value === "string") return scalarEdit(text, pair, value);
    if (pair) return [lineEdit(text, startOf(pair.key), lastOffset(pair))];
    if (typeof value !== "string") return [];
    return [[behind, behind, `${name}: ${quote(value)}\n${" ".repeat(columnOf(text, behind))}`]];
  });
}

function actionEdits(text: string, rule: YAMLMap, before: JsonObject, after: JsonObject): readonly Edit[] {
  const list = findPair(rule, "then")?.value;
  if (!isSeq(list)) return [];
  const [old, next] = [ruleTexts(before), ruleTexts(after)];
  return RULE_FIELDS.filter(({ name, isAction }) => isAction && old[name] !== next[name]).flatMap(
    ({ name }): readonly Edit[] => {
      const value = next[name];
      const item = list.items.find((one) => isMap(one) && isScalar(findPair(one, name)?.value));
      const pair = isMap(item) ? findPair(item, name) : undefined;
      if (pair && value !== undefined) return scalarEdit(text, pair, value);
      if (pair) return [lineEdit(text, dashBefore(text, startOf(item)), lastOffset(item))];
      const dash = dashBefore(text, startOf(list.items[0]));
      const start = dash - columnOf(text, dash);
      return [[start, start, `${text.slice(start, dash)}- ${name}: ${quote(value ?? "")}\n`]];
    },
  );
}

const quote = (value: string) =>
  value.includes("\n") ? JSON.stringify(value) : stringify(value, { lineWidth: 0 }).trimEnd();

/** Replaces the text of a scalar, unless its value stays. */
function scalarEdit(text: string, { value: node }: Pair, value: string): readonly Edit[] {
  if (!isScalar(node) || !node.range || node.value === value) return [];
  const [start, end] = node.range;
  return [[start, end, `${quote(value)}${text.slice(start, end).endsWith("\n") ? "\n" : ""}`]];
}

/** Removes the lines of a part. */
function lineEdit(text: string, start: number, last: number): Edit {
  return [start - columnOf(text, start), lineEnd(text, last), ""];
}

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);
const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf("\n", offset - 1) + 1);
const dashBefore = (text: string, offset: number): number => text.lastIndexOf("-", offset - 1);

/** Returns the offset behind the line of the character before an offset. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset - 1);
  return end < 0 ? text.length : end + 1;
}

/** Returns the end of the last scalar in a node: comments and empty lines behind it are not of it. */
function lastOffset(node: unknown): number {
  if (isMap(node) || isSeq(node)) return Math.max(startOf(node), ...node.items.map(lastOffset));
  if (isScalar(node)) return node.range?.[1] ?? 0;
  const { key, value } = (node ?? {}) as Partial<Pair>;
  return key === undefined ? 0 : Math.max(lastOffset(key), lastOffset(value));
}
