/**
 * `--out FILE`: rows go to `FILE.partial`, which becomes FILE when it is complete. What a later run needs to go on is in
 * `FILE.checkpoint`, saved about once a second and whenever a run stops. A run that goes on cuts the partial file at
 * the last checkpoint and writes the bytes that an uninterrupted run would have written.
 */
import { stat } from "node:fs/promises";
import { SolxError, UsageError } from "../../base/errors.ts";
import { isObject, type JsonObject } from "../../base/json.ts";
import { canResume, type OutputOptions } from "../../output/index.ts";
import { createFile, type FileSink, reopenFile } from "../../output/stream/file-sink.ts";
import type { RunContext } from "../run/context.ts";
import { counted } from "../run/progress-text.ts";
import { type Checkpoint, takeCheckpoint } from "./checkpoint.ts";
import { createWriting, numberOf, type OpenFile, rowsOf, tailOf } from "./checkpointed-file.ts";
import { endingIn, forget, recall } from "./completed-files.ts";
import { type Asked, differences, type Identity, identityOf } from "./run-identity.ts";
import { discard, isThere, type Target, targetOf, unwritable } from "./target.ts";

/**
 * Opens the file of a run, new or where an earlier run stopped.
 * @returns undefined when there is nothing to do: with `--resume`, the file is complete
 * @throws UsageError when it is there, in use, another run's, or cannot be written; with `--resume`, what the run that
 * completed the file ended with
 */
export async function openOut(context: RunContext, name: string, asked: Asked): Promise<OpenFile | undefined> {
  const options = await context.outputOptions();
  checkWords(context, options);
  const target = await targetOf(name);
  const run = await identityOf(context, asked);
  const { state } = (await context.settings()).paths;
  const [hasCheckpoint, hasPartial] = [await isThere(`${target.path}.checkpoint`), await isThere(target.partial)];
  if (!hasCheckpoint && !hasPartial && target.mode !== undefined && !context.globals.force) {
    await complete(context, target, { asked, run });
    return undefined;
  }
  const checkpoint = await taken(target, context.globals.force === true);
  let isUsed = true;
  try {
    const record = checkpoint.read();
    const saved = record && !(await isRenamed(target, record)) ? record : undefined;
    isUsed = saved !== undefined;
    const common = { context, target, checkpoint, options };
    if (saved) {
      const sink = await continued(context, target, saved, run);
      return createWriting({ ...common, sink, base: saved, isResumed: true });
    }
    if (hasPartial && !hasCheckpoint && !context.globals.force) throw withoutCheckpoint(target);
    if (context.globals.force || !(await isThere(target.path))) {
      // What was there is no longer what is wanted, also when this run ends before its first row.
      if (target.mode !== undefined) await forget(state, target.path);
      const base = { run, now: options.now, replaces: context.globals.force === true };
      return createWriting({ ...common, sink: await created(target), base, isResumed: false });
    }
    if (await isThere(target.partial)) {
      // A run that saved nothing was to replace the file.
      await discard(target);
      await forget(state, target.path);
    }
    await complete(context, target, { asked, run, saved: record && { run: record.run ?? null } });
  } catch (error) {
    await release(checkpoint, isUsed);
    throw error;
  }
  await release(checkpoint, false);
  return undefined;
}

/** Whether the run of a record was cut after its file got its name, which is nearly the last thing that it does. */
async function isRenamed({ path, partial, mode }: Target, { bytes, tail }: JsonObject): Promise<boolean> {
  return mode !== undefined && !(await isThere(partial)) && (await tailOf(path, numberOf(bytes))) === tail;
}

function release(checkpoint: Checkpoint, isUsed: boolean): Promise<void> | void {
  return isUsed ? checkpoint.close() : checkpoint.remove();
}

function checkWords({ globals: { resume, force, jq } }: RunContext, options: OutputOptions): void {
  if (resume && force) {
    throw new UsageError("--resume and --force contradict each other.", {
      hint: "--resume goes on with an unfinished run, --force begins anew.",
    });
  }
  if (!resume || canResume(options)) return;
  const what = jq === undefined ? `-o ${options.format}` : "--jq";
  throw new UsageError(`--resume does not work with ${what}: the file is written in one go.`, {
    hint: "ndjson, csv, tsv and json files can be gone on with.",
  });
}

