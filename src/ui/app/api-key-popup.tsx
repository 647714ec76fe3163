/** Entering an API key while the explorer runs. */

import { useEffect, useRef, useState } from "react";
import { errorMessage } from "../../base/error-message.ts";
import { SolxError } from "../../base/errors.ts";
import { pluralize } from "../../base/text.ts";
import { safeText } from "../../output/text/safe.ts";
import { wrap } from "../../output/text/width.ts";
import { type Explorer, useBindings, useExplorer } from "./context.ts";
import { useBody } from "./layout.ts";
import { Notice } from "./notice.tsx";
import { Popup, popupSpace } from "./popup.tsx";
import type { ApiKeyEntry } from "./services.ts";
import { span, type TextLine, textLine } from "./theme/text-line.ts";
import { useLatestReducer } from "./use-latest-reducer.ts";
/** A key that is typed: what is held of it, and what the screen shows. Never the key itself. No React here. */

/** What was typed, and what is to be done with it. */
export interface ApiKeyField {
  readonly text: string;
  /** Whether it is to be kept, where that is possible. */
  readonly save: boolean;
  /** Why it is not taken, and why the last paste was not. */
  readonly problem: string | undefined;
  readonly isChecking: boolean;
}

/** What happens to it. */
export type ApiKeyAction =
  | { readonly type: "text" | "paste"; readonly text: string }
  | { readonly type: "erase" | "clear" | "keep" | "check" }
  | { readonly type: "fail"; readonly problem: string };

/** Nothing typed yet. */
export const EMPTY_FIELD: ApiKeyField = { text: "", save: true, problem: undefined, isChecking: false };

/** Characters that are held: more than any key has. */
const MAX_LENGTH = 5000;
const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The field after a step; while a key is checked nothing changes it but the outcome. */
export function apiKeyReducer(field: ApiKeyField, action: ApiKeyAction): ApiKeyField {
  if (action.type === "fail") return { ...field, isChecking: false, problem: action.problem };
  if (field.isChecking) return field;
  switch (action.type) {
    case "text":
    case "paste":
      return insertText(field, action.text);
    case "erase":
      return { ...field, text: [...field.text].slice(0, -1).join(""), problem: undefined };
    case "clear":
      return { ...field, text: "", problem: undefined };
    case "keep":
      return { ...field, save: !field.save };
    case "check":
      return { ...field, isChecking: true, problem: undefined };
    default:
      return action satisfies never;
  }
}

