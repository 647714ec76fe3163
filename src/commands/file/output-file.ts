/** The output file of `--out` as commands use it. */
import type { JsonObject, SolxError } from "../../base/index.ts";
import type { Destination } from "../run/context.ts";

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
  destination(state?: () => ResumeState | undefined): Destination & Required<Pick<Destination, "sink">>;
  /** Renames the file to its final name once it contains all available data. Later failures do not affect it. */
  complete(outcome?: ExportOutcome): Promise<void>;
}
