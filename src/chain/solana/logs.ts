/** Log lines of a transaction: the calls of programs, with what each printed. */

/** One log line, by what it reports. */
type LogLine =
  | { readonly kind: "invoke"; readonly program: string; readonly depth: number }
  | { readonly kind: "success"; readonly program: string }
  | { readonly kind: "failure"; readonly program: string; readonly reason: string }
  | { readonly kind: "units"; readonly program: string; readonly used: number; readonly limit: number }
  /** Data of events, and that the log is cut off. */
  | { readonly kind: "data" | "truncated" }
  | { readonly kind: "text"; readonly text: string };

/** A text that a program printed, or a call that it made. */
type LogEntry = string | LogCall;

/** A call of a program. */
export interface LogCall {
  readonly program: string;
  /** 1 for top-level instructions. */
  readonly depth: number;
  /** In the order of the log. Texts are without `Program log: `. */
  readonly entries: readonly LogEntry[];
  /** Compute units that it used, with those of its calls; undefined where the log does not report them. */
  readonly units: number | undefined;
  /** Compute units that were left when it began. */
  readonly unitLimit: number | undefined;
  /** Undefined where the log ends before the call. */
  readonly outcome: "success" | "failure" | undefined;
  /** Why it failed, as the log says it. */
  readonly failure: string | undefined;
}

const CALL = /^Program (\w{32,44}) (?:invoke \[(\d+)\]|(success)|failed: (.*)|consumed (\d+) of (\d+) compute units)$/s;
const TEXT = /^Program (?:log|return): /;
const DATA = "Program data: ";
const TRUNCATED = "Log truncated";
/** How the first versions wrote calls: with a 0-based depth and the kind of the program. */
const OLD_CALL = /^Call (?:BPF|native) program (\w{32,44})(?: \((\d+)\))?$/;

/** Returns what a log line reports. */
export function parseLogLine(line: string): LogLine {
  const call = line.startsWith("Program ") ? CALL.exec(line) : null;
  if (call !== null) return callLine(call);
  if (line.startsWith(DATA)) return { kind: "data" };
  if (line === TRUNCATED) return { kind: "truncated" };
  const old = line.startsWith("Call ") ? OLD_CALL.exec(line) : null;
  if (old !== null) return { kind: "invoke", program: old[1] as string, depth: Number(old[2] ?? 0) + 1 };
  return { kind: "text", text: line.replace(TEXT, "") };
}

function callLine([, program = "", depth, success, reason, used, limit]: RegExpExecArray): LogLine {
  if (depth !== undefined) return { kind: "invoke", program, depth: Number(depth) };
  if (success !== undefined) return { kind: "success", program };
  if (reason !== undefined) return { kind: "failure", program, reason };
  return { kind: "units", program, used: Number(used), limit: Number(limit) };
}

type OpenCall = { -readonly [Name in keyof LogCall]: LogCall[Name] } & { entries: LogEntry[] };

/**
 * Returns the calls of the top-level instructions in a log, which precompiled programs are not in. Lines that do not fit
 * the nesting do not disturb the others; those outside of any call are left out.
 */
export function logTree(logs: readonly string[]): readonly LogCall[] {
  const calls: LogCall[] = [];
  const open: OpenCall[] = [];
  for (const text of logs) {
    const line = parseLogLine(text);
    if (line.kind === "invoke") openCall(line, open, calls);
    else addToCall(line, open);
  }
  return calls;
}

function openCall({ program, depth }: LogLine & { kind: "invoke" }, open: OpenCall[], calls: LogCall[]): void {
  const call: OpenCall = {
    program,
    depth,
    entries: [],
    units: undefined,
    unitLimit: undefined,
    outcome: undefined,
    failure: undefined,
  };
  // Calls whose end is not in the log end where one of the same depth begins.
  open.length = Math.min(open.length, Math.max(0, depth - 1));
  const parent = open.at(-1);
  if (parent === undefined) calls.push(call);
  else parent.entries.push(call);
  open.push(call);
}

function addToCall(line: LogLine, open: OpenCall[]): void {
  const call = open.at(-1);
  if (call === undefined) return;
  if (line.kind === "text") call.entries.push(line.text);
  else if (line.kind === "units") [call.units, call.unitLimit] = [line.used, line.limit];
  else if (line.kind === "success") endCall(open, "success");
  else if (line.kind === "failure") endCall(open, "failure", line.reason);
}

function endCall(open: OpenCall[], outcome: "success" | "failure", failure?: string): void {
  const call = open.pop();
  if (call !== undefined) [call.outcome, call.failure] = [outcome, failure];
}
