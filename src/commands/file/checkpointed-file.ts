/** A file while it is written: where the rows go, what is saved of the run, and how it ends. */

import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { SolxError, toSentence, UsageError, withMessage } from "../../base/errors.ts";
import { isObject, type Json, type JsonObject, toNumber } from "../../base/json.ts";
import { pluralize } from "../../base/text.ts";
import { canResume, type OutputOptions } from "../../output/index.ts";
import { type FileSink, reopenFile } from "../../output/stream/file-sink.ts";
import { formatBytes } from "../../output/values/cell.ts";
import type { RunContext } from "../run/context.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { errorToJson, forgetFile, rememberFile } from "./completed-files.ts";
import type { ExportOutcome, OutputFile, ResumeState } from "./output-file.ts";
import { resumeCommand, withUnitsPerDay } from "./run-identity.ts";
import { exists, type OutputTarget, removePartial, renamePartial, syncFolder, unwritableError } from "./target.ts";

/** A file that is open, and what becomes of it when the work fails. */
export interface OpenOutputFile extends OutputFile {
  /** Keeps what can be kept, closes everything and gives the failure as it is to be told. */
  fail(error: unknown): Promise<unknown>;
}

/** What a file is written with. */
export interface CheckpointedFileOptions {
  readonly context: RunContext;
  readonly target: OutputTarget;
  readonly checkpoint: Checkpoint;
  readonly sink: FileSink;
  readonly options: OutputOptions;
  /** What every record of the run has; of a run that goes on, its last record. */
  readonly base: JsonObject;
  readonly isResumed: boolean;
}

/** Where the output and the reading are after a page. */
interface ResumePoint {
  /** Of all marks of the run. */
  readonly number: number;
  readonly bytes: number;
  readonly output: JsonObject;
  readonly state: ResumeState;
}

/** Milliseconds between two checkpoints. */
const SAVE_INTERVAL_MS = 1000;
/** Bytes between two places that are remembered: each may hold rows of its page in memory. */
const MIN_POINT_DISTANCE = 8192;
/** Bytes at the end of the partial file that a checkpoint vouches for. */
const TAIL_BYTES = 65_536;

/** The rows that a record counts. */
export function countSavedRows({ output }: JsonObject): number {
  return isObject(output) ? numberOrZero(output.rows) : 0;
}

/** A number of a record; 0 where there is none. */
export function numberOrZero(value: Json | undefined): number {
  return toNumber(value) ?? 0;
}

/** A hash of the last bytes before a place in a file. */
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

/** Begins to write, or goes on. */
export function createCheckpointedFile(options: CheckpointedFileOptions): OpenOutputFile {
  return new CheckpointedFile(options);
}

class CheckpointedFile implements OpenOutputFile {
  readonly resume: JsonObject | undefined;
  readonly previousRows: number = 0;
  readonly isResumable: boolean;
  readonly #options: CheckpointedFileOptions;
  /** What the next checkpoint says is the last one; those before it are for a disk that is full before it is written. */
  #points: ResumePoint[] = [];
  #count = 0;
  #savedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  #failure: unknown;
  /** The rows of the last checkpoint. */
  #savedRows: number | undefined;
  /** The rows written; undefined where nobody counts. */
  #rows: number | undefined;
  #isFolderSynced = false;
  #isOpen = true;
  #isComplete = false;

  constructor(given: CheckpointedFileOptions) {
    this.#options = given;
    this.isResumable = canResume(given.options);
    if (!given.isResumed) return;
    this.previousRows = countSavedRows(given.base);
    this.#rows = this.previousRows;
    this.#savedRows = this.previousRows;
    this.resume = isObject(given.base.reading) ? given.base.reading : {};
  }

  destination(state?: () => ResumeState | undefined) {
    const { base, sink, isResumed } = this.#options;
    const onRows = async (output: () => JsonObject) => this.#recordPoint(output(), state?.());
    return {
      sink,
      options: {
        now: numberOrZero(base.now),
        ...(isResumed && isObject(base.output) ? { resume: base.output } : {}),
        ...(this.isResumable ? { onRows } : {}),
      },
    };
  }

