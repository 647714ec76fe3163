/** Copying from a view: the menu of what can be copied, and the text where copying fails. */

import { Box } from "ink";
import { useMemo, useState } from "react";
import { isNumeric, type Json, numericText } from "../../base/index.ts";
import type { Kind } from "../../catalogue/index.ts";
import { clip, formatJson, safeText, sliceWidth } from "../../output/index.ts";
import { errorText } from "../data/query.ts";
import { Lines } from "../frame/lines.tsx";
import { useBody } from "../frame/popup.tsx";
import { type Explorer, type Subject, useExplorer, usePopupBindings } from "../navigation/context.ts";
import type { PopupOf } from "../navigation/popups.ts";
import { type Route, shortId } from "../navigation/route.ts";
import { textLine } from "../navigation/theme/text-line.ts";
import { Menu } from "../widgets/menu.tsx";
import type { CurrentView } from "./current-view.ts";
import { commandOf, currentView, identifierOfRoute, requestOfView } from "./current-view.ts";

interface CopyChoice {
  readonly key: string;
  readonly label: string;
  /** Noun phrase for the message after copying. */
  readonly description: string;
  /** Returns the text; rejects with a SolxError when it cannot be created. */
  readonly text: () => string | Promise<string>;
}

/** Sources of texts beyond the values of a view. */
export interface CopySources {
  readonly curl: (request: NonNullable<Subject["request"]>) => Promise<string>;
  readonly command: () => string;
}

/** The menu item of a text. @param description what the message after copying calls it (default: the label) */
const choice = (key: string, label: string, text: CopyChoice["text"], description = label): CopyChoice => ({
  key,
  label,
  description,
  text,
});

/** Returns the items of the copy menu. */
export function listCopyChoices(
  route: Route,
  subject: Subject | undefined,
  sources: CopySources,
): readonly CopyChoice[] {
  const { cell, marked = [] } = subject ?? {};
  const request = requestOfView(route, subject);
  const id = identifierOfRoute(route, subject);
  return [
    ...(cell ? valueChoices(cell) : []),
    ...contentChoices(subject),
    ...(marked.length === 0 ? [] : [rowsChoice("m", "marked", marked)]),
    ...(id === undefined ? [] : [choice("i", `the identifier ${shortId(id)}`, () => id)]),
    choice("s", "the solx command of this view", sources.command, commandName(subject?.local)),
    ...(request
      ? [choice("u", "the curl command of the request", () => sources.curl(request), "the curl command")]
      : []),
  ];
}

/** Returns the items for the row at the cursor and all visible rows, or for the object of a detail view. */
function contentChoices({ row, rows }: Subject = {}): readonly CopyChoice[] {
  const what = rows ? "the row as JSON" : "the object as JSON";
  const all = rows && rows.length > 0 ? [rowsChoice("f", "visible", rows)] : [];
  if (row === undefined) return all;
  const line = choice("j", rows ? what : `${what}, one line`, () => formatJson(row), what);
  return rows ? [line, ...all] : [line, choice("f", `${what}, indented`, () => formatJson(row, 2), what)];
}

/** Returns the name of a command after copying; it notes when the screen does more than the command. */
export function commandName(local: readonly string[] = []): string {
  return local.length === 0 ? "the solx command" : "the command without the changes made on screen";
}

const IDENTIFIER_NAMES: Partial<Record<Kind, string>> = {
  address: "address",
  program: "address",
  signature: "signature",
  hash: "identifier",
  slot: "slot",
};

const MAX_VALUE_WIDTH = 44;

function valueChoices({ field, value, kind }: NonNullable<Subject["cell"]>): readonly CopyChoice[] {
  const text = valueText(value);
  if (text === undefined) return [];
  const name = kind && typeof value !== "object" ? IDENTIFIER_NAMES[kind] : undefined;
  const what = name === undefined ? `the value of ${safeText(field)}` : `the ${name} ${shortId(text)}`;
  const label = name === undefined ? `${safeText(field)}: ${clip(safeText(text), MAX_VALUE_WIDTH)}` : what;
  return [choice("v", label, () => text, what)];
}

