/** Custom keys of users, and what they change. */
import type { EntityKind } from "../entity-pages.ts";
import type { ActionName } from "./actions.ts";

/** The custom keys of a user. */
export interface CustomKeys {
  readonly keys: ReadonlyMap<ActionName, readonly string[]>;
  readonly hotkeys: readonly Hotkey[];
}

/** A key that opens a page. */
interface PageKey {
  readonly key: string;
  readonly open: string;
}

/** A key that runs a program of the user, with fields of the row under the cursor in its arguments. */
export interface ProgramKey {
  readonly key: string;
  /** The program and its arguments. */
  readonly run: readonly [program: string, ...args: string[]];
  /** The kinds of entities that it is for; any without one. */
  readonly kinds: readonly EntityKind[];
  readonly label?: string | undefined;
  /** Whether it gets the terminal while it runs, as an editor needs it. */
  readonly terminal: boolean;
}

/** A key for something that is no action. */
export type Hotkey = PageKey | ProgramKey;

/** The custom keys, and what is invalid in them, in sentences. */
export interface CustomKeysResult extends CustomKeys {
  readonly problems: readonly string[];
}

/** No custom keys. */
export const NO_CUSTOM_KEYS: CustomKeys = { keys: new Map(), hotkeys: [] };

interface Rebindable {
  readonly name?: ActionName;
  readonly keys: readonly string[];
  readonly active?: boolean;
}

/** Returns a binding with the user's keys, or else its default keys without those that the user assigned elsewhere. */
export function applyCustomKeys<B extends Rebindable>(binding: B, custom: CustomKeys): B {
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

/** Groups of scopes of which a page has at most one, so that their actions cannot conflict. */
const EXCLUSIVE_SCOPES = [
  ["list", "detail", "bookmarks"],
  ["home", "account", "block", "chart"],
] as const;

const scopeOf = (name: ActionName) => name.slice(0, name.indexOf("."));

/** Returns whether two actions can be on the screen at the same time. */
export function canOverlap(one: ActionName, other: ActionName): boolean {
  const [a, b] = [scopeOf(one), scopeOf(other)];
  return (
    a === b || !EXCLUSIVE_SCOPES.some((group) => [a, b].every((scope) => group.some((member) => member === scope)))
  );
}

/** Returns what a hotkey does, in words. */
export function describeHotkey(hotkey: Hotkey): string {
  return "open" in hotkey ? hotkey.open : (hotkey.label ?? hotkey.run.join(" "));
}
