/** Arguments as models give them: read generously where there is no doubt what is meant, refused with a reason where there is. */
import { nearestName, UsageError } from "../../base/index.ts";

import type { Endpoint } from "../../catalogue/index.ts";
import { displayText } from "../../client/index.ts";
import type { ResultLimits } from "./limits.ts";

/** The arguments of a call, as they came. */
export type ToolArguments = Readonly<Record<string, unknown>>;

const argumentError = (message: string, hint?: string) =>
  new UsageError(message, { code: "ARGUMENT", ...(hint ? { hint } : {}) });

/**
 * A text that may be there; empty without it.
 * @throws UsageError for what is no text
 */
export function optionalTextArg(args: ToolArguments, name: string): string {
  const value = args[name] ?? "";
  if (typeof value === "string") return value.trim();
  throw argumentError(`"${name}" must be a text.`);
}

/**
 * A text that must be there.
 * @throws UsageError without it
 */
export function requiredTextArg(args: ToolArguments, name: string, example: string): string {
  const value = args[name];
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  throw argumentError(`"${name}" is required: a text.`, `For example: ${JSON.stringify({ [name]: example })}`);
}

/**
 * Checks that a tool has what it is called with.
 * @throws UsageError for a name that it does not have, with the nearest
 */
export function checkArgumentNames(args: ToolArguments, tool: string, names: readonly string[]): void {
  const unknown = Object.keys(args).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const suggestion = nearestName(unknown, names);
  const hint = suggestion === undefined ? `It takes ${names.join(", ")}.` : `Did you mean ${suggestion}?`;
  throw new ArgumentError(unknown, argumentError(`${tool} takes no "${displayText(unknown)}".`, hint));
}

/**
 * How many rows are wanted; what is more than the server gives is as many as it gives.
 * @throws UsageError for what is no number of rows
 */
export function rowsArg(
  { rows: input }: ToolArguments,
  limits: ResultLimits,
  fields: readonly string[] | undefined,
): number {
  const rows = fields === undefined ? limits.rows : limits.selectedRows;
  if (input === undefined || input === null) return rows.default;
  const count = typeof input === "string" ? Number(input) : input;
  if (Number.isSafeInteger(count) && (count as number) >= 1) return Math.min(count as number, rows.maximum);
  throw argumentError(`"rows" must be a whole number from 1 to ${rows.maximum}.`);
}

/**
 * The fields that are wanted: a list of paths, or one text with commas.
 * @throws UsageError for what is neither
 */
export function fieldsArg({ fields }: ToolArguments): readonly string[] | undefined {
  if (fields === undefined || fields === null) return undefined;
  const paths = typeof fields === "string" ? fields.split(",") : fields;
  if (!Array.isArray(paths) || !paths.every((path) => typeof path === "string")) {
    throw argumentError('"fields" must be a list of paths.', 'For example: {"fields":["address","metadata.name"]}');
  }
  const selected = paths.map((path: string) => path.trim()).filter((path) => path !== "");
  return selected.length === 0 ? undefined : [...new Set(selected)];
}

/** Arguments of a call beside the parameters of its endpoint. */
const TOOL_ARGUMENTS: ReadonlySet<string> = new Set(["endpoint", "params", "rows", "fields"]);

/**
 * The parameters of an endpoint, by its own names: also as JSON text, beside `params`, in the query of the URL that the
 * endpoint is given as, or in another spelling.
 * @throws UsageError for what holds no parameters
 */
export function paramsArg(args: ToolArguments, endpoint: Endpoint): ToolArguments {
  const { params } = args;
  const input = typeof params === "string" ? parseJsonText(params) : (params ?? {});
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw argumentError('"params" must be an object.', `For example: ${example(endpoint)}`);
  }
  const siblings = Object.entries(args).filter(([name]) => !TOOL_ARGUMENTS.has(name));
  const names = Object.keys(endpoint.query);
  const all = [...queryParameters(args), ...siblings, ...Object.entries(input)];
  return Object.fromEntries(all.map(([name, value]) => [resolveName(names, name), toRange(value)]));
}

/** The parameters in the query of an endpoint that is given as a URL: a list where a name is there several times. */
export function queryParameters({
  endpoint,
}: ToolArguments): readonly (readonly [string, string | readonly string[]])[] {
  const [, search = ""] = /^[^?#]*\?([^#]*)/.exec(String(endpoint)) ?? [];
  const query = new URLSearchParams(search);
  return [...new Set(query.keys())].map((name) => {
    const values = query.getAll(name);
    return [name, values.length > 1 ? values : (values[0] ?? "")];
  });
}

function parseJsonText(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function example({ examples }: Endpoint): string {
  return JSON.stringify({ params: examples[0]?.params ?? {} });
}

const normalizeName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** The name of a parameter in the endpoint's spelling: `fromTime`, `--from-time` and `activity_type[]` too. */
function resolveName(names: readonly string[], name: string): string {
  return names.includes(name) ? name : (names.find((one) => normalizeName(one) === normalizeName(name)) ?? name);
}

/** Two ends that are named are a range. */
function toRange(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  const findValue = (names: readonly string[]) => entries.find(([name]) => names.includes(name.toLowerCase()))?.[1];
  const [minimum, maximum] = [
    findValue(["min", "from", "least", "start"]),
    findValue(["max", "to", "greatest", "end"]),
  ];
  return entries.length === 2 && minimum !== undefined && maximum !== undefined ? [minimum, maximum] : value;
}

/**
 * True or false; nothing is false.
 * @throws UsageError for what is neither
 */
export function flagArg(args: ToolArguments, name: string): boolean {
  const value = args[name] ?? false;
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  throw argumentError(`"${name}" must be true or false.`);
}

/** An argument that was refused by what read it. */
export class ArgumentError extends UsageError {
  override name = "RefusedArgument";
  readonly parameter: string;

  constructor(parameter: string, { message, code, hint }: UsageError) {
    super(message, { code, ...(hint === undefined ? {} : { hint }) });
    this.parameter = parameter;
  }
}

/** The parameter that a refusal is about: the one that it names, or whose value it repeats. */
export function findRejectedParameter(message: string, params: ToolArguments): string | undefined {
  const selected = /"([a-z][\w[\]]{0,39})" (?:is|must|needs|names)|^Validation Error: (\w+) (?:is|must)/.exec(message);
  const name = selected?.[1] ?? selected?.[2];
  const isQuoted = (text: string) => message.includes(`[${text}]`) || message.includes(`"${text}"`);
  const quotedName = Object.entries(params).find(([, value]) =>
    listTexts(value).some((text) => isQuoted(displayText(text))),
  )?.[0];
  return quotedName ?? name;
}

function listTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listTexts);
  const texts = typeof value === "string" ? [value, ...value.split(",")] : [String(value)];
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}
