/** The context that all components of the explorer share, and its hooks. */
import {
  createContext,
  useCallback,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { Json } from "../../base/index.ts";
import type { Endpoint, Kind, ParameterValues } from "../../catalogue/index.ts";
import type { TableColumn } from "../../output/index.ts";
import type { DataStore } from "./data-store.ts";
import type { HistoryEntry, Navigation } from "./history.ts";
import type { Binding, KeyLayer, KeyMap, Layer } from "./keys/keymap.ts";
import type { Pointer } from "./pointer/pointer.ts";
import type { Popup } from "./popups.ts";
import type { Services } from "./services.ts";
import type { Role } from "./theme/text-line.ts";
import { type StateFormat, scalarFormat } from "./view.ts";

/** The size of a region in cells. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A region that a component fills exactly. */
export interface Region extends Size {
  /** Lines between the top of the body and the top of this region; used to locate mouse events. */
  readonly top: number;
}

/** A visible column. */
export interface DisplayColumn {
  readonly head: string;
  readonly path: string;
}

/** The content of the active view: what copy, export and the solx command apply to. */
export interface Subject {
  /** The request behind the view with all parameters, page and page size included. */
  readonly request?: { readonly endpoint: Endpoint; readonly params: ParameterValues } | undefined;
  /** The arguments of the command that prints the same, where that is not the command of the request. */
  readonly args?: readonly string[] | undefined;
  /** For lists: the visible rows, filtered and sorted, and the marked ones. */
  readonly rows?: readonly Json[] | undefined;
  readonly marked?: readonly Json[] | undefined;
  /** For lists that are loaded beyond one page: the rows that are loaded, and whether these are all rows of the list. */
  readonly loaded?: { readonly rows: readonly Json[]; readonly isComplete: boolean } | undefined;
  readonly total?: number | undefined;
  readonly columns?: readonly DisplayColumn[] | undefined;
  /** The row under the cursor, or the whole object of a detail view. */
  readonly row?: Json | undefined;
  readonly cell?: { readonly field: string; readonly value: Json; readonly kind: Kind | undefined } | undefined;
  /** For views of plain lines: returns all of them as safe text. */
  readonly lines?: (() => readonly string[]) | undefined;
  /** What the screen does beyond the request: `filter /usdc/`, `sorted by value on this page`. */
  readonly local?: readonly string[] | undefined;
  /** The order of the rows, if the screen sorted them: where the column has its values, and its direction. */
  readonly sort?: { readonly sources: TableColumn["sources"]; readonly isDescending: boolean } | undefined;
}

/** Creates an empty registry of subjects. */
export function createSubjects() {
  const subjects = new Map<object, Subject>();
  return {
    current: (): Subject | undefined => [...subjects.values()].at(-1),
    set(owner: object, subject: Subject | undefined) {
      if (subject) subjects.set(owner, subject);
      else subjects.delete(owner);
    },
  };
}

/** State and services shared by all components. */
export interface Explorer {
  readonly services: Services;
  readonly navigation: Navigation;
  readonly keys: KeyMap;
  readonly pointer: Pointer;
  readonly data: DataStore;
  readonly subjects: ReturnType<typeof createSubjects>;
  /** Shows a notice in the footer for a few seconds. */
  readonly toast: (text: string, role?: Role) => void;
  /** Shows a popup above the page, in place of one that is open. */
  readonly openPopup: (popup: Popup) => void;
  readonly closePopup: () => void;
  readonly quit: () => void;
}

/** The context of {@link useExplorer}. */
export const ExplorerContext = createContext<Explorer | undefined>(undefined);
/** The context of {@link useHistoryEntry}. */
export const HistoryEntryContext = createContext<HistoryEntry | undefined>(undefined);

/** Returns the shared context. Throws outside of the explorer. */
export function useExplorer(): Explorer {
  const explorer = useContext(ExplorerContext);
  if (!explorer) throw new Error("useExplorer must be used inside the explorer.");
  return explorer;
}

/** Returns the history entry of the page that a component is part of. Throws outside of a page. */
export function useHistoryEntry(): HistoryEntry {
  const entry = useContext(HistoryEntryContext);
  if (!entry) throw new Error("useHistoryEntry must be used inside a page.");
  return entry;
}

/** The pane that a component is in, on a page that shows several. */
export interface PaneScope {
  /** Whether keys are for it. */
  readonly isFocused: boolean;
  readonly focus: () => void;
  /** The height of its content when it fills the page, so that both request the same rows. */
  readonly fullHeight: number;
  /** Tells how many lines show all of its content. */
  readonly reportLines: (lines: number) => void;
}

/** The pane around a component; undefined where it fills the page. */
export const PaneContext = createContext<PaneScope | undefined>(undefined);

/** Returns the pane around a component, and whether keys are for the component. */
export function usePane(): { readonly pane: PaneScope | undefined; readonly isFocused: boolean } {
  const pane = useContext(PaneContext);
  return { pane, isFocused: pane?.isFocused ?? true };
}

/** Tells the pane around a component how many lines show all of its content; undefined while that is unknown. */
export function usePaneFit(lines: number | undefined): void {
  const report = useContext(PaneContext)?.reportLines;
  useLayoutEffect(() => {
    if (lines !== undefined) report?.(lines);
  }, [report, lines]);
}

const NO_BINDINGS: readonly Binding[] = [];

/** Registers key bindings while the component is mounted; none in a pane that keys are not for. */
export function useBindings(
  layer: Layer,
  bindings: readonly Binding[],
  options: Omit<KeyLayer, "layer" | "bindings"> = {},
): void {
  const { keys } = useExplorer();
  const { isFocused } = usePane();
  const [owner] = useState(() => ({}));
  useLayoutEffect(() =>
    keys.set(owner, isFocused ? { ...options, layer, bindings } : { layer, bindings: NO_BINDINGS }),
  );
  useLayoutEffect(() => () => keys.remove(owner), [keys, owner]);
}

/** A key of a popup. Its group has no meaning: help does not list it. */
export type PopupBinding = Omit<Binding, "name" | "group">;

/** Registers the keys of a popup while it is mounted: no key and no text passes to what is below it. */
export function usePopupBindings(
  bindings: readonly PopupBinding[],
  text: Pick<KeyLayer, "onText" | "onPaste"> = {},
): void {
  const grouped = bindings.map((binding): Binding => ({ ...binding, group: "view" }));
  useBindings("overlay", grouped, { ...text, modal: true });
}

/** Sets the subject while the component is mounted; `undefined` while the component is not the active view. */
export function useSubject(subject: Subject | undefined): void {
  const { subjects } = useExplorer();
  const { isFocused } = usePane();
  const [owner] = useState(() => ({}));
  useLayoutEffect(() => subjects.set(owner, isFocused ? subject : undefined));
  useLayoutEffect(() => () => subjects.set(owner, undefined), [subjects, owner]);
}

/**
 * Returns state stored in the history entry, so that going back restores it, and its setter. Functional updates build on
 * the newest state, however many keys arrive before the next frame.
 * @param part names the component within its page
 * @param format how views keep the state (default: its scalars)
 */
export function useViewState<S>(
  part: string,
  initial: S,
  format: StateFormat<S> = scalarFormat(initial),
): readonly [S, (next: S | ((before: S) => S)) => void] {
  const { navigation } = useExplorer();
  const { id, state: opened } = useHistoryEntry();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first values of the part count.
  const first = useMemo(() => {
    const kept = opened?.[part];
    return (kept === undefined ? undefined : format.fromJson(kept)) ?? initial;
  }, [id, part]);
  const read = (): S => {
    const entry =
      navigation.current().id === id ? navigation.current() : navigation.trail().find((one) => one.id === id);
    const live = entry?.live.get(part);
    return live === undefined ? first : (live.value as S);
  };
  const state = useSyncExternalStore(navigation.subscribe, read);
  const set = (next: S | ((before: S) => S)) => {
    const value = typeof next === "function" ? (next as (before: S) => S)(read()) : next;
    navigation.saveState(id, part, value, format.toJson);
  };
  return [state, set];
}

/** Returns the active key bindings. */
export function useActiveBindings(): readonly Binding[] {
  const { keys } = useExplorer();
  useSyncExternalStore(keys.subscribe, keys.version);
  return keys.active();
}

/** The state that is drawn, what changes it, and what reads the newest. `reducer` must not change between frames. */
export function useLatestReducer<S, A>(
  reducer: (state: S, action: A) => S,
  initial: () => S,
): readonly [state: S, dispatch: (action: A) => void, read: () => S] {
  const [state, setState] = useState(initial);
  const newest = useRef(state);
  const dispatch = useCallback(
    (action: A) => {
      newest.current = reducer(newest.current, action);
      setState(newest.current);
    },
    [reducer],
  );
  return [state, dispatch, useCallback(() => newest.current, [])];
}

const applyChange = <S>(state: S, change: (before: S) => S): S => change(state);

/** {@link useLatestReducer} for state that is changed by functions. */
export function useLatestState<S>(
  initial: () => S,
): readonly [state: S, change: (next: (before: S) => S) => void, read: () => S] {
  return useLatestReducer<S, (before: S) => S>(applyChange, initial);
}
