/** `--record`: where exchanges are recorded, and whether with pseudonyms. */
import { isAbsolute, resolve } from "node:path";
import { expandTypedPath, UsageError } from "../../base/index.ts";
import type { Settings } from "../../config/index.ts";
import type { RecordOptions } from "../../sources/recording/index.ts";
import type { RunContext } from "./context.ts";

/** Follows the folder where addresses and signatures are replaced: `--record calls,pseudonyms`. */
const PSEUDONYMS = ",pseudonyms";

/** Returns the value of `--record` or SOLX_RECORD; undefined where nothing is recorded. */
const recordText = ({ globals, io }: RunContext): string | undefined =>
  globals.record ?? (io.env.SOLX_RECORD?.trim() || undefined);

/** Returns the folder of recordings; undefined where nothing is recorded. */
export function recordFolder(context: RunContext): string | undefined {
  const text = recordText(context);
  if (text === undefined) return undefined;
  const folder = text.endsWith(PSEUDONYMS) ? text.slice(0, -PSEUDONYMS.length) : text;
  if (folder === "") throw new UsageError("flag needs a value: --record <folder>");
  const path = expandTypedPath(folder, context.io.env);
  return isAbsolute(path) ? path : resolve(path);
}

/**
 * Returns how exchanges are recorded.
 * @throws UsageError without a folder, and when the secret of pseudonyms cannot be created
 */
export async function recordOptions(settings: Settings, context: RunContext): Promise<RecordOptions | undefined> {
  const folder = recordFolder(context);
  if (folder === undefined) return undefined;
  if (!recordText(context)?.endsWith(PSEUDONYMS)) return { folder };
  const { state } = settings.paths;
  if (state === undefined) {
    throw new UsageError("there is no folder for the secret of pseudonyms", { hint: "Set HOME or SOLX_HOME." });
  }
  const { loadPseudonyms } = await import("../../sources/recording/index.ts");
  return { folder, pseudonyms: (await loadPseudonyms()).loadPseudonymSecret(state) };
}
