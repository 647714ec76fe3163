/** The keys that users chose: read from their file, held against each other and against the keys that are there. */
import { isArray, isObject, type Json } from "../../../base/json.ts";
import { nearestName } from "../../../base/nearest-name.ts";
import { ACTION_NAMES, ACTIONS, type ActionName } from "./actions.ts";
import type { Binding } from "./keymap.ts";

/** What users chose. */
export interface CustomKeys {
  /** The keys of actions that have others than their own; none for actions that no key is for. */
  readonly keys: ReadonlyMap<ActionName, readonly string[]>;
  /** Keys that open a place, by the words that name it. */
  readonly hotkeys: readonly Hotkey[];
}

/** A key that opens a place. */
export interface Hotkey {
  readonly key: string;
  readonly open: string;
}

/** What was found, and what of it cannot be obeyed, in sentences. */
export interface CustomKeysResult extends CustomKeys {
  readonly problems: readonly string[];
}

/** Nothing chosen. */
export const NO_CUSTOM_KEYS: CustomKeys = { keys: new Map(), hotkeys: [] };

/** A binding with the user's keys: its own ones where there are none, without those that mean something else now. */
export function applyCustomKeys(binding: Binding, custom: CustomKeys): Binding {
  const { name } = binding;
  if (name === undefined || (custom.keys.size === 0 && custom.hotkeys.length === 0)) return binding;
  const chosen = custom.keys.get(name);
  const keys = chosen ?? binding.keys.filter((key) => !isReassigned(key, name, custom));
  return keys === binding.keys ? binding : { ...binding, keys, active: binding.active !== false && keys.length > 0 };
}

function isReassigned(key: string, name: ActionName, { keys, hotkeys }: CustomKeys): boolean {
  if (hotkeys.some((one) => one.key === key)) return true;
  return [...keys].some(([other, chosen]) => other !== name && chosen.includes(key) && canOverlap(other, name));
}

/** Parts of screens of which a place has one at most: their actions never meet. */
const EXCLUSIVE_SCOPES = [
  ["list", "detail", "bookmarks"],
  ["home", "account", "block", "chart"],
] as const;

const scopeOf = (name: ActionName) => name.slice(0, name.indexOf("."));

/** Whether two actions may be obeyed at the same place. */
function canOverlap(one: ActionName, other: ActionName): boolean {
  const [a, b] = [scopeOf(one), scopeOf(other)];
  return (
    a === b || !EXCLUSIVE_SCOPES.some((group) => [a, b].every((scope) => group.some((member) => member === scope)))
  );
}

const NAMED_KEYS = [
  ...["up", "down", "left", "right", "pageup", "pagedown", "home", "end", "enter", "esc", "tab", "backspace", "delete"],
  "space",
];
/** Other words for keys, as people write them. */
const ALIASES: Readonly<Record<string, string>> = {
  escape: "esc",
  return: "enter",
  bksp: "backspace",
  del: "delete",
  pgup: "pageup",
  pgdn: "pagedown",
  " ": "space",
};

/** The name of a key as it is written in many ways (`Ctrl-T`, `ctrl+t`, `C`, `PgDn`); undefined where it is none. */
export function parseKeyName(text: string): string | undefined {
  if ([...text].length === 1) return /[\p{Cc}\p{Cf}]/u.test(text) ? undefined : (ALIASES[text] ?? text);
  const [, modifier, rest = ""] = /^(?:(ctrl|alt|shift)[-+])?(.+)$/isu.exec(text) ?? [];
  const prefix = modifier === undefined ? "" : `${modifier.toLowerCase()}+`;
  const word = rest.toLowerCase();
  const named = ALIASES[word] ?? (NAMED_KEYS.includes(word) ? word : undefined);
  if (named !== undefined) return `${prefix}${named}`;
  if (prefix === "ctrl+" && /^[a-z]$/.test(word)) return CONTROL_ALIASES[word] ?? `ctrl+${word}`;
  return prefix === "alt+" && [...rest].length === 1 ? `alt+${rest}` : undefined;
}

/** Keys that a terminal sends as another one. */
const CONTROL_ALIASES: Readonly<Record<string, string>> = { i: "tab", m: "enter", h: "backspace" };

