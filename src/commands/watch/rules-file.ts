/** Files of rules: YAML that names what is watched as a command line, when it matters, and what is done then. */
import { resolve } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { readInputFile, UsageError } from "../../base/index.ts";

const text = (description: string) => z.string().min(1).describe(description);
const message = text("The text, with fields of the event: {amount}, {signature}, {input}, {rule}").optional();

const Action = z.union([
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
  z.strictObject({ notify: z.union([z.literal(true), text("The text of the notification")]) }),
  z.strictObject({ file: text("A file that events are appended to, one JSON object per line") }),
  z.strictObject({ print: z.literal(true).describe("Prints events, one JSON object per line") }),
]);

const Rule = z.strictObject({
  what: text("A command line whose news is watched: account transfer @wallets.txt --flow in"),
  every: text("Time between two polls, or a cron expression such as 0 9 * * 1-5").default("60s"),
  when: text("A jq condition on the row or the change").optional(),
  changes: text("Fields whose changes count").optional(),
  // biome-ignore lint/suspicious/noThenProperty: it is the word of the file, and never awaited.
  then: z.array(Action).min(1).describe("What is done with each event"),
});

const Rules = z.strictObject({
  requests: z.number().min(1).max(100_000).optional().describe("Requests in a minute, at most, for all rules together"),
  rules: z.record(z.string().regex(/^[A-Za-z][\w-]*$/), Rule).describe("The rules, by their names"),
});

/** An action as it is written. */
export type ActionDefinition = z.infer<typeof Action>;

/** A rule as it is written. */
export type RuleDefinition = z.infer<typeof Rule>;

/** A file as it is written. */
export type RulesFile = z.infer<typeof Rules>;

/** Returns the JSON schema of files, for editors. */
export const rulesSchema = () => z.toJSONSchema(Rules, { io: "input" });

/**
 * Reads a file of rules.
 * @throws UsageError that names what is wrong where
 */
export async function readRules(path: string, signal: AbortSignal): Promise<RulesFile> {
  const content = (await readInputFile(resolve(path), { signal })).toString("utf8");
  const refusal = (reason: string) =>
    new UsageError(`${path}: ${reason}`, { hint: "The form of the file: solx help rules" });
  let value: unknown;
  try {
    value = parse(content, { maxAliasCount: 100 });
  } catch (error) {
    throw refusal((error as Error).message.split("\n")[0] ?? "it is not YAML");
  }
  const { data, error } = Rules.safeParse(value);
  if (data) return data;
  const [issue] = error.issues;
  const at = issue?.path.map(String).join(".");
  throw refusal(`${at ? `${at}: ` : ""}${issue?.message ?? "it has no rules"}`);
}
