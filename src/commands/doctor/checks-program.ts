/** Checks of the program and of its settings. */
import { existsSync } from "node:fs";
import { arch, release } from "node:os";
import { isSingleExecutable, nearestName, pluralize, toSentence } from "../../base/index.ts";
import { getSetting, KEY_VARIABLES, SETTING_NAMES, type Settings } from "../../config/index.ts";
import { listSettings } from "../config/config.ts";
import { type Check, localCheck, type Outcome, ok, problem, warning } from "./finding.ts";

/** All environment variables that solx reads. */
const KNOWN_VARIABLES: readonly string[] = [
  ...SETTING_NAMES.map((name) => getSetting(name).env),
  ...KEY_VARIABLES,
  "SOLX_HOME",
  "SOLX_SANDBOX",
  "SOLX_FORCE_TTY",
  "SOLX_NO_INPUT",
  "SOLX_HANDED_OVER",
];

const version = localCheck("program", "solx", async ({ context: { io } }) => {
  const path = isSingleExecutable() ? process.execPath : process.argv[1];
  const message = path === undefined ? io.version : `${io.version}, ${path}`;
  return ok(message, { version: io.version, path: path ?? null });
});

const runtime = localCheck("program", "Node", async () => {
  const { platform, execPath: path } = process;
  const node = process.version.slice(1);
  const value = { version: node, platform, arch: arch(), system: release(), path };
  return ok(`${node} on ${platform} ${arch()} (${release()})`, value);
});

/** Reports invalid variables and profiles of this run, and unknown variables with the prefix of solx. */
const invalidInput = localCheck("settings", "given", async ({ problems, context: { io } }) => {
  const unknown = Object.keys(io.env).filter((name) => name.startsWith("SOLX_") && !KNOWN_VARIABLES.includes(name));
  return [
    ...problems.map(({ name, error }) => {
      const hint = error.hint ?? "Correct or remove it.";
      const message = `${toSentence(error)} It is ignored by the other checks.`;
      return problem(message, { check: name, value: String(error.code), hint });
    }),
    ...unknown.map((name) => {
      const near = nearestName(name, KNOWN_VARIABLES);
      const hint = near === undefined ? `Remove it: unset ${name}` : `Did you mean ${near}?`;
      return warning("unknown variable", { check: name, hint });
    }),
  ];
});

const configFile = localCheck("settings", "file", async ({ settings }) => {
  const { path, problem: error, profiles } = settings.file;
  if (path === undefined) {
    return warning("no home folder: settings cannot be saved, defaults apply", {
      hint: "Set HOME, or set SOLX_HOME to a writable folder. SOLX_API_KEY works without one.",
    });
  }
  if (error) return problem(toSentence(error), { value: path, hint: error.hint });
  const invalid = invalidSettings(settings, path);
  if (invalid.length > 0) return invalid;
  const names = [...profiles.keys()];
  const profileText = names.length === 0 ? "no profiles" : `profiles ${names.join(", ")}`;
  return ok(`${path}: ${existsSync(path) ? profileText : "does not exist, defaults apply"}`, path);
});

/**
 * Returns the findings for invalid settings of the file. An invalid address is a problem, because no request goes to
 * another server; for other settings the defaults apply.
 */
function invalidSettings(settings: Settings, path: string): readonly Outcome[] {
  const hint = "List all settings: solx config list. Remove one: solx config unset <name>";
  const invalid = SETTING_NAMES.filter((name) => getSetting(name).type === "url").flatMap((name) => {
    const { problem: error } = settings.resolve(name);
    return error === undefined ? [] : [toSentence(error)];
  });
  const addresses = [...new Set(invalid)];
  const others = settings.warnings.filter((text) => !addresses.some((message) => text.startsWith(message)));
  return [
    ...addresses.map((message) => problem(message, { hint })),
    ...others.map((message) => warning(message, { value: path, hint })),
  ];
}

/** Lists settings that differ from their defaults, with their sources. */
const settingValues = localCheck("settings", "values", async ({ settings, problems }) => {
  const customized = listSettings(settings).filter(
    // The fallback to the default profile is reported with its problem.
    ({ name }) => settings.resolve(name).level !== "default" && !(name === "profile" && problems.length > 0),
  );
  const others = SETTING_NAMES.length - customized.length;
  return [
    ...customized
      // Invalid settings are reported with the file.
      .filter(({ name }) => settings.resolve(name).problem === undefined)
      .map(({ name, value, source }) => ({
        check: name,
        ...ok(`${String(value)}, from ${source}`, { value, source }),
      })),
    {
      check: "others",
      ...ok(`${pluralize(others, "setting")} at the default; list all: solx config list`, others),
    },
  ];
});

/** Checks of the program and its settings. */
export const PROGRAM_CHECKS: readonly Check[] = [version, runtime, invalidInput, configFile, settingValues];
