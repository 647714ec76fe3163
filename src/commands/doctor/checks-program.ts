/** Checks of the program itself and of what its settings are made from. */
import { existsSync } from "node:fs";
import { arch, release } from "node:os";
import { toSentence } from "../../base/errors.ts";
import { isArray, isObject, type Json } from "../../base/json.ts";
import { nearestName } from "../../base/nearest-name.ts";
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

/** What keeps solx's own variables, beside those of settings. */
const KNOWN_VARIABLES: readonly string[] = [
  ...SETTING_NAMES.map((name) => getSetting(name).env),
  ...KEY_VARIABLES,
  "SOLX_HOME",
  "SOLX_SANDBOX",
  "SOLX_FORCE_TTY",
  "SOLX_HANDED_OVER",
];

const version: Check = {
  area: "program",
  name: "solx",
  run: async ({ context: { io } }) => ({
    level: "ok",
    value: { version: io.version, path: process.argv[1] ?? null },
    message: `${io.version}${process.argv[1] === undefined ? "" : `, ${process.argv[1]}`}`,
  }),
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

/** What was given for this run and cannot be used, and variables that nothing reads. */
const given: Check = {
  area: "settings",
  name: "given",
  run: async ({ problems, context: { io } }) => {
    const invalid = problems.map(
      ({ name, error }): Outcome => ({
        check: name,
        level: "problem",
        value: String(error.code),
        message: `${toSentence(error)} All else was looked at without it.`,
        hint: error.hint ?? "Correct it, or leave it out.",
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
      message: "This variable means nothing to solx.",
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
        message: "There is no home folder: nothing can be saved, and defaults hold.",
        hint: "Set HOME, or SOLX_HOME to a folder of your own. A key can still come from SOLX_API_KEY.",
      };
    }
    if (problem) return { level: "problem", value: path, message: toSentence(problem), hint: problem.hint };
    const invalid = [...invalidAddresses(settings), ...otherWarnings(settings, path)];
    const names = [...profiles.keys()];
    const profileText = names.length === 0 ? "no profiles of your own" : `profiles ${names.join(", ")}`;
    const status = existsSync(path) ? profileText : "not there; defaults hold";
    const outcome: Outcome = { level: "ok", value: path, message: `${path}: ${status}` };
    return invalid.length > 0 ? invalid : outcome;
  },
};

const CONFIG_HINT = "See what there is: solx config list. Remove one: solx config unset <name>";

/** Addresses that are wrong: nothing is sent to any other instead. */
function invalidAddresses(settings: Settings): readonly Outcome[] {
  const problems = SETTING_NAMES.flatMap((name) => {
    const { problem } = settings.resolve(name);
    return problem !== undefined && getSetting(name).type === "url" ? [toSentence(problem)] : [];
  });
  return [...new Set(problems)].map((message) => ({ level: "problem", value: null, message, hint: CONFIG_HINT }));
}

/** What else is wrong in the file: defaults hold in its place. */
function otherWarnings(settings: Settings, path: string): readonly Outcome[] {
  const addresses = invalidAddresses(settings).map(({ message }) => message);
  return settings.warnings
    .filter((text) => !addresses.some((message) => text.startsWith(message)))
    .map((message) => ({ level: "warning", value: path, message, hint: CONFIG_HINT }));
}

/** Each setting that is not its default, with what gave it. */
const settingValues: Check = {
  area: "settings",
  name: "values",
  run: async (checkContext) => {
    const given = listSettings(checkContext).filter(
      ({ name }) => checkContext.settings.resolve(name).level !== "default",
    );
    const others = SETTING_NAMES.length - given.length;
    // What is wrong is told with the file.
    const rows = given.filter(({ name }) => checkContext.settings.resolve(name).problem === undefined);
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
        message: `${others} settings have their defaults; all of them: solx config list`,
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
    // That a profile was taken in place of another is told with the problem.
    if (row.name === "profile" && isFallback) return [];
    return [{ name: row.name, value: row.value ?? null, source: String(row.source) }];
  });
}

const isSettingName = (name: unknown): name is SettingName => typeof name === "string" && Object.hasOwn(SETTINGS, name);

/** The checks of this file. */
export const PROGRAM_CHECKS: readonly Check[] = [version, runtime, given, configFile, settingValues];
