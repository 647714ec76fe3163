/** What every part of the explorer works with, and the hooks that give it. */

import {
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { Json } from "../../base/json.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import type { Kind } from "../../catalogue/kinds.ts";
import type { DataStore } from "../data/store.ts";
import type { HistoryEntry, Navigation } from "./history.ts";
import type { Binding, KeyLayer, KeyMap, Layer } from "./keys/keymap.ts";

import type { Services } from "./services.ts";
import type { Painter, Role } from "./theme/theme.ts";
import type { ThemeName } from "./theme/themes.ts";

/** The size of a region in cells. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The region that a part of a screen fills exactly. */
export interface Region extends Size {
  /** Lines between the top of the body and the top of this region, for the mouse. */
  readonly top: number;
}

/** A column on view. */
export interface DisplayColumn {
  readonly head: string;
  readonly path: string;
}

/** What is looked at: copying, exporting and the command line of the view are about it. */
export interface Subject {
  /** What it came from, with everything that was asked of the API, page and size included. */
  readonly request?: { readonly endpoint: Endpoint; readonly params: ParameterValues } | undefined;
  /** For lists: the rows on view, filtered and sorted, and those that are marked. */
  readonly rows?: readonly Json[] | undefined;
  readonly marked?: readonly Json[] | undefined;
  readonly columns?: readonly DisplayColumn[] | undefined;
  /** The row of the cursor, or the whole object of a detail. */
  readonly row?: Json | undefined;
  readonly cell?: { readonly field: string; readonly value: Json; readonly kind: Kind | undefined } | undefined;
  /** The lines on view, where it is lines that are looked at: all of them, as harmless text. */
  readonly lines?: (() => readonly string[]) | undefined;
  /** What is done here and cannot be asked of the API: `filter /usdc/`, `sorted by value on this page`. */
  readonly local?: readonly string[] | undefined;
}

/** The explorer. */
export interface Explorer {
  readonly services: Services;
  readonly navigation: Navigation;
  readonly keys: KeyMap;
  readonly data: DataStore;
  readonly paint: Painter;
  readonly theme: ThemeName;
  readonly setTheme: (name: ThemeName) => void;
  /** A sentence at the foot for some seconds. */
  readonly toast: (text: string, role?: Role) => void;
  /** Something over the screen, which stays as it is below; `undefined` takes it away. */
  readonly setOverlay: (overlay: ReactNode | undefined) => void;
  /** What is looked at now: the part that was told last among those on the screen. */
  readonly subject: () => Subject | undefined;
  readonly setSubject: (owner: object, subject: Subject | undefined) => void;
  readonly quit: () => void;
}

export const ExplorerContext = createContext<Explorer | undefined>(undefined);
export const HistoryEntryContext = createContext<HistoryEntry | undefined>(undefined);

/** The explorer that a component is part of. */
export function useExplorer(): Explorer {
  const explorer = useContext(ExplorerContext);
  if (!explorer) throw new Error("A part of the explorer stands outside of it.");
  return explorer;
}

/** The visit whose screen a component is part of. */
export function useHistoryEntry(): HistoryEntry {
  const entry = useContext(HistoryEntryContext);
  if (!entry) throw new Error("A part of a screen stands outside of it.");
  return entry;
}

/** Obeys keys while the component is there. */
export function useBindings(
  layer: Layer,
  bindings: readonly Binding[],
  options: Omit<KeyLayer, "layer" | "bindings"> = {},
): void {
  const { keys } = useExplorer();
  const [owner] = useState(() => ({}));
  useLayoutEffect(() => keys.set(owner, { ...options, layer, bindings }));
  useLayoutEffect(() => () => keys.remove(owner), [keys, owner]);
}

/** Tells what is looked at while the component is there; `undefined` while it is not what keys are for. */
export function useSubject(subject: Subject | undefined): void {
  const { setSubject } = useExplorer();
  const [owner] = useState(() => ({}));
  useLayoutEffect(() => setSubject(owner, subject));
  useLayoutEffect(() => () => setSubject(owner, undefined), [setSubject, owner]);
}

/**
 * State that the visit keeps: going away and back restores it. Updates by function build on the newest state, however
 * many keys come before the next frame.
 * @param part tells the parts of one screen apart
 */
export function useViewState<S>(part: string, initial: S): readonly [S, (next: S | ((before: S) => S)) => void] {
  const { navigation } = useExplorer();
  const { id } = useHistoryEntry();
  const first = useRef(initial);
  const read = (): S => {
    const entry =
      navigation.current().id === id ? navigation.current() : navigation.trail().find((one) => one.id === id);
    return (entry?.viewState.get(part) as S | undefined) ?? first.current;
  };
  const state = useSyncExternalStore(navigation.subscribe, read);
  const set = (next: S | ((before: S) => S)) => {
    navigation.saveViewState(id, part, typeof next === "function" ? (next as (before: S) => S)(read()) : next);
  };
  return [state, set];
}

/** The bindings that are obeyed now. */
export function useActiveBindings(): readonly Binding[] {
  const { keys } = useExplorer();
  useSyncExternalStore(keys.subscribe, keys.version);
  return keys.active();
}
