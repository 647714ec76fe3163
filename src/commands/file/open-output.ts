/**
 * `--out FILE`: rows are written to `FILE.partial`, which is renamed to FILE when it is complete. The state needed to
 * resume is saved in `FILE.checkpoint`, about once a second and whenever a run stops. A resumed run truncates the partial
 * file at the last checkpoint and writes the same bytes as an uninterrupted run.
 */

import { stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { expandTypedPath, isObject, type JsonObject, pluralize, SolxError, UsageError } from "../../base/index.ts";
import {
  canResume,
  createFile,
  type FileSink,
  formatInfo,
  gzipSink,
  isCompressedFile,
  listFormats,
  type OutputOptions,
  RESUMABLE_FORMATS,
  reopenFile,
} from "../../output/index.ts";
import type { RunContext } from "../run/context.ts";
import { acquireLock, type Checkpoint } from "./checkpoint.ts";
import {
  countSavedRows,
  createCheckpointedFile,
  hashTail,
  numberOrZero,
  type OpenOutputFile,
} from "./checkpointed-file.ts";
import { errorFromRecord, forgetFile, recallFile } from "./completed-files.ts";
import { describeDifferences, type ExportRequest, identifyRun, type RunIdentity } from "./run-identity.ts";
import { exists, type OutputTarget, removePartial, resolveTarget, unwritableError } from "./target.ts";

/**
 * Opens the output file of a run, new or where an earlier run stopped.
 * @returns undefined when there is nothing to do: with `--resume`, the file is complete
 * @throws UsageError when the file exists, is in use, belongs to another run or cannot be written; with `--resume`, the
 * error of the run that completed the file
 */
export async function openOutputFile(
  context: RunContext,
  name: string,
  request: ExportRequest,
): Promise<OpenOutputFile | undefined> {
  const options = await context.printer.options();
  checkOptions(context, options);
  const target = await resolveTarget(expandTypedPath(name, context.io.env));
  const run = await identifyRun(context, request);
  const { state } = (await context.session.settings()).paths;
  const [hasCheckpoint, hasPartial] = [await exists(`${target.path}.checkpoint`), await exists(target.partial)];
  if (!hasCheckpoint && !hasPartial && target.mode !== undefined && !context.globals.force) {
    await checkCompleted(context, target, { request, run });
    return undefined;
  }
  const checkpoint = await acquireCheckpoint(target, context.globals.force === true);
  let isNeeded = true;
  try {
    const record = checkpoint.read();
    const saved = record && !(await isRenamed(context, target, record)) ? record : undefined;
    isNeeded = saved !== undefined;
    const common = { context, target, checkpoint, output: options };
    if (saved) {
      const sink = await continuePartial(context, target, saved, run);
      return createCheckpointedFile({ ...common, sink, base: saved, isResumed: true });
    }
    if (hasPartial && !hasCheckpoint && !context.globals.force) throw missingCheckpoint(target);
    if (context.globals.force || !(await exists(target.path))) {
      // The record of the old file is obsolete even if this run ends before its first row.
      if (target.mode !== undefined) await forgetFile(state, target.path);
      const base = { run, now: options.now, replaces: context.globals.force === true };
      return createCheckpointedFile({ ...common, sink: await createPartial(target, options), base, isResumed: false });
    }
    if (await exists(target.partial)) {
      // Left behind by a run with --force that saved nothing.
      await removePartial(target);
      await forgetFile(state, target.path);
    }
    await checkCompleted(context, target, { request, run, saved: record && { run: record.run ?? null } });
  } catch (error) {
    await releaseCheckpoint(checkpoint, isNeeded);
    throw error;
  }
  await releaseCheckpoint(checkpoint, false);
  return undefined;
}

/** Whether the recorded run was interrupted after its file was renamed, which is almost its last step. */
async function isRenamed(context: RunContext, target: OutputTarget, record: JsonObject): Promise<boolean> {
  const { path, partial, mode } = target;
  if (mode === undefined) return false;
  const { format } = await context.printer.options();
  if (!formatInfo(format).isSpooled) {
    return !(await exists(partial)) && (await hashTail(path, numberOrZero(record.bytes))) === record.tail;
  }
  const completed = await recallFile((await context.session.settings()).paths.state, path);
  if (!completed || !isDeepStrictEqual(completed.run, record.run)) return false;
  await removePartial(target);
  return true;
}

function releaseCheckpoint(checkpoint: Checkpoint, isNeeded: boolean): Promise<void> | void {
  return isNeeded ? checkpoint.close() : checkpoint.remove();
}

function checkOptions({ globals: { resume, force, jq } }: RunContext, options: OutputOptions): void {
  if (resume && force) {
    throw new UsageError("--resume and --force cannot be used together.", {
      hint: "--resume continues an unfinished run; --force starts over.",
    });
  }
  if (!resume || canResume(options)) return;
  const detail = jq === undefined ? `-o ${options.format}` : "--jq";
  throw new UsageError(`--resume does not work with ${detail}: its output cannot be written in parts.`, {
    hint: `Formats that can be resumed: ${listFormats(RESUMABLE_FORMATS, "and")}.`,
  });
}

/** What an existing file is compared with. */
interface CompletedCheck {
  readonly request: ExportRequest;
  readonly run: RunIdentity;
  /** The record of a run that was interrupted after the file was renamed. */
  readonly saved?: JsonObject | undefined;
}

/**
 * Handles an existing file without an unfinished run.
 * @throws UsageError unless `--resume` is given and this run has completed the file; then the error of that run, if any
 */
async function checkCompleted(
  context: RunContext,
  { name, path }: OutputTarget,
  { request, run, saved }: CompletedCheck,
): Promise<void> {
  if (!context.globals.resume) {
    throw new UsageError(`${name} already exists.`, {
      code: "EXISTS",
      hint: "Write to another file, or add --force to replace it once the new one is complete.",
    });
  }
  const record = (await recallFile((await context.session.settings()).paths.state, path)) ?? saved;
  const { reading } = record ?? {};
  if (!record || (request.checkEnd && !isObject(reading))) {
    throw new UsageError(`${name} already exists, and it is unknown whether this command wrote it.`, {
      code: "UNKNOWN_FILE",
      hint: "To replace it, add --force; or write to another file.",
    });
  }
  const changes = describeDifferences(record.run, run);
  if (changes.length > 0) {
    throw new UsageError(`${name} is complete, but it was written by a run with other options.`, {
      code: "OTHER_RUN",
      hint: [...changes, "Write to another file, or replace this one with --force."].join("\n"),
    });
  }
  if (isObject(reading)) await request.checkEnd?.(reading);
  await context.reporter.note(`${name} is complete; there is nothing to resume.`);
  const ending = errorFromRecord(record);
  if (ending) throw ending;
}

async function acquireCheckpoint({ name, path }: OutputTarget, reset: boolean): Promise<Checkpoint> {
  try {
    return await acquireLock(path, { reset });
  } catch (error) {
    throw error instanceof SolxError ? error : unwritableError(name, error);
  }
}

async function createPartial(target: OutputTarget, options: OutputOptions): Promise<FileSink> {
  try {
    await removePartial(target);
    return withCompression(target, options, await createFile(target.partial));
  } catch (error) {
    throw unwritableError(target.name, error);
  }
}

/**
 * Opens the partial file of an earlier run, truncated at its last checkpoint.
 * @throws UsageError, without changing anything, when this is another run or the file was modified
 */
async function continuePartial(
  context: RunContext,
  target: OutputTarget,
  saved: JsonObject,
  run: RunIdentity,
): Promise<FileSink> {
  const { name, path, partial } = target;
  if (!context.globals.resume) {
    throw new UsageError(`${name} has an unfinished run: ${pluralize(countSavedRows(saved), "row")} so far.`, {
      code: "UNFINISHED",
      hint: "To continue it, add --resume; to start over, add --force.",
    });
  }
  const changes = describeDifferences(saved.run, run);
  if (changes.length > 0) {
    throw new UsageError(`The unfinished run of ${name} had other options.`, {
      code: "OTHER_RUN",
      hint: [...changes, "Repeat the same command, or start over with --force."].join("\n"),
    });
  }
  if (saved.replaces !== true && (await exists(path))) {
    throw new UsageError(`${name} already exists, and the unfinished run was started without --force.`, {
      code: "EXISTS",
      hint: `Move ${name} away, then rerun with --resume.`,
    });
  }
  const bytes = numberOrZero(saved.bytes);
  const size = (await stat(partial).catch(() => undefined))?.size;
  if (size === undefined || size < bytes || (await hashTail(partial, bytes)) !== saved.tail) {
    const detail = size === undefined ? "is missing" : size < bytes ? "is too short" : "was modified";
    throw new UsageError(`The unfinished run of ${name} cannot be resumed: ${name}.partial ${detail}.`, {
      code: "BAD_PARTIAL",
      hint: "To start over, add --force.",
    });
  }
  const sink = await reopenFile(partial, bytes).catch((error: unknown) => {
    throw unwritableError(name, error);
  });
  return withCompression(target, await context.printer.options(), sink);
}

/** Compresses files whose name says so, and rows that are collected for another format. */
function withCompression({ name }: OutputTarget, { format }: OutputOptions, sink: FileSink): FileSink {
  return isCompressedFile(name) || formatInfo(format).isSpooled ? gzipSink(sink) : sink;
}

function missingCheckpoint({ name }: OutputTarget): UsageError {
  return new UsageError(`${name}.partial exists, but its checkpoint is missing.`, {
    code: "BAD_PARTIAL",
    hint: "Move it away, or start over with --force.",
  });
}
