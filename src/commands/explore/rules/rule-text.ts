/** Rules as forms have them, and the text of a file with a rule that was added, changed or removed. */
import { isMap, isNode, isScalar, isSeq, type Pair, parseDocument, stringify, type YAMLMap } from "yaml";
import type * as z from "zod";
import { isObject, type Json, type JsonObject, objectsOf, stringifyJson } from "../../../base/index.ts";
import type { RuleField, RuleTexts } from "../../../ui/index.ts";
import { Action, findPair, Rule } from "../../watch/rules-file.ts";

/** A field of a form: one of a rule, or of its first action of a kind. */
interface FormField extends RuleField {
  readonly schema: z.ZodType;
  /** The kind of the action; undefined for a field of the rule. */
  readonly kind?: string | undefined;
}

const accepts = ({ schema }: Pick<FormField, "schema">, value: unknown) => schema.safeParse(value).success;

function fieldsOf(shape: z.ZodRawShape, kind?: string): readonly FormField[] {
  return Object.entries(shape as Readonly<Record<string, z.ZodType>>).map(([name, schema]) => {
    const { data } = schema.safeParse(undefined);
    return { name, kind, schema, description: schema.description ?? "", default: data as string | undefined };
  });
}

const OWN_FIELDS = fieldsOf(Rule.shape).filter(({ name }) => name !== "then");
/** What an action can do without is written in the file alone. */
const ACTION_FIELDS = Action.options.map(({ shape }) =>
  fieldsOf(shape, Object.keys(shape)[0]).filter((field) => !accepts(field, undefined)),
);

/** The fields of forms. */
export const RULE_FIELDS: readonly FormField[] = [...OWN_FIELDS, ...ACTION_FIELDS.flat()];

/** Returns a rule as a form has it. */
export function ruleTexts(rule: JsonObject): RuleTexts {
  const actions: JsonObject = Object.assign({}, ...objectsOf(rule.then).toReversed());
  return Object.fromEntries(
    RULE_FIELDS.flatMap(({ name, kind }) => {
      const value = (kind === undefined ? rule : actions)[name];
      return typeof value === "string" || value === true ? [[name, String(value)]] : [];
    }),
  );
}

/** Returns the value of a text in the file: `true` is no text where a field can be true. */
const parseText = (field: FormField, text: string): string | true =>
  text === "true" && accepts(field, true) ? true : text;

/** Returns the values of fields that have a text. */
const valuesOf = (fields: readonly FormField[], texts: RuleTexts): Readonly<Record<string, string | true>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const text = texts[field.name];
      return text === undefined ? [] : [[field.name, parseText(field, text)]];
    }),
  );

/** Returns the place of the first action of a kind, whose fields are known by the first of them. */
const findAction = (actions: readonly JsonObject[], [first]: readonly FormField[]): number =>
  actions.findIndex((action) => first !== undefined && first.name in action);

/** Returns a rule with the texts of a form: those that are missing are removed, and new actions come first. */
function withTexts(rule: JsonObject, texts: RuleTexts): JsonObject {
  const before = ruleTexts(rule);
  let actions = objectsOf(rule.then);
  for (const fields of ACTION_FIELDS) {
    if (fields.every(({ name }) => texts[name] === before[name])) continue;
    const [values, at] = [valuesOf(fields, texts), findAction(actions, fields)];
    if (Object.keys(values).length === 0) actions = actions.toSpliced(at, 1);
    else if (at < 0) actions = [values, ...actions];
    else {
      const others = Object.entries(actions[at] ?? {}).filter(([name]) => fields.every((field) => field.name !== name));
      actions = actions.with(at, { ...Object.fromEntries(others), ...values });
    }
  }
  // biome-ignore lint/suspicious/noThenProperty: it is the word of the file, and never awaited.
  return { ...valuesOf(OWN_FIELDS, texts), then: actions };
}

/**
 * Returns the text of a file with a rule that was added or changed, or without it. Everything else stays as it is written,
 * with all comments. Only what cannot be cut, such as rules in braces, is written anew.
 * @param texts undefined for no rule
 */
export function writeRule(text: string, name: string, texts: RuleTexts | undefined): string {
  const document = parseDocument(text);
  const file = (document.toJS() ?? {}) as JsonObject;
  const { [name]: old, ...others } = isObject(file.rules) ? file.rules : {};
  const before = isObject(old) ? old : {};
  const after = texts && withTexts(before, texts);
  const cut = applyEdits(text, findEdits(text, name, before, after));
  const whole = { ...file, rules: { ...others, ...(after && { [name]: after }) } };
  const result = parseDocument(cut);
  if (result.errors.length === 0 && stringifyJson(sorted(result.toJS())) === stringifyJson(sorted(whole))) return cut;
  if (after) document.setIn(["rules", name], document.createNode(after));
  else document.deleteIn(["rules", name]);
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

function findEdits(text: string, name: string, before: JsonObject, after?: JsonObject): readonly Edit[] {
  const rules = parseDocument(text).get("rules");
  const pair = isMap(rules) ? findPair(rules, name) : undefined;
  if (!after) return pair ? [lineEdit(text, startOf(pair.key), lastOffset(pair))] : [];
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
  return OWN_FIELDS.flatMap(({ name }): readonly Edit[] => {
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
  return ACTION_FIELDS.flatMap((fields): readonly Edit[] => {
    if (fields.every(({ name }) => old[name] === next[name])) return [];
    const values = valuesOf(fields, next);
    const item = list.items[findAction(objectsOf(before.then), fields)];
    if (isMap(item)) {
      if (Object.keys(values).length === 0) return [lineEdit(text, dashBefore(text, startOf(item)), lastOffset(item))];
      return Object.entries(values).flatMap(([name, value]) => {
        const pair = findPair(item, name);
        return pair ? scalarEdit(text, pair, value) : [];
      });
    }
    const dash = dashBefore(text, startOf(list.items[0]));
    const start = dash - columnOf(text, dash);
    const lines = Object.entries(values).map(([name, value], at) => `${at === 0 ? "-" : " "} ${name}: ${quote(value)}`);
    return [[start, start, lines.map((line) => `${text.slice(start, dash)}${line}\n`).join("")]];
  });
}

const quote = (value: string | true) =>
  typeof value === "string" && value.includes("\n")
    ? JSON.stringify(value)
    : stringify(value, { lineWidth: 0 }).trimEnd();

/** Replaces the text of a scalar, unless its value stays. */
function scalarEdit(text: string, { value: node }: Pair, value: string | true): readonly Edit[] {
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
