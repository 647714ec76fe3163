/** Entry point of `--out` for commands; the implementation is loaded only when the option is used. */
import { UsageError } from "../../base/index.ts";
import type { RunContext } from "../run/context.ts";
import type { ExportRequest } from "./open-output.ts";
import type { OutputFile } from "./output-file.ts";

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
  const { openOutputFile } = await import("./open-output.ts");
  const file = await openOutputFile(context, out, request);
  if (!file) return;
  try {
    await work(file);
    await file.complete();
  } catch (error) {
    throw await file.fail(error);
  }
}
