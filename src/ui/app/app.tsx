/** Root component: header, page, footer and popup; the only reader of keyboard and mouse. */

import { Box, type DOMElement, useInput, usePaste, useWindowSize } from "ink";
import { memo, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { recognise } from "../../client/index.ts";
import { safeText, wrap } from "../../output/index.ts";
import { hintLine } from "../frame/hints.ts";
import { bodyRegion, FOOT_HEIGHT, HEAD_HEIGHT, isTooSmall, MIN_WINDOW, SPARE_LINES } from "../frame/layout.ts";
import { Lines } from "../frame/lines.tsx";
import { availableEntities, availableRoute } from "../navigation/availability.ts";
import {
  createSubjects,
  type Explorer,
  ExplorerContext,
  HistoryEntryContext,
  useActiveBindings,
  useExplorer,
} from "../navigation/context.ts";
import type { DataStore } from "../navigation/data-store.ts";
import { createNavigation } from "../navigation/history.ts";
import { formatKeyHints, keyLabelsOf } from "../navigation/keys/bindings.ts";
import { createKeyQueue, PASTE } from "../navigation/keys/key-queue.ts";
import { createKeyMap, decodeKeyPresses } from "../navigation/keys/keymap.ts";
import { createPointer } from "../navigation/pointer/pointer.ts";
import { useMouse } from "../navigation/pointer/use-mouse.ts";
import type { Popup } from "../navigation/popups.ts";
import { knownEntityRoute, type Route, routeForIdentifier } from "../navigation/route.ts";
import type { Services } from "../navigation/services.ts";
import { type Role, textLine } from "../navigation/theme/text-line.ts";
import { ThemeContext, useThemeState } from "../navigation/theme/use-theme.ts";
import type { View } from "../navigation/view.ts";
import type { TerminalControl } from "../terminal/control.ts";
import { PreviewContext } from "../widgets/list/preview.ts";
import { useStartupNotices } from "./api-key.tsx";
import { GlobalKeys } from "./global-keys.tsx";
import { Header } from "./header.tsx";
import type * as Parts from "./lazy.ts";

const TOAST_MS = 4000;

interface AppProps {
  readonly services: Services;
  readonly data: DataStore;
  readonly initialRoute: Route;
  /** The state of the view that it starts at (default: as at first). */
  readonly initialState?: View["state"];
  readonly quit: () => void;
  /** Pages, palette and actions, which load after the first frame. */
  readonly lazy: (() => Promise<typeof Parts>) | typeof Parts;
  readonly terminal: TerminalControl;
  /** Called with every notice shown in the footer. */
  readonly onToast?: ((text: string) => void) | undefined;
}

/** The explorer. */
export function App({ services, data, initialRoute, initialState, quit, lazy, terminal, onToast }: AppProps) {
  const [popup, setPopup] = useState<Popup>();
  const [toast, setToast] = useState<Toast>();
  const show = useCallback(
    (text: string, role?: Role) => {
      setToast({ text, role });
      onToast?.(text);
    },
    [onToast],
  );
  const theme = useThemeState(services, terminal);
  const explorer = useMemo<Explorer>(
    () => ({
      services,
      data,
      navigation: createNavigation(
        initialRoute,
        (route) => availableRoute(knownEntityRoute(route, data.names), services.supports),
        initialState,
      ),
      keys: createKeyMap(services.customization?.keys),
      pointer: createPointer(),
      subjects: createSubjects(),
      toast: show,
      openPopup: setPopup,
      closePopup: () => setPopup(undefined),
      quit,
    }),
    [services, data, initialRoute, initialState, quit, show],
  );
  const loaded = useLazy(lazy);
  useEffect(() => loaded?.recordRecentRoutes(explorer), [loaded, explorer]);
  useEffect(() => services.onNote?.(show), [services, show]);
  useEffect(() => {
    if (!toast) return;
    const timer = setTimeout(() => setToast(undefined), TOAST_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <ExplorerContext.Provider value={explorer}>
      <ThemeContext.Provider value={theme}>
        <AppLayout lazy={loaded} terminal={terminal} popup={popup} toast={toast} onKey={() => setToast(undefined)} />
      </ThemeContext.Provider>
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
  readonly popup: Popup | undefined;
  readonly toast: Toast | undefined;
  readonly onKey: () => void;
}

function AppLayout({ lazy, terminal, popup, toast, onKey }: AppLayoutProps) {
  const { navigation } = useExplorer();
  const { columns, rows } = useWindowSize();
  const historyEntry = useSyncExternalStore(navigation.subscribe, navigation.current);
  const isSmall = isTooSmall({ width: columns, height: rows });
  useKeyboard(onKey, lazy !== undefined && !isSmall);
  useStartupNotices();
  // Memoized: a change around the page does not render the page again.
  const Screen = useMemo(() => lazy && memo(lazy.Page), [lazy]);
  const body = useMemo(() => bodyRegion({ width: columns, height: rows }), [columns, rows]);
  const popupElement = useRef<DOMElement>(null);
  useMouse(terminal, popupElement, HEAD_HEIGHT + body.height);
  // The view state of an entry changes with every key; only its identity and route are passed through the context.
  const { id, route } = historyEntry;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view state is read from the navigation.
  const screenEntry = useMemo(() => historyEntry, [id, route]);
  if (isSmall) {
    return (
      <>
        <TooSmall width={columns} height={rows} />
        <GlobalKeys terminal={terminal} hasPalette={false} />
      </>
    );
  }
  const { height } = body;
  return (
    <HistoryEntryContext.Provider value={screenEntry}>
      <Box flexDirection="column" width={columns} height={rows - SPARE_LINES}>
        <Header width={columns} />
        <Box height={height} flexDirection="column">
          {lazy && Screen && (
            <PreviewContext.Provider value={lazy.previewLines}>
              <Screen key={id} route={route} region={body} />
            </PreviewContext.Provider>
          )}
          {popup === undefined || lazy === undefined ? null : (
            <Box ref={popupElement} position="absolute" width={columns} height={height}>
              <lazy.PopupView popup={popup} />
            </Box>
          )}
        </Box>
        <Footer width={columns} toast={toast} />
        {lazy && <lazy.ViewActions terminal={terminal} />}
        <GlobalKeys terminal={terminal} hasPalette={lazy !== undefined} />
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

function useKeyboard(onKey: () => void, hasPalette: boolean): void {
  const { keys, navigation, openPopup, closePopup, services } = useExplorer();
  const queue = useMemo(() => {
    const paste = (text: string) => {
      if (keys.paste(text)) return;
      // A paste never triggers key bindings: an identifier opens at once, anything else in the palette.
      const route = routeForIdentifier(recognise(text), availableEntities(services.supports));
      if (route) {
        closePopup();
        navigation.open(route);
      } else if (hasPalette) openPopup({ kind: "palette", text });
    };
    return createKeyQueue(
      ({ name, text }) => (name === PASTE ? paste(text ?? "") : keys.press(name, text)),
      () => new Promise((resolve) => setImmediate(resolve)),
    );
  }, [hasPalette, keys, navigation, openPopup, closePopup, services]);
  useInput((input, key) => {
    onKey();
    // A terminal without bracketed paste sends a paste as keys, all at once.
    if (isPasted(input, key)) return queue({ name: PASTE, text: input });
    for (const pressed of decodeKeyPresses(input, key)) queue(pressed);
  });
  usePaste((text) => queue({ name: PASTE, text }));
}

/** A notice in the footer. */
export interface Toast {
  readonly text: string;
  readonly role: Role | undefined;
}

function Footer({ width, toast }: { width: number; toast: Toast | undefined }) {
  const { services } = useExplorer();
  const bindings = useActiveBindings();
  const content = toast ? textLine(safeText(toast.text), toast.role) : hintLine(bindings, width, services.unicode);
  return <Lines lines={[content]} width={width} height={FOOT_HEIGHT} />;
}
