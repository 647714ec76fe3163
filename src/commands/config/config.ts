/** The `solx config` commands. Nothing here prints. */
import { SolxError, UsageError } from "../../base/index.ts";
import { nodeUrl } from "../../catalogue/index.ts";
import { isLoopback, parseUnixTime } from "../../client/index.ts";
import {
  changeSetting,
  configFilePath,
  credentialsFilePath,
  type DataSource,
  formatValue,
  getSetting,
  isFixed,
  maskValue,
  parseSettingName,
  parseValue,
  profileNames,
  profileSource,
  type ResolvedSetting,
  readSavedEntry,
  resolveSetting,
  SANDBOX_PROFILE,
  SETTING_NAMES,
  type SettingName,
  type SettingSource,
  type Settings,
  sandboxSource,
  selectProfile,
  unknownProfileError,
} from "../../config/index.ts";
import type { DisplayOptions } from "../run/context.ts";
import type { CommandResult } from "../run/result.ts";

type SchemaName = Exclude<keyof typeof import("./schemas.ts"), "Login" | "Logout">;

const displayOf = (name: SchemaName): DisplayOptions => ({ entity: async () => (await import("./schemas.ts"))[name] });

/** Input of the commands that change a setting. */
export interface ChangeOptions {
  readonly settings: Settings;
  /** The name as typed. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** Returns every setting with its value, in which secrets are masked, and the source of the value. */
export function listSettings(settings: Settings) {
  return SETTING_NAMES.map((name) => {
    const { value = null, origin } = settings.resolve(name);
    const { default: fallback, defaultDescription: otherwise = null, description } = getSetting(name);
    return {
      name,
      value: value === null ? null : maskValue(name, value),
      source: origin,
      default: fallback ?? otherwise,
      description,
    };
  });
}

/** Returns the table of all settings. */
export function configList(settings: Settings): CommandResult {
  return {
    value: listSettings(settings),
    display: { ...displayOf("SettingRow"), columns: ["name", "value", "source"] },
    notes: [],
  };
}

/**
 * Returns the plain value of a setting; null when it is unset and has no default.
 * @throws UsageError when there is no such setting
 */
export function configGet(settings: Settings, typed: string): CommandResult {
  const name = parseSettingName(typed);
  const value = settings.get(name) ?? null;
  // The URL of a node is printed as it is: programs read it here, as they read the key from `solx auth token`.
  return { value: value === null || name === "rpc-url" ? value : maskValue(name, value), display: {}, notes: [] };
}

/**
 * Changes a setting of the current profile; `profile` itself is changed for all later runs.
 * @throws UsageError when there is no such setting, the value is invalid, or the file cannot be read and must not be replaced
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
    if (!profileNames(file).includes(String(value))) throw unknownProfileError(String(value), file);
    await selectProfile(paths, String(value), signal);
  } else {
    await changeSetting(paths, profile, { name, value }, signal);
  }
  const notes = [
    ...overrideNotes(settings.resolve(name)),
    ...plainHttpNotes(name, String(value)),
    ...sandboxOnlyNotes(settings, name, formatValue(value)),
  ];
  return changeResult(settings, { name, value, notes });
}

/** @throws UsageError when the text is not a list of faults */
async function checkFaults(text: string): Promise<void> {
  const { loadSandbox, splitFaults: faultsIn } = await import("../sandbox/world.ts");
  const { createFaults } = await loadSandbox();
  createFaults(faultsIn(text), "");
}

function fixedInSandbox(name: SettingName): UsageError {
  return new UsageError(`${name} of the sandbox cannot be changed: the sandbox runs in this process.`, {
    hint: "To use another server, choose another profile: --profile <name>",
  });
}

/**
 * Removes a setting from the current profile, so that its default applies.
 * @throws UsageError when there is no such setting, or the file cannot be read and must not be replaced
 */
export async function configUnset({ settings, name: typed, signal }: ChangeOptions): Promise<CommandResult> {
  const { paths, profile, file } = settings;
  if (file.problem) throw file.problem;
  const name = parseSettingName(typed);
  const isSet = name === "profile" ? file.profile !== undefined : file.profiles.get(profile)?.[name] !== undefined;
  if (name === "profile" && isSet) await selectProfile(paths, undefined, signal);
  else if (isSet) await changeSetting(paths, profile, { name, value: undefined }, signal);
  const unsetNotes = isSet ? [] : [`${name} was not set in ${settingLocation(settings, name)}.`];
  return changeResult(settings, {
    name,
    value: null,
    notes: [...unsetNotes, ...overrideNotes(settings.resolve(name))],
  });
}

/** Returns the files and folders of solx. */
export function configPath({ paths }: Settings): CommandResult {
  const { state = null, cache = null } = paths;
  return {
    value: { config: configFilePath(paths) ?? null, credentials: credentialsFilePath(paths) ?? null, state, cache },
    display: displayOf("FileLocations"),
    notes: paths.config === undefined ? ["No home folder found: set HOME or SOLX_HOME to save settings."] : [],
  };
}

/** Returns every profile with its server, its plan and the location of its key. */
export function configProfiles(settings: Settings): CommandResult {
  const { file, paths, profile: active } = settings;
  const notes = new Set<string>();
  const rows = profileNames(file).map((name) => {
    const source = [...(name === SANDBOX_PROFILE ? [sandboxSource()] : []), profileSource(file, name, paths)];
    const setValue = (setting: SettingName) => resolveSetting(setting, source).value ?? null;
    const kind = profileKind(name, source);
    const node = setValue("rpc-url");
    const server =
      kind === "rpc" && node !== null ? maskValue("rpc-url", nodeUrl(String(node))) : setValue("base-url-v2");
    const key = keyLocation(settings, name, notes);
    return { name, active: name === active, kind, server, plan: setValue("plan"), key };
  });
  return { value: rows, display: displayOf("ProfileRow"), notes: [...notes] };
}

/** Returns what answers the requests of a profile. */
function profileKind(name: string, sources: readonly SettingSource[]): DataSource {
  const isSet = (setting: SettingName) => {
    const { value, problem } = resolveSetting(setting, sources);
    return problem !== undefined || (value !== undefined && value !== "off");
  };
  if (name === SANDBOX_PROFILE) return "sandbox";
  return isSet("index") ? "index" : isSet("rpc-url") ? "rpc" : "api";
}

function keyLocation({ owner }: Settings, profile: string, notes: Set<string>): string | null {
  try {
    const { saved, notes: keyNotes } = readSavedEntry({ ...owner, profile });
    for (const note of keyNotes) notes.add(note);
    return saved?.location ?? null;
  } catch (error) {
    if (!(error instanceof SolxError)) throw error;
    notes.add(error.message);
    return null;
  }
}

function changeResult(
  settings: Settings,
  { name, value, notes }: { name: SettingName; value: string | number | null; notes: string[] },
): CommandResult {
  return {
    value: { name, value: value === null ? null : maskValue(name, value), place: settingLocation(settings, name) },
    display: displayOf("SettingChange"),
    notes,
  };
}

function settingLocation({ profile, file }: Settings, name: SettingName): string {
  return name === "profile" ? `file ${file.path}` : `profile ${profile} (${file.path})`;
}

function overrideNotes({ level, origin }: ResolvedSetting): string[] {
  return level === "environment" ? [`The ${origin} takes precedence while it is set.`] : [];
}

/** Returns a note for a sandbox setting in another profile. */
function sandboxOnlyNotes({ sandbox }: Settings, name: SettingName, value: string): string[] {
  if (sandbox || !name.startsWith("sandbox-")) return [];
  return [`It only applies to the sandbox, which has its own profile: solx config set ${name} ${value} --sandbox`];
}

/** Returns a note for servers that no key is sent to. */
function plainHttpNotes(name: SettingName, value: string): string[] {
  if (getSetting(name).type !== "url" || !value.startsWith("http:")) return [];
  return isLoopback(new URL(value).hostname)
    ? []
    : ["solx does not send keys over plain http, except to this machine. Use https if the server needs a key."];
}
