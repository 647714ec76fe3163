/** What a program does about an error: the hints of the library, in place of those for people at a command line. */
import type { ExitName, SolxError } from "./base/index.ts";

const KEY = "Pass a valid API key: createClient({ key }).";
const NODE = "Use another node: createClient({ rpc }).";
const LONGER = "Request less at once, or allow more time: the option timeouts of createClient, or timeout of the call.";
const AUTHORITY = "If you trust it, pass the certificate of its authority: createClient({ caCert }).";

/** Hints by the code of an error, or by its class where the code has none. */
const HINTS: Readonly<Record<string, string> & Partial<Record<ExitName, string>>> = {
  auth: KEY,
  BAD_KEY: KEY,
  NO_NODE: "Pass a node: createClient({ rpc }).",
  MISSING_HISTORY: NODE,
  NODE_UNSUPPORTED: "Use another node, or the API: a client without rpc.",
  OFFLINE: 'The cache has no such answer: createClient({ cache: { file, mode: "use" } }) requests it.',
  UNITS_PER_DAY: "Wait for the next day (UTC), or raise unitsPerDay of the client or its rate limiter.",
  rateLimited: "Wait and try again, or let the client wait longer: createClient({ maxWait }).",
  TIMEOUT: LONGER,
  FIRST_BYTE_TIMEOUT: LONGER,
  IDLE_TIMEOUT: LONGER,
  TLS_UNTRUSTED: AUTHORITY,
  UNKNOWN_SYMBOL: "To search for similar names: client.token.search({ keyword }).",
  AMBIGUOUS_SYMBOL: "Pass the mint of one of the candidates.",
  DRIFT: "Without the option strict it is an event, and the answer is returned.",
};

/** Text that only somebody at a command line can use. */
const COMMAND_LINE = /(^|[^\w-])(solx [a-z]|--[a-z]|SOLX_)/;

/** Gives an error the hint for programs, in place; hints without a command stay. */
export function adviseProgram<E extends SolxError>(error: E): E {
  const { code, exit, hint } = error;
  if (hint === undefined || !COMMAND_LINE.test(hint)) return error;
  return Object.assign(error, { hint: HINTS[code] ?? HINTS[exit] });
}
