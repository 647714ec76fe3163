/** A file while it is written: where the rows go, what is saved of the run, and how it ends. */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { SolxError, toSentence, UsageError, withMessage } from "../../base/errors.ts";
import { isObject, type Json, type JsonObject, toNumber } from "../../base/json.ts";
import { canResume, type OutputOptions } from "../../output/index.ts";
import { type FileSink, reopenFile } from "../../output/stream/file-sink.ts";
import { formatBytes } from "../../output/values/cell.ts";
import type { RunContext } from "../run/context.ts";
import { counted } from "../run/progress-text.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { endingOf, forget, remember } from "./completed-files.ts";
import type { Ending, OutFile, ReadingState } from "./output-file.ts";
import { resumeLine, withUnitsPerDay } from "./run-identity.ts";
import { complete, discard, isThere, syncFolder, type Target, unwritable } from "./target.ts";

/** A file that is open, and what becomes of it when the work fails. */
export interface OpenFile extends OutFile {
  /** Keeps what can be kept, closes everything and gives the failure as it is to be told. */
  stopped(error: unknown): Promise<unknown>;
}

/** What a file is written with. */
export interface WritingOptions {
  readonly context: RunContext;
  readonly target: Target;
  readonly checkpoint: Checkpoint;
  readonly sink: FileSink;
  readonly options: OutputOptions;
  /** What every record of the run has; of a run that goes on, its last record. */
  readonly base: JsonObject;
  readonly isResumed: boolean;
}

/** Where the output and the reading are after a page. */
interface Mark {
  /** Of all marks of the run. */
  readonly number: number;
  readonly bytes: number;
  readonly output: JsonObject;
  readonly reading: ReadingState;
}

/** Milliseconds between two checkpoints. */
const SAVE_MS = 1000;
/** Bytes between two places that are remembered: each may hold rows of its page in memory. */
const STEP = 8192;
/** Bytes at the end of the partial file that a checkpoint vouches for. */
const TAIL = 65_536;

/** The rows that a record counts. */
export function rowsOf({ output }: JsonObject): number {
  return isObject(output) ? numberOf(output.rows) : 0;
}

/** A number of a record; 0 where there is none. */
export function numberOf(value: Json | undefined): number {
  return toNumber(value) ?? 0;
}

