/** An output file while it is being written: its destination, its checkpoints, and its completion or failure. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import {
  isObject,
  type Json,
  type JsonObject,
  listWords,
  parseJson,
  pluralize,
  readLines,
  SolxError,
  toNumber,
  toSentence,
  UsageError,
  unwritableError,
  withMessage,
} from "../../base/index.ts";
import {
  ColumnTypeError,
  type ContentSchema,
  canResume,
  createFile,
  type FileSink,
  formatBytes,
  formatInfo,
  type OutputOptions,
  RESUMABLE_FORMATS,
  reopenFile,
  write,
} from "../../output/index.ts";
import { tuneHeap } from "../endpoint/tune-heap.ts";
import type { RunContext } from "../run/context.ts";
import { resumeCommand } from "../run/printed-command.ts";
import type { Checkpoint } from "./checkpoint.ts";
import {
  convertedTarget,
  errorToJson,
  exists,
  forgetFile,
  type OutputTarget,
  rememberFile,
  removePartial,
  renamePartial,
  syncFolder,
} from "./target.ts";

/** The state from which a later run resumes, returned as `resume`; a function is called when the state is saved. */
type ResumeState = JsonObject | (() => JsonObject);

interface ExportOutcome {
  readonly problem?: SolxError | undefined;
  readonly resumeState?: JsonObject | undefined;
}

interface OutputFileOptions {
  readonly context: RunContext;
  readonly target: OutputTarget;
  readonly checkpoint: Checkpoint;
  readonly sink: FileSink;
  readonly output: OutputOptions;
  /** Fields of every record of the run; for a resumed run, its last record. */
  readonly base: JsonObject;
  readonly isResumed: boolean;
}

interface ResumePoint {
  readonly number: number;
  readonly bytes: number;
  readonly output: JsonObject;
  readonly state: ResumeState;
}

const SAVE_INTERVAL_MS = 1000;
/** Minimum distance of two resume points in bytes: each may hold rows of its page in memory. */
const MIN_POINT_DISTANCE = 8192;
/** Number of bytes at the end of the partial file covered by the hash in a checkpoint. */
const TAIL_BYTES = 65_536;

/** How rows are collected for a format that cannot be written in parts: whole, since fields are selected later. */
const SPOOL_OPTIONS = { format: "ndjson", fields: undefined, textNumbers: false } as const;

/** Returns the number of rows in a record. */
export function countSavedRows({ output }: JsonObject): number {
  return isObject(output) ? numberOrZero(output.rows) : 0;
}

/** Returns a number in a record; 0 when it is missing. */
export function numberOrZero(value: Json | undefined): number {
  return toNumber(value) ?? 0;
}

/** Returns a hash of the last bytes before a position in a file. */
export async function hashTail(path: string, end: number): Promise<string> {
  const start = Math.max(0, end - TAIL_BYTES);
  const file = await open(path, "r");
  try {
    const bytes = Buffer.alloc(end - start);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    return createHash("sha256").update(bytes.subarray(0, bytesRead)).digest("hex");
  } finally {
    await file.close();
  }
}

/** The file of `--out` while it is being written, from the start or where an earlier run stopped. */
export class OutputFile {
  /** Where an earlier run stopped; undefined when this run starts at the beginning. */
  readonly resume: JsonObject | undefined;
  /** Number of rows written by earlier runs. */
  readonly previousRows: number = 0;
  /** Whether a later run can resume when this one stops. */
  readonly isResumable: boolean;
  readonly #isSpooled: boolean;
  #schema: ContentSchema = {};
  readonly #options: OutputFileOptions;
  /** The last point is the next to be saved; the earlier ones are a fallback in case the disk is full before that. */
  #points: ResumePoint[] = [];
  #count = 0;
  #savedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  #failure: unknown;
  /** Rows in the last checkpoint; undefined before the first. */
  #savedRows: number | undefined;
  /** Rows written; undefined for output that is not counted. */
  #rows: number | undefined;
  #isFolderSynced = false;
  #isOpen = true;
  #isComplete = false;

  constructor(options: OutputFileOptions) {
    const { base, isResumed } = options;
    this.#options = options;
    this.isResumable = canResume(options.output);
    this.#isSpooled = formatInfo(options.output.format).isSpooled === true;
    if (!isResumed) return;
    this.previousRows = countSavedRows(base);
    this.#rows = this.previousRows;
    this.#savedRows = this.previousRows;
    this.resume = isObject(base.reading) ? base.reading : {};
  }

