/**
 * Key bindings: one list that dispatch, the hints at the foot and the help of `?` all read. No React here.
 */
import type { Key } from "ink";
import { type ActionName, bound } from "./actions.ts";
import { type CustomKeys, customised, NO_CUSTOM_KEYS } from "./custom-keys.ts";

/** What a key does where one is. */
export interface Binding {
  /** The name by which users bind other keys to it; without it the keys are fixed, as in menus and fields. */
  readonly name?: ActionName;
  /** Names as {@link keyName} gives them; the first is shown in hints. */
  readonly keys: readonly string[];
  /** A verb, in one or two words. */
  readonly label: string;
  readonly run: (key: string) => void;
  /** Where help lists it. */
  readonly group: "move" | "view" | "data" | "go" | "solx";
  /** Whether the foot shows it while there is room (the lower, the sooner); without it only help does. */
  readonly hint?: number;
  /** Whether it does something now (default): else it is neither shown nor obeyed, and keys pass on. */
  readonly active?: boolean;
}

/** From the top: who is asked first. */
export const LAYERS = ["overlay", "panel", "screen", "global"] as const;

/** Where bindings belong. */
export type Layer = (typeof LAYERS)[number];

/** What the mouse did, at a place counted from the top left of the body, from 0. */
export interface MouseEvent {
  readonly what: "click" | "up" | "down";
  readonly x: number;
  readonly y: number;
}

/** The bindings of a component. */
export interface KeyLayer {
  readonly layer: Layer;
  readonly bindings: readonly Binding[];
  /** Takes characters that no binding of its own takes: a field that is typed into. */
  readonly onText?: ((text: string) => void) | undefined;
  /** Takes what is pasted. */
  readonly onPaste?: ((text: string) => void) | undefined;
  readonly onMouse?: ((event: MouseEvent) => void) | undefined;
  /** Whether nothing passes to the layers below. */
  readonly modal?: boolean | undefined;
}

/** The bindings that are there now. */
export interface KeyMap {
  /** Adds the bindings of a component, or puts new ones in the place of its old ones. */
  set(owner: object, layer: KeyLayer): void;
  remove(owner: object): void;
  /** What a key or characters do; whether anybody took them. */
  press(key: string, text: string | undefined): boolean;
  paste(text: string): boolean;
  mouse(event: MouseEvent): boolean;
  /** The first key of an action, for sentences; undefined where it has none. */
  keyOf(name: ActionName): string | undefined;
  /** The bindings that are obeyed now, from the top, each with the keys that none above takes. */
  active(): readonly Binding[];
  subscribe(listener: () => void): () => void;
  /** Told of every key, paste and move of the mouse: somebody is there. */
  onInput(listener: () => void): () => void;
  /** Changes whenever {@link active} would look different. */
  version(): string;
}

/** The layers from the top, the newest of each first, down to a modal one. */
function stackOf(layers: Iterable<KeyLayer>): readonly KeyLayer[] {
  const all = [...layers].reverse();
  const sorted = LAYERS.flatMap((name) => all.filter(({ layer }) => layer === name));
  const last = sorted.findIndex(({ modal }) => modal);
  if (last < 0) return sorted;
  // The way to the shell stays open.
  const below = sorted
    .slice(last + 1)
    .flatMap(({ bindings }) => bindings.filter(({ name }) => name === "solx.suspend"));
  return [...sorted.slice(0, last + 1), { layer: "global", bindings: below }];
}

/** The bindings that are obeyed, each with the keys that none above takes. */
function obeyed(stack: readonly KeyLayer[]): readonly Binding[] {
  const taken = new Set<string>();
  return stack.flatMap(({ bindings }) =>
    bindings.flatMap((binding) => {
      const keys = binding.active === false ? [] : binding.keys.filter((key) => !taken.has(key));
      for (const key of keys) taken.add(key);
      if (keys.length === 0) return [];
      return [keys.length === binding.keys.length ? binding : { ...binding, keys }];
    }),
  );
}