/** A hash of the last bytes before a place in a file. */
export async function tailOf(path: string, end: number): Promise<string> {
  const start = Math.max(0, end - TAIL);
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
export function createWriting(given: WritingOptions): OpenFile {
  return new Writing(given);
}

class Writing implements OpenFile {
  readonly resume: JsonObject | undefined;
  readonly rowsBefore: number = 0;
  readonly isResumable: boolean;
  readonly #given: WritingOptions;
  /** What the next checkpoint says is the last one; those before it are for a disk that is full before it is written. */
  #marks: Mark[] = [];
  #count = 0;
  #savedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  #failure: unknown;
  /** The rows of the last checkpoint. */
  #kept: number | undefined;
  /** The rows written; undefined where nobody counts. */
  #rows: number | undefined;
  #isNamed = false;
  #isOpen = true;
  #isDone = false;

  constructor(given: WritingOptions) {
    this.#given = given;
    this.isResumable = canResume(given.options);
    if (!given.isResumed) return;
    this.rowsBefore = rowsOf(given.base);
    this.#rows = this.rowsBefore;
    this.#kept = this.rowsBefore;
    this.resume = isObject(given.base.reading) ? given.base.reading : {};
  }

  to(state?: () => ReadingState | undefined) {
    const { base, sink, isResumed } = this.#given;
    const onRows = async (output: () => JsonObject) => this.#told(output(), state?.());
    return {
      sink,
      options: {
        now: numberOf(base.now),
        ...(isResumed && isObject(base.output) ? { resume: base.output } : {}),
        ...(this.isResumable ? { onRows } : {}),
      },
    };
  }

  /** Takes note of where the output and the reading are after a page. */
  async #told(output: JsonObject, reading: ReadingState | undefined): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#rows = numberOf(output.rows);
    if (reading === undefined) return;
    this.#count += 1;
    this.#remember({ number: this.#count, bytes: this.#given.sink.bytes, output, reading });
    // The first is saved at once: on a disk that is full later, there may be no room for one.
    const left = this.#kept === undefined ? 0 : this.#savedAt + SAVE_MS - performance.now();
    if (left <= 0) return this.#save();
    // A page may be long in coming: what is there is saved meanwhile.
    this.#timer ??= setTimeout(() => {
      this.#save().catch((error: unknown) => {
        this.#failure = error;
      });
    }, left).unref();
  }

  #remember(mark: Mark): void {
    const marks = this.#marks;
    const { written } = this.#given.sink;
    marks.splice(
      0,
      marks.findLastIndex(({ bytes }) => bytes <= written),
    );
    const [before, last] = marks.slice(-2);
    if (before && last && last.bytes - before.bytes < STEP) marks.pop();
    marks.push(mark);
  }

  #save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const saved = this.#saving.then(() => this.#saveMark());
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  async #saveMark(): Promise<void> {
    const mark = this.#marks.at(-1);
    if (!mark) return;
    if (this.#isOpen) await this.#given.sink.sync();
    await this.#keep(mark);
  }

  /** Saves the newest place whose bytes are there though not all could be written. What follows it makes room. */
  async #saveWritten(): Promise<void> {
    const { sink, target } = this.#given;
    const mark = this.#marks.findLast(({ bytes }) => bytes <= sink.written);
    if (!mark) return;
    const cut = await reopenFile(target.partial, mark.bytes);
    await cut.sync();
    await cut.close();
    await this.#keep(mark);
  }

  async #keep(mark: Mark): Promise<void> {
    const { target, checkpoint, base } = this.#given;
    if (!this.#isNamed) await syncFolder(target.partial);
    this.#isNamed = true;
    const { bytes, output } = mark;
    const reading = typeof mark.reading === "function" ? mark.reading() : mark.reading;
    checkpoint.save({ ...base, bytes, output, reading, tail: await tailOf(target.partial, bytes) });
    // While it was saved, others may have come, and taken its place.
    this.#marks = this.#marks.filter(({ number }) => number > mark.number);
    this.#savedAt = performance.now();
    this.#kept = rowsOf({ output });
  }

  async done({ problem, reading }: Ending = {}): Promise<void> {
    if (this.#isDone) return;
    const { target, sink, checkpoint, base, context } = this.#given;
    clearTimeout(this.#timer);
    await this.#saving;
    if (base.replaces !== true && (await isThere(target.path))) throw cameToBe(target);
    await sink.sync();
    this.#isOpen = false;
    await sink.close();
    const { state } = (await context.settings()).paths;
    // Before it has its name: whenever the run is cut, a later one knows what is there.
    await remember(state, target, {
      run: base.run ?? null,
      rows: this.#rows ?? null,
      ...(reading && { reading }),
      ...(problem && { ending: endingOf(problem) }),
    });
    await complete(target).catch(async (error: unknown) => {
      await forget(state, target.path);
      throw unwritable(target.name, error);
    });
    this.#isDone = true;
    await checkpoint.remove();
    const what = this.#rows === undefined ? "Written:" : `${counted(this.#rows, "row")} in`;
    await context.hint(`${what} ${target.name} (${formatBytes(sink.bytes)}).`);
  }

  async stopped(error: unknown): Promise<unknown> {
    if (this.#isDone) return error;
    const { target, sink, checkpoint } = this.#given;
    // Where neither can be saved, the checkpoint before it holds.
    await this.#save()
      .catch(() => this.#saveWritten())
      .catch(() => undefined);
    if (this.#isOpen) await sink.close().catch(() => undefined);
    if (this.#kept !== undefined) checkpoint.close();
    else {
      await discard(target);
      await checkpoint.remove();
    }
    return this.#retold(error);
  }

  /** The failure, with what is left of the work and how it goes on. */
  #retold(given: unknown): unknown {
    const { context, target, sink, options } = this.#given;
    const { signal, argv } = context.io;
    const error: unknown = signal.aborted && signal.reason instanceof SolxError ? signal.reason : given;
    if (!(error instanceof SolxError)) return error;
    if (this.#kept !== undefined) {
      const kept = `${counted(this.#kept, "row")} ${this.#kept === 1 ? "is" : "are"} kept in ${target.name}.partial.`;
      return withMessage(error, `${toSentence(error)} ${kept}`, goOnText(error, argv));
    }
    if (sink.bytes === 0) return error;
    if (this.isResumable) return withMessage(error, `${toSentence(error)} Nothing is kept.`);
    const what = options.jq === undefined ? `a ${options.format} file` : "what jq makes of it";
    const lost = `Nothing is kept: ${what} is written in one go.`;
    return withMessage(error, `${toSentence(error)} ${lost}`, "ndjson, csv, tsv and json files can be gone on with.");
  }
}

function cameToBe({ name }: Target): UsageError {
  return new UsageError(`${name} came into being while it was being written.`, {
    code: "EXISTS",
    hint: "Move it away and go on with --resume.",
  });
}

/** How it goes on; undefined where what was typed is wrong and would be again. */
function goOnText({ exit, code }: SolxError, argv: readonly string[]): string | undefined {
  if (exit === "usage") return undefined;
  const line = resumeLine(argv);
  if (code !== "UNITS_PER_DAY") return `Go on with: ${line}`;
  return `From 00:00 UTC on, go on with: ${line}\nAt once, without the limit: ${resumeLine(withUnitsPerDay(argv, "off"))}`;
}
