/** Identifiers from the command line: arguments, `@file`, and `-` for standard input. */
import { createReadStream } from "node:fs";
import { expandTypedPath, SolxError, toInterruptedError, UsageError, withMessage } from "../../base/index.ts";
import type { ValueType } from "../../catalogue/index.ts";
import type { RunContext } from "../run/context.ts";
import { noInputReason } from "../run/prompt.ts";
import { splitIdentifiers } from "./identifier-words.ts";

/** The identifiers of a command line. */
export interface IdentifierInput {
  /** All identifiers, if every one is an argument itself. */
  readonly known: readonly string[] | undefined;
  /** Their number; undefined if it is known only after reading them. */
  readonly count: number | undefined;
  /** Why some of the identifiers that were read are invalid, where that is known beyond their form. */
  readonly problems?: ReadonlyMap<string, SolxError>;
  /**
   * Reads them in order, those of standard input as they arrive. Can be called once.
   * @throws UsageError when a source cannot be read or is empty; InterruptedError when the signal fires
   */
  read(signal: AbortSignal): AsyncGenerator<string, void>;
  /** Returns the error of an invalid identifier with its file and line; other errors, and those of arguments, as is. */
  locate<Failure>(error: Failure): Failure | SolxError;
}

/** Lines that are stored; far more identifiers than wait for an answer. */
const MAX_LINES = 10_000;

/** Where the identifiers of an argument come from. */
type Source =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "file"; readonly path: string; readonly count: number | undefined }
  | { readonly kind: "stdin" };

/** Returns whether an argument names a source of identifiers: `-` or `@file`. */
export function isIdentifierSource(arg: string): boolean {
  return arg === "-" || arg.startsWith("@");
}

/**
 * Opens the identifiers of a command line. Files and standard input contain one or more per line, separated by white
 * space or commas; empty lines and comments (`#`) are skipped. Files are counted before any request is sent. An argument
 * may contain several, too, unless it is free text.
 * @throws UsageError when a file cannot be read or is empty
 */
export async function openIdentifiers(
  context: RunContext,
  args: readonly string[],
  type: ValueType,
): Promise<IdentifierInput> {
  const sources: Source[] = [];
  for (const arg of args) {
    if (arg === "-") sources.push(openStandardInput(context));
    else if (arg.startsWith("@")) sources.push(await openFile(expandTypedPath(arg.slice(1), context.io.env), context));
    else sources.push({ kind: "words", words: type === "text" ? [arg] : splitArgument(arg) });
  }
  /** The source and line of the first occurrence of the identifiers that were read last. */
  const lines = new Map<string, string>();
  const known = sources.flatMap((source) => (source.kind === "words" ? [source.words] : []));
  const sourceCounts = sources.map((source) =>
    source.kind === "words" ? source.words.length : countIdentifiers(source),
  );
  return {
    known: known.length === sources.length ? known.flat() : undefined,
    count: sourceCounts.includes(undefined)
      ? undefined
      : sourceCounts.reduce<number>((sum, count) => sum + (count ?? 0), 0),
    async *read(signal) {
      for (const source of sources) {
        if (source.kind === "words") yield* source.words;
        else if (source.kind === "file")
          yield* readIdentifiers(readFileChunks(source.path, signal), source.path, lines);
        else yield* readIdentifiers(readStandardInput(context, signal), "standard input", lines);
      }
    },
    locate(error) {
      const line = error instanceof SolxError ? lines.get(error.invalid?.value ?? "") : undefined;
      return line === undefined ? error : withMessage(error as SolxError, `${line}: ${(error as SolxError).message}`);
    },
  };
}

function splitArgument(arg: string): readonly string[] {
  return arg.includes("://") ? [arg] : arg.split(/[\s,]+/).filter((part) => part !== "");
}

function countIdentifiers(source: Exclude<Source, { kind: "words" }>): number | undefined {
  return source.kind === "file" ? source.count : undefined;
}

/** Opens a file and counts its identifiers; a named pipe can be read only once and is not counted. */
async function openFile(path: string, context: RunContext): Promise<Source> {
  const { signal } = context.io;
  const { stat } = await import("node:fs/promises");
  const info = await stat(path).catch((cause: unknown) => {
    throw unreadableError(path, cause);
  });
  if (info.isDirectory()) throw unreadableError(path, { code: "EISDIR" });
  if (!info.isFile()) return { kind: "file", path, count: undefined };
  let count = 0;
  for await (const batch of splitIdentifiers(readFileChunks(path, signal), path)) count += batch.length;
  if (count === 0) throw emptySourceError(path);
  return { kind: "file", path, count };
}

async function* readIdentifiers(
  parts: AsyncIterable<Uint8Array | string>,
  source: string,
  lines: Map<string, string>,
): AsyncGenerator<string, void> {
  let isEmpty = true;
  for await (const batch of splitIdentifiers(parts, source)) {
    isEmpty &&= batch.length === 0;
    for (const { text, line } of batch) {
      if (!lines.has(text)) lines.set(text, `${source}:${line}`);
      const [oldest] = lines.size > MAX_LINES ? lines.keys() : [];
      if (oldest !== undefined) lines.delete(oldest);
      yield text;
    }
  }
  if (isEmpty) throw emptySourceError(source);
}

function emptySourceError(source: string): UsageError {
  return new UsageError(`no identifiers in ${source}`, { hint: "Expected one identifier per line." });
}

async function* readFileChunks(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  try {
    yield* createReadStream(path, { signal });
  } catch (cause) {
    throw signal.aborted ? toInterruptedError(signal) : unreadableError(path, cause);
  }
}

function unreadableError(path: string, cause: unknown): UsageError {
  const { code } = cause as NodeJS.ErrnoException;
  const reason = code === "ENOENT" ? "no such file" : code === "EISDIR" ? "it is a directory" : String(code);
  return new UsageError(`cannot read identifiers from ${path}: ${reason}`, { cause });
}

/** @throws UsageError where no input from a person is expected */
function openStandardInput({ io }: RunContext): Source {
  const reason = io.stdin.isTTY ? noInputReason(io) : undefined;
  if (reason === undefined) return { kind: "stdin" };
  throw new UsageError(`Standard input is a terminal, and ${reason}.`, {
    code: "NO_INPUT",
    hint: "Pipe the identifiers, or name their file: @file",
  });
}

async function* readStandardInput(context: RunContext, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const { stdin } = context.io;
  if (stdin.isTTY) await context.reporter.hint("Enter identifiers, one per line; end with Ctrl-D.");
  const stop = () => stdin.destroy();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const part of stdin) yield Buffer.from(part);
    if (signal.aborted) throw toInterruptedError(signal);
  } catch (cause) {
    throw signal.aborted ? toInterruptedError(signal) : cause;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
