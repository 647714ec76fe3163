/** The `solx config` commands. Nothing here prints. */
import { UsageError } from "../../base/index.ts";
import { nodeUrl } from "../../catalogue/index.ts";
import { isStoreAddress, parseStoreAddress } from "../../chain/ledger/index.ts";
import { isLoopback, parseUnixTime } from "../../client/index.ts";
import {
  changeSettings,
  configFilePath,
  credentialsFilePath,
  type DataSource,
  ENTRY_NAMES,
  type EntryName,
  findSavedEntry,
  formatValue,
  getSetting,
  isFixed,
  joinEntry,
  maskValue,
  parseEntryName,
  parseValue,
  partsOf,
  placeOf,
  profileNames,
  profileSource,
  type ResolvedSetting,
  resolveSetting,
  SANDBOX_PROFILE,
  SETTING_NAMES,
  type SettingName,
  type SettingSource,
  type Settings,
  sandboxSource,
  selectProfile,
  splitEntry,
  unknownProfileError,
} from "../../config/index.ts";
import type { CommandResult } from "../run/command-definition.ts";

/** Input of the commands that change a setting. */
export interface ChangeOptions {
  readonly settings: Settings;
  readonly name: string;
  readonly signal: AbortSignal;
}

/** Returns each setting with its value, in which secrets are masked, the sources of the value, and its default. */
export function listSettings(settings: Settings) {
  return ENTRY_NAMES.map((name) => {
    const { description, fallback } = describeEntry(name);
    const origins = settingsOf(name).flatMap((one) => {
      const { level, origin } = settings.resolve(one);
      return level === "default" ? [] : [origin];
    });
    const source = [...new Set(origins)].join(", ") || "default";
    return { name, value: entryValue(settings, name, maskValue), source, default: fallback, description };
  });
}

/** Returns the table of all settings. */
export function configList(settings: Settings): CommandResult {
  return { value: listSettings(settings), schema: "SettingRow", columns: ["name", "value", "source"] };
}

/** Returns the settings of an entry: the one of its name, if any, and those with words. */
export function settingsOf(entry: EntryName): readonly SettingName[] {
  const own = SETTING_NAMES.filter((name) => name === entry);
  return [...own, ...Object.values(partsOf(entry))];
}

/** Returns an entry as it is typed: the value of its name, and what is set with words. */
function entryValue(
  settings: Settings,
  entry: EntryName,
  format: (name: SettingName, value: string | number) => string | number,
): string | number | null {
  const values = settingsOf(entry).flatMap((name) => {
    const { value, level } = settings.resolve(name);
    const isShown = value !== undefined && (name === entry || (level !== "default" && placeOf(name) !== undefined));
    // The URLs of families follow from the one of all.
    const isDerived = settings.resolve(name).origin === settings.resolve("base-url").origin && entry === "base-url";
    return isShown && (name === entry || !isDerived) ? [[name, format(name, value)] as const] : [];
  });
  const [first] = values;
  if (first === undefined) return null;
  if (values.length === 1 && first[0] === entry) return first[1];
  return joinEntry(entry, new Map(values.map(([name, value]) => [name, formatValue(value)])));
}

/** Returns what an entry is for, and its default. */
export function describeEntry(entry: EntryName) {
  const members = settingsOf(entry).map((name) => ({ ...getSetting(name), word: placeOf(name)?.word }));
  const fallbacks = members.flatMap(({ word, default: value, defaultDescription: text }) =>
    (value ?? text) === undefined ? [] : [word === undefined ? (value ?? text ?? "") : `${word}: ${value ?? text}`],
  );
  const description = members
    .map(({ word, description: text }) => (word === undefined ? text : `${word}=<value>: ${text}`))
    .join("; ");
  return { description, fallback: fallbacks.length === 1 ? (fallbacks[0] ?? null) : fallbacks.join(", ") || null };
}

/**
 * Returns the plain value of a setting; null when it is unset and has no default.
 * @throws UsageError when there is no such setting
 */
export function configGet(settings: Settings, typed: string): CommandResult {
  const entry = parseEntryName(typed);
  // The URL of a node is printed as it is: programs read it here, as they read the key from `solx auth token`.
  const format = (name: SettingName, value: string | number) => (name === "rpc-url" ? value : maskValue(name, value));
  for (const name of settingsOf(entry)) settings.get(name);
  return { value: entryValue(settings, entry, format) };
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
  const entry = parseEntryName(typed);
  const { entry: whole } = placeOf(entry as SettingName) ?? { entry };
  if (settings.sandbox && isFixed(whole)) {
    throw new UsageError(`${entry} of the sandbox cannot be changed: the sandbox runs in this process.`, {
      hint: "To use another server, choose another profile: --profile <name>",
    });
  }
  const values = await parseEntry(entry, text);
  const [[single, value] = []] = values;
  if (entry === "profile") {
    if (!profileNames(file).includes(String(value))) throw unknownProfileError(String(value), file);
    await selectProfile(paths, String(value), signal);
  } else {
    await changeSettings(paths, profile, Object.fromEntries(values), signal);
  }
  const notes = [...values].flatMap(([name, one]) => [
    ...overrideNotes(settings.resolve(name)),
    ...plainHttpNotes(name, String(one)),
  ]);
  const changed = [...values].map(([name, one]) => [name, formatValue(maskValue(name, one))] as const);
  const shown =
    single === entry && values.size === 1 ? maskValue(single, value ?? "") : joinEntry(entry, new Map(changed));
  return changeResult(settings, {
    name: entry,
    value: shown,
    notes: [...notes, ...(whole === "sandbox" ? sandboxOnlyNotes(settings, `${entry} ${shown}`) : [])],
  });
}