  /** Takes note of where the output and the reading are after a page. */
  async #recordPoint(output: JsonObject, reading: ResumeState | undefined): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#rows = numberOrZero(output.rows);
    if (reading === undefined) return;
    this.#count += 1;
    this.#addPoint({ number: this.#count, bytes: this.#options.sink.bytes, output, state: reading });
    // The first is saved at once: on a disk that is full later, there may be no room for one.
    const delay = this.#savedRows === undefined ? 0 : this.#savedAt + SAVE_INTERVAL_MS - performance.now();
    if (delay <= 0) return this.#save();
    // A page may be long in coming: what is there is saved meanwhile.
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

  /** Saves the newest place whose bytes are there though not all could be written. What follows it makes room. */
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
    // While it was saved, others may have come, and taken its place.
    this.#points = this.#points.filter(({ number }) => number > point.number);
    this.#savedAt = performance.now();
    this.#savedRows = countSavedRows({ output });
  }

  async complete({ problem, resumeState: reading }: ExportOutcome = {}): Promise<void> {
    if (this.#isComplete) return;
    const { target, sink, checkpoint, base, context } = this.#options;
    clearTimeout(this.#timer);
    await this.#saving;
    if (base.replaces !== true && (await exists(target.path))) throw appearedMeanwhile(target);
    await sink.sync();
    this.#isOpen = false;
    await sink.close();
    const { state } = (await context.settings()).paths;
    // Before it has its name: whenever the run is cut, a later one knows what is there.
    await rememberFile(state, target, {
      run: base.run ?? null,
      rows: this.#rows ?? null,
      ...(reading && { reading }),
      ...(problem && { ending: errorToJson(problem) }),
    });
    await renamePartial(target).catch(async (error: unknown) => {
      await forgetFile(state, target.path);
      throw unwritableError(target.name, error);
    });
    this.#isComplete = true;
    await checkpoint.remove();
    const written = this.#rows === undefined ? "Written:" : `${pluralize(this.#rows, "row")} in`;
    await context.reporter.hint(`${written} ${target.name} (${formatBytes(sink.bytes)}).`);
  }

  async fail(error: unknown): Promise<unknown> {
    if (this.#isComplete) return error;
    const { target, sink, checkpoint } = this.#options;
    // Where neither can be saved, the checkpoint before it holds.
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

  /** The failure, with what is left of the work and how it goes on. */
  #explain(given: unknown): unknown {
    const { context, target, sink, options } = this.#options;
    const { signal, argv } = context.io;
    const error: unknown = signal.aborted && signal.reason instanceof SolxError ? signal.reason : given;
    if (!(error instanceof SolxError)) return error;
    if (this.#savedRows !== undefined) {
      const savedRows = `${pluralize(this.#savedRows, "row")} ${this.#savedRows === 1 ? "is" : "are"} kept in ${target.name}.partial.`;
      return withMessage(error, `${toSentence(error)} ${savedRows}`, resumeHint(error, argv));
    }
    if (sink.bytes === 0) return error;
    if (this.isResumable) return withMessage(error, `${toSentence(error)} Nothing is kept.`);
    const written = options.jq === undefined ? `a ${options.format} file` : "what jq makes of it";
    const lost = `Nothing is kept: ${written} is written in one go.`;
    return withMessage(error, `${toSentence(error)} ${lost}`, "ndjson, csv, tsv and json files can be gone on with.");
  }
}

function appearedMeanwhile({ name }: OutputTarget): UsageError {
  return new UsageError(`${name} came into being while it was being written.`, {
    code: "EXISTS",
    hint: "Move it away and go on with --resume.",
  });
}

/** How it goes on; undefined where what was typed is wrong and would be again. */
function resumeHint({ exit, code }: SolxError, argv: readonly string[]): string | undefined {
  if (exit === "usage") return undefined;
  const command = resumeCommand(argv);
  if (code !== "UNITS_PER_DAY") return `Go on with: ${command}`;
  return `From 00:00 UTC on, go on with: ${command}\nAt once, without the limit: ${resumeCommand(withUnitsPerDay(argv, "off"))}`;
}
