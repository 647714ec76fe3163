/** Identifiers from the command line: arguments, `@file`, and `-` for standard input. */
import { expandTypedPath, readInputText, SolxError, UsageError, withMessage } from "../../base/index.ts";
import { VALIDATION_CODE, type ValueType, validationMessages } from "../../catalogue/index.ts";
import type { RunContext } from "../run/context.ts";
import { noInputReason } from "../run/prompt.ts";

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
  locate<Failure>(error: Failure): Promise<Failure | SolxError>;
}

/** Lines that are stored; far more identifiers than wait for an answer. */
const MAX_LINES = 10_000;

type Source =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "file"; readonly path: string; readonly count: number | undefined }
  | { readonly kind: "stdin" };

/** Returns the error of a command without the identifiers that it requires. */
export const missingIdentifierError = (parameter: string): UsageError =>
  new UsageError(validationMessages.required(parameter), {
    code: VALIDATION_CODE,
    invalid: { reason: "missing", parameter },
  });

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
          yield* readIdentifiers(readInputText(source.path, { signal }), source.path, lines);
        else yield* readIdentifiers(readStandardInput(context, signal), "standard input", lines);
      }
    },
    async locate(error) {
      if (!(error instanceof SolxError)) return error;
      const { withTypedNames } = await import("../run/usage-errors.ts");
      const named = withTypedNames(error, context);
      const line = lines.get(error.invalid?.value ?? "");
      return line === undefined ? named : withMessage(named, `${line}: ${named.message}`);
    },
  };
}

function splitArgument(arg: string): readonly string[] {
  return arg.includes("://") ? [arg] : arg.split(/[\s,]+/).filter((part) => part !== "");
}

function countIdentifiers(source: Exclude<Source, { kind: "words" }>): number | undefined {
  return source.kind === "file" ? source.count : undefined;
}

/** Opens a file and counts its identifiers; a pipe can be read only once and is not counted. */
async function openFile(path: string, context: RunContext): Promise<Source> {
  const { signal } = context.io;
  const { stat } = await import("node:fs/promises");
  const info = await stat(path).catch(() => undefined);
  if (info?.isFIFO()) return { kind: "file", path, count: undefined };
  let count = 0;
  for await (const batch of splitIdentifiers(readInputText(path, { signal }), path)) count += batch.length;
  if (count === 0) throw emptySourceError(path);
  return { kind: "file", path, count };
}

async function* readIdentifiers(
  parts: AsyncIterable<string>,
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

/** @throws UsageError where no input from a person is expected */
function openStandardInput({ io }: RunContext): Source {
  const reason = io.stdin.isTTY ? noInputReason(io) : undefined;
  if (reason === undefined) return { kind: "stdin" };
  throw new UsageError(`Standard input is a terminal, and ${reason}.`, {
    code: "NO_INPUT",
    hint: "Pipe the identifiers, or name their file: @file",
  });
}

async function* readStandardInput(context: RunContext, signal: AbortSignal): AsyncGenerator<string, void> {
  const { stdin } = context.io;
  if (stdin.isTTY) await context.reporter.hint("Enter identifiers, one per line; end with Ctrl-D.");
  yield* readInputText(stdin, { signal });
}

/** No identifier is longer; longer words are clipped, so that memory stays bounded. */
const MAX_LENGTH = 4096;
const CLIPPED = 100;

/** An identifier in a text. */
export interface IdentifierWord {
  readonly text: string;
  readonly line: number;
}

/**
 * Yields the words in each chunk of a text; the array of a chunk may be empty. A `#` at the start of a line or after
 * white space starts a comment, which ends with the line. A word is yielded once its end is known. A word that is too
 * long for an identifier is yielded once, clipped, with an ellipsis that makes it invalid.
 * @throws UsageError that names the source when it is not a text
 */
export async function* splitIdentifiers(
  parts: AsyncIterable<string>,
  source = "the input",
): AsyncGenerator<readonly IdentifierWord[], void> {
  const reader = new IdentifierSplitter();
  for await (const part of parts) {
    if (part.includes("\0")) throw new UsageError(`cannot read identifiers from ${source}: it is not a text file`);
    yield reader.read(part);
  }
  yield reader.read("\n");
}

class IdentifierSplitter {
  /** The character before an unfinished word, and the word as far as it was read. */
  #rest = "\n";
  #isComment = false;
  /** Whether the next characters belong to a word that was clipped. */
  #isTooLong = false;
  /** The number of the line at a position of the text; the line break before the whole text ends line 0. */
  #line = 0;
  #position = 0;

  read(part: string): IdentifierWord[] {
    const text = this.#rest + part;
    const words: IdentifierWord[] = [];
    let at = this.#isComment ? this.#afterLine(text, 0) : 0;
    if (this.#isTooLong) at = nextMatch(WORD_END, text, 1);
    this.#isTooLong &&= at === text.length;
    while (at < text.length) {
      const start = nextMatch(WORD_START, text, at);
      const end = nextMatch(WORD_END, text, start);
      const opens = text[start] === "#" && /\s/.test(text[start - 1] ?? "\n");
      this.#isComment = opens;
      if (opens) at = this.#afterLine(text, start);
      else if (end === text.length) return this.#finishChunk(text, start, words);
      else {
        const word = end - start > MAX_LENGTH ? clip(text, start) : text.slice(start, end);
        words.push({ text: word, line: this.#lineAt(text, start) });
        at = end;
      }
    }
    return this.#finishChunk(text, text.length, words);
  }

  /** Returns the index of the line's end, or of the text's end. */
  #afterLine(text: string, from: number): number {
    const end = text.indexOf("\n", from);
    this.#isComment = end < 0;
    return end < 0 ? text.length : end;
  }

  #finishChunk(text: string, start: number, words: IdentifierWord[]): IdentifierWord[] {
    this.#isTooLong ||= text.length - start > MAX_LENGTH;
    if (this.#isTooLong && start < text.length) {
      words.push({ text: clip(text, start), line: this.#lineAt(text, start) });
    }
    const next = this.#isTooLong ? text.length - 1 : Math.max(0, start - 1);
    this.#lineAt(text, next);
    this.#position = 0;
    this.#rest = text.slice(next);
    return words;
  }

  /** Returns the number of the line at an index, which is not before that of the previous call. */
  #lineAt(text: string, index: number): number {
    for (; this.#position < index; this.#position += 1) if (text[this.#position] === "\n") this.#line += 1;
    return this.#line;
  }
}

function clip(text: string, start: number): string {
  return `${text.slice(start, start + CLIPPED)}…`;
}

const WORD_START = /[^\s,]/g;
const WORD_END = /[\s,]/g;

function nextMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
