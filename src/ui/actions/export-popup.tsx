/** Popup for exporting a view to a file. */
import { useRef, useState } from "react";
import { EXPORT_FORMATS, type Format, formatOfFile } from "../../output/index.ts";
import { useBindings, useExplorer } from "../app/context.ts";
import { Popup, popupSpace } from "../app/popup.tsx";
import { type Span, span, type TextLine, textLine } from "../app/theme/text-line.ts";
import { useBody } from "../app/use-body.ts";
import { fieldLine } from "../form/text-field.ts";
import { CommandPopup } from "./command-popup.tsx";
import { type CurrentView, commandOf, saveExport, withoutPage } from "./current-view.ts";
import { exportScopes, suggestBaseName } from "./export.ts";
import {
  createExportForm,
  EXPORT_FORM_KEYS,
  type ExportField,
  type ExportForm,
  enterText,
  pressKey,
  selectedScope,
  visibleFields,
} from "./export-form.ts";

/** Cells of the form. */
const WIDTH = 64;
/** Cells before the values: cursor, label and a gap. */
const LABEL = 12;

const TITLES: Readonly<Record<ExportField, string>> = {
  scope: "What",
  columns: "Columns",
  format: "Format",
  name: "File",
};

/** Returns the lines of the form. */
function exportFormLines(form: ExportForm, width: number, unicode: boolean): readonly TextLine[] {
  const isAll = selectedScope(form)?.scope === "all";
  const [before, behind] = unicode ? ["‹ ", " ›"] : ["< ", " >"];
  const choice = (text: string, on: boolean): TextLine =>
    on ? [span(before, "hotkey"), span(text, "active"), span(behind, "hotkey")] : [span(`  ${text}`)];
  const value: Readonly<Record<ExportField, (on: boolean) => TextLine>> = {
    scope: (on) => choice(selectedScope(form)?.label ?? "", on && form.scopes.length > 1),
    columns: (on) => choice(form.visibleColumnsOnly === true ? "visible columns" : "all fields", on),
    format: (on) => formatChoices(form, on),
    name: (on) => [span("  "), ...fieldLine(form.name, Math.max(8, width - LABEL - 2), on)],
  };
  return [
    ...visibleFields(form).map((name): TextLine => {
      const on = form.field === name;
      const sign = on ? (unicode ? "› " : "> ") : "  ";
      return [span(sign, "hotkey"), span(TITLES[name].padEnd(LABEL - 2), on ? "active" : "key"), ...value[name](on)];
    }),
    textLine(""),
    isAll
      ? textLine("All pages are exported in the shell, which shows the cost first.", "note")
      : textLine("Writes a new file in the working directory.", "note"),
  ];
}

function formatChoices(form: ExportForm, on: boolean): TextLine {
  const each = EXPORT_FORMATS.flatMap((format): readonly Span[] =>
    format === form.format ? [span(`[${format}] `, on ? "active" : undefined)] : [span(` ${format}  `, "note")],
  );
  return [span(" "), ...each];
}

/** The export form of a view. */
export function ExportPopup({ view }: { view: CurrentView }) {
  const explorer = useExplorer();
  const { services, data, setOverlay, toast } = explorer;
  const { route, subject = {} } = view;
  // The answer when the form was opened is exported, even if the list is refreshed meanwhile.
  const [answer] = useState(() => subject.request && data.read(subject.request).answer);
  const isSaving = useRef(false);
  const [form, setForm] = useState(() =>
    createExportForm(exportScopes(subject, answer), {
      baseName: suggestBaseName(route, subject, services.now()),
      columns: subject.columns !== undefined,
    }),
  );
  const showCommand = (name: string) => {
    const request = subject.request && withoutPage(subject.request);
    const { args } = commandOf(explorer, { route, subject: { ...subject, request } });
    const allArgs = [...args, "--all", "--out", name, ...formatOption(name, form.format)];
    const command = { args: allArgs, local: [], jq: undefined };
    setOverlay(<CommandPopup title="Export all rows in the shell" command={command} />);
  };
  const save = async () => {
    const { visibleColumnsOnly = false, format } = form;
    const scope = selectedScope(form)?.scope;
    const name = form.name.text.trim();
    if (scope === undefined || isSaving.current) return;
    if (scope === "all") return showCommand(name);
    isSaving.current = true;
    const { ok, text } = await saveExport(
      explorer,
      { subject, answer, scope, format, visibleColumnsOnly, now: services.now() },
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
        run: (key) => setForm((one) => pressKey(one, key)),
      },
      {
        keys: ["left", "right"],
        label: "change",
        group: "move",
        hint: 3,
        run: (key) => setForm((one) => pressKey(one, key)),
      },
      { keys: EXPORT_FORM_KEYS, label: "edit", group: "move", run: (key) => setForm((one) => pressKey(one, key)) },
    ],
    {
      modal: true,
      onText: (text) => setForm((one) => enterText(one, text)),
      onPaste: (text) => setForm((one) => enterText(one, text)),
    },
  );
  const enter = selectedScope(form)?.scope === "all" ? "Enter show command" : "Enter save";
  const width = Math.min(WIDTH, popupSpace(useBody()).width);
  return (
    <Popup
      title="Export"
      lines={exportFormLines(form, width, services.unicode)}
      width={width}
      footer={services.unicode ? `↑↓ field · ←→ change · ${enter} · Esc close` : `arrows, ${enter}, Esc close`}
    />
  );
}

/** Returns the format option when the file name does not imply the format. */
function formatOption(name: string, format: Format): readonly string[] {
  return formatOfFile(name) === format ? [] : ["-o", format];
}
