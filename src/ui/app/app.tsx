/** Root component: header, page, footer and overlay; the only reader of keyboard and mouse. */
import { Box, useInput, usePaste, useStdin, useWindowSize } from "ink";
import {
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { recognise } from "../../client/index.ts";
import { wrap } from "../../output/index.ts";
import type { DataStore } from "../data/store.ts";
import type * as Parts from "../lazy.ts";
import { NO_TERMINAL, type TerminalControl } from "../terminal/control.ts";
import { listenForMouse, parseMouseReport } from "../terminal/mouse.ts";
import { type Explorer, ExplorerContext, HistoryEntryContext, type Subject, useExplorer } from "./context.ts";
import { Footer, hintAt, type Toast } from "./footer.tsx";
import { GlobalKeys } from "./global-keys.tsx";
import { crumbAt, Header, headerState } from "./header.tsx";
import { createNavigation } from "./history.ts";
import { formatKeyHints, keyLabelsOf } from "./keys/key-hints.ts";
import { createKeyQueue, PASTE } from "./keys/key-queue.ts";
import { createKeyMap, decodeKeyPresses, type MouseEvent } from "./keys/keymap.ts";
import { bodyRegion, HEAD_HEIGHT, isTooSmall, MIN_WINDOW, SPARE_LINES } from "./layout.ts";
import { Lines } from "./lines.tsx";
import { useStartupNotices } from "./no-api-key.tsx";
import type { Route } from "./route.ts";
import { routeForIdentifier } from "./route-for.ts";
import type { Services } from "./services.ts";
import { type Role, textLine } from "./theme/text-line.ts";
import { createPainter } from "./theme/theme.ts";
import { resolveTheme, type ThemeName } from "./theme/themes.ts";

const TOAST_MS = 4000;

/** What the explorer is rendered with. */
export interface AppProps {
  readonly services: Services;
  readonly data: DataStore;
  readonly initialRoute: Route;
  readonly quit: () => void;
  /** Pages, palette and actions, which load after the first frame. */
  readonly lazy: (() => Promise<typeof Parts>) | typeof Parts;
  readonly terminal?: TerminalControl;
  /** Called with every notice shown in the footer. */
  readonly onToast?: ((text: string) => void) | undefined;
}

/** The explorer. */
export function App({ services, data, initialRoute, quit, lazy, terminal = NO_TERMINAL, onToast }: AppProps) {
  const [overlay, setOverlay] = useState<ReactNode>();
  const [toast, setToast] = useState<Toast>();
  const subjects = useRef(new Map<object, Subject>());
  const show = useCallback(
    (text: string, role?: Role) => {
      setToast({ text, role });
      onToast?.(text);
    },
    [onToast],
  );
  const chosen = services.theme ?? services.customization?.theme ?? "default";
  const [theme, setTheme] = useState<ThemeName>(chosen);
  const base = useMemo<Omit<Explorer, "paint" | "theme">>(
    () => ({
      services,
      data,
      navigation: createNavigation(initialRoute),
      keys: createKeyMap(services.customization?.keys),
      toast: show,
      setOverlay,
      subject: () => [...subjects.current.values()].at(-1),
      setSubject(owner, subject) {
        if (subject) subjects.current.set(owner, subject);
        else subjects.current.delete(owner);
      },
      setTheme,
      quit,
    }),
    [services, data, initialRoute, quit, show],
  );
  const explorer = useMemo<Explorer>(() => {
    const { colorScheme, depth = 4, unicode, customization } = services;
    const resolved = resolveTheme({ colorScheme, depth, theme, customStyles: customization?.styles ?? {} });
    return { ...base, theme, paint: createPainter(resolved, unicode) };
  }, [base, theme, services]);
  const loaded = useLazy(lazy);
  useEffect(() => loaded?.recordRecentRoutes(base), [loaded, base]);
  useEffect(() => services.onNote?.(show), [services, show]);
  useEffect(() => {
    if (!toast) return;
    const timer = setTimeout(() => setToast(undefined), TOAST_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <ExplorerContext.Provider value={explorer}>
      <AppLayout lazy={loaded} terminal={terminal} overlay={overlay} toast={toast} onKey={() => setToast(undefined)} />
    </ExplorerContext.Provider>
  );
}

/** Returns what may have to be loaded after the first frame; a failed import throws while rendering. */
function useLazy<T extends object>(source: (() => Promise<T>) | T): T | undefined {
  const [loaded, setLoaded] = useState<T | Error | undefined>(() =>
    typeof source === "function" ? undefined : source,
  );
  useEffect(() => {
    if (typeof source === "function") source().then(setLoaded, (error: Error) => setLoaded(error));
  }, [source]);
  if (loaded instanceof Error) throw loaded;
  return loaded;
}

interface AppLayoutProps {
  readonly lazy: typeof Parts | undefined;
  readonly terminal: TerminalControl;
  readonly overlay: ReactNode | undefined;
  readonly toast: Toast | undefined;
  readonly onKey: () => void;
}

/** Lays header, page, overlay and footer out in the window. */
function AppLayout({ lazy, terminal, overlay, toast, onKey }: AppLayoutProps) {
  const { navigation } = useExplorer();
  const { columns, rows } = useWindowSize();
  const historyEntry = useSyncExternalStore(navigation.subscribe, navigation.current);
  useKeyboard(onKey, { columns, rows, isCovered: overlay !== undefined, hasToast: toast !== undefined });
  useStartupNotices();
  // Memoized: a change around the page does not render the page again.
  const Screen = useMemo(() => lazy && memo(lazy.Page), [lazy]);
  const body = useMemo(() => bodyRegion({ width: columns, height: rows }), [columns, rows]);
  // The view state of an entry changes with every key; only its identity and route are passed through the context.
  const { id, route } = historyEntry;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view state is read from the navigation.
  const screenEntry = useMemo(() => historyEntry, [id, route]);
  if (isTooSmall({ width: columns, height: rows })) {
    return (
      <>
        <TooSmall width={columns} height={rows} />
        <GlobalKeys terminal={terminal} />
      </>
    );
  }
  const { height } = body;
  const Actions = lazy?.ViewActions;
  return (
    <HistoryEntryContext.Provider value={screenEntry}>
      <Box flexDirection="column" width={columns} height={rows - SPARE_LINES}>
        <Header width={columns} />
        <Box height={height} flexDirection="column">
          {Screen === undefined ? null : <Screen key={id} route={route} region={body} />}
          {overlay === undefined ? null : (
            <Box position="absolute" width={columns} height={height}>
              {overlay}
            </Box>
          )}
        </Box>
        <Footer width={columns} toast={toast} />
        {Actions === undefined ? null : <Actions terminal={terminal} />}
        <GlobalKeys terminal={terminal} openPalette={lazy?.openPalette} />
      </Box>
    </HistoryEntryContext.Provider>
  );
}

function TooSmall({ width, height }: { width: number; height: number }) {
  const explorer = useExplorer();
  const by = explorer.services.unicode ? "×" : "x";
  const quitHint = formatKeyHints(keyLabelsOf(explorer), [["solx.quit", "quit"]]);
  const text = `Window too small: ${width} ${by} ${height}, minimum ${MIN_WINDOW.width} ${by} ${MIN_WINDOW.height}. ${quitHint}`;
  const lines = wrap(text, width).map((row) => textLine(row));
  return <Lines lines={lines} width={width} height={Math.min(lines.length, height)} />;
}

/** The window that a mouse event is in. */
interface MouseContext {
  readonly columns: number;
  readonly rows: number;
  /** Whether an overlay covers the page, and whether a notice replaces the key hints. */
  readonly isCovered: boolean;
  readonly hasToast: boolean;
}

/** Runs the binding of a clicked key hint, or goes back to a clicked breadcrumb. Returns whether the event was handled. */
function handleOuterClick(explorer: Explorer, { type, x, y }: MouseEvent, around: MouseContext): boolean {
  const { keys, navigation, services } = explorer;
  const { columns, rows, isCovered, hasToast } = around;
  if (type !== "click") return false;
  if (y === bodyRegion({ width: columns, height: rows }).height) {
    const hint = hasToast ? undefined : hintAt(keys.active(), columns, services.unicode, x);
    if (hint) keys.press(hint.keys[0] ?? "", undefined);
    return true;
  }
  if (y !== -1 || x < 0) return false;
  const steps = isCovered ? undefined : crumbAt(headerState(explorer), columns, services.unicode, x);
  for (let step = 0; step < (steps ?? 0); step += 1) navigation.back();
  return true;
}

/** Minimum number of characters received at once that counts as a paste: no address is shorter. */
const MIN_PASTE_LENGTH = 32;

function isPasted(input: string, { ctrl, meta }: { readonly ctrl: boolean; readonly meta: boolean }): boolean {
  if (ctrl || meta || input.length < MIN_PASTE_LENGTH) return false;
  return input.split(/\s+/).some((word) => ["address", "signature"].includes(recognise(word).kind));
}

/** Reads keys, pastes and mouse events and dispatches them to the key map. */
function useKeyboard(onKey: () => void, around: MouseContext): void {
  const explorer = useExplorer();
  const { keys, navigation, toast, setOverlay } = explorer;
  const queue = useMemo(() => {
    const paste = (text: string) => {
      if (keys.paste(text)) return;
      // A paste never triggers key bindings: it is recognised as a whole, line breaks included.
      const match = recognise(text);
      const route = routeForIdentifier(match);
      if (!route) return toast(match.hint ?? "Not a recognised address, signature, slot or link.", "warning");
      setOverlay(undefined);
      navigation.open(route);
    };
    return createKeyQueue(
      ({ name, text }) => (name === PASTE ? paste(text ?? "") : keys.press(name, text)),
      () => new Promise((resolve) => setImmediate(resolve)),
    );
  }, [keys, navigation, toast, setOverlay]);
  const { stdin } = useStdin();
  const point = useEffectEvent((report: string) => {
    const event = parseMouseReport(report, HEAD_HEIGHT);
    if (event && !handleOuterClick(explorer, event, around)) keys.mouse(event);
  });
  useEffect(() => listenForMouse(stdin, point), [stdin]);
  useInput((input, key) => {
    onKey();
    // A terminal without bracketed paste sends a paste as keys, all at once.
    if (isPasted(input, key)) return queue({ name: PASTE, text: input });
    for (const pressed of decodeKeyPresses(input, key)) queue(pressed);
  });
  usePaste((text) => queue({ name: PASTE, text }));
}
