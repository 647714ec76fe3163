/** Entry point of `--out` for commands; the implementation is loaded only when the option is used. */
import { type SolxError, UsageError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Destination, RunContext } from "../run/context.ts";
import type { ExportRequest } from "./run-identity.ts";

/** The state from which a later run resumes, returned as `resume`; a function is called when the state is saved. */
export type ResumeState = JsonObject | (() => JsonObject);

/** How a run ended that completed its file. */
export interface ExportOutcome {
  /** An error to report although the file contains all available data. */
  readonly problem?: SolxError | undefined;
  /** Where reading ended, for `ExportRequest.checkEnd` of a later run. */
  readonly resumeState?: JsonObject | undefined;
}

/** An output file of a command. */
export interface OutputFile {
  /** Where an earlier run stopped; undefined when this run starts at the beginning. */
  readonly resume: JsonObject | undefined;
  /** Number of rows written by earlier runs. */
  readonly previousRows: number;
  /** Whether a later run can resume when this one stops. */
  readonly isResumable: boolean;
  /**
   * Returns the destination to pass to `RunContext.print`, once.
   * @param state called after each page for the state to resume from; undefined when resuming is impossible
   */
  destination(state?: () => ResumeState | undefined): Required<Destination>;
  /** Renames the file to its final name once it contains all available data. Later failures do not affect it. */
  complete(outcome?: ExportOutcome): Promise<void>;
}

/**
 * Runs work that prints, with the file of `--out` if given. When the work ends, the file is complete; when it fails, the
 * written part is saved for `--resume`, and the error says how to continue.
 * @throws UsageError before the work starts when the file cannot be written or belongs to another run
 */
export async function withOutputFile(
  context: RunContext,
  request: ExportRequest,
  work: (out: OutputFile | undefined) => Promise<void>,
): Promise<void> {
  const { out, resume, force, dryRun, curl } = context.globals;
  if (out === undefined && (resume || force)) {
    throw new UsageError(`${resume ? "--resume" : "--force"} needs --out.`, {
      hint: "Add --out FILE.",
    });
  }
  if (out === undefined || dryRun || curl) return work(undefined);
  const { openOutputFile: openOut } = await import("./open-output.ts");
  const file = await openOut(context, out, request);
  if (!file) return;
  try {
    await work(file);
    await file.complete();
  } catch (error) {
    throw await file.fail(error);
  }
}
