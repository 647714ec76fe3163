/** The form of an export. */
import { useRef, useState } from "react";
import { formatOfFile } from "../../output/index.ts";
import { useBindings, useExplorer } from "../app/context.ts";
import { useBody } from "../app/layout.ts";
import { Popup, popupSpace } from "../app/popup.tsx";
import { type Span, span, type TextLine, textLine } from "../app/theme/text-line.ts";
import { fieldLine } from "../form/text-field.ts";
import { CommandPopup } from "./command-popup.tsx";
import { commandOf, type Looked, saveExport, withoutPage } from "./current-view.ts";
import { EXPORT_FORMATS, type ExportFormat, proposedStem, scopesOf } from "./export.ts";
import {
  chosenScope,
  type ExportForm,
  exportForm,
  FORM_KEYS,
  type FormLine,
  linesOf,
  pressed,
  typed,
} from "./export-form.ts";

/** Cells of the form. */
const WIDTH = 64;
/** Cells before the values: the sign of the cursor, the label, and a gap. */
const LABEL = 12;

const TITLES: Readonly<Record<FormLine, string>> = {
  scope: "What",
  columns: "Columns",
  format: "Format",
  name: "File",
};

/** The lines of the form. */
export function formLines(form: ExportForm, width: number, unicode: boolean): readonly TextLine[] {
  const isAll = chosenScope(form)?.scope === "all";
  const [before, behind] = unicode ? ["‹ ", " ›"] : ["< ", " >"];
  const choice = (text: string, on: boolean): TextLine =>
    on ? [span(before, "hotkey"), span(text, "active"), span(behind, "hotkey")] : [span(`  ${text}`)];
  const value: Readonly<Record<FormLine, (on: boolean) => TextLine>> = {
    scope: (on) => choice(chosenScope(form)?.label ?? "", on && form.scopes.length > 1),
    columns: (on) => choice(form.narrow === true ? "those on view" : "all fields", on),
    format: (on) => formats(form, on),
    name: (on) => [span("  "), ...fieldLine(form.name, Math.max(8, width - LABEL - 2), on)],
  };
  return [
    ...linesOf(form).map((name): TextLine => {
      const on = form.line === name;
      const sign = on ? (unicode ? "› " : "> ") : "  ";
      return [span(sign, "hotkey"), span(TITLES[name].padEnd(LABEL - 2), on ? "active" : "key"), ...value[name](on)];
    }),
    textLine(""),
    isAll
      ? textLine("Many pages are for the shell, which tells what they cost.", "note")
      : textLine("A new file in the folder where solx was started.", "note"),
  ];
}

function formats(form: ExportForm, on: boolean): TextLine {
  const each = EXPORT_FORMATS.flatMap((format): readonly Span[] =>
    format === form.format ? [span(`[${format}] `, on ? "active" : undefined)] : [span(` ${format}  `, "note")],
  );
  return [span(" "), ...each];
}

export function ExportPopup({ seen }: { seen: Looked }) {
  const explorer = useExplorer();
  const { services, data, setOverlay, toast } = explorer;
  const { place, subject = {} } = seen;
  // What is exported is what was looked at when the form was opened, also where the list goes on meanwhile.
  const [answer] = useState(() => subject.request && data.read(subject.request).answer);
  const isSaving = useRef(false);
  const [form, setForm] = useState(() =>
    exportForm(scopesOf(subject, answer), {
      stem: proposedStem(place, subject, services.now()),
      columns: subject.columns !== undefined,
    }),
  );
  const showCommand = (name: string) => {
    const request = subject.request && withoutPage(subject.request);
    const { words } = commandOf(explorer, { place, subject: { ...subject, request } });
    const all = [...words, "--all", "--out", name, ...formatWords(name, form.format)];
    const command = { words: all, local: [], jq: undefined };
    setOverlay(<CommandPopup title="Every row of the list, in the shell" command={command} />);
  };
  const save = async () => {
    const { narrow = false, format } = form;
    const scope = chosenScope(form)?.scope;
    const name = form.name.text.trim();
    if (scope === undefined || isSaving.current) return;
    if (scope === "all") return showCommand(name);
    isSaving.current = true;
    const { ok, text } = await saveExport(
      explorer,
      { subject, answer, scope, format, narrow, now: services.now() },
      name,
    );
    isSaving.current = false;
    toast(text, ok ? "good" : "bad");
    if (ok) setOverlay(undefined);
  };
  useBindings(
    "overlay",
    [
      { keys: ["enter"], label: "save", group: "data", hint: 1, run: () => void save() },
      { keys: ["esc"], label: "close", group: "go", hint: 4, run: () => setOverlay(undefined) },
      {
        keys: ["up", "down"],
        label: "line",
        group: "move",
        hint: 2,
        run: (key) => setForm((one) => pressed(one, key)),
      },
      {
        keys: ["left", "right"],
        label: "change",
        group: "move",
        hint: 3,
        run: (key) => setForm((one) => pressed(one, key)),
      },
      { keys: FORM_KEYS, label: "edit", group: "move", run: (key) => setForm((one) => pressed(one, key)) },
    ],
    {
      modal: true,
      onText: (text) => setForm((one) => typed(one, text)),
      onPaste: (text) => setForm((one) => typed(one, text)),
    },
  );
  const enter = chosenScope(form)?.scope === "all" ? "Enter shows the command" : "Enter saves";
  const width = Math.min(WIDTH, popupSpace(useBody()).width);
  return (
    <Popup
      title="Export"
      lines={formLines(form, width, services.unicode)}
      width={width}
      footer={services.unicode ? `↑↓ line · ←→ change · ${enter} · Esc closes` : `arrows, ${enter}, Esc closes`}
    />
  );
}

/** The option that names the format where the file's name does not. */
function formatWords(name: string, format: ExportFormat): readonly string[] {
  return formatOfFile(name) === format ? [] : ["-o", format];
}
