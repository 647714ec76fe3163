/** Settings and profiles at the prompt. Nothing here prints. */
import { SolxError, UsageError } from "../../base/errors.ts";
import { isLoopback, parseUnixTime } from "../../client/index.ts";
import { changeSetting, chooseProfile } from "../../config/change.ts";
import { readSaved } from "../../config/credentials.ts";
import { type Entry, SANDBOX, type SettingName, type Settings, settingNames, settingOf } from "../../config/index.ts";
import { configFileOf, credentialsFileOf } from "../../config/paths.ts";
import { profileNames, unknownProfile } from "../../config/profiles.ts";
import { fromProfile, fromSandbox, resolveSetting } from "../../config/resolve.ts";
import { isFixed } from "../../config/sandbox.ts";
import { parseSettingName, parseValue, printValue } from "../../config/values.ts";
import type { DisplayOptions } from "../run/context.ts";
import type { Result } from "../run/result.ts";

type SchemaName = Exclude<keyof typeof import("./schemas.ts"), "Login" | "Logout">;

const displayOf = (name: SchemaName): DisplayOptions => ({ entity: async () => (await import("./schemas.ts"))[name] });

/** What a change of a setting works with. */
export interface ChangeOptions {
  readonly settings: Settings;
  /** The name as it was typed. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** Every setting with its value and where the value comes from. */
export function configList(settings: Settings): Result {
  const rows = settingNames.map((name) => {
    const { value = null, origin } = settings.entry(name);
    const { default: fallback, otherwise = null, description } = settingOf(name);
    return { name, value: maskPassword(value), source: origin, default: fallback ?? otherwise, description };
  });
  return {
    value: rows,
    shown: { ...displayOf("SettingRow"), columns: ["name", "value", "source"] },
    notes: [],
  };
}

/**
 * One setting: its plain value, null when nothing is given and there is no default.
 * @throws UsageError when there is no such setting.
 */
export function configGet(settings: Settings, typed: string): Result {
  const name = parseSettingName(typed);
  return { value: maskPassword(settings.get(name) ?? null), shown: {}, notes: [] };
}

/**
 * Changes a setting of the profile in use; `profile` itself is changed for all later runs.
 * @throws UsageError when there is no such setting, the value is wrong, or the file cannot be read: it is kept then.
 */
export async function configSet({
  settings,
  name: typed,
  value: text,
  signal,
}: ChangeOptions & { readonly value: string }) {
  const { paths, profile, file } = settings;
  if (file.problem) throw file.problem;
  const name = parseSettingName(typed);
  if (settings.sandbox && isFixed(name)) throw fixedInSandbox(name);
  const value = parseValue(name, text);
  if (name === "sandbox-now") parseUnixTime(text, name);
  if (name === "sandbox-faults") await checkFaults(text);
  if (name === "profile") {
    if (!profileNames(file).includes(String(value))) throw unknownProfile(String(value), file);
    await chooseProfile(paths, String(value), signal);
  } else {
    await changeSetting(paths, profile, { name, value }, signal);
  }
  const notes = [
    ...overrideNotes(settings.entry(name)),
    ...plainHttpNotes(name, String(value)),
    ...sandboxOnlyNotes(settings, name, printValue(value)),
  ];
  return changeResult(settings, { name, value, notes });
}

/** @throws UsageError for a text that is no list of faults */
async function checkFaults(text: string): Promise<void> {
  const { loadSandbox, splitFaults: faultsIn } = await import("../sandbox/world.ts");
  const { createFaults } = await loadSandbox();
  createFaults(faultsIn(text), "");
}

function fixedInSandbox(name: SettingName): UsageError {
  return new UsageError(`${name} of the sandbox cannot be changed: it answers in process.`, {
    hint: "For a server of your own take another profile: --profile <name>",
  });
}

/**
 * Removes a setting from the profile in use, so that its default holds.
 * @throws UsageError when there is no such setting, or the file cannot be read: it is kept then.
 */
export async function configUnset({ settings, name: typed, signal }: ChangeOptions): Promise<Result> {
  const { paths, profile, file } = settings;
  if (file.problem) throw file.problem;
  const name = parseSettingName(typed);
  const isSet = name === "profile" ? file.profile !== undefined : file.profiles.get(profile)?.[name] !== undefined;
  if (name === "profile" && isSet) await chooseProfile(paths, undefined, signal);
  else if (isSet) await changeSetting(paths, profile, { name, value: undefined }, signal);
  const unsetNotes = isSet ? [] : [`${name} was not set in ${settingLocation(settings, name)}.`];
  return changeResult(settings, { name, value: null, notes: [...unsetNotes, ...overrideNotes(settings.entry(name))] });
}

/** The files and folders of solx. */
export function configPath({ paths }: Settings): Result {
  const { state = null, cache = null } = paths;
  return {
    value: { config: configFileOf(paths) ?? null, credentials: credentialsFileOf(paths) ?? null, state, cache },
    shown: displayOf("FileLocations"),
    notes: paths.config === undefined ? ["There is no home folder: set HOME or SOLX_HOME to keep settings."] : [],
  };
}

/** Every profile with its server, plan and the place of its key. */
export function configProfiles(settings: Settings): Result {
  const { file, paths, profile: active } = settings;
  const notes = new Set<string>();
  const rows = profileNames(file).map((name) => {
    const source = [...(name === SANDBOX ? [fromSandbox()] : []), fromProfile(file, name, paths)];
    const { value: server = null } = resolveSetting("base-url-v2", source);
    const { value: plan = null } = resolveSetting("plan", source);
    return { name, active: name === active, server, plan, key: keyLocation(settings, name, notes) };
  });
  return { value: rows, shown: displayOf("ProfileRow"), notes: [...notes] };
}

function keyLocation({ owner }: Settings, profile: string, notes: Set<string>): string | null {
  try {
    const { saved, notes: found } = readSaved({ ...owner, profile });
    for (const note of found) notes.add(note);
    return saved?.place ?? null;
  } catch (error) {
    if (!(error instanceof SolxError)) throw error;
    notes.add(error.message);
    return null;
  }
}

function changeResult(
  settings: Settings,
  { name, value, notes }: { name: SettingName; value: string | number | null; notes: string[] },
): Result {
  return {
    value: { name, value: maskPassword(value), place: settingLocation(settings, name) },
    shown: displayOf("SettingChange"),
    notes,
  };
}

/** A value without the password of an address in it. */
function maskPassword(value: string | number | null): string | number | null {
  return typeof value === "string" ? value.replace(/^(\w+:\/\/[^/]*:)[^/]*(@[^/]*)/, "$1***$2") : value;
}

function settingLocation({ profile, file }: Settings, name: SettingName): string {
  return name === "profile" ? `file ${file.path}` : `profile ${profile} (${file.path})`;
}

function overrideNotes({ level, origin }: Entry): string[] {
  return level === "environment" ? [`The ${origin} goes before it, as long as it is set.`] : [];
}

/** A note for a setting of the sandbox in a profile that is another. */
function sandboxOnlyNotes({ sandbox }: Settings, name: SettingName, value: string): string[] {
  if (sandbox || !name.startsWith("sandbox-")) return [];
  return [`Only the sandbox looks at it, in its own profile: solx config set ${name} ${value} --sandbox`];
}

/** A note for servers that no key will be sent to. */
function plainHttpNotes(name: SettingName, value: string): string[] {
  if (settingOf(name).type !== "url" || !value.startsWith("http:")) return [];
  return isLoopback(new URL(value).hostname)
    ? []
    : ["solx sends no key over plain http, except to this machine: use https where a key is needed."];
}
