/** Checks of the program and of its settings. */
import { existsSync } from "node:fs";
import { arch, release } from "node:os";
import {
  isArray,
  isObject,
  isSingleExecutable,
  type Json,
  nearestName,
  pluralize,
  toSentence,
} from "../../base/index.ts";
import {
  getSetting,
  KEY_VARIABLES,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Settings,
} from "../../config/index.ts";
import { configList } from "../config/config.ts";
import type { Io } from "../run/io.ts";
import type { CheckContext } from "./context.ts";
import type { Check, Outcome } from "./finding.ts";

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

const version: Check = {
  area: "program",
  name: "solx",
  run: async ({ context: { io } }) => {
    const path = isSingleExecutable() ? process.execPath : process.argv[1];
    return {
      level: "ok",
      value: { version: io.version, path: path ?? null },
      message: path === undefined ? io.version : `${io.version}, ${path}`,
    };
  },
};

const runtime: Check = {
  area: "program",
  name: "Node",
  run: async () => {
    const { version: node, platform, execPath } = process;
    return {
      level: "ok",
      value: { version: node.slice(1), platform, arch: arch(), system: release(), path: execPath },
      message: `${node.slice(1)} on ${platform} ${arch()} (${release()})`,
    };
  },
};

/** Reports invalid variables and profiles of this run, and unknown variables with the prefix of solx. */
const invalidInput: Check = {
  area: "settings",
  name: "given",
  run: async ({ problems, context: { io } }) => {
    const invalid = problems.map(
      ({ name, error }): Outcome => ({
        check: name,
        level: "problem",
        value: String(error.code),
        message: `${toSentence(error)} It is ignored by the other checks.`,
        hint: error.hint ?? "Correct or remove it.",
      }),
    );
    return [...invalid, ...unknownVariables(io.env)];
  },
};

function unknownVariables(env: Io["env"]): readonly Outcome[] {
  const names = Object.keys(env).filter((name) => name.startsWith("SOLX_") && !KNOWN_VARIABLES.includes(name));
  return names.map((name) => {
    const near = nearestName(name, KNOWN_VARIABLES);
    return {
      check: name,
      level: "warning",
      value: null,
      message: "unknown variable",
      hint: near === undefined ? `Remove it: unset ${name}` : `Did you mean ${near}?`,
    };
  });
}

const configFile: Check = {
  area: "settings",
  name: "file",
  run: async ({ settings }) => {
    const { path, problem, profiles } = settings.file;
    if (path === undefined) {
      return {
        level: "warning",
        value: null,
        message: "no home folder: settings cannot be saved, defaults apply",
        hint: "Set HOME, or set SOLX_HOME to a writable folder. SOLX_API_KEY works without one.",
      };
    }
    if (problem) return { level: "problem", value: path, message: toSentence(problem), hint: problem.hint };
    const invalid = [...invalidAddresses(settings), ...otherWarnings(settings, path)];
    const names = [...profiles.keys()];
    const profileText = names.length === 0 ? "no profiles" : `profiles ${names.join(", ")}`;
    const status = existsSync(path) ? profileText : "does not exist, defaults apply";
    const outcome: Outcome = { level: "ok", value: path, message: `${path}: ${status}` };
    return invalid.length > 0 ? invalid : outcome;
  },
};

const CONFIG_HINT = "List all settings: solx config list. Remove one: solx config unset <name>";

/** Returns problems for invalid addresses, for which there is no default: no request goes to another server. */
function invalidAddresses(settings: Settings): readonly Outcome[] {
  const problems = SETTING_NAMES.flatMap((name) => {
    const { problem } = settings.resolve(name);
    return problem !== undefined && getSetting(name).type === "url" ? [toSentence(problem)] : [];
  });
  return [...new Set(problems)].map((message) => ({ level: "problem", value: null, message, hint: CONFIG_HINT }));
}

/** Returns warnings for other invalid settings of the file; their defaults apply. */
function otherWarnings(settings: Settings, path: string): readonly Outcome[] {
  const addresses = invalidAddresses(settings).map(({ message }) => message);
  return settings.warnings
    .filter((text) => !addresses.some((message) => text.startsWith(message)))
    .map((message) => ({ level: "warning", value: path, message, hint: CONFIG_HINT }));
}

/** Lists settings that differ from their defaults, with their sources. */
const settingValues: Check = {
  area: "settings",
  name: "values",
  run: async (checkContext) => {
    const customized = listSettings(checkContext).filter(
      ({ name }) => checkContext.settings.resolve(name).level !== "default",
    );
    const others = SETTING_NAMES.length - customized.length;
    // Invalid settings are reported with the file.
    const rows = customized.filter(({ name }) => checkContext.settings.resolve(name).problem === undefined);
    return [
      ...rows.map(
        ({ name, value, source }): Outcome => ({
          check: name,
          level: "ok",
          value: { value, source },
          message: `${String(value)}, from ${source}`,
        }),
      ),
      {
        check: "others",
        level: "ok",
        value: others,
        message: `${pluralize(others, "setting")} at the default; list all: solx config list`,
      },
    ];
  },
};

interface SettingRow {
  readonly name: SettingName;
  readonly value: Json;
  readonly source: string;
}

function listSettings({ settings, problems }: CheckContext): readonly SettingRow[] {
  const { value: rows } = configList(settings);
  const isFallback = problems.length > 0;
  return (isArray(rows) ? rows : []).flatMap((row) => {
    if (!isObject(row) || !isSettingName(row.name)) return [];
    // The fallback to the default profile is reported with the problem.
    if (row.name === "profile" && isFallback) return [];
    return [{ name: row.name, value: row.value ?? null, source: String(row.source) }];
  });
}

const isSettingName = (name: unknown): name is SettingName => typeof name === "string" && Object.hasOwn(SETTINGS, name);

/** Checks of the program and its settings. */
export const PROGRAM_CHECKS: readonly Check[] = [version, runtime, invalidInput, configFile, settingValues];
