/** Reads the arguments of tool calls: lenient where the meaning is clear, otherwise rejected with a reason. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import {
  InterruptedError,
  NetworkError,
  omitUndefined,
  type SolxError,
  suggestName,
  toKnownError,
  UsageError,
} from "../../base/index.ts";
import { type Endpoint, shortValue, VALIDATION_CODE } from "../../catalogue/index.ts";
import { displayText } from "../../client/index.ts";
import { findEndpoint } from "../endpoint/find-endpoint.ts";
import type { ResultLimits } from "./definitions.ts";
import { allowedValuesText, exampleOf } from "./describe-endpoint.ts";
import { createFailure } from "./results.ts";

/** Unchecked arguments of a call. */
export type ToolArguments = Readonly<Record<string, unknown>>;

function argumentError(parameter: string, message: string, hint?: string, reason: "value" | "unknown" = "value") {
  return new UsageError(message, { code: "ARGUMENT", hint, invalid: { reason, parameter } });
}

/** Throws an error again; one about usage names the argument of the call that it is about. */
export const aboutArgument =
  (parameter: string) =>
  (error: unknown): never => {
    throw error instanceof UsageError ? Object.assign(error, { invalid: { reason: "value", parameter } }) : error;
  };

/** Returns an optional string; empty if it is missing. Throws UsageError for any other type. */
export function optionalTextArg(args: ToolArguments, name: string): string {
  const value = args[name] ?? "";
  if (typeof value === "string") return value.trim();
  throw argumentError(name, `"${name}" must be a string`);
}

/** Returns a required string. Throws UsageError if it is missing. */
export function requiredTextArg(args: ToolArguments, name: string, example: string): string {
  const value = args[name];
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  throw argumentError(name, `"${name}" is required (string)`, `Example: ${JSON.stringify({ [name]: example })}`);
}

/** Checks the names of the arguments of a tool. Throws UsageError for an unknown name, with the nearest known one. */
export function checkArgumentNames(args: ToolArguments, tool: string, names: readonly string[]): void {
  const unknown = Object.keys(args).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const hint = suggestName(unknown, names) ?? `Arguments: ${names.join(", ")}.`;
  throw argumentError(unknown, `unknown argument "${displayText(unknown)}" of ${tool}`, hint, "unknown");
}

/** The rows that a call requests. */
export interface RequestedRows {
  /** As typed, but at most the maximum; the default otherwise. */
  readonly count: number;
  readonly isTyped: boolean;
  /** A note if more rows were requested than a result can have without selected fields. */
  readonly notes: readonly string[];
}

/** Returns the requested rows. Throws UsageError for anything but an integer from one to the maximum for few fields. */
export function rowsArg(
  { rows: input }: ToolArguments,
  limits: ResultLimits,
  fields: readonly string[] | undefined,
): RequestedRows {
  const rows = fields === undefined ? limits.rows : limits.selectedRows;
  if (input === undefined || input === null) return { count: rows.default, isTyped: false, notes: [] };
  const count = typeof input === "number" || typeof input === "string" ? Number(input) : Number.NaN;
  const { maximum } = limits.selectedRows;
  if (!Number.isSafeInteger(count) || count < 1 || count > maximum) {
    throw argumentError("rows", `"rows" must be an integer from 1 to ${maximum}`);
  }
  const note = `A result has at most ${rows.maximum} rows; with "fields" at most ${maximum}.`;
  return { count: Math.min(count, rows.maximum), isTyped: true, notes: count > rows.maximum ? [note] : [] };
}

/** Returns the requested fields: a list of paths or a comma-separated string. Throws UsageError for other types. */
export function fieldsArg({ fields }: ToolArguments): readonly string[] | undefined {
  if (fields === undefined || fields === null) return undefined;
  const paths = typeof fields === "string" ? fields.split(",") : fields;
  if (!Array.isArray(paths) || !paths.every((path) => typeof path === "string")) {
    throw argumentError(
      "fields",
      '"fields" must be a list of paths',
      'Example: {"fields":["address","metadata.name"]}',
    );
  }
  const selected = paths.map((path: string) => path.trim()).filter((path) => path !== "");
  return selected.length === 0 ? undefined : [...new Set(selected)];
}

/** Arguments of `call_endpoint` that are not parameters of the endpoint. */
const TOOL_ARGUMENTS: ReadonlySet<string> = new Set(["endpoint", "params", "rows", "fields"]);

