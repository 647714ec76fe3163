/** Entering an API key while the explorer runs. */
import { useEffect, useRef, useState } from "react";
import { SolxError } from "../../base/errors.ts";
import { safeText } from "../../output/text/safe.ts";
import { wrap } from "../../output/text/width.ts";
import { EMPTY_KEY, type KeyField, keyStep, maskedKey } from "./api-key-field.ts";
import { type Explorer, useBindings, useExplorer } from "./context.ts";
import { useBody } from "./layout.ts";
import { Notice } from "./notice.tsx";
import { Popup, popupRoom } from "./popup.tsx";
import type { KeyEntry } from "./services.ts";
import { type Line, line, span } from "./theme/text-line.ts";
import { useLatest } from "./use-latest-reducer.ts";

/** Lays the field over the screen, where a key can be entered. */
export function openKeyPopup({ services, setOverlay }: Explorer): void {
  if (services.keyEntry) setOverlay(<KeyPopup entry={services.keyEntry} />);
}

const MOST_WIDTH = 72;
const SESSION = "for this session only";

function KeyPopup({ entry }: { entry: KeyEntry }) {
  const { services, data, setOverlay, toast } = useExplorer();
  const [field, dispatch, read] = useLatest(keyStep, () => EMPTY_KEY);
  const checking = useRef<AbortController>(undefined);
  useEffect(() => () => checking.current?.abort(), []);
  useLook(entry);
  const close = () => setOverlay(undefined);
  const enter = async () => {
    const { text, keep, isChecking, problem: refused } = read();
    // Why the paste was not taken says more than that there is nothing.
    if (isChecking || (text === "" && refused !== undefined)) return;
    const problem = entry.problem(text);
    if (problem !== undefined) return dispatch({ type: "fail", problem });
    dispatch({ type: "check" });
    const stop = new AbortController();
    checking.current = stop;
    try {
      const { told, more } = await entry.enter(text, keep && entry.place !== undefined, stop.signal);
      data.renew();
      if (stop.signal.aborted) return;
      close();
      toast(told, "good");
      if (more.length > 0) setOverlay(<Notice title="API key" sentences={[told, ...more]} />);
    } catch (error) {
      if (!stop.signal.aborted) dispatch({ type: "fail", problem: reasonOf(error) });
    }
  };
  useBindings(
    "overlay",
    [
      { keys: ["enter"], label: "check and use it", group: "solx", hint: 1, run: () => void enter() },
      {
        keys: ["tab", "shift+tab", "up", "down"],
        label: "keep it or not",
        group: "solx",
        hint: 2,
        active: entry.place !== undefined,
        run: () => dispatch({ type: "keep" }),
      },
      { keys: ["esc", "ctrl+c"], label: "leave", group: "go", hint: 3, run: close },
      {
        keys: ["backspace", "delete", "ctrl+h"],
        label: "erase",
        group: "view",
        run: () => dispatch({ type: "erase" }),
      },
      { keys: ["ctrl+u", "ctrl+w"], label: "clear", group: "view", run: () => dispatch({ type: "clear" }) },
    ],
    {
      modal: true,
      onText: (text) => dispatch({ type: "text", text }),
      onPaste: (text) => dispatch({ type: "paste", text }),
    },
  );
  const width = Math.min(MOST_WIDTH, popupRoom(useBody()).width);
  const about = { width, unicode: services.unicode, profile: services.identity.profile ?? "default" };
  return (
    <Popup title="API key" lines={keyLines(field, entry, about)} width={width} footer="Enter checks it, Esc leaves" />
  );
}

/** Draws anew once it is known where keys can be kept. */
function useLook(entry: KeyEntry): void {
  const [, setLooked] = useState(false);
  useEffect(() => {
    let isHere = true;
    entry.look?.().then(
      () => isHere && setLooked(true),
      () => {},
    );
    return () => {
      isHere = false;
    };
  }, [entry]);
}

interface About {
  readonly width: number;
  readonly unicode: boolean;
  readonly profile: string;
}

/** The lines of the popup. */
function keyLines(field: KeyField, entry: KeyEntry, { width, unicode, profile }: About): readonly Line[] {
  const { text, keep, problem, isChecking } = field;
  const [before, behind] = unicode ? ["‹ ", " ›"] : ["< ", " >"];
  const choice = entry.place === undefined || !keep ? SESSION : `in the ${entry.place}`;
  const wrapped = (words: string, role: "bad" | "note" | "warning") =>
    wrap(safeText(words), Math.max(1, width)).map((part) => line(part, role));
  const choices = wrap(safeText(`${before}${choice}${behind}`), Math.max(1, width - LABEL.length));
  return [
    line(`The key of profile ${safeText(profile)}, pasted or typed; only its end is shown.`),
    line(""),
    [span("key   ", "key"), span(maskedKey(text, unicode)), { text: " ", on: "cell" }],
    ...choices.map((part, at): Line => [span(at === 0 ? "keep  " : LABEL, "key"), span(part, "active")]),
    line(""),
    ...(isChecking ? wrapped("Asking the API about it …", "warning") : []),
    ...(problem === undefined ? [] : wrapped(problem, "bad")),
    ...(isChecking || problem !== undefined
      ? []
      : wrapped(entry.place === undefined ? "It cannot be kept here." : "Tab chooses whether it is kept.", "note")),
  ];
}

const LABEL = "      ";

function reasonOf(error: unknown): string {
  if (error instanceof SolxError) return [error.message, error.hint].filter(Boolean).join(" ");
  return error instanceof Error ? error.message : String(error);
}
