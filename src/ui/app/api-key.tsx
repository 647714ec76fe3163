/** Popups about the API key: the choices without one, and entering one, which is never displayed. */
import { useEffect, useRef, useState } from "react";
import { pluralize } from "../../base/index.ts";
import { safeText, wrap } from "../../output/index.ts";
import { errorText } from "../data/query.ts";
import { Popup, popupSpace, useBody } from "../frame/popup.tsx";
import { useExplorer, useLatestState, usePopupBindings } from "../navigation/context.ts";
import { keyLabel } from "../navigation/keys/keymap.ts";
import type { PopupOf } from "../navigation/popups.ts";
import type { ApiKeyEntry } from "../navigation/services.ts";
import { span, type TextLine, textLine } from "../navigation/theme/text-line.ts";

const withoutFileName = (problem: string) => problem.replace(/^explore\.json: /, "");

/** Shows the problems found in the user's file, then, when there is no API key, the choices without one. */
export function useStartupNotices(): void {
  const { services, openPopup } = useExplorer();
  useEffect(() => {
    let isMounted = true;
    const { problems = [] } = services.customization ?? {};
    const last = services.logPath && `Log file: ${services.logPath}`;
    const isRead = new Promise<void>((resolve) => {
      if (problems.length === 0) return resolve();
      openPopup({
        kind: "notice",
        title: "Problems in explore.json",
        sentences: problems.map(withoutFileName),
        footnote: last,
        onClose: resolve,
      });
    });
    const promptForKey = () => {
      if (isMounted && !services.identity.hasKey) openPopup({ kind: "no-api-key" });
    };
    // A client that cannot be created is reported where an answer is missing.
    services
      .client()
      .catch(() => {})
      .then(() => isRead)
      .then(promptForKey);
    return () => {
      isMounted = false;
    };
  }, [services, openPopup]);
}

/** The choices without an API key. */
export function NoApiKey() {
  const { services, openPopup, closePopup, quit } = useExplorer();
  const { switchToSandbox, apiKeyEntry } = services;
  usePopupBindings([
    {
      keys: ["k"],
      label: "enter a key",
      hint: 0,
      active: apiKeyEntry !== undefined,
      run: () => apiKeyEntry && openPopup({ kind: "api-key", entry: apiKeyEntry }),
    },
    { keys: ["s"], label: "sandbox", hint: 1, active: switchToSandbox !== undefined, run: () => switchToSandbox?.() },
    { keys: ["enter", "esc"], label: "continue without", hint: 2, run: closePopup },
    { keys: ["q", "ctrl+c"], label: "quit", hint: 3, run: quit },
  ]);
  const choice = (press: string, text: string): TextLine => [
    { ...span(keyLabel(press).padEnd(7), "hotkey"), press },
    { ...span(text), press },
  ];
  const lines = [
    textLine("Most data needs an API key."),
    textLine(""),
    ...(apiKeyEntry ? [choice("k", "enter an API key; it is checked and can be saved")] : []),
    ...(switchToSandbox ? [choice("s", "use the sandbox, which has simulated data")] : []),
    choice("enter", "continue without a key; public data still loads"),
    choice("q", "quit"),
    textLine(""),
    textLine(`In the shell: ${services.command(["auth", "login"])}`, "note"),
  ];
  return <Popup title="No API key" lines={lines} />;
}

interface ApiKeyField {
  readonly text: string;
  /** Whether the key is saved, where that is possible. */
  readonly save: boolean;
  readonly problem: string | undefined;
  readonly isChecking: boolean;
}

/** The empty field. */
export const EMPTY_FIELD: ApiKeyField = { text: "", save: true, problem: undefined, isChecking: false };

