/** Settings that belong together and are one entry of a profile: `max-wait` may be `90 retries=5`. */
import { UsageError } from "../base/index.ts";
import { SETTINGS, type SettingName } from "./settings.ts";

/** The settings of each entry besides the one of its own name, by the word that selects them. */
const GROUPS = {
  "base-url": { v2: "base-url-v2", legacy: "base-url-legacy", public: "base-url-public" },
  "rpc-url": { commitment: "commitment" },
  rate: { concurrency: "concurrency", scope: "budget" },
  units: { confirm: "confirm-units", day: "units-per-day" },
  timeout: { jq: "jq-timeout" },
  "max-wait": { retries: "retries" },
  sandbox: {
    seed: "sandbox-seed",
    size: "sandbox-size",
    now: "sandbox-now",
    hostile: "sandbox-hostile",
    faults: "sandbox-faults",
  },
} as const satisfies Record<string, Readonly<Record<string, SettingName>>>;

type GroupName = keyof typeof GROUPS;

/** The name of an entry of a profile. */
export type EntryName = SettingName | GroupName;

const groups: Readonly<Record<string, Readonly<Record<string, SettingName>>>> = GROUPS;

/** Returns the settings of an entry besides the one of its own name, by their words; empty for most. */
export const partsOf = (entry: EntryName): Readonly<Record<string, SettingName>> => groups[entry] ?? {};

const places = new Map(
  Object.entries(groups).flatMap(([entry, parts]) =>
    Object.entries(parts).map(([word, name]) => [name, { entry: entry as EntryName, word }] as const),
  ),
);

/** Returns the entry that contains a setting, and the word that selects it there; undefined for its own entry. */
export const placeOf = (name: SettingName) => places.get(name);

/** The names of all entries, in the order of lists: what `solx config` shows and changes. */
export const ENTRY_NAMES: readonly EntryName[] = [
  ...new Set((Object.keys(SETTINGS) as SettingName[]).map((name): EntryName => placeOf(name)?.entry ?? name)),
];

/** Returns the words that set a setting in a profile: `max-wait retries=<value>`. */
export function settingWords(name: SettingName): string {
  const place = placeOf(name);
  return place === undefined ? `${name} <value>` : `${place.entry} ${place.word}=<value>`;
}

/**
 * Splits the text of an entry: a word such as `retries=5` starts the value of another setting.
 * @throws UsageError for text without such a word in an entry that has no value of its own
 */
export function splitEntry(entry: EntryName, text: string): ReadonlyMap<SettingName, string> {
  const parts = partsOf(entry);
  const values = new Map<SettingName, string>();
  let current: SettingName | undefined = Object.hasOwn(SETTINGS, entry) ? (entry as SettingName) : undefined;
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const [, key = "", rest = ""] = /^([a-z0-9]+)=(.*)$/s.exec(word) ?? [];
    const part = Object.hasOwn(parts, key) ? parts[key] : undefined;
    current = part ?? current;
    if (current === undefined) {
      const words = Object.keys(parts).map((known) => `${known}=<value>`);
      throw new UsageError(`invalid value "${word}" for ${entry}: expected ${words.join(" ")}`);
    }
    const before = values.get(current);
    const value = part === undefined ? word : rest;
    values.set(current, before === undefined || part !== undefined ? value : `${before} ${value}`);
  }
  return values;
}

/** Returns the text of an entry with the given values; the inverse of {@link splitEntry}. */
export function joinEntry(entry: EntryName, values: ReadonlyMap<SettingName, string>): string {
  const own = values.get(entry as SettingName);
  const others = Object.entries(partsOf(entry)).flatMap(([word, name]) => {
    const value = values.get(name);
    return value === undefined ? [] : [`${word}=${value}`];
  });
  return [...(own === undefined ? [] : [own]), ...others].join(" ");
}
