/** Errors as tool results: the message, a hint in terms of the tools, and whether to retry. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import { errorMessage, InterruptedError, NetworkError, omitUndefined, SolxError } from "../../base/index.ts";
import { shortValue, VALIDATION_CODE } from "../../catalogue/index.ts";
import { ArgumentError, findRejectedParameter, queryParameters, type ToolArguments } from "./arguments.ts";
import { allowedValuesText } from "./describe.ts";
import { findEndpoint } from "./find-endpoint.ts";
import { createFailure } from "./results.ts";

const KEY_HINT =
  "The user sets the key: SOLX_API_KEY in the configuration of this server, or solx auth login in a terminal. " +
  "Without a key, start the server with --sandbox to use simulated data.";

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
  const { params, ...others } = args;
  const inputs = {
    ...Object.fromEntries(queryParameters(args)),
    ...others,
    ...(typeof params === "object" ? params : {}),
  };
  const adapted = error instanceof SolxError ? error : toUnexpectedError(error);
  const { message, code, exit, exitCode, retryable, status, retryAfter, candidates } = adapted;
  return createFailure({
    error: omitUndefined({
      message: clipText(withoutKeys(message)),
      parameter: exit === "usage" ? rejectedParameter(adapted, inputs) : undefined,
      hint: clipText(withoutKeys(allowedValuesHint(message, args) ?? adaptHint(adapted) ?? "")) || undefined,
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

function rejectedParameter(error: SolxError, inputs: ToolArguments): string | undefined {
  return error instanceof ArgumentError
    ? error.parameter
    : (error.invalid?.parameter ?? findRejectedParameter(error.message, inputs));
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

/** Maximum length of a text in characters. */
const MAX_TEXT_LENGTH = 1000;

function clipText<T extends string | undefined>(text: T): T | string {
  return text !== undefined && text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}

function toUnexpectedError(error: unknown): SolxError {
  const text = errorMessage(error);
  return new SolxError("unexpected", `internal error: ${text}`, { cause: error });
}

const ONE_OF = " must be one of ";

/** Returns the short values of a parameter if the message lists only those of the API. */
function allowedValuesHint(message: string, args: ToolArguments): string | undefined {
  const name = new RegExp(`"([\\w[\\]]+)"${ONE_OF}`).exec(message)?.[1];
  if (name === undefined || typeof args.endpoint !== "string") return undefined;
  const param = findEndpoint(args.endpoint).query[name];
  const isLonger = param?.newer !== undefined || param?.values?.some((word) => shortValue(word) !== String(word));
  return param && isLonger ? `Short values: ${allowedValuesText(param)}.` : undefined;
}

const DESCRIBE_HINT = "Show the parameters with the tool describe_endpoint.";

/** Parts of hints for the command line, and their replacements for tools. */
const HINT_REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/To see it: solx (?:account|transaction|block) detail (\S+)/, 'To see it, use the tool show: {"what":"$1"}'],
  [/A range has two ends: .*$/, "Pass a range as a list: [1, 100]."],
  [
    /: solx token search (\S+)(?: --search-mode fuzzy)?$/,
    ', call_endpoint: {"endpoint":"token search","params":{"keyword":"$1","search_mode":"fuzzy"}}',
  ],
  [/,? or allow more time: --timeout <seconds>/, ". The user can raise timeout for this server"],
  [
    /,? or (?:allow a longer wait|wait for it): --max-wait <seconds>.*$/,
    ". The user can raise max-wait for this server.",
  ],
  [/: print it with -o json.*$/, ", from an answer."],
];

/** Adapts a hint for the command line: commands become tool calls or requests to the user. */
function adaptHint({ exit, code, hint, message, retryAfter }: SolxError): string | undefined {
  if (exit === "auth") return KEY_HINT;
  // The message already lists the allowed values.
  if (code === VALIDATION_CODE && hint === undefined)
    return message.includes(" must be one of ") ? undefined : DESCRIBE_HINT;
  if (exit === "rateLimited") {
    return `Wait ${retryAfter === undefined ? "a minute" : `${retryAfter} seconds`}, then repeat the call.`;
  }
  const adapted = HINT_REPLACEMENTS.reduce((text, [typed, called]) => text?.replace(typed, called), hint);
  if (adapted === undefined || !/(^|[^\w-])(solx |--[a-z])/.test(adapted)) return adapted;
  return `For the user, in a terminal: ${adapted}`;
}
