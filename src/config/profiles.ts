/** The names of the profiles. */
import { nearestName, UsageError } from "../base/index.ts";
import type { ConfigFile } from "./file.ts";
import type { ResolvedSetting } from "./resolve.ts";
import { SANDBOX_PROFILE } from "./sandbox.ts";
import { getSetting } from "./settings.ts";
import { quoteText } from "./values.ts";

/** Returns the names of all profiles; the default one and the sandbox need no entry in the file. */
export function profileNames(file: ConfigFile): readonly string[] {
  return [...new Set([String(getSetting("profile").default), SANDBOX_PROFILE, ...file.profiles.keys()])];
}

/** Returns the error for a profile that does not exist; `setting` says where its name comes from. */
export function unknownProfileError(name: string, file: ConfigFile, setting?: ResolvedSetting): UsageError {
  const known = profileNames(file);
  const near = nearestName(name, known);
  const source = setting === undefined || setting.level === "flag" ? "" : ` (${setting.origin})`;
  return new UsageError(`unknown profile ${quoteText(name)}${source}`, {
    hint: [
      ...(near ? [`Did you mean ${near}?`] : []),
      `Profiles: ${known.join(", ")}.`,
      setting?.level === "profile"
        ? "Select one with: solx config set profile <name>"
        : "Create one with: solx auth login --profile <name>",
    ].join(" "),
  });
}