/** What a run compares a file with that is there. */
interface Comparing {
  readonly asked: Asked;
  readonly run: Identity;
  /** The record of a run that was cut when the file had its name. */
  readonly saved?: JsonObject | undefined;
}

/**
 * What is to be done when the file is there and no run is unfinished.
 * @throws UsageError unless `--resume` is given and this run has completed it; what it ended with then
 */
async function complete(context: RunContext, { name, path }: Target, { asked, run, saved }: Comparing): Promise<void> {
  if (!context.globals.resume) {
    throw new UsageError(`${name} is there already.`, {
      code: "EXISTS",
      hint: "Write another file, or add --force: it is replaced when the new one is complete.",
    });
  }
  const record = (await recall((await context.settings()).paths.state, path)) ?? saved;
  const { reading } = record ?? {};
  if (!record || (asked.checkEnd && !isObject(reading))) {
    throw new UsageError(`${name} is there, and nothing tells that this command wrote it.`, {
      code: "UNKNOWN_FILE",
      hint: "--force replaces it; or write another file.",
    });
  }
  const found = differences(record.run, run);
  if (found.length > 0) {
    throw new UsageError(`${name} is complete, and its run asked for something else.`, {
      code: "OTHER_RUN",
      hint: [...found, "Write another file, or replace this one with --force."].join("\n"),
    });
  }
  if (isObject(reading)) await asked.checkEnd?.(reading);
  await context.note(`${name} is complete, nothing to resume.`);
  const ending = endingIn(record);
  if (ending) throw ending;
}

async function taken({ name, path }: Target, anew: boolean): Promise<Checkpoint> {
  try {
    return await takeCheckpoint(path, { anew });
  } catch (error) {
    throw error instanceof SolxError ? error : unwritable(name, error);
  }
}

async function created(target: Target): Promise<FileSink> {
  try {
    await discard(target);
    return await createFile(target.partial);
  } catch (error) {
    throw unwritable(target.name, error);
  }
}

/**
 * The partial file of an earlier run, cut where it was saved last.
 * @throws UsageError, with nothing lost, when this is another run or the file is not what that one wrote
 */
async function continued(context: RunContext, target: Target, saved: JsonObject, run: Identity): Promise<FileSink> {
  const { name, path, partial } = target;
  if (!context.globals.resume) {
    throw new UsageError(`A run that was to write ${name} is not finished: ${counted(rowsOf(saved), "row")} so far.`, {
      code: "UNFINISHED",
      hint: "--resume goes on with it, --force begins anew.",
    });
  }
  const found = differences(saved.run, run);
  if (found.length > 0) {
    throw new UsageError(`The unfinished run of ${name} asked for something else.`, {
      code: "OTHER_RUN",
      hint: [...found, "Repeat it as it was, or begin anew with --force."].join("\n"),
    });
  }
  if (saved.replaces !== true && (await isThere(path))) {
    throw new UsageError(`${name} is there already, and the unfinished run was not to replace it.`, {
      code: "EXISTS",
      hint: `Move ${name} away; --resume then goes on.`,
    });
  }
  const bytes = numberOf(saved.bytes);
  const size = (await stat(partial).catch(() => undefined))?.size;
  if (size === undefined || size < bytes || (await tailOf(partial, bytes)) !== saved.tail) {
    const what = size === undefined ? "is not there" : size < bytes ? "is too short" : "is not what was written";
    throw new UsageError(`The unfinished run of ${name} cannot go on: ${name}.partial ${what}.`, {
      code: "BAD_PARTIAL",
      hint: "--force begins anew.",
    });
  }
  return await reopenFile(partial, bytes).catch((error: unknown) => {
    throw unwritable(name, error);
  });
}

function withoutCheckpoint({ name }: Target): UsageError {
  return new UsageError(`${name}.partial is there, without the checkpoint that an unfinished run leaves.`, {
    code: "BAD_PARTIAL",
    hint: "Move it away, or begin anew with --force.",
  });
}
