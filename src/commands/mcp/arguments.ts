/** Reads the arguments of tool calls: lenient where the meaning is clear, otherwise rejected with a reason. */
import { nearestName, UsageError } from "../../base/index.ts";
import type { Endpoint } from "../../catalogue/index.ts";
import { displayText } from "../../client/index.ts";
import type { ResultLimits } from "./limits.ts";

/** Unchecked arguments of a call. */
export type ToolArguments = Readonly<Record<string, unknown>>;

const argumentError = (message: string, hint?: string) =>
  new UsageError(message, { code: "ARGUMENT", ...(hint ? { hint } : {}) });

/**
 * Returns an optional string; empty if it is missing.
 * @throws UsageError for any other type
 */
export function optionalTextArg(args: ToolArguments, name: string): string {
  const value = args[name] ?? "";
  if (typeof value === "string") return value.trim();
  throw argumentError(`"${name}" must be a string`);
}

/**
 * Returns a required string.
 * @throws UsageError if it is missing
 */
export function requiredTextArg(args: ToolArguments, name: string, example: string): string {
  const value = args[name];
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  throw argumentError(`"${name}" is required (string)`, `Example: ${JSON.stringify({ [name]: example })}`);
}

/**
 * Checks the names of the arguments of a tool.
 * @throws UsageError for an unknown name, with the nearest known one
 */
export function checkArgumentNames(args: ToolArguments, tool: string, names: readonly string[]): void {
  const unknown = Object.keys(args).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const suggestion = nearestName(unknown, names);
  const hint = suggestion === undefined ? `Arguments: ${names.join(", ")}.` : `Did you mean ${suggestion}?`;
  throw new ArgumentError(unknown, argumentError(`unknown argument "${displayText(unknown)}" of ${tool}`, hint));
}

/**
 * Returns the number of requested rows, at most the maximum for rows with these fields.
 * @throws UsageError for anything but an integer from one to the maximum for few fields
 */
export function rowsArg(
  { rows: input }: ToolArguments,
  limits: ResultLimits,
  fields: readonly string[] | undefined,
): number {
  const rows = rowLimits(limits, fields);
  if (input === undefined || input === null) return rows.default;
  const count = typeof input === "string" ? Number(input) : input;
  const { maximum } = limits.selectedRows;
  if (Number.isSafeInteger(count) && (count as number) >= 1 && (count as number) <= maximum)
    return Math.min(count as number, rows.maximum);
  throw argumentError(`"rows" must be an integer from 1 to ${maximum}`);
}

const rowLimits = ({ rows, selectedRows }: ResultLimits, fields: readonly string[] | undefined) =>
  fields === undefined ? rows : selectedRows;

/** Returns a note if more rows were requested than a result can have without selected fields. */
export function rowLimitNotes(
  { rows: input }: ToolArguments,
  limits: ResultLimits,
  fields: readonly string[] | undefined,
): readonly string[] {
  const { maximum } = rowLimits(limits, fields);
  return Number(input ?? 0) > maximum
    ? [`A result has at most ${maximum} rows; with "fields" at most ${limits.selectedRows.maximum}.`]
    : [];
}

/**
 * Returns the requested fields, given as a list of paths or as one comma-separated string.
 * @throws UsageError for any other type
 */
export function fieldsArg({ fields }: ToolArguments): readonly string[] | undefined {
  if (fields === undefined || fields === null) return undefined;
  const paths = typeof fields === "string" ? fields.split(",") : fields;
  if (!Array.isArray(paths) || !paths.every((path) => typeof path === "string")) {
    throw argumentError('"fields" must be a list of paths', 'Example: {"fields":["address","metadata.name"]}');
  }
  const selected = paths.map((path: string) => path.trim()).filter((path) => path !== "");
  return selected.length === 0 ? undefined : [...new Set(selected)];
}

/** Arguments of `call_endpoint` that are not parameters of the endpoint. */
const TOOL_ARGUMENTS: ReadonlySet<string> = new Set(["endpoint", "params", "rows", "fields"]);

/**
 * Returns the parameters of an endpoint by their documented names. They may also be JSON text, arguments beside `params`,
 * the query of an endpoint URL, or spelled differently.
 * @throws UsageError when `params` is not an object
 */
export function paramsArg(args: ToolArguments, endpoint: Endpoint): ToolArguments {
  const { params } = args;
  const input = typeof params === "string" ? parseJsonText(params) : (params ?? {});
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw argumentError('"params" must be an object', `Example: ${example(endpoint)}`);
  }
  const siblings = Object.entries(args).filter(([name]) => !TOOL_ARGUMENTS.has(name));
  const names = Object.keys(endpoint.query);
  const all = [...queryParameters(args), ...siblings, ...Object.entries(input)];
  return Object.fromEntries(all.map(([name, value]) => [resolveName(names, name), toRange(value)]));
}

/** Returns the parameters in the query of an endpoint URL. A repeated name gives a list. */
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

/** Returns the documented name of a parameter, also for `fromTime`, `--from-time` and `activity_type[]`. */
function resolveName(names: readonly string[], name: string): string {
  return names.includes(name) ? name : (names.find((one) => normalizeName(one) === normalizeName(name)) ?? name);
}

/** Converts an object with two bounds to a range. */
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
 * Returns a boolean; false if it is missing.
 * @throws UsageError for any other type
 */
export function flagArg(args: ToolArguments, name: string): boolean {
  const value = args[name] ?? false;
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  throw argumentError(`"${name}" must be true or false`);
}

/** An invalid argument, by name. */
export class ArgumentError extends UsageError {
  override name = "ArgumentError";
  readonly parameter: string;

  constructor(parameter: string, { message, code, hint, candidates }: UsageError) {
    super(message, { code, ...(hint === undefined ? {} : { hint }), ...(candidates && { candidates }) });
    this.parameter = parameter;
  }
}

/** Returns the parameter that an error message is about: the one whose value it quotes, or that it names. */
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