/** Returns the values of the text of an entry. @throws UsageError when one of them is invalid */
async function parseEntry(entry: EntryName, text: string): Promise<ReadonlyMap<SettingName, string | number>> {
  const isGroup = Object.keys(partsOf(entry)).length > 0;
  const texts = isGroup ? splitEntry(entry, text) : new Map([[entry as SettingName, text]]);
  const values = new Map<SettingName, string | number>();
  for (const [name, one] of texts) {
    values.set(name, parseValue(name, one, { origin: settingLabel(name) }));
    if (name === "index" && isStoreAddress(one)) parseStoreAddress(one, undefined);
    if (name === "sandbox-now") parseUnixTime(one, settingLabel(name));
    if (name === "sandbox-faults") {
      const { loadSandbox, splitFaults } = await import("../sandbox/world.ts");
      (await loadSandbox()).createFaults(splitFaults(one), "");
    }
  }
  if (values.size === 0) parseValue(settingsOf(entry)[0] as SettingName, text, { origin: entry });
  return values;
}

/** Returns a setting as messages call it: `max-wait`, or `retries of max-wait`. */
function settingLabel(name: SettingName): string {
  const place = placeOf(name);
  return place === undefined ? name : `${place.word} of ${place.entry}`;
}

/**
 * Removes an entry with all its parts from the current profile, so that the defaults apply.
 * @throws UsageError when there is no such setting, or the file cannot be read and must not be replaced
 */
export async function configUnset({ settings, name: typed, signal }: ChangeOptions): Promise<CommandResult> {
  const { paths, profile, file } = settings;
  if (file.problem) throw file.problem;
  const name = parseEntryName(typed);
  const saved = file.profiles.get(profile);
  const set = settingsOf(name).filter((one) => (one === "profile" ? file.profile : saved?.[one]) !== undefined);
  const isSet = set.length > 0;
  if (name === "profile" && isSet) await selectProfile(paths, undefined, signal);
  else if (isSet) await changeSettings(paths, profile, Object.fromEntries(set.map((one) => [one, undefined])), signal);
  const unsetNotes = isSet ? [] : [`${name} was not set in ${settingLocation(settings, name)}.`];
  const notes = [...unsetNotes, ...settingsOf(name).flatMap((one) => overrideNotes(settings.resolve(one)))];
  return changeResult(settings, { name, value: null, notes });
}

/** Returns the files and folders of solx. */
export function configPath({ paths }: Settings): CommandResult {
  const { state = null, cache = null } = paths;
  return {
    value: { config: configFilePath(paths) ?? null, credentials: credentialsFilePath(paths) ?? null, state, cache },
    schema: "FileLocations",
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
  return { value: rows, schema: "ProfileRow", notes: [...notes] };
}

function profileKind(name: string, sources: readonly SettingSource[]): DataSource {
  const isSet = (setting: SettingName) => {
    const { value, problem } = resolveSetting(setting, sources);
    return problem !== undefined || (value !== undefined && value !== "off");
  };
  if (name === SANDBOX_PROFILE) return "sandbox";
  return isSet("index") ? "index" : isSet("rpc-url") ? "rpc" : "api";
}

function keyLocation({ owner }: Settings, profile: string, notes: Set<string>): string | null {
  const { saved, notes: keyNotes } = findSavedEntry({ ...owner, profile });
  for (const note of keyNotes) notes.add(note);
  return saved?.location ?? null;
}

function changeResult(
  settings: Settings,
  { name, value, notes }: { name: EntryName; value: string | number | null; notes: string[] },
): CommandResult {
  return {
    value: { name, value, place: settingLocation(settings, name) },
    schema: "SettingChange",
    notes,
  };
}

function settingLocation({ profile, file }: Settings, name: EntryName): string {
  return name === "profile" ? `file ${file.path}` : `profile ${profile} (${file.path})`;
}

function overrideNotes({ level, origin }: ResolvedSetting): string[] {
  return level === "environment" ? [`The ${origin} takes precedence while it is set.`] : [];
}

function sandboxOnlyNotes({ sandbox }: Settings, change: string): string[] {
  if (sandbox) return [];
  return [`It only applies to the sandbox, which has its own profile: solx config set ${change} --sandbox`];
}

/** Returns a note for servers that no key is sent to. */
function plainHttpNotes(name: SettingName, value: string): string[] {
  if (getSetting(name).type !== "url" || !value.startsWith("http:")) return [];
  return isLoopback(new URL(value).hostname)
    ? []
    : ["solx does not send keys over plain http, except to this machine. Use https if the server needs a key."];
}
