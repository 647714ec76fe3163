/** The explorer's root: head, body, foot, and what is laid over them; the one reader of the keyboard. */
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
import { recognise } from "../../client/request/recognise.ts";
import { wrap } from "../../output/text/width.ts";
import type { DataStore } from "../data/store.ts";
import type * as Parts from "../lazy.ts";
import { NO_TERMINAL, type TerminalControl } from "../terminal/control.ts";
import { mouseEvent } from "../terminal/mouse.ts";
import { hearMouse } from "../terminal/mouse-input.ts";
import { type Explorer, ExplorerContext, HistoryEntryContext, type Subject, useExplorer } from "./context.ts";
import { Foot, hintAt, type Toast } from "./footer.tsx";

import { Globals } from "./global-keys.tsx";
import { crumbAt, Head, stateOf } from "./header.tsx";

import { createNavigation } from "./history.ts";
import { keyNamesOf, keyWords } from "./keys/key-hints.ts";
import { createKeyQueue, PASTE } from "./keys/key-queue.ts";
import { createKeyMap, keyNames, type MouseEvent } from "./keys/keymap.ts";
import { bodyRegion, HEAD_HEIGHT, isTooSmall, MIN_WINDOW, SPARE_LINES } from "./layout.ts";
import { Lines } from "./lines.tsx";
import { useKeyQuestion } from "./no-api-key.tsx";
import type { Route } from "./route.ts";
import { routeForIdentifier } from "./route-for.ts";
import type { Services } from "./services.ts";
import { textLine } from "./theme/text-line.ts";
import { createPainter, type Role } from "./theme/theme.ts";
import { resolveTheme, type ThemeName } from "./theme/themes.ts";

const TOAST_MS = 4000;

export interface AppProps {
  readonly services: Services;
  readonly data: DataStore;
  readonly start: Route;
  readonly quit: () => void;
  /** Everything but the frame, which is on the screen before it. */
  readonly parts: (() => Promise<typeof Parts>) | typeof Parts;
  readonly terminal?: TerminalControl;
  /** Hears every sentence at the foot. */
  readonly onToast?: ((text: string) => void) | undefined;
}