/** Tells those who want to know. */
function createSignal() {
  const listeners = new Set<() => void>();
  return {
    tell() {
      for (const listener of [...listeners]) listener();
    },
    on(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Makes a map without bindings; those with names have the user's keys where there are some. */
export function createKeyMap(custom: CustomKeys = NO_CUSTOM_KEYS): KeyMap {
  const owners = new Map<object, KeyLayer>();
  const [changes, inputs] = [createSignal(), createSignal()];
  let version = "";

  const stack = () => stackOf(owners.values());
  const active = () => obeyed(stack());
  const changed = () => {
    const now = active()
      .map(({ keys, label, hint, group }) => `${keys.join(" ")}\t${label}\t${hint}\t${group}`)
      .join("\n");
    if (now === version) return;
    version = now;
    changes.tell();
  };

  return {
    set(owner, layer) {
      owners.set(owner, { ...layer, bindings: layer.bindings.map((binding) => customised(binding, custom)) });
      changed();
    },
    remove(owner) {
      owners.delete(owner);
      changed();
    },
    press(key, text) {
      inputs.tell();
      for (const { bindings, onText } of stack()) {
        const binding = bindings.find(({ keys, active: isActive = true }) => isActive && keys.includes(key));
        if (binding) {
          binding.run(key);
          return true;
        }
        if (text !== undefined && onText) {
          onText(text);
          return true;
        }
      }
      return false;
    },
    paste(text) {
      inputs.tell();
      const taker = stack().find(({ onPaste }) => onPaste);
      taker?.onPaste?.(text);
      return taker !== undefined;
    },
    mouse(event) {
      inputs.tell();
      const taker = stack().find(({ onMouse }) => onMouse);
      taker?.onMouse?.(event);
      return taker !== undefined;
    },
    keyOf: (name) => customised({ ...bound(name), label: "", group: "solx", run: () => {} }, custom).keys[0],
    active,
    subscribe: changes.on,
    onInput: inputs.on,
    version: () => version,
  };
}

const NAMED = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageup"],
  ["pageDown", "pagedown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "esc"],
  ["tab", "tab"],
  ["backspace", "backspace"],
  ["delete", "delete"],
] as const;

/**
 * The name of a key that was pressed: `j`, `J`, `space`, `enter`, `ctrl+d`, `shift+tab`, `alt+b`; of characters that came
 * together (a key that repeats faster than it is read), the names of each.
 */
export function keyNames(input: string, key: Key): readonly { readonly name: string; readonly text?: string }[] {
  const named = NAMED.find(([flag]) => key[flag])?.[1];
  if (named) {
    const shift = key.shift && (named === "tab" || named.length > 3) ? "shift+" : "";
    return [{ name: `${key.ctrl ? "ctrl+" : ""}${key.meta && named !== "esc" ? "alt+" : ""}${shift}${named}` }];
  }
  if (key.ctrl) return input === "" ? [] : [{ name: `ctrl+${input}` }];
  if (key.meta) return input === "" ? [] : [{ name: `alt+${input}` }];
  // More than anybody types at once is a paste that its terminal did not mark: what it holds must press nothing.
  const controls = input.length > MOST_TYPED ? {} : CONTROLS;
  return [...input].flatMap((character) => {
    const name = controls[character];
    if (name !== undefined) return [{ name }];
    return /[\p{Cc}\p{Cf}]/u.test(character)
      ? []
      : [{ name: character === " " ? "space" : character, text: character }];
  });
}

/** Characters that are read at once and were still typed, on a slow line. */
const MOST_TYPED = 24;
/** Keys that are control characters, where they come together with others. */
const CONTROLS: Readonly<Record<string, string>> = { "\r": "enter", "\t": "tab", "\u007F": "backspace" };

const SHOWN: Readonly<Record<string, string>> = {
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  pageup: "PgUp",
  pagedown: "PgDn",
  home: "Home",
  end: "End",
  enter: "Enter",
  esc: "Esc",
  tab: "Tab",
  backspace: "Bksp",
  delete: "Del",
  space: "Space",
};

const PLAIN: Readonly<Record<string, string>> = { up: "Up", down: "Down", left: "Left", right: "Right" };

/** A key's name as people read it: `Ctrl-D`, `Enter`, `↑`. */
export function shownKey(name: string, unicode = true): string {
  const parts = name === "+" ? [""] : name.split("+");
  const last = parts.pop() || "+";
  const prefix = parts.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}-`).join("");
  return (
    prefix +
    ((unicode ? undefined : PLAIN[last]) ?? SHOWN[last] ?? (prefix.includes("Ctrl") ? last.toUpperCase() : last))
  );
}