/** Maximum length of the input in characters: longer than any key. */
const MAX_LENGTH = 5000;
const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Inserts text without the white space around it; rejects invisible characters inside, which no key has. */
export function insertKeyText(field: ApiKeyField, input: string): ApiKeyField {
  const text = input.trim();
  const invisible = [...text].find((character) => CONTROL.test(character));
  if (invisible !== undefined) {
    const code = (invisible.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    const what = /[\n\r]/.test(invisible) ? "more than one line" : `an invisible character (U+${code})`;
    return { ...field, problem: `not accepted: the text has ${what}; copy only the key` };
  }
  if (field.text.length + text.length > MAX_LENGTH)
    return { ...field, problem: "not accepted: too long for an API key" };
  return { ...field, text: field.text + text, problem: undefined };
}

/** Minimum length of a key whose last characters may be shown, and how many of them. */
const MIN_LENGTH_FOR_END = 12;
const END_LENGTH = 4;
const MAX_DOTS = 24;

/** Masks a key: a dot for each character, and the last characters of a long key. */
export function maskKey(text: string, unicode: boolean): string {
  const dot = unicode ? "•" : "*";
  const { length } = [...text];
  const end = length >= MIN_LENGTH_FOR_END ? text.slice(-END_LENGTH) : "";
  const dots = dot.repeat(Math.min(MAX_DOTS, length - end.length));
  return length === 0 ? "" : `${dots}${end}  (${pluralize(length, "character")})`;
}

const MAX_WIDTH = 72;
const SESSION = "this session only";

/** The keys that choose between saving the key and using it once. */
const SAVE_KEYS = ["tab", "shift+tab", "up", "down"] as const;

/** The popup where a key can be entered. */
export function ApiKeyPopup({ entry }: PopupOf<"api-key">) {
  const { services, data, openPopup, closePopup, toast } = useExplorer();
  const [field, change, read] = useLatestState(() => EMPTY_FIELD);
  // While a key is checked, only the result changes the field.
  const edit = (next: (before: ApiKeyField) => ApiKeyField) =>
    change((before) => (before.isChecking ? before : next(before)));
  const fail = (problem: string) => change((before) => ({ ...before, isChecking: false, problem }));
  const insert = (text: string) => edit((before) => insertKeyText(before, text));
  const checking = useRef<AbortController>(undefined);
  useEffect(() => () => checking.current?.abort(), []);
  useStorageCheck(entry);
  const submit = async () => {
    const { text, save, isChecking, problem: refused } = read();
    // The reason for a rejected paste says more than "empty".
    if (isChecking || (text === "" && refused !== undefined)) return;
    const problem = entry.validate(text);
    if (problem !== undefined) return fail(problem);
    change((before) => ({ ...before, isChecking: true, problem: undefined }));
    const stop = new AbortController();
    checking.current = stop;
    try {
      const { message, notes } = await entry.submit(text, save && entry.storage !== undefined, stop.signal);
      data.onKeyChanged();
      if (stop.signal.aborted) return;
      closePopup();
      toast(message, "good");
      if (notes.length > 0) openPopup({ kind: "notice", title: "API key", sentences: [message, ...notes] });
    } catch (error) {
      if (!stop.signal.aborted) fail(errorText(error));
    }
  };
  usePopupBindings(
    [
      { keys: ["enter"], label: "check and use", hint: 1, run: () => void submit() },
      {
        keys: SAVE_KEYS,
        label: "save or not",
        hint: 2,
        active: entry.storage !== undefined,
        run: () => edit((before) => ({ ...before, save: !before.save })),
      },
      { keys: ["esc", "ctrl+c"], label: "cancel", hint: 3, run: closePopup },
      {
        keys: ["backspace", "delete", "ctrl+h"],
        label: "erase",
        run: () => edit((before) => ({ ...before, text: [...before.text].slice(0, -1).join(""), problem: undefined })),
      },
      {
        keys: ["ctrl+u", "ctrl+w"],
        label: "clear",
        run: () => edit((before) => ({ ...before, text: "", problem: undefined })),
      },
    ],
    { onText: insert, onPaste: insert },
  );
  const width = Math.min(MAX_WIDTH, popupSpace(useBody()).width);
  const about = { width, unicode: services.unicode, profile: services.identity.profile ?? "default" };
  return <Popup title="API key" lines={apiKeyLines(field, entry, about)} width={width} />;
}

/** Renders again once it is known where keys can be saved. */
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

function apiKeyLines(
  field: ApiKeyField,
  entry: ApiKeyEntry,
  { width, unicode, profile }: PopupContext,
): readonly TextLine[] {
  const { text, save, problem, isChecking } = field;
  const [before, behind] = unicode ? ["‹ ", " ›"] : ["< ", " >"];
  const choice = entry.storage === undefined || !save ? SESSION : `in the ${entry.storage}`;
  const wrapped = (words: string, role: "bad" | "note" | "warning") =>
    wrap(safeText(words), Math.max(1, width)).map((part) => textLine(part, role));
  const choices = wrap(safeText(`${before}${choice}${behind}`), Math.max(1, width - LABEL.length));
  return [
    textLine(`API key for profile ${safeText(profile)}. Paste or type it; only its end is shown.`),
    textLine(""),
    [span("key   ", "key"), span(maskKey(text, unicode)), { text: " ", cursor: "caret" }],
    ...choices.map((part, at): TextLine => {
      const press = entry.storage === undefined ? undefined : SAVE_KEYS[0];
      return [span(at === 0 ? "save  " : LABEL, "key"), { ...span(part, "active"), press }];
    }),
    textLine(""),
    ...(isChecking ? wrapped("checking the key…", "warning") : []),
    ...(problem === undefined ? [] : wrapped(problem, "bad")),
    ...(isChecking || problem !== undefined
      ? []
      : wrapped(
          entry.storage === undefined
            ? "The key cannot be saved here."
            : `${keyLabel(SAVE_KEYS[0], unicode)}: save the key or use it for this session only.`,
          "note",
        )),
  ];
}

const LABEL = "      ";
