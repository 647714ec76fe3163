/**
 * `--out FILE`: rows are written to `FILE.partial`, which is renamed to FILE when it is complete. The state needed to
 * resume is saved in `FILE.checkpoint`, about once a second and whenever a run stops. A resumed run truncates the partial
 * file at the last checkpoint and writes the same bytes as an uninterrupted run.
 */
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import {
  expandTypedPath,
  isObject,
  type Json,
  type JsonObject,
  listWords,
  pluralize,
  SolxError,
  UsageError,
  unwritableError,
} from "../../base/index.ts";
import { type Endpoint, optionName } from "../../catalogue/index.ts";
import type { Settings } from "../../config/index.ts";
import {
  canResume,
  createFile,
  type FileSink,
  formatInfo,
  gzipSink,
  isCompressedFile,
  type OutputOptions,
  RESUMABLE_FORMATS,
  reopenFile,
} from "../../output/index.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { acquireLock, CHECKPOINT_FORMAT, type Checkpoint } from "./checkpoint.ts";
import { countSavedRows, hashTail, numberOrZero, OutputFile } from "./output-file.ts";
import {
  checkPartial,
  convertedTarget,
  errorFromRecord,
  exists,
  forgetFile,
  type OutputTarget,
  recallFile,
  removePartial,
  resolveTarget,
} from "./target.ts";

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
): Promise<OutputFile | undefined> {
  const options = await context.printer.options();
  checkOptions(context, options);
  const target = await resolveTarget(expandTypedPath(name, context.io.env));
  await checkPartial(target);
  if (formatInfo(options.format).isSpooled) await checkPartial(convertedTarget(target));
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
      return new OutputFile({ ...common, sink, base: saved, isResumed: true });
    }
    if (hasPartial && !hasCheckpoint && !context.globals.force) {
      throw new UsageError(`${target.name}.partial exists, but its checkpoint is missing.`, {
        code: "BAD_PARTIAL",
        hint: "Move it away, or start over with --force.",
      });
    }
    if (context.globals.force || !(await exists(target.path))) {
      // The record of the old file is obsolete even if this run ends before its first row.
      if (target.mode !== undefined) await forgetFile(state, target.path);
      const base = { run, now: options.now, replaces: context.globals.force === true };
      return new OutputFile({ ...common, sink: await createPartial(target, options), base, isResumed: false });
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
    hint: `Formats that can be resumed: ${listWords(RESUMABLE_FORMATS, "and")}.`,
  });
}

/**
 * Handles an existing file without an unfinished run.
 * @throws UsageError unless `--resume` is given and this run has completed the file; then the error of that run, if any
 */
async function checkCompleted(
  context: RunContext,
  { name, path }: OutputTarget,
  {
    request,
    run,
    saved,
  }: { readonly request: ExportRequest; readonly run: RunIdentity; readonly saved?: JsonObject | undefined },
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

async function acquireCheckpoint({ name, path }: OutputTarget, startsOver: boolean): Promise<Checkpoint> {
  try {
    return await acquireLock(path, { startsOver });
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

/** The request of an export as typed: `7d` is the same run tomorrow. */
export interface ExportRequest {
  /** An endpoint, or a path that is not in the catalogue. */
  readonly endpoint: Pick<Endpoint, "command" | "family" | "query"> & { readonly route?: string };
  readonly params: Readonly<Record<string, unknown>>;
  /** Anything else that the rows depend on, by display name. */
  readonly extra?: Readonly<Record<string, string | undefined>>;
  /**
   * Checks the input that is not part of the identity, when a file is complete.
   * @param reading where reading ended in the run that completed the file
   * @throws UsageError when this is another run
   */
  readonly checkEnd?: (reading: JsonObject) => Promise<void>;
}

/** The values that identify a run, by display name. The names are saved in checkpoints. */
export type RunIdentity = Readonly<Record<string, string>>;

/** Hexadecimal digits of the hash of an API key. */
const KEY_DIGITS = 16;

/** Returns everything that the bytes of the file depend on, and the key, since results may depend on it. */
async function identifyRun(context: RunContext, { endpoint, params, extra = {} }: ExportRequest): Promise<RunIdentity> {
  const { globals, io } = context;
  const settings = await context.session.settings();
  const { format, time } = await context.printer.options();
  const key = (await settings.key(io.signal))?.value;
  const parameters = Object.entries(params).map(
    ([name, value]) => [parameterLabel(endpoint, name), valueText(value)] as const,
  );
  const all: Readonly<Record<string, string | undefined>> = {
    "form of the checkpoint": String(CHECKPOINT_FORMAT),
    command: endpoint.route ?? endpoint.command,
    ...Object.fromEntries(parameters),
    "--limit": globals.limit,
    "--all": globals.all && "given",
    "--batch": globals.batch,
    format,
    "--fields": globals.fields,
    "--raw-text": globals.rawText && "given",
    "--with": globals.with,
    "--envelope": globals.envelope && "given",
    numbers: settings.get("numbers") === "text" ? "text" : undefined,
    "--no-headers": globals.headers === false ? "given" : undefined,
    "--time": time === "local" ? `local, ${new Intl.DateTimeFormat().resolvedOptions().timeZone}` : time,
    server: await sourceText(context, endpoint),
    commitment: settings.node() && settings.get("commitment"),
    key: key === undefined ? undefined : hash(key).slice(0, KEY_DIGITS),
    "version of solx": io.version,
    ...extra,
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function parameterLabel({ query }: ExportRequest["endpoint"], name: string): string {
  return query[name]?.positional ? name : `--${optionName(name)}`;
}

function valueText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.map(String).join(",") : String(value);
}

/** Returns a URL without user name, password and query. */
function serverText(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Returns what answers; of a node only the host, since another key gets the same answers. */
async function sourceText(context: RunContext, { family }: ExportRequest["endpoint"]): Promise<string> {
  const settings = await context.session.settings();
  const { facts } = sourceOf(settings);
  if (facts.isSimulated) return sandboxText(settings);
  return facts.key === "required" ? serverText(settings.baseUrls()[family]) : facts.scope;
}

function sandboxText(settings: Settings): string {
  const names = ["sandbox-seed", "sandbox-size", "sandbox-now", "sandbox-hostile"] as const;
  return `the sandbox (${names.map((name) => settings.get(name) ?? "-").join(", ")})`;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Longer values are truncated in messages. */
const MAX_VALUE_LENGTH = 60;

/** Returns a line for each difference between an earlier run and this one. */
function describeDifferences(then: Json | undefined, now: RunIdentity): string[] {
  const before = isObject(then) ? then : {};
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names
    .filter((name) => before[name] !== now[name])
    .map((name) => {
      const [previous, current] = [shorten(before[name]), shorten(now[name])];
      return previous === current ? `${name}: changed` : `${name}: was ${previous}, now ${current}`;
    });
}

function shorten(value: Json | undefined): string {
  if (value === undefined) return "not set";
  const text = String(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