  /**
   * Returns the destination to pass to `Printer.print`, once.
   * @param state called after each page for the state to resume from; undefined when resuming is impossible
   */
  destination(state?: () => ResumeState | undefined) {
    const { base, sink, isResumed } = this.#options;
    const onRows = async (output: () => JsonObject) => this.#recordPoint(output(), state?.());
    return {
      sink,
      onSchema: (schema: ContentSchema) => {
        this.#schema = schema;
      },
      options: {
        now: numberOrZero(base.now),
        ...(this.#isSpooled ? SPOOL_OPTIONS : {}),
        ...(isResumed && isObject(base.output) ? { resume: base.output } : {}),
        ...(this.isResumable ? { onRows } : {}),
      },
    };
  }

  /** Records the state of the output and of the page reader after a page. */
  async #recordPoint(output: JsonObject, state: ResumeState | undefined): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#rows = numberOrZero(output.rows);
    if (state === undefined) return;
    const bytes = await this.#options.sink.mark();
    if (bytes === undefined) return;
    this.#count += 1;
    this.#addPoint({ number: this.#count, bytes, output, state });
    // The first point is saved at once: if the disk fills up later, a checkpoint may no longer fit.
    const delay = this.#savedRows === undefined ? 0 : this.#savedAt + SAVE_INTERVAL_MS - performance.now();
    if (delay <= 0) return this.#save();
    // The next page may take long, so the current point is saved meanwhile.
    this.#timer ??= setTimeout(() => {
      this.#save().catch((error: unknown) => {
        this.#failure = error;
      });
    }, delay).unref();
  }

  #addPoint(point: ResumePoint): void {
    const points = this.#points;
    const { written } = this.#options.sink;
    points.splice(
      0,
      points.findLastIndex(({ bytes }) => bytes <= written),
    );
    const [before, last] = points.slice(-2);
    if (before && last && last.bytes - before.bytes < MIN_POINT_DISTANCE) points.pop();
    points.push(point);
  }

  #save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const saved = this.#saving.then(() => this.#saveLatest());
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  async #saveLatest(): Promise<void> {
    const point = this.#points.at(-1);
    if (!point) return;
    if (this.#isOpen) await this.#options.sink.sync();
    await this.#savePoint(point);
  }

  /** Saves the newest point whose bytes were written, after a failed write. Truncating the rest frees disk space. */
  async #saveWritten(): Promise<void> {
    const { sink, target } = this.#options;
    const point = this.#points.findLast(({ bytes }) => bytes <= sink.written);
    if (!point) return;
    const partial = await reopenFile(target.partial, point.bytes);
    await partial.sync();
    await partial.close();
    await this.#savePoint(point);
  }

  async #savePoint(point: ResumePoint): Promise<void> {
    const { target, checkpoint, base } = this.#options;
    if (!this.#isFolderSynced) await syncFolder(target.partial);
    this.#isFolderSynced = true;
    const { bytes, output } = point;
    const reading = typeof point.state === "function" ? point.state() : point.state;
    checkpoint.save({ ...base, bytes, output, reading, tail: await hashTail(target.partial, bytes) });
    // Newer points may have been added while this one was being saved.
    this.#points = this.#points.filter(({ number }) => number > point.number);
    this.#savedAt = performance.now();
    this.#savedRows = countSavedRows({ output });
  }

  /**
   * Renames the file to its final name once it contains all available data. Later failures do not affect it.
   * @param outcome an error to report nevertheless, and where reading ended, for `ExportRequest.checkEnd` of a later run
   */
  async complete({ problem, resumeState: reading }: ExportOutcome = {}): Promise<void> {
    if (this.#isComplete) return;
    const { target, sink, checkpoint, base, context } = this.#options;
    clearTimeout(this.#timer);
    await this.#saving;
    if (base.replaces !== true && (await exists(target.path))) {
      throw new UsageError(`${target.name} was created by another program during the run.`, {
        code: "EXISTS",
        hint: "Move it away, then rerun with --resume.",
      });
    }
    await sink.sync();
    this.#isOpen = false;
    await sink.close();
    const { state } = (await context.session.settings()).paths;
    const complete = this.#isSpooled ? convertedTarget(target) : target;
    const size = this.#isSpooled ? await this.#convert(complete) : sink.bytes;
    // Recorded before the rename, so that a later run knows the file whenever this one is interrupted.
    await rememberFile(state, complete, {
      run: base.run ?? null,
      rows: this.#rows ?? null,
      ...(reading && { reading }),
      ...(problem && { ending: errorToJson(problem) }),
    });
    await renamePartial(complete).catch(async (error: unknown) => {
      await forgetFile(state, target.path);
      throw unwritableError(target.name, error);
    });
    this.#isComplete = true;
    if (this.#isSpooled) await removePartial(target);
    await checkpoint.remove();
    const written = this.#rows === undefined ? "Written:" : `${pluralize(this.#rows, "row")} in`;
    await context.reporter.hint(`${written} ${target.name} (${formatBytes(size)}).`);
  }

  async #convert(converted: OutputTarget): Promise<number> {
    const { context, target, output } = this.#options;
    const { bytes, notes } = await convertSpool(target.partial, converted, this.#schema, output);
    for (const text of notes) await context.reporter.note(text);
    return bytes;
  }

  /** Saves as much as possible, closes everything and returns the error with a hint how to resume. */
  async fail(error: unknown): Promise<unknown> {
    if (this.#isComplete) return error;
    const { target, sink, checkpoint } = this.#options;
    // If neither can be saved, the previous checkpoint stays valid.
    await this.#save()
      .catch(() => this.#saveWritten())
      .catch(() => undefined);
    if (this.#isOpen) await sink.close().catch(() => undefined);
    if (this.#savedRows !== undefined) checkpoint.close();
    else {
      await removePartial(target);
      await checkpoint.remove();
    }
    return this.#explain(error);
  }

  /** Returns the error with the number of saved rows and the command that resumes the run. */
  #explain(failure: unknown): unknown {
    const { context, target, sink, output } = this.#options;
    const { signal, argv } = context.io;
    const error: unknown = signal.aborted && signal.reason instanceof SolxError ? signal.reason : failure;
    if (!(error instanceof SolxError)) return error;
    if (this.#savedRows !== undefined) {
      const saved = `${pluralize(this.#savedRows, "row")} saved in ${target.name}.partial.`;
      return withMessage(error, `${toSentence(error)} ${saved}`, { hint: resumeHint(error, argv) });
    }
    if (sink.bytes === 0) return error;
    if (this.isResumable) return withMessage(error, `${toSentence(error)} Nothing was saved.`);
    const written = output.jq === undefined ? `a ${output.format} file` : "output of jq";
    const lost = `Nothing was saved: ${written} cannot be written in parts.`;
    const hint = `Formats that can be resumed: ${listWords(RESUMABLE_FORMATS, "and")}.`;
    return withMessage(error, `${toSentence(error)} ${lost}`, { hint });
  }
}

/** Returns how to resume; undefined for a usage error, which would only repeat. */
function resumeHint({ exit, code }: SolxError, argv: readonly string[]): string | undefined {
  if (exit === "usage") return undefined;
  const command = resumeCommand(argv);
  if (code !== "UNITS_PER_DAY") return `To continue: ${command}`;
  return `To continue after 00:00 UTC: ${command}\nTo continue now, without the limit: SOLX_UNITS_PER_DAY=off ${command}`;
}

const PAGE_ROWS = 1000;
/** Characters of lines after which fewer are. */
const MAX_PAGE = 1_048_576;

/**
 * Writes the partial file of a target from compressed NDJSON. A column whose values do not fit its type gets a wider
 * one, for which the file is written again.
 * @returns its size, and the notes of writing
 */
async function convertSpool(
  spool: string,
  target: OutputTarget,
  schema: ContentSchema,
  options: OutputOptions,
): Promise<{ readonly bytes: number; readonly notes: readonly string[] }> {
  const columnFallbacks = new Map<string, number>();
  for (;;) {
    await removePartial(target);
    const sink = await createFile(target.partial);
    try {
      const content = { kind: "rows", pages: readPages(spool, options.signal) } as const;
      const { notes } = await write(content, schema, { ...options, columnFallbacks }, sink);
      await sink.sync();
      return { bytes: sink.bytes, notes };
    } catch (error) {
      await removePartial(target);
      if (!(error instanceof ColumnTypeError)) throw error;
      columnFallbacks.set(error.column, (columnFallbacks.get(error.column) ?? 0) + 1);
    } finally {
      await sink.close();
    }
  }
}

async function* readPages(spool: string, signal: AbortSignal | undefined): AsyncGenerator<readonly Json[]> {
  const limitGarbage = await tuneHeap();
  const text = createGunzip().setEncoding("utf8");
  // A failure of reading ends the iteration below.
  pipeline(createReadStream(spool), text, () => {});
  let [page, size]: [Json[], number] = [[], 0];
  for await (const lines of readLines(text)) {
    for (const line of lines) {
      page.push(parseJson(line));
      size += line.length;
    }
    signal?.throwIfAborted();
    if (page.length < PAGE_ROWS && size < MAX_PAGE) continue;
    yield page;
    limitGarbage(size);
    [page, size] = [[], 0];
  }
  if (page.length > 0) yield page;
}
