/** Root component: header, page, footer and overlay; the only reader of keyboard and mouse. */
import { Box, type DOMElement, useInput, usePaste, useWindowSize } from "ink";
import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { recognise } from "../../client/index.ts";
import { wrap } from "../../output/index.ts";
import type { DataStore } from "../data/store.ts";
import { bodyRegion, HEAD_HEIGHT, isTooSmall, MIN_WINDOW, SPARE_LINES } from "../frame/layout.ts";
import { Lines } from "../frame/lines.tsx";
import { availableEntities, availableRoute } from "../navigation/availability.ts";
import {
  type Explorer,
  ExplorerContext,
  HistoryEntryContext,
  type Subject,
  useExplorer,
} from "../navigation/context.ts";
import { createNavigation } from "../navigation/history.ts";
import { formatKeyHints, keyLabelsOf } from "../navigation/keys/key-hints.ts";
import { createKeyQueue, PASTE } from "../navigation/keys/key-queue.ts";
import { createKeyMap, decodeKeyPresses } from "../navigation/keys/keymap.ts";
import { createPointer } from "../navigation/pointer/pointer.ts";
import { useMouse } from "../navigation/pointer/use-mouse.ts";
import type { Route } from "../navigation/route.ts";
import { knownEntityRoute, routeForIdentifier } from "../navigation/route-for.ts";
import type { Services } from "../navigation/services.ts";
import { type Role, textLine } from "../navigation/theme/text-line.ts";
import { type ThemeState, useTheme } from "../navigation/theme/use-theme.ts";
import { NO_TERMINAL, type TerminalControl } from "../terminal/control.ts";
import { Footer, type Toast } from "./footer.tsx";
import { GlobalKeys } from "./global-keys.tsx";
import { Header } from "./header.tsx";
import type * as Parts from "./lazy.ts";
import { useStartupNotices } from "./no-api-key.tsx";

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
  const theme = useTheme(services, terminal);
  const base = useMemo<Omit<Explorer, keyof ThemeState>>(
    () => ({
      services,
      data,
      navigation: createNavigation(initialRoute, (route) =>
        availableRoute(knownEntityRoute(route, data.names), services.supports),
      ),
      keys: createKeyMap(services.customization?.keys),
      pointer: createPointer(),
      toast: show,
      setOverlay,
      subject: () => [...subjects.current.values()].at(-1),
      setSubject(owner, subject) {
        if (subject) subjects.current.set(owner, subject);
        else subjects.current.delete(owner);
      },
      quit,
    }),
    [services, data, initialRoute, quit, show],
  );
  const explorer = useMemo<Explorer>(() => ({ ...base, ...theme }), [base, theme]);
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
  useKeyboard(onKey, isTooSmall({ width: columns, height: rows }) ? undefined : lazy?.openPalette);
  useStartupNotices();
  // Memoized: a change around the page does not render the page again.
  const Screen = useMemo(() => lazy && memo(lazy.Page), [lazy]);
  const body = useMemo(() => bodyRegion({ width: columns, height: rows }), [columns, rows]);
  const overlayElement = useRef<DOMElement>(null);
  useMouse(terminal, overlayElement, HEAD_HEIGHT + body.height);
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
            <Box ref={overlayElement} position="absolute" width={columns} height={height}>
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

/** Minimum number of characters received at once that counts as a paste: no address is shorter. */
const MIN_PASTE_LENGTH = 32;

function isPasted(input: string, { ctrl, meta }: { readonly ctrl: boolean; readonly meta: boolean }): boolean {
  if (ctrl || meta || input.length < MIN_PASTE_LENGTH) return false;
  return (
    /^\s*solx\s/.test(input) ||
    input.split(/\s+/).some((word) => ["address", "signature", "hash"].includes(recognise(word).kind))
  );
}

/** Reads keys and pastes and dispatches them to the key map. */
function useKeyboard(onKey: () => void, openPalette: typeof Parts.openPalette | undefined): void {
  const explorer = useExplorer();
  const { keys, navigation, setOverlay, services } = explorer;
  const queue = useMemo(() => {
    const paste = (text: string) => {
      if (keys.paste(text)) return;
      // A paste never triggers key bindings: an identifier opens at once, anything else in the palette.
      const route = routeForIdentifier(recognise(text), availableEntities(services.supports));
      if (!route) return openPalette?.(explorer, text);
      setOverlay(undefined);
      navigation.open(route);
    };
    return createKeyQueue(
      ({ name, text }) => (name === PASTE ? paste(text ?? "") : keys.press(name, text)),
      () => new Promise((resolve) => setImmediate(resolve)),
    );
  }, [explorer, openPalette, keys, navigation, setOverlay, services]);
  useInput((input, key) => {
    onKey();
    // A terminal without bracketed paste sends a paste as keys, all at once.
    if (isPasted(input, key)) return queue({ name: PASTE, text: input });
    for (const pressed of decodeKeyPresses(input, key)) queue(pressed);
  });
  usePaste((text) => queue({ name: PASTE, text }));
}
