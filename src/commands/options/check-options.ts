/** Refuses global options that a command cannot honour. */
import { UsageError } from "../../base/errors.ts";
import type { CommandDefinition } from "../run/command-definition.ts";
import type { GlobalOptions } from "./global-options.ts";

/** Commands that send the request of no endpoint, although global options of requests apply to them. */
const SENDS_NOTHING: readonly CommandDefinition["audience"][] = ["local", "mcp", "sandbox", "none"];

/** @throws UsageError for a global option that the command does not support */
export function checkGlobalOptions(definition: CommandDefinition, globals: GlobalOptions): void {
  const { endpoint, isInteractive, writesFile, audience, name } = definition;
  const unsupported = (flags: string, hint?: string) =>
    new UsageError(`${flags} can only be used with API commands such as account transfer, not with ${name}`, {
      ...(hint === undefined ? {} : { hint }),
    });
  if (!endpoint && (globals.follow ?? globals.until) !== undefined) throw unsupported("--follow and --until");
  if (!endpoint && globals.interactive && !isInteractive) {
    throw unsupported("--interactive", "To open the explorer, run: solx explore");
  }
  const usesFile = globals.out !== undefined || globals.resume || globals.force;
  if (!endpoint && usesFile && !writesFile) {
    throw unsupported("--out, --resume and --force", "Redirect the output to a file instead: > file");
  }
  const preview = globals.dryRun ? "--dry-run" : globals.curl ? "--curl" : undefined;
  if (preview !== undefined && SENDS_NOTHING.includes(audience)) throw unsupported(preview);
}
