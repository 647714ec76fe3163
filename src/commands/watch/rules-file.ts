/** Files of rules: YAML that names what is watched as a command line, when it matters, and what is done then. */
import { resolve } from "node:path";
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  type YAMLMap,
} from "yaml";
import * as z from "zod";
import { errorMessage, readInputFile, UsageError } from "../../base/index.ts";

const text = (description: string) => z.string().min(1).describe(description);
const message = text("The text, with fields of the event: {amount}, {signature}, {input}, {rule}").optional();

/** What is done with an event. */
export const Action = z.union([
  z.strictObject({ exec: text("A program and its arguments; the row is on its standard input, as JSON") }),
  z.strictObject({
    webhook: text("A URL that the event is sent to as JSON; environment variables as in a shell with braces"),
    secret: text("Signs the request; environment variables as in a shell with braces").optional(),
  }),
  z.strictObject({ slack: text("URL of an incoming webhook of Slack"), text: message }),
  z.strictObject({ discord: text("URL of a webhook of Discord"), text: message }),
  z.strictObject({
    telegram: text("URL of sendMessage of a bot of Telegram"),
    chat: text("Identifier of the chat"),
    text: message,
  }),
  z.strictObject({
    notify: z
      .union([z.literal(true), text("The text")])
      .describe("The text of a notification; true for the first fields"),
  }),
  z.strictObject({ file: text("A file that events are appended to, one JSON object per line") }),
  z.strictObject({ print: z.literal(true).describe("Prints events, one JSON object per line") }),
]);

/** A rule. */
export const Rule = z.strictObject({
  what: text("A command line whose news is watched: account transfer @wallets.txt --flow in"),
  every: text("Time between two polls, or a cron expression such as 0 9 * * 1-5").default("60s"),
  when: text("A jq condition on the row or the change").optional(),
  changes: text("Fields whose changes count").optional(),
  // biome-ignore lint/suspicious/noThenProperty: it is the word of the file, and never awaited.
  then: z.array(Action).min(1, "it has no actions").describe("What is done with each event"),
});

const RuleName = z.string().regex(/^[A-Za-z][\w-]*$/, "a name starts with a letter; then letters, digits, - and _");

const Rules = z.strictObject({
  requests: z.number().min(1).max(100_000).optional().describe("Requests in a minute, at most, for all rules together"),
  rules: z.record(RuleName, Rule).describe("The rules, by their names"),
});

/** An action as it is written. */
export type ActionDefinition = z.infer<typeof Action>;

/** A rule as it is written. */
export type RuleDefinition = z.infer<typeof Rule>;

/** A file as it is written. */
export type RulesFile = z.infer<typeof Rules>;

/** The forms of the file, by the types of the validator. */
const FORMS: Readonly<Record<string, string>> = {
  object: "lines of the form name: value",
  record: "rules by their names",
  array: "a list",
  string: "a text",
  number: "a number",
};

/** Says what was expected in place of a value of another form, in the words of the manual. */
const describeForm: z.core.$ZodErrorMap = ({ code, expected, input }) => {
  if (code !== "invalid_type") return undefined;
  if (input === undefined) return "it is missing";
  const form = input === null ? "nothing" : FORMS[Array.isArray(input) ? "array" : typeof input];
  return `expected ${FORMS[String(expected)] ?? expected}, got ${form ?? String(input)}`;
};

/** Returns the JSON schema of files, for editors. */
export const rulesSchema = () => z.toJSONSchema(Rules, { io: "input" });

/** Rules as they are written, and where. */
export interface WrittenRules extends RulesFile {
  /** Returns the file and the line of a part of it, the first one for what is missing: `rules.yaml:3`. */
  readonly placeOf: (path: readonly PropertyKey[]) => string;
}

/** @throws UsageError that names what is wrong where */
export async function readRules(path: string, signal: AbortSignal): Promise<WrittenRules> {
  return parseRules(await readInputFile(resolve(path), { signal }), path);
}

/**
 * Parses the text of a file of rules.
 * @param path the file, as it was typed
 * @throws UsageError that names what is wrong where
 */
export function parseRules(text: string, path: string): WrittenRules {
  const lines = new LineCounter();
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines });
  const placeAt = (offset: number) => `${path}:${Math.max(1, lines.linePos(offset).line)}`;
  const placeOf = (parts: readonly PropertyKey[]) => placeAt(offsetOf(document, parts));
  const refusal = (place: string, reason: string) =>
    new UsageError(`${place}: ${reason}`, { hint: "The form of the file: solx help rules" });
  const [wrong] = document.errors;
  if (wrong) throw refusal(placeAt(wrong.pos[0]), wrong.message);
  const { data, error } = Rules.safeParse(
    readValue(document, (reason) => refusal(path, reason)),
    { error: describeForm },
  );
  if (data) return { ...data, placeOf };
  const issue = innermost(error.issues[0]);
  const at = issue?.path ?? [];
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const name = at.length === 0 ? "" : `${at.map(String).join(".")}: `;
  throw refusal(placeOf([...at, ...unknown]), `${name}${issue?.message ?? "it has no rules"}`);
}

/** Returns what is wrong with a name, or with the action that was meant: the one with the fewest faults. */
function innermost(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code === "invalid_key") return issue.issues[0] && { ...issue.issues[0], path: issue.path };
  if (issue?.code !== "invalid_union") return issue;
  const [best = [], next] = issue.errors.toSorted((a, b) => a.length - b.length);
  const [inner] = best;
  const isMeant = inner !== undefined && best.length < (next?.length ?? Number.POSITIVE_INFINITY);
  if (isMeant) return innermost({ ...inner, path: [...issue.path, ...inner.path] });
  const kinds = Action.options.map(({ shape }) => Object.keys(shape)[0]);
  return { ...issue, message: `expected one of ${kinds.join(", ")}` };
}

function readValue(document: Document, refusal: (reason: string) => UsageError): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw refusal(errorMessage(error));
  }
}

/** Returns where a part of a document begins, or the last part on the way to it that exists. */
function offsetOf({ contents }: Document, path: readonly PropertyKey[]): number {
  let [node, offset]: [unknown, number] = [contents, 0];
  for (const part of path) {
    const pair = isMap(node) ? findPair(node, String(part)) : undefined;
    const key: unknown = isSeq(node) ? node.items[Number(part)] : pair?.key;
    if (!isNode(key) || !key.range) break;
    [node, offset] = [pair ? pair.value : key, key.range[0]];
  }
  return offset;
}

/** Returns the entry of a map with a name. */
export const findPair = (map: YAMLMap, name: string): Pair | undefined =>
  map.items.find(({ key }) => (isScalar(key) ? String(key.value) : key) === name);
