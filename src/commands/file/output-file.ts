/** The way from a command to the file of `--out`; everything behind it is loaded only when there is one. */
import { type SolxError, UsageError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Destination, RunContext } from "../run/context.ts";
import type { ExportRequest } from "./run-identity.ts";

/** What a later run needs to read on: it comes back as `resume`. A function gives it when it is to be saved. */
export type ResumeState = JsonObject | (() => JsonObject);

/** How the work ended whose file is complete. */
export interface ExportOutcome {
  /** What is to be told though all that can be had is in the file. */
  readonly problem?: SolxError | undefined;
  /** Where the reading ended, for `Asked.checkEnd` of a later run. */
  readonly resumeState?: JsonObject | undefined;
}

/** A file that a command writes. */
export interface OutputFile {
  /** Where the reading of an earlier run ended; undefined when this one begins at the beginning. */
  readonly resume: JsonObject | undefined;
  /** Rows of earlier runs that are in it. */
  readonly previousRows: number;
  /** Whether a later run can go on with it when this one stops. */
  readonly isResumable: boolean;
  /**
   * Where `frame.print` is to write, once.
   * @param state asked after each page for what a later run needs to read on from there; undefined where it cannot
   */
  destination(state?: () => ResumeState | undefined): Required<Destination>;
  /** Gives the file its name: everything is in it that can be had. Failures after that leave it alone. */
  complete(outcome?: ExportOutcome): Promise<void>;
}

/**
 * Does work that prints, into the file of `--out` where one is given. When the work ends, the file is complete; when it
 * fails, what was written is kept for `--resume`, and the failure says how to go on.
 * @throws UsageError before the work begins when the file cannot be written or is another run's
 */
export async function withOutputFile(
  context: RunContext,
  request: ExportRequest,
  work: (out: OutputFile | undefined) => Promise<void>,
): Promise<void> {
  const { out, resume, force, dryRun, curl } = context.globals;
  if (out === undefined && (resume || force)) {
    throw new UsageError(`${resume ? "--resume" : "--force"} is about a file that --out names.`, {
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
