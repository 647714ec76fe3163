/** Failures as models get them: what went wrong, what to do about it with these tools, whether to try again. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import { errorMessage, InterruptedError, NetworkError, SolxError } from "../../base/index.ts";

import { shortValue, VALIDATION_CODE } from "../../catalogue/index.ts";

import { ArgumentError, findRejectedParameter, queryParameters, type ToolArguments } from "./arguments.ts";
import { allowedValuesText } from "./describe.ts";
import { findEndpoint } from "./find-endpoint.ts";
import { createFailure } from "./results.ts";
import { compact } from "./values.ts";

const KEY_HINT =
  "The key is the user's to set: SOLX_API_KEY in the settings of this server, or solx auth login in a terminal. " +
  "Without a key, a server that is started with --sandbox answers from made-up data.";

/** A failure as the result of a tool that was called with these arguments. */
export function failureResult(error: unknown, args: ToolArguments): CallToolResult {
  const { params, ...others } = args;
  const inputs = {
    ...Object.fromEntries(queryParameters(args)),
    ...others,
    ...(typeof params === "object" ? params : {}),
  };
  const adapted = error instanceof SolxError ? error : toUnexpectedError(error);
  const { message, code, exit, exitCode, retryable, status, retryAfter } = adapted;
  return createFailure({
    error: compact({
      message: clipText(message),
      parameter: exit === "usage" ? rejectedParameter(adapted, inputs) : undefined,
      hint: clipText(allowedValuesHint(message, args) ?? adaptHint(adapted)),
      code,
      exit,
      exit_code: exitCode,
      retryable,
      status,
      retry_after: retryAfter,
    }),
  });
}

function rejectedParameter(error: SolxError, inputs: ToolArguments): string | undefined {
  return error instanceof ArgumentError ? error.parameter : findRejectedParameter(error.message, inputs);
}

/** The failure of a call that was ended since it took all of its time; another failure stays what it is. */
export function toTimeoutError(seconds: number, error: unknown): unknown {
  if (!(error instanceof InterruptedError)) return error;
  return new NetworkError(`No answer came within ${seconds} s, which is as long as a call may take.`, {
    code: "TIMEOUT",
    retryable: true,
    hint: "Make the call again, or ask for less. The user can raise max-wait for this server.",
    cause: error,
  });
}

/** Characters of a sentence. */
const MAX_TEXT_LENGTH = 1000;

function clipText<T extends string | undefined>(text: T): T | string {
  return text !== undefined && text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}

function toUnexpectedError(error: unknown): SolxError {
  const text = errorMessage(error);
  return new SolxError("unexpected", `Something went wrong inside solx: ${text}`, { cause: error });
}

const ONE_OF = " must be one of ";

/** The words that may be written for a parameter, where the message lists only the API's own. */
function allowedValuesHint(message: string, args: ToolArguments): string | undefined {
  const name = new RegExp(`"([\\w[\\]]+)"${ONE_OF}`).exec(message)?.[1];
  if (name === undefined || typeof args.endpoint !== "string") return undefined;
  const param = findEndpoint(args.endpoint).query[name];
  const isLonger = param?.newer !== undefined || param?.values?.some((word) => shortValue(word) !== String(word));
  return param && isLonger ? `In short: ${allowedValuesText(param)}.` : undefined;
}

const DESCRIBE_HINT = "The tool describe_endpoint tells what the endpoint takes.";

/** What people type, and what models call instead. */
const HINT_REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/see it with: solx (?:account|transaction|block) detail (\S+)/, 'look at it with the tool show: {"what":"$1"}'],
  [/Both ends are needed: .*$/, "Both ends are needed, as a list: [1, 100]."],
  [/find the mint with solx (token \w+) or solx (token \w+)/, "find the mint with call_endpoint: $1 or $2"],
  [/,? or allow more time: --timeout <seconds>/, ". The user can raise timeout for this server"],
  [/,? or allow (?:a longer wait|to wait): --max-wait <seconds>.*$/, ". The user can raise max-wait for this server."],
  [/: -o json shows it, or --columns where there is room/, " from an answer"],
];

/** Hints are written for people at a prompt: what they can type is here what can be called, or asked of the user. */
function adaptHint({ exit, code, hint, message, retryAfter }: SolxError): string | undefined {
  if (exit === "auth") return KEY_HINT;
  // Where the message has the list, there is nothing more to tell.
  if (code === VALIDATION_CODE && hint === undefined)
    return message.includes(" must be one of ") ? undefined : DESCRIBE_HINT;
  if (exit === "rateLimited") {
    return `Wait ${retryAfter === undefined ? "a minute" : `${retryAfter} seconds`}, then make the call again.`;
  }
  const adapted = HINT_REPLACEMENTS.reduce((text, [typed, called]) => text?.replace(typed, called), hint);
  if (adapted === undefined || !/(^|[^\w-])(solx |--[a-z])/.test(adapted)) return adapted;
  return `For the user, in a terminal: ${adapted}`;
}