/** Blanks and line breaks around a key come with copying it; what cannot be seen inside of one was not meant. */
function insertText(field: ApiKeyField, input: string): ApiKeyField {
  const text = input.trim();
  const invisible = [...text].find((character) => CONTROL.test(character));
  if (invisible !== undefined) {
    const code = (invisible.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    const what = /[\n\r]/.test(invisible) ? "more than one line" : `a character that cannot be seen (U+${code})`;
    return { ...field, problem: `Not taken: it has ${what}. Copy the key alone.` };
  }
  if (field.text.length + text.length > MAX_LENGTH)
    return { ...field, problem: "Not taken: it is too long for a key." };
  return { ...field, text: field.text + text, problem: undefined };
}

/** Characters of a key of which its end may be shown. */
const MIN_LENGTH_FOR_END = 12;
const END_LENGTH = 4;
const MAX_DOTS = 24;

/** The key as it may be shown: a dot for each character at first, and the end of a long one. */
export function maskKey(text: string, unicode: boolean): string {
  const dot = unicode ? "•" : "*";
  const { length } = [...text];
  const end = length >= MIN_LENGTH_FOR_END ? text.slice(-END_LENGTH) : "";
  const dots = dot.repeat(Math.min(MAX_DOTS, length - end.length));
  return length === 0 ? "" : `${dots}${end}  (${pluralize(length, "character")})`;
}

/** Lays the field over the screen, where a key can be entered. */
export function openApiKeyPopup({ services, setOverlay }: Explorer): void {
  if (services.apiKeyEntry) setOverlay(<ApiKeyPopup entry={services.apiKeyEntry} />);
}

const MAX_WIDTH = 72;
const SESSION = "for this session only";

function ApiKeyPopup({ entry }: { entry: ApiKeyEntry }) {
  const { services, data, setOverlay, toast } = useExplorer();
  const [field, dispatch, read] = useLatestReducer(apiKeyReducer, () => EMPTY_FIELD);
  const checking = useRef<AbortController>(undefined);
  useEffect(() => () => checking.current?.abort(), []);
  useStorageCheck(entry);
  const close = () => setOverlay(undefined);
  const submit = async () => {
    const { text, save: keep, isChecking, problem: refused } = read();
    // Why the paste was not taken says more than that there is nothing.
    if (isChecking || (text === "" && refused !== undefined)) return;
    const problem = entry.validate(text);
    if (problem !== undefined) return dispatch({ type: "fail", problem });
    dispatch({ type: "check" });
    const stop = new AbortController();
    checking.current = stop;
    try {
      const { message: told, notes: more } = await entry.submit(text, keep && entry.storage !== undefined, stop.signal);
      data.onKeyChanged();
      if (stop.signal.aborted) return;
      close();
      toast(told, "good");
      if (more.length > 0) setOverlay(<Notice title="API key" sentences={[told, ...more]} />);
    } catch (error) {
      if (!stop.signal.aborted) dispatch({ type: "fail", problem: errorText(error) });
    }
  };
  useBindings(
    "overlay",
    [
      { keys: ["enter"], label: "check and use it", group: "solx", hint: 1, run: () => void submit() },
      {
        keys: ["tab", "shift+tab", "up", "down"],
        label: "keep it or not",
        group: "solx",
        hint: 2,
        active: entry.storage !== undefined,
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
  const width = Math.min(MAX_WIDTH, popupSpace(useBody()).width);
  const about = { width, unicode: services.unicode, profile: services.identity.profile ?? "default" };
  return (
    <Popup
      title="API key"
      lines={apiKeyLines(field, entry, about)}
      width={width}
      footer="Enter checks it, Esc leaves"
    />
  );
}

/** Draws anew once it is known where keys can be kept. */
function useStorageCheck(entry: ApiKeyEntry): void {
  const [, setChecked] = useState(false);
  useEffect(() => {
    let isMounted = true;
    entry.checkStorage?.().then(
      () => isMounted && setChecked(true),
      () => {},
    );
    return () => {
      isMounted = false;
    };
  }, [entry]);
}

interface PopupContext {
  readonly width: number;
  readonly unicode: boolean;
  readonly profile: string;
}

/** The lines of the popup. */
function apiKeyLines(
  field: ApiKeyField,
  entry: ApiKeyEntry,
  { width, unicode, profile }: PopupContext,
): readonly TextLine[] {
  const { text, save: keep, problem, isChecking } = field;
  const [before, behind] = unicode ? ["‹ ", " ›"] : ["< ", " >"];
  const choice = entry.storage === undefined || !keep ? SESSION : `in the ${entry.storage}`;
  const wrapped = (words: string, role: "bad" | "note" | "warning") =>
    wrap(safeText(words), Math.max(1, width)).map((part) => textLine(part, role));
  const choices = wrap(safeText(`${before}${choice}${behind}`), Math.max(1, width - LABEL.length));
  return [
    textLine(`The key of profile ${safeText(profile)}, pasted or typed; only its end is shown.`),
    textLine(""),
    [span("key   ", "key"), span(maskKey(text, unicode)), { text: " ", cursor: "cell" }],
    ...choices.map((part, at): TextLine => [span(at === 0 ? "keep  " : LABEL, "key"), span(part, "active")]),
    textLine(""),
    ...(isChecking ? wrapped("Asking the API about it …", "warning") : []),
    ...(problem === undefined ? [] : wrapped(problem, "bad")),
    ...(isChecking || problem !== undefined
      ? []
      : wrapped(entry.storage === undefined ? "It cannot be kept here." : "Tab chooses whether it is kept.", "note")),
  ];
}

const LABEL = "      ";

function errorText(error: unknown): string {
  if (error instanceof SolxError) return [error.message, error.hint].filter(Boolean).join(" ");
  return errorMessage(error);
}
