/** Key bindings: one list for dispatch, the hints in the footer and help. */
import type { Key } from "ink";
import { createEmitter } from "../../../base/index.ts";
import { ACTIONS, type ActionName } from "./actions.ts";
import { applyCustomKeys, type CustomKeys, NO_CUSTOM_KEYS } from "./custom-keys.ts";

/** A key binding. */
export interface Binding {
  /** The action; without it the keys are fixed, as in menus and fields. */
  readonly name?: ActionName;
  /** Key names as {@link decodeKeyPresses} returns them; the first is shown in hints. */
  readonly keys: readonly string[];
  readonly label: string;
  readonly run: (key: string) => void;
  readonly group: "move" | "view" | "data" | "go" | "solx";
  /** Priority in the footer, lowest first; without it the binding is listed only in help. */
  readonly hint?: number | undefined;
  /** Whether the binding is active (default: true); keys of inactive bindings pass to the layers below. */
  readonly active?: boolean;
}

const LAYERS = ["overlay", "panel", "screen", "global"] as const;

/** A layer of bindings. */
export type Layer = (typeof LAYERS)[number];

/** The bindings of a component. */
export interface KeyLayer {
  readonly layer: Layer;
  readonly bindings: readonly Binding[];
  readonly onText?: ((text: string) => void) | undefined;
  readonly onPaste?: ((text: string) => void) | undefined;
  /** Whether keys do not pass to the layers below. */
  readonly modal?: boolean | undefined;
}

/** The registered bindings. */
export type KeyMap = ReturnType<typeof createKeyMap>;

function activeLayers(layers: Iterable<KeyLayer>): readonly KeyLayer[] {
  const all = [...layers].reverse();
  const sorted = LAYERS.flatMap((name) => all.filter(({ layer }) => layer === name));
  const last = sorted.findIndex(({ modal }) => modal);
  if (last < 0) return sorted;
  // Suspending to the shell always works.
  const below = sorted
    .slice(last + 1)
    .flatMap(({ bindings }) => bindings.filter(({ name }) => name === "solx.suspend"));
  return [...sorted.slice(0, last + 1), { layer: "global", bindings: below }];
}

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

/** Creates an empty key map that applies the user's keys. */
export function createKeyMap(custom: CustomKeys = NO_CUSTOM_KEYS) {
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
    set(owner: object, layer: KeyLayer) {
      owners.set(owner, { ...layer, bindings: layer.bindings.map((binding) => applyCustomKeys(binding, custom)) });
      update();
    },
    remove(owner: object) {
      owners.delete(owner);
      update();
    },
    /** Dispatches a key or text; returns whether it was handled. */
    press(key: string, text: string | undefined) {
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
    paste(text: string) {
      inputs.emit();
      const layer = stack().find(({ onPaste }) => onPaste);
      layer?.onPaste?.(text);
      return layer !== undefined;
    },
    /** Reports other input than keys and pastes, such as that of the mouse. */
    reportInput: inputs.emit,
    keyOf: (name: ActionName): string | undefined =>
      applyCustomKeys({ ...ACTIONS[name], name, label: "", run: () => {} }, custom).keys[0],
    /** Returns the active bindings, top layer first, each with the keys that no binding above has. */
    active,
    subscribe: changes.on,
    /** Subscribes to input of every kind: signs that the user is present. */
    onInput: inputs.on,
    /** Returns a value that changes whenever the hints of the active bindings change. */
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
 * Returns the keys of an input event by name: `j`, `J`, `space`, `enter`, `ctrl+d`, `shift+tab`, `alt+b`. Characters that
 * arrive together, such as a fast key repeat, are separate keys.
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
  // Longer input is an unmarked paste, whose control characters must not trigger bindings.
  const controls = input.length > MAX_TYPED ? {} : CONTROL_KEYS;
  return [...input].flatMap((character) => {
    const name = controls[character];
    if (name !== undefined) return [{ name }];
    return /[\p{Cc}\p{Cf}]/u.test(character)
      ? []
      : [{ name: character === " " ? "space" : character, text: character }];
  });
}

/** Maximum number of characters that arrive at once from typing, on a slow connection. */
const MAX_TYPED = 24;
/** Keys that arrive as control characters among others. */
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

/** Returns the display label of a key: `Ctrl-D`, `Enter`, `↑`. */
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