/** Reads `keys` and `hotkeys` of the user's file; what is wrong is told and left out, the rest holds. */
export function readCustomKeys(keySettings: Json | undefined, hotkeySettings: Json | undefined): CustomKeysResult {
  const problems: string[] = [];
  const keys = new Map<ActionName, readonly string[]>();
  if (keySettings !== undefined && !isObject(keySettings)) problems.push('"keys" must be an object of names and keys.');
  for (const [name, value] of Object.entries(isObject(keySettings) ? keySettings : {})) {
    const action = ACTION_NAMES.find((known) => known === name);
    if (action === undefined) problems.push(unknownActionMessage(name));
    else {
      const chosen = parseKeys(name, value ?? null, problems);
      if (chosen) keys.set(action, action === "solx.quit" ? withInterruptKey(chosen) : chosen);
    }
  }
  const hotkeys = parseHotkeys(hotkeySettings, problems);
  return { keys, hotkeys, problems: [...problems, ...findConflicts({ keys, hotkeys })] };
}

/** Nobody is locked in. */
const INTERRUPT_KEY = "ctrl+c";

function withInterruptKey(keys: readonly string[]): readonly string[] {
  return keys.includes(INTERRUPT_KEY) ? keys : [...keys, INTERRUPT_KEY];
}

function unknownActionMessage(name: string): string {
  const suggestion = nearestName(name, ACTION_NAMES) ?? ACTION_NAMES.find((known) => known.endsWith(`.${name}`));
  return `There is no action ${JSON.stringify(name)}.${suggestion === undefined ? "" : ` Did you mean ${suggestion}?`}`;
}

function parseKeys(name: string, value: Json, problems: string[]): readonly string[] | undefined {
  if (value === null) return [];
  const names = isArray(value) ? value : [value];
  const known = names.map((word) => (typeof word === "string" ? parseKeyName(word) : undefined));
  const invalid = names.find((_word, at) => known[at] === undefined);
  if (invalid === undefined) return known.filter((key) => key !== undefined);
  problems.push(
    `${name}: ${JSON.stringify(invalid)} is no key. Write x, X, ctrl+t, alt+x, pagedown, …, or null for none.`,
  );
  return undefined;
}

function parseHotkeys(keySettings: Json | undefined, problems: string[]): readonly Hotkey[] {
  if (keySettings === undefined) return [];
  const message = 'Each of "hotkeys" must be like {"key": "ctrl+t", "open": "token trending"}.';
  if (!isArray(keySettings)) {
    problems.push(message);
    return [];
  }
  return keySettings.flatMap((one): readonly Hotkey[] => {
    const { key, open } = isObject(one) ? one : {};
    const name = typeof key === "string" ? parseKeyName(key) : undefined;
    if (name !== undefined && typeof open === "string" && open.trim() !== "") return [{ key: name, open: open.trim() }];
    problems.push(message);
    return [];
  });
}

/** Keys that would mean two things at one place: the user's choice holds, and the other action is told of. */
function findConflicts({ keys, hotkeys }: CustomKeys): readonly string[] {
  const chosen = [
    ...hotkeys.map(({ key, open }) => ({ key, name: undefined, word: `the hotkey for ${open}` })),
    ...[...keys].flatMap(([name, list]) => list.map((key) => ({ key, name, word: name as string }))),
  ];
  return chosen.flatMap(({ key, name, word }, at) => {
    const overlaps = (other: ActionName | undefined) =>
      name === undefined || other === undefined || canOverlap(name, other);
    const duplicates = chosen.slice(at + 1).filter((other) => other.key === key && overlaps(other.name));
    const displaced = ACTION_NAMES.filter(
      (other) => !keys.has(other) && overlaps(other) && ACTIONS[other].keys.some((one) => one === key),
    );
    return [
      ...duplicates.map((other) => `Key ${key} is for ${word} and for ${other.word}: give one of them another key.`),
      ...displaced.filter((other) => hasNoKeyLeft(other, chosen)).map((other) => noKeyLeftMessage(key, word, other)),
    ];
  });
}

/** Whether an action that keeps its own keys has none left. */
function hasNoKeyLeft(
  name: ActionName,
  chosen: readonly { readonly key: string; readonly name: ActionName | undefined }[],
) {
  return ACTIONS[name].keys.every((key) =>
    chosen.some((one) => one.key === key && (one.name === undefined || canOverlap(one.name, name))),
  );
}

const noKeyLeftMessage = (key: string, word: string, other: ActionName) =>
  `Key ${key} is for ${word} now, and no key is left for ${other}: give it one, or null.`;