function valueText(value: Json): string | undefined {
  if (value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  return isNumeric(value) ? numericText(value) : formatJson(value);
}

function rowsChoice(key: string, selection: string, rows: readonly Json[]): CopyChoice {
  const what = rows.length === 1 ? `the ${selection} row` : `the ${rows.length} ${selection} rows`;
  return choice(key, `${what} as NDJSON`, () => rows.map((row) => `${formatJson(row)}\n`).join(""));
}

/** Lists what can be copied from the view that was on the screen when the menu was opened. */
export function CopyMenu() {
  const explorer = useExplorer();
  const [choices] = useState(() => {
    const view = currentView(explorer);
    return listCopyChoices(view.route, view.subject, copySources(explorer, view));
  });
  const lines = choices.map(({ key, label, description, text }) => ({
    key,
    title: label,
    run: () => void copyText(explorer, description, text),
  }));
  return <Menu title="Copy" label="copy" choices={lines} closeKeys={["c"]} />;
}

/** Copies a text and shows a notice; when copying fails, shows the text for manual selection. */
export async function copyText(
  explorer: Explorer,
  description: string,
  text: () => string | Promise<string>,
): Promise<void> {
  const { services, openPopup, closePopup, toast } = explorer;
  closePopup();
  try {
    const content = await text();
    const { ok, message } = await services.copy(content, description);
    if (ok) toast(message, "good");
    else openPopup({ kind: "text", title: message, text: content });
  } catch (error) {
    toast(errorText(error), "bad");
  }
}

/** Opens a page of the public explorer, or shows its URL. */
export async function openPage(explorer: Explorer, url: string): Promise<void> {
  const { services, openPopup, toast } = explorer;
  try {
    const { ok, message } = await services.browse(url);
    if (ok) toast(message, "good");
    else {
      const title = message.replace(url, "").replace(/[\s:]+$/, ".");
      const onCopy = () => void copyText(explorer, "the URL of the page", () => url);
      openPopup({ kind: "text", title, text: url, onCopy });
    }
  } catch (error) {
    toast(errorText(error), "bad");
  }
}

const CHROME_LINES = 4;
/** Maximum number of characters in a cell, combining characters included. */
const MAX_CHARACTERS_PER_CELL = 16;

/** Splits a text into safe lines of at most `width` cells, anywhere, so that nothing is added at the breaks. */
export function breakText(text: string, width: number): readonly string[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .flatMap((part) => splitLine(safeText(part), Math.max(1, width)));
}

function splitLine(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let at = 0;
  do {
    // Measuring scans its whole input: only as much of a long text as may fit is passed.
    const piece =
      sliceWidth(text.slice(at, at + MAX_CHARACTERS_PER_CELL * width), width) ||
      text.slice(at, at + MAX_CHARACTERS_PER_CELL);
    lines.push(piece);
    at += piece.length;
  } while (at < text.length);
  return lines;
}

/** Shows the text without a border, so that only the text is selected. */
export function TextPopup({ title, text, onCopy }: PopupOf<"text">) {
  const { closePopup } = useExplorer();
  const { width, height } = useBody();
  const [first, setFirst] = useState(0);
  const lines = useMemo(() => breakText(text, width), [text, width]);
  const available = Math.max(1, height - CHROME_LINES);
  const last = Math.max(0, lines.length - available);
  const move = (by: number) => setFirst((at) => Math.max(0, Math.min(last, Math.min(at, last) + by)));
  const from = Math.min(first, last);
  usePopupBindings([
    { keys: ["esc", "enter", "q", "ctrl+c"], label: "close", hint: 2, run: closePopup },
    { keys: ["c"], label: "copy", active: onCopy !== undefined, hint: 1, run: () => onCopy?.() },
    { keys: ["down", "j"], label: "down", active: last > 0, hint: 3, run: () => move(1) },
    { keys: ["up", "k"], label: "up", active: last > 0, hint: 4, run: () => move(-1) },
    { keys: ["pagedown", "space"], label: "page down", active: last > 0, run: () => move(available) },
    { keys: ["pageup"], label: "page up", active: last > 0, run: () => move(-available) },
  ]);
  const more = last > 0 ? ` Lines ${from + 1} to ${Math.min(lines.length, from + available)} of ${lines.length}.` : "";
  const content = [
    textLine(title, "warning"),
    textLine(""),
    ...lines.slice(from, from + available).map((one) => textLine(one)),
    textLine(""),
    textLine(`${onCopy ? "c copy, or select" : "Select"} the text with the mouse.${more}`, "note"),
  ];
  return (
    <Box position="absolute">
      <Lines lines={content} width={width} height={height} selectable />
    </Box>
  );
}

function copySources(explorer: Explorer, view: CurrentView): CopySources {
  const { services } = explorer;
  return {
    command: () => services.command(commandOf(explorer, view).args),
    curl: async ({ endpoint, params }) => {
      const client = await services.client();
      return services.curl(client.url(client.prepare(endpoint, params)));
    },
  };
}