/** Returns the parameters of an endpoint by their documented names, however they were given and spelled. */
export function paramsArg(args: ToolArguments, endpoint: Endpoint): ToolArguments {
  const { params } = args;
  const input = typeof params === "string" ? parseJsonText(params) : (params ?? {});
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw argumentError("params", '"params" must be an object', `Example: ${example(endpoint)}`);
  }
  const siblings = Object.entries(args).filter(([name]) => !TOOL_ARGUMENTS.has(name));
  const names = Object.keys(endpoint.query);
  const all = [...queryParameters(args), ...siblings, ...Object.entries(input)];
  return Object.fromEntries(all.map(([name, value]) => [resolveName(names, name), toRange(value)]));
}

/** Returns the parameters in the query of an endpoint URL. A repeated name gives a list. */
function queryParameters({ endpoint }: ToolArguments): readonly (readonly [string, string | readonly string[]])[] {
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

const example = (endpoint: Endpoint) => JSON.stringify({ params: exampleOf(endpoint) });

const normalizeName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Returns the documented name of a parameter, also for `fromTime`, `--from-time` and `activity_type[]`. */
function resolveName(names: readonly string[], name: string): string {
  return names.includes(name) ? name : (names.find((one) => normalizeName(one) === normalizeName(name)) ?? name);
}

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

/** Returns a boolean; false if it is missing. Throws UsageError for any other type. */
export function flagArg(args: ToolArguments, name: string): boolean {
  const value = args[name] ?? false;
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  throw argumentError(name, `"${name}" must be true or false`);
}

/** The candidates of an ambiguous symbol in a result; the first ones have the best reputation. */
const MAX_CANDIDATES = 8;

/**
 * Returns an error as the result of a tool call with the given arguments.
 * @param withoutKeys masks keys in texts, which may repeat what was given in place of an identifier
 */
export function failureResult(
  error: unknown,
  args: ToolArguments,
  withoutKeys: (text: string) => string,
): CallToolResult {
  const adapted = toKnownError(error);
  const { message, code, exit, exitCode, retryable, status, retryAfter, candidates, invalid } = adapted;
  return createFailure({
    error: omitUndefined({
      message: clipText(withoutKeys(message)),
      parameter: invalid?.parameter,
      hint: clipText(withoutKeys(argumentHint(adapted, args) ?? hintOf(adapted) ?? "")) || undefined,
      code,
      exit,
      exit_code: exitCode,
      retryable,
      status,
      retry_after: retryAfter,
      candidates: candidates?.slice(0, MAX_CANDIDATES),
    }),
  });
}

/** Converts the interruption of a call by its time limit to a timeout error; returns other errors unchanged. */
export function toTimeoutError(seconds: number, error: unknown): unknown {
  if (!(error instanceof InterruptedError)) return error;
  return new NetworkError(`no response within ${seconds} s, the time limit of a call`, {
    code: "TIMEOUT",
    retryable: true,
    hint: "Repeat the call or request less. The user can raise max-wait for this server.",
    cause: error,
  });
}

const MAX_TEXT_LENGTH = 1000;

function clipText<T extends string | undefined>(text: T): T | string {
  return text !== undefined && text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}

/** Whether the message of an error lists the values that the API allows. */
const listsValues = ({ invalid }: SolxError) => invalid?.reason === "value" && invalid.allowed !== undefined;

/** Returns an example for a missing parameter, or the short values of one if the message lists only those of the API. */
function argumentHint(error: SolxError, args: ToolArguments): string | undefined {
  const { reason, parameter = "" } = error.invalid ?? {};
  const endpoint = typeof args.endpoint === "string" ? findEndpoint(args.endpoint) : undefined;
  if (endpoint && reason === "missing") return `Example: ${example(endpoint)}`;
  const param = listsValues(error) ? endpoint?.query[parameter] : undefined;
  const isLonger = param?.newer !== undefined || param?.values?.some((word) => shortValue(word) !== String(word));
  return param && isLonger ? `Short values: ${allowedValuesText(param)}.` : undefined;
}

/** Returns the hint for a model: that of the error, else where the parameters are shown. */
function hintOf(error: SolxError): string | undefined {
  const isOpen = error.code === VALIDATION_CODE && !listsValues(error);
  return error.hints().tool ?? (isOpen ? "Show the parameters with the tool describe_endpoint." : undefined);
}