export function App({ services, data, start, quit, parts, terminal = NO_TERMINAL, onToast }: AppProps) {
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
      navigation: createNavigation(start),
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
    [services, data, start, quit, show],
  );
  const explorer = useMemo<Explorer>(() => {
    const { colorScheme: palette, depth = 4, unicode, customization: custom } = services;
    const looks = resolveTheme({ colorScheme: palette, depth, theme, customStyles: custom?.styles ?? {} });
    return { ...base, theme, paint: createPainter(looks, unicode) };
  }, [base, theme, services]);
  const loaded = useLoaded(parts);
  useEffect(() => loaded?.recordRecentRoutes(base), [loaded, base]);
  useEffect(() => services.onNote?.(show), [services, show]);
  useEffect(() => {
    if (!toast) return;
    const timer = setTimeout(() => setToast(undefined), TOAST_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <ExplorerContext.Provider value={explorer}>
      <Frame parts={loaded} terminal={terminal} overlay={overlay} toast={toast} onKey={() => setToast(undefined)} />
    </ExplorerContext.Provider>
  );
}

/** What may have to be loaded first, after the first frame; a failure is one of drawing. */
function useLoaded<T extends object>(given: (() => Promise<T>) | T): T | undefined {
  const [loaded, setLoaded] = useState<T | Error | undefined>(() => (typeof given === "function" ? undefined : given));
  useEffect(() => {
    if (typeof given === "function") given().then(setLoaded, (error: Error) => setLoaded(error));
  }, [given]);
  if (loaded instanceof Error) throw loaded;
  return loaded;
}

interface FrameProps {
  readonly parts: typeof Parts | undefined;
  readonly terminal: TerminalControl;
  readonly overlay: ReactNode | undefined;
  readonly toast: Toast | undefined;
  readonly onKey: () => void;
}

/** The parts of the screen at the size of the window. */
function Frame({ parts, terminal, overlay, toast, onKey }: FrameProps) {
  const { navigation } = useExplorer();
  const { columns, rows } = useWindowSize();
  const visit = useSyncExternalStore(navigation.subscribe, navigation.current);
  useKeyboard(onKey, { columns, rows, isCovered: overlay !== undefined, hasToast: toast !== undefined });
  useKeyQuestion();
  // A screen is not drawn anew because something around it is.
  const Screen = useMemo(() => parts && memo(parts.Screen), [parts]);
  const body = useMemo(() => bodyRegion({ width: columns, height: rows }), [columns, rows]);
  // What a screen remembers changes with every key; who only stands in a visit is not drawn anew for that.
  const { id, route: place } = visit;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the memory is read from the navigation.
  const here = useMemo(() => visit, [id, place]);
  if (isTooSmall({ width: columns, height: rows })) {
    return (
      <>
        <TooSmall width={columns} height={rows} />
        <Globals terminal={terminal} />
      </>
    );
  }
  const { height } = body;
  const Actions = parts?.Actions;
  return (
    <HistoryEntryContext.Provider value={here}>
      <Box flexDirection="column" width={columns} height={rows - SPARE_LINES}>
        <Head width={columns} />
        <Box height={height} flexDirection="column">
          {Screen === undefined ? null : <Screen key={id} place={place} region={body} />}
          {overlay === undefined ? null : (
            <Box position="absolute" width={columns} height={height}>
              {overlay}
            </Box>
          )}
        </Box>
        <Foot width={columns} toast={toast} />
        {Actions === undefined ? null : <Actions terminal={terminal} />}
        <Globals terminal={terminal} openPalette={parts?.openPalette} />
      </Box>
    </HistoryEntryContext.Provider>
  );
}

function TooSmall({ width, height }: { width: number; height: number }) {
  const explorer = useExplorer();
  const by = explorer.services.unicode ? "×" : "x";
  const way = keyWords(keyNamesOf(explorer), [["solx.quit", "quits."]]);
  const text = `solx needs ${MIN_WINDOW.width} ${by} ${MIN_WINDOW.height}; this window is ${width} ${by} ${height}. ${way}`;
  const lines = wrap(text, width).map((row) => textLine(row));
  return <Lines lines={lines} width={width} height={Math.min(lines.length, height)} />;
}

/** What is around the body. */
interface Around {
  readonly columns: number;
  readonly rows: number;
  /** Whether something is laid over the body, and whether a sentence stands in place of the hints. */
  readonly isCovered: boolean;
  readonly hasToast: boolean;
}

/** A click on a hint does what its key does, one on a crumb goes back there. @returns whether it was on one */
function clickedAround(explorer: Explorer, { what, x, y }: MouseEvent, around: Around): boolean {
  const { keys, navigation, services } = explorer;
  const { columns, rows, isCovered, hasToast } = around;
  if (what !== "click") return false;
  if (y === bodyRegion({ width: columns, height: rows }).height) {
    const hint = hasToast ? undefined : hintAt(keys.active(), columns, services.unicode, x);
    if (hint) keys.press(hint.keys[0] ?? "", undefined);
    return true;
  }
  if (y !== -1 || x < 0) return false;
  const steps = isCovered ? undefined : crumbAt(stateOf(explorer), columns, services.unicode, x);
  for (let step = 0; step < (steps ?? 0); step += 1) navigation.back();
  return true;
}

/** Characters that came together of which an address has no fewer. */
const LEAST_PASTED = 32;

function isPasted(input: string, { ctrl, meta }: { readonly ctrl: boolean; readonly meta: boolean }): boolean {
  if (ctrl || meta || input.length < LEAST_PASTED) return false;
  return input.split(/\s+/).some((word) => ["address", "signature"].includes(recognise(word).kind));
}

/** Reads keys, pastes and the mouse, and hands them to who is asked first. */
function useKeyboard(onKey: () => void, around: Around): void {
  const explorer = useExplorer();
  const { keys, navigation, toast, setOverlay } = explorer;
  const queue = useMemo(() => {
    const paste = (text: string) => {
      if (keys.paste(text)) return;
      // What was pasted is never obeyed: it is looked at as a whole, whatever line breaks are in it.
      const found = recognise(text);
      const place = routeForIdentifier(found);
      if (!place) return toast(found.hint ?? "This is no address, signature, slot or link.", "warning");
      setOverlay(undefined);
      navigation.open(place);
    };
    return createKeyQueue(
      ({ name, text }) => (name === PASTE ? paste(text ?? "") : keys.press(name, text)),
      () => new Promise((resolve) => setImmediate(resolve)),
    );
  }, [keys, navigation, toast, setOverlay]);
  const { stdin } = useStdin();
  const point = useEffectEvent((report: string) => {
    const event = mouseEvent(report, HEAD_HEIGHT);
    if (event && !clickedAround(explorer, event, around)) keys.mouse(event);
  });
  useEffect(() => hearMouse(stdin, point), [stdin]);
  useInput((input, key) => {
    onKey();
    // A terminal that marks no pastes sends what is pasted as keys, all at once.
    if (isPasted(input, key)) return queue({ name: PASTE, text: input });
    for (const pressed of keyNames(input, key)) queue(pressed);
  });
  usePaste((text) => queue({ name: PASTE, text }));
}
