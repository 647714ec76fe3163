/** Failures as models get them: what went wrong, what to do about it with these tools, whether to try again. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { SolxError } from "../../base/errors.ts";
import { VALIDATION_CODE } from "../../catalogue/errors.ts";
import { type Args, parameterIn } from "./args.ts";
import { failed } from "./results.ts";
import { compact } from "./values.ts";

const KEY_HINT =
  "The key is the user's to set: SOLX_API_KEY in the settings of this server, or solx auth login in a terminal. " +
  "Without a key, a server that is started with --sandbox answers from made-up data.";

/** A failure as the result of a tool that was called with these arguments. */
export function failure(error: unknown, args: Args): CallToolResult {
  const { params, ...own } = args;
  const given = { ...own, ...(typeof params === "object" ? params : {}) };
  const known = error instanceof SolxError ? error : unexpected(error);
  const { message, code, exit, exitCode, retryable, status, retryAfter } = known;
  return failed({
    error: compact({
      message: clipped(message),
      parameter: exit === "usage" ? parameterIn(message, given) : undefined,
      hint: clipped(hintOf(known)),
      code,
      exit,
      exit_code: exitCode,
      retryable,
      status,
      retry_after: retryAfter,
    }),
  });
}

/** Characters of a sentence. */
const LONGEST = 1000;

function clipped<T extends string | undefined>(text: T): T | string {
  return text !== undefined && text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function unexpected(error: unknown): SolxError {
  const text = error instanceof Error ? error.message : String(error);
  return new SolxError("unexpected", `Something went wrong inside solx: ${text}`, { cause: error });
}

/** Hints are written for people at a prompt: what they can type is here what can be called, or asked of the user. */
function hintOf({ exit, code, hint, retryAfter }: SolxError): string | undefined {
  if (exit === "auth") return KEY_HINT;
  if (code === VALIDATION_CODE && hint === undefined)
    return "The tool describe_endpoint tells what the endpoint takes.";
  if (exit === "rateLimited") {
    return `Wait ${retryAfter === undefined ? "a minute" : `${retryAfter} seconds`}, then make the call again.`;
  }
  const known = hint?.replace(
    /see it with: solx (?:account|transaction|block) detail (\S+)/,
    'look at it with the tool show: {"what":"$1"}',
  );
  if (known === undefined || !/(^|[^\w-])(solx |--[a-z])/.test(known)) return known;
  return `For the user, in a terminal: ${known}`;
}
