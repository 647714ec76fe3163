/** Profiles: their names, and changes to them. */
import { UsageError } from "../base/errors.ts";
import { nearestName } from "../base/nearest-name.ts";
import type { ConfigFile } from "./file.ts";
import type { ResolvedSetting } from "./resolve.ts";
import { SANDBOX_PROFILE } from "./sandbox.ts";
import { getSetting } from "./settings.ts";
import { quoteText } from "./values.ts";

/** The names of all profiles; the default one and the sandbox need no entry in the file. */
export function profileNames(file: ConfigFile): readonly string[] {
  return [...new Set([String(getSetting("profile").default), SANDBOX_PROFILE, ...file.profiles.keys()])];
}

/** The failure of naming a profile that does not exist; `entry` tells who named it. */
export function unknownProfileError(name: string, file: ConfigFile, entry?: ResolvedSetting): UsageError {
  const known = profileNames(file);
  const near = nearestName(name, known);
  const namedBy = entry === undefined || entry.level === "flag" ? "" : `, which ${entry.origin} names`;
  const inFile = entry?.level === "profile";
  return new UsageError(`There is no profile ${quoteText(name)}${namedBy}.`, {
    hint: [
      ...(near ? [`Did you mean ${near}?`] : []),
      `Profiles: ${known.join(", ")}.`,
      inFile
        ? "Choose one with: solx config set profile <name>"
        : "Make a new one with: solx auth login --profile <name>",
    ].join(" "),
  });
}
