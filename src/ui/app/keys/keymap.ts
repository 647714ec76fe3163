/**
 * Key bindings: one list that dispatch, the hints at the foot and the help of `?` all read. No React here.
 */
import type { Key } from "ink";
import { type ActionName, actionBinding } from "./actions.ts";
import { applyCustomKeys, type CustomKeys, NO_CUSTOM_KEYS } from "./custom-keys.ts";

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
  readonly type: "click" | "up" | "down";
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
function activeLayers(layers: Iterable<KeyLayer>): readonly KeyLayer[] {
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
function reachableBindings(stack: readonly KeyLayer[]): readonly Binding[] {
  const claimed = new Set<string>();
  return stack.flatMap(({ bindings }) =>
    bindings.flatMap((binding) => {
      const keys = binding.active === false ? [] : binding.keys.filter((key) => !claimed.has(key));
      for (const key of keys) claimed.add(key);
      if (keys.length === 0) return [];
      return [keys.length === binding.keys.length ? binding : { ...binding, keys }];
    }),
  );
}

/** Tells those who want to know. */
function createEmitter() {
  const listeners = new Set<() => void>();
  return {
    emit() {
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
  const [changes, inputs] = [createEmitter(), createEmitter()];
  let version = "";

  const stack = () => activeLayers(owners.values());
  const active = () => reachableBindings(stack());
  const update = () => {
    const now = active()
      .map(({ keys, label, hint, group }) => `${keys.join(" ")}\t${label}\t${hint}\t${group}`)
      .join("\n");
    if (now === version) return;
    version = now;
    changes.emit();
  };

  return {
    set(owner, layer) {
      owners.set(owner, { ...layer, bindings: layer.bindings.map((binding) => applyCustomKeys(binding, custom)) });
      update();
    },
    remove(owner) {
      owners.delete(owner);
      update();
    },
    press(key, text) {
      inputs.emit();
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
      inputs.emit();
      const layer = stack().find(({ onPaste }) => onPaste);
      layer?.onPaste?.(text);
      return layer !== undefined;
    },
    mouse(event) {
      inputs.emit();
      const layer = stack().find(({ onMouse }) => onMouse);
      layer?.onMouse?.(event);
      return layer !== undefined;
    },
    keyOf: (name) =>
      applyCustomKeys({ ...actionBinding(name), label: "", group: "solx", run: () => {} }, custom).keys[0],
    active,
    subscribe: changes.on,
    onInput: inputs.on,
    version: () => version,
  };
}

const SPECIAL_KEYS = [
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
export function decodeKeyPresses(
  input: string,
  key: Key,
): readonly { readonly name: string; readonly text?: string }[] {
  const named = SPECIAL_KEYS.find(([flag]) => key[flag])?.[1];
  if (named) {
    const shift = key.shift && (named === "tab" || named.length > 3) ? "shift+" : "";
    return [{ name: `${key.ctrl ? "ctrl+" : ""}${key.meta && named !== "esc" ? "alt+" : ""}${shift}${named}` }];
  }
  if (key.ctrl) return input === "" ? [] : [{ name: `ctrl+${input}` }];
  if (key.meta) return input === "" ? [] : [{ name: `alt+${input}` }];
  // More than anybody types at once is a paste that its terminal did not mark: what it holds must press nothing.
  const controls = input.length > MAX_TYPED ? {} : CONTROL_KEYS;
  return [...input].flatMap((character) => {
    const name = controls[character];
    if (name !== undefined) return [{ name }];
    return /[\p{Cc}\p{Cf}]/u.test(character)
      ? []
      : [{ name: character === " " ? "space" : character, text: character }];
  });
}

/** Characters that are read at once and were still typed, on a slow line. */
const MAX_TYPED = 24;
/** Keys that are control characters, where they come together with others. */
const CONTROL_KEYS: Readonly<Record<string, string>> = { "\r": "enter", "\t": "tab", "\u007F": "backspace" };

const KEY_LABELS: Readonly<Record<string, string>> = {
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

const ASCII_KEY_LABELS: Readonly<Record<string, string>> = { up: "Up", down: "Down", left: "Left", right: "Right" };

/** A key's name as people read it: `Ctrl-D`, `Enter`, `↑`. */
export function keyLabel(name: string, unicode = true): string {
  const parts = name === "+" ? [""] : name.split("+");
  const last = parts.pop() || "+";
  const prefix = parts.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}-`).join("");
  return (
    prefix +
    ((unicode ? undefined : ASCII_KEY_LABELS[last]) ??
      KEY_LABELS[last] ??
      (prefix.includes("Ctrl") ? last.toUpperCase() : last))
  );
}
