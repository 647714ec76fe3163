/** The explorer's root: head, body, foot, and what is laid over them; the one reader of the keyboard. */
import { Box, useInput, usePaste, useWindowSize } from "ink";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { recognise } from "../../client/identify.ts";
import type { DataStore } from "../data/store.ts";
import { Screen } from "../screens/index.tsx";
import { type Explorer, ExplorerContext, type Subject, useExplorer, VisitContext } from "./context.ts";
import { Foot } from "./foot.tsx";
import { Globals } from "./globals.tsx";
import { Head, headHeight } from "./head.tsx";
import { createKeyMap, keyNames } from "./keys.ts";
import { line } from "./line.ts";
import { Lines } from "./lines.tsx";
import { mouseEvent } from "./mouse.ts";
import { createNavigation } from "./navigation.ts";
import type { Place } from "./place.ts";
import type { Services } from "./services.ts";
import { placeOf } from "./target.ts";
import { painterOf, type Role } from "./theme.ts";

/** The smallest window that says something. */
export const LEAST = { width: 60, height: 15 } as const;
/** Lines left free at the bottom: a frame that fills the window to the last cell makes some terminals scroll. */
const SPARE = 1;
const FOOT_HEIGHT = 1;
const TOAST_MS = 4000;

export interface AppProps {
  readonly services: Services;
  readonly data: DataStore;
  readonly start: Place;
  readonly quit: () => void;
  /** What lies over the first screen, such as the palette. */
  readonly children?: ReactNode;
}

/** A sentence at the foot. */
interface Toast {
  readonly text: string;
  readonly role: Role | undefined;
}

export function App({ services, data, start, quit }: AppProps) {
  const [overlay, setOverlay] = useState<ReactNode>();
  const [toast, setToast] = useState<Toast>();
  const subjects = useRef(new Map<object, Subject>());
  const show = useCallback((text: string, role?: Role) => setToast({ text, role }), []);
  const explorer = useMemo<Explorer>(
    () => ({
      services,
      data,
      navigation: createNavigation(start),
      keys: createKeyMap(),
      paint: painterOf(services.palette),
      toast: show,
      setOverlay,
      subject: () => [...subjects.current.values()].at(-1),
      setSubject(owner, subject) {
        if (subject) subjects.current.set(owner, subject);
        else subjects.current.delete(owner);
      },
      quit,
    }),
    [services, data, start, quit, show],
  );
  useEffect(() => {
    if (!toast) return;
    const timer = setTimeout(() => setToast(undefined), TOAST_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <ExplorerContext.Provider value={explorer}>
      <Frame overlay={overlay} toast={toast} onKey={() => setToast(undefined)} />
    </ExplorerContext.Provider>
  );
}

interface FrameProps {
  readonly overlay: ReactNode | undefined;
  readonly toast: Toast | undefined;
  readonly onKey: () => void;
}

/** The parts of the screen at the size of the window. */
function Frame({ overlay, toast, onKey }: FrameProps) {
  const { navigation } = useExplorer();
  const { columns, rows } = useWindowSize();
  const visit = useSyncExternalStore(navigation.subscribe, navigation.current);
  useKeyboard(onKey, headHeight(columns));
  if (columns < LEAST.width || rows < LEAST.height) return <TooSmall width={columns} height={rows} />;
  const height = rows - SPARE - headHeight(columns) - FOOT_HEIGHT;
  return (
    <VisitContext.Provider value={visit}>
      <Box flexDirection="column" width={columns} height={rows - SPARE} overflow="hidden">
        <Head width={columns} />
        <Box height={height} flexDirection="column">
          <Screen key={visit.id} place={visit.place} region={{ width: columns, height, top: 0 }} />
          {overlay === undefined ? null : (
            <Box position="absolute" width={columns} height={height}>
              {overlay}
            </Box>
          )}
        </Box>
        <Foot width={columns} toast={toast} />
        <Globals region={{ width: columns, height, top: 0 }} />
      </Box>
    </VisitContext.Provider>
  );
}

function TooSmall({ width, height }: { width: number; height: number }) {
  const text = `solx needs ${LEAST.width} × ${LEAST.height}; this window is ${width} × ${height}. q quits.`;
  return <Lines lines={[line(text)]} width={width} height={Math.min(1, height)} />;
}

/** Reads keys, pastes and the mouse, and hands them to who is asked first. */
function useKeyboard(onKey: () => void, bodyTop: number): void {
  const { keys, navigation, toast } = useExplorer();
  useInput((input, key) => {
    const event = mouseEvent(input, bodyTop);
    if (event) return void keys.mouse(event);
    onKey();
    for (const { name, text } of keyNames(input, key)) keys.press(name, text);
  });
  usePaste((text) => {
    if (keys.paste(text)) return;
    // What was pasted is never obeyed: it is looked at as a whole, whatever line breaks are in it.
    const found = recognise(text);
    const place = placeOf(found);
    if (place) navigation.open(place);
    else toast(found.hint ?? "This is no address, signature, slot or link.", "warning");
  });
}
