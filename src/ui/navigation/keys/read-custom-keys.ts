/** Reads the custom keys of explore.json, and checks them for conflicts. */
import * as z from "zod";
import { isArray, isObject, type Json, nearestName } from "../../../base/index.ts";
import { ENTITY_KINDS } from "../entity-pages.ts";
import { ACTION_NAMES, ACTIONS, type ActionName } from "./actions.ts";
import { type CustomKeys, type CustomKeysResult, canOverlap, describeHotkey, type Hotkey } from "./custom-keys.ts";

const NAMED_KEYS = [
  ...["up", "down", "left", "right", "pageup", "pagedown", "home", "end", "enter", "esc", "tab", "backspace", "delete"],
  "space",
];
const ALIASES: Readonly<Record<string, string>> = {
  escape: "esc",
  return: "enter",
  bksp: "backspace",
  del: "delete",
  pgup: "pageup",
  pgdn: "pagedown",
  " ": "space",
};

/** Parses a key name (`Ctrl-T`, `ctrl+t`, `C`, `PgDn`) into its canonical form; undefined when it is not a key. */
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

/** Control keys that terminals send as another key. */
const CONTROL_ALIASES: Readonly<Record<string, string>> = { i: "tab", m: "enter", h: "backspace" };

/** Parses `keys` and `hotkeys` of explore.json; invalid entries are reported and skipped. */
export function readCustomKeys(keySettings: Json | undefined, hotkeySettings: Json | undefined): CustomKeysResult {
  const problems: string[] = [];
  const keys = new Map<ActionName, readonly string[]>();
  if (keySettings !== undefined && !isObject(keySettings))
    problems.push('"keys" must be an object of action names and keys');
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

/** Always quits, so that no configuration locks the user in. */
const INTERRUPT_KEY = "ctrl+c";

function withInterruptKey(keys: readonly string[]): readonly string[] {
  return keys.includes(INTERRUPT_KEY) ? keys : [...keys, INTERRUPT_KEY];
}

function unknownActionMessage(name: string): string {
  const suggestion = nearestName(name, ACTION_NAMES) ?? ACTION_NAMES.find((known) => known.endsWith(`.${name}`));
  return `unknown action ${JSON.stringify(name)}${suggestion === undefined ? "" : `; did you mean ${suggestion}?`}`;
}

function parseKeys(name: string, value: Json, problems: string[]): readonly string[] | undefined {
  if (value === null) return [];
  const names = isArray(value) ? value : [value];
  const known = names.map((word) => (typeof word === "string" ? parseKeyName(word) : undefined));
  const invalid = names.find((_word, at) => known[at] === undefined);
  if (invalid === undefined) return known.filter((key) => key !== undefined);
  problems.push(
    `${name}: invalid key ${JSON.stringify(invalid)}: expected x, X, ctrl+t, alt+x, pagedown, …, or null for no key`,
  );
  return undefined;
}

const KEY = z.string().transform((text, context) => {
  const key = parseKeyName(text);
  if (key === undefined) context.addIssue({ code: "custom", message: `${JSON.stringify(text)} is not a key` });
  return key ?? z.NEVER;
});
const PAGE_KEY = z.strictObject({ key: KEY, open: z.string().trim().min(1) });
const PROGRAM_KEY = z.strictObject({
  key: KEY,
  run: z.tuple([z.string().regex(/^[^{}]+$/, "the program must not be a placeholder")], z.string()),
  kinds: z.array(z.enum(ENTITY_KINDS)).default([]),
  label: z.string().trim().min(1).optional(),
  terminal: z.boolean().default(false),
});

function parseHotkeys(settings: Json | undefined, problems: string[]): readonly Hotkey[] {
  if (settings === undefined) return [];
  if (!isArray(settings)) {
    problems.push('"hotkeys" must be a list of objects like {"key": "ctrl+t", "open": "token trending"}');
    return [];
  }
  return settings.flatMap((one, at): readonly Hotkey[] => {
    const schema = isObject(one) && one.run !== undefined ? PROGRAM_KEY : PAGE_KEY;
    const { data, error } = (schema as z.ZodType<Hotkey>).safeParse(one);
    if (data) return [data];
    problems.push(
      ...error.issues.map(({ path, message }) => `${["hotkeys", at + 1, ...path].map(String).join(" ")}: ${message}`),
    );
    return [];
  });
}

/** Returns messages about keys assigned twice and about actions that lose their last key. */
function findConflicts({ keys, hotkeys }: CustomKeys): readonly string[] {
  const chosen = [
    ...hotkeys.map((one) => ({ key: one.key, name: undefined, word: `the hotkey for ${describeHotkey(one)}` })),
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
      ...duplicates.map((other) => `key ${key} is assigned to ${word} and ${other.word}; change one of them`),
      ...displaced.filter((other) => hasNoKeyLeft(other, chosen)).map((other) => noKeyLeftMessage(key, word, other)),
    ];
  });
}

function hasNoKeyLeft(
  name: ActionName,
  chosen: readonly { readonly key: string; readonly name: ActionName | undefined }[],
) {
  return ACTIONS[name].keys.every((key) =>
    chosen.some((one) => one.key === key && (one.name === undefined || canOverlap(one.name, name))),
  );
}

const noKeyLeftMessage = (key: string, word: string, other: ActionName) =>
  `key ${key} is assigned to ${word}, which leaves no key for ${other}; set one, or null`;
