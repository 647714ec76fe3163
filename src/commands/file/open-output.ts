/**
 * `--out FILE`: rows go to `FILE.partial`, which becomes FILE when it is complete. What a later run needs to go on is in
 * `FILE.checkpoint`, saved about once a second and whenever a run stops. A run that goes on cuts the partial file at
 * the last checkpoint and writes the bytes that an uninterrupted run would have written.
 */

import { stat } from "node:fs/promises";
import { SolxError, UsageError } from "../../base/errors.ts";
import { isObject, type JsonObject } from "../../base/json.ts";
import { pluralize } from "../../base/text.ts";
import { canResume, type OutputOptions } from "../../output/index.ts";
import { createFile, type FileSink, reopenFile } from "../../output/stream/file-sink.ts";
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
 * Opens the file of a run, new or where an earlier run stopped.
 * @returns undefined when there is nothing to do: with `--resume`, the file is complete
 * @throws UsageError when it is there, in use, another run's, or cannot be written; with `--resume`, what the run that
 * completed the file ended with
 */
export async function openOutputFile(
  context: RunContext,
  name: string,
  request: ExportRequest,
): Promise<OpenOutputFile | undefined> {
  const options = await context.outputOptions();
  checkOptions(context, options);
  const target = await resolveTarget(name);
  const run = await identifyRun(context, request);
  const { state } = (await context.settings()).paths;
  const [hasCheckpoint, hasPartial] = [await exists(`${target.path}.checkpoint`), await exists(target.partial)];
  if (!hasCheckpoint && !hasPartial && target.mode !== undefined && !context.globals.force) {
    await checkCompleted(context, target, { request, run });
    return undefined;
  }
  const checkpoint = await acquireCheckpoint(target, context.globals.force === true);
  let isNeeded = true;
  try {
    const record = checkpoint.read();
    const saved = record && !(await isRenamed(target, record)) ? record : undefined;
    isNeeded = saved !== undefined;
    const common = { context, target, checkpoint, options };
    if (saved) {
      const sink = await continuePartial(context, target, saved, run);
      return createCheckpointedFile({ ...common, sink, base: saved, isResumed: true });
    }
    if (hasPartial && !hasCheckpoint && !context.globals.force) throw missingCheckpoint(target);
    if (context.globals.force || !(await exists(target.path))) {
      // What was there is no longer what is wanted, also when this run ends before its first row.
      if (target.mode !== undefined) await forgetFile(state, target.path);
      const base = { run, now: options.now, replaces: context.globals.force === true };
      return createCheckpointedFile({ ...common, sink: await createPartial(target), base, isResumed: false });
    }
    if (await exists(target.partial)) {
      // A run that saved nothing was to replace the file.
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

/** Whether the run of a record was cut after its file got its name, which is nearly the last thing that it does. */
async function isRenamed({ path, partial, mode }: OutputTarget, { bytes, tail }: JsonObject): Promise<boolean> {
  return mode !== undefined && !(await exists(partial)) && (await hashTail(path, numberOrZero(bytes))) === tail;
}

function releaseCheckpoint(checkpoint: Checkpoint, isNeeded: boolean): Promise<void> | void {
  return isNeeded ? checkpoint.close() : checkpoint.remove();
}

function checkOptions({ globals: { resume, force, jq } }: RunContext, options: OutputOptions): void {
  if (resume && force) {
    throw new UsageError("--resume and --force contradict each other.", {
      hint: "--resume goes on with an unfinished run, --force begins anew.",
    });
  }
  if (!resume || canResume(options)) return;
  const detail = jq === undefined ? `-o ${options.format}` : "--jq";
  throw new UsageError(`--resume does not work with ${detail}: the file is written in one go.`, {
    hint: "ndjson, csv, tsv and json files can be gone on with.",
  });
}

/** What a run compares a file with that is there. */
interface CompletedCheck {
  readonly request: ExportRequest;
  readonly run: RunIdentity;
  /** The record of a run that was cut when the file had its name. */
  readonly saved?: JsonObject | undefined;
}

/**
 * What is to be done when the file is there and no run is unfinished.
 * @throws UsageError unless `--resume` is given and this run has completed it; what it ended with then
 */
async function checkCompleted(
  context: RunContext,
  { name, path }: OutputTarget,
  { request, run, saved }: CompletedCheck,
): Promise<void> {
  if (!context.globals.resume) {
    throw new UsageError(`${name} is there already.`, {
      code: "EXISTS",
      hint: "Write another file, or add --force: it is replaced when the new one is complete.",
    });
  }
  const record = (await recallFile((await context.settings()).paths.state, path)) ?? saved;
  const { reading } = record ?? {};
  if (!record || (request.checkEnd && !isObject(reading))) {
    throw new UsageError(`${name} is there, and nothing tells that this command wrote it.`, {
      code: "UNKNOWN_FILE",
      hint: "--force replaces it; or write another file.",
    });
  }
  const changes = describeDifferences(record.run, run);
  if (changes.length > 0) {
    throw new UsageError(`${name} is complete, and its run asked for something else.`, {
      code: "OTHER_RUN",
      hint: [...changes, "Write another file, or replace this one with --force."].join("\n"),
    });
  }
  if (isObject(reading)) await request.checkEnd?.(reading);
  await context.reporter.note(`${name} is complete, nothing to resume.`);
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

async function createPartial(target: OutputTarget): Promise<FileSink> {
  try {
    await removePartial(target);
    return await createFile(target.partial);
  } catch (error) {
    throw unwritableError(target.name, error);
  }
}

/**
 * The partial file of an earlier run, cut where it was saved last.
 * @throws UsageError, with nothing lost, when this is another run or the file is not what that one wrote
 */
async function continuePartial(
  context: RunContext,
  target: OutputTarget,
  saved: JsonObject,
  run: RunIdentity,
): Promise<FileSink> {
  const { name, path, partial } = target;
  if (!context.globals.resume) {
    throw new UsageError(
      `A run that was to write ${name} is not finished: ${pluralize(countSavedRows(saved), "row")} so far.`,
      {
        code: "UNFINISHED",
        hint: "--resume goes on with it, --force begins anew.",
      },
    );
  }
  const changes = describeDifferences(saved.run, run);
  if (changes.length > 0) {
    throw new UsageError(`The unfinished run of ${name} asked for something else.`, {
      code: "OTHER_RUN",
      hint: [...changes, "Repeat it as it was, or begin anew with --force."].join("\n"),
    });
  }
  if (saved.replaces !== true && (await exists(path))) {
    throw new UsageError(`${name} is there already, and the unfinished run was not to replace it.`, {
      code: "EXISTS",
      hint: `Move ${name} away; --resume then goes on.`,
    });
  }
  const bytes = numberOrZero(saved.bytes);
  const size = (await stat(partial).catch(() => undefined))?.size;
  if (size === undefined || size < bytes || (await hashTail(partial, bytes)) !== saved.tail) {
    const detail = size === undefined ? "is not there" : size < bytes ? "is too short" : "is not what was written";
    throw new UsageError(`The unfinished run of ${name} cannot go on: ${name}.partial ${detail}.`, {
      code: "BAD_PARTIAL",
      hint: "--force begins anew.",
    });
  }
  return await reopenFile(partial, bytes).catch((error: unknown) => {
    throw unwritableError(name, error);
  });
}

function missingCheckpoint({ name }: OutputTarget): UsageError {
  return new UsageError(`${name}.partial is there, without the checkpoint that an unfinished run leaves.`, {
    code: "BAD_PARTIAL",
    hint: "Move it away, or begin anew with --force.",
  });
}
