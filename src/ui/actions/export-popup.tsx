/** The popup that exports a view to a file. */

import { useEffect, useRef, useState } from "react";
import { InterruptedError, type Json } from "../../base/index.ts";
import { EXPORT_FORMATS, type Format } from "../../output/index.ts";
import { useNow, useQuota } from "../data/hooks.ts";
import { withoutPage } from "../data/query.ts";
import { Popup, popupSpace, useBody } from "../frame/popup.tsx";
import { type Explorer, useExplorer, usePopupBindings } from "../navigation/context.ts";
import type { EndpointRequest } from "../navigation/data-store.ts";
import { menuMouse } from "../navigation/pointer/pointer.ts";
import { fitLine, type Span, span, type TextLine, textLine } from "../navigation/theme/text-line.ts";
import { type LoadableList, progressLine, wholeCostText } from "../widgets/list/loading.ts";
import { EDIT_KEYS, editField, fieldLine, insertText, type TextField, textField } from "../widgets/text-field.ts";
import { wrapIndex } from "../widgets/viewport.ts";
import { type CurrentView, currentView } from "./current-view.ts";
import { type ExportUnits, exportScopes, type ScopeChoice, saveExport, suggestBaseName } from "./export.ts";

type ExportField = "scope" | "columns" | "format" | "units" | "name";

/** The state of the form. */
export interface ExportForm {
  readonly scopes: readonly ScopeChoice[];
  readonly scope: number;
  readonly format: Format;
  /** The units that were chosen; undefined for those that suit the format. */
  readonly units: ExportUnits | undefined;
  /** Only the visible columns; undefined when there is no choice. */
  readonly visibleColumnsOnly: boolean | undefined;
  readonly name: TextField;
  readonly field: ExportField;
}

/** Begins a form; `stem` is the name of the file without its ending. */
export function createExportForm(
  scopes: readonly ScopeChoice[],
  { baseName, columns }: { readonly baseName: string; readonly columns: boolean },
): ExportForm {
  // An object is not a table.
  const isList = scopes.some(({ scope }) => scope === "view" || scope === "marked" || scope === "all");
  const format = isList ? "csv" : "json";
  return {
    scopes,
    scope: 0,
    format,
    units: undefined,
    visibleColumnsOnly: columns ? true : undefined,
    name: textField(`${baseName}.${format}`),
    field: "scope",
  };
}

function selectedScope({ scopes, scope }: ExportForm): ScopeChoice | undefined {
  return scopes[scope];
}

/** Returns the units of an export: whole units for spreadsheets, those of the API for programs, unless chosen. */
export function selectedUnits({ units, format }: Pick<ExportForm, "units" | "format">): ExportUnits {
  return units ?? (format === "csv" || format === "tsv" ? "whole" : "base");
}

/** Returns the fields that apply to the selected scope. */
export function visibleFields(form: ExportForm): readonly ExportField[] {
  const scope = selectedScope(form)?.scope;
  const columns = form.visibleColumnsOnly !== undefined && scope !== "answer" && scope !== "object";
  return ["scope", ...(columns ? (["columns"] as const) : []), "format", "units", "name"];
}

/** The keys of the form, besides those that save and close it. */
const EXPORT_FORM_KEYS: readonly string[] = [
  ...new Set(["up", "down", "tab", "shift+tab", "left", "right", ...EDIT_KEYS]),
];

/** Returns the form after a key press. */
export function pressKey(form: ExportForm, key: string): ExportForm {
  const fields = visibleFields(form);
  const move = (by: number): ExportForm => ({
    ...form,
    field: fields[wrapIndex(Math.max(0, fields.indexOf(form.field)), by, fields.length)] ?? "scope",
  });
  if (key === "up" || key === "shift+tab") return move(-1);
  if (key === "down" || key === "tab") return move(1);
  if (form.field === "name") return { ...form, name: editField(form.name, key) };
  if (key === "left") return selectNext(form, -1);
  return key === "right" ? selectNext(form, 1) : form;
}

/** Returns the form after typing or pasting: text goes into the name; elsewhere a space selects the next choice. */
export function enterText(form: ExportForm, text: string): ExportForm {
  if (form.field === "name") return { ...form, name: insertText(form.name, text) };
  return text === " " ? selectNext(form, 1) : form;
}

function clickForm(form: ExportForm, hit: string): ExportForm {
  const format = EXPORT_FORMATS.find((one) => one === hit);
  if (format) return withFormat({ ...form, field: "format" }, format);
  return { ...form, field: visibleFields(form).find((field) => field === hit) ?? form.field };
}

function selectNext(form: ExportForm, by: number): ExportForm {
  if (form.field === "scope") return { ...form, scope: wrapIndex(form.scope, by, form.scopes.length) };
  if (form.field === "columns") return { ...form, visibleColumnsOnly: form.visibleColumnsOnly !== true };
  if (form.field === "units") return { ...form, units: selectedUnits(form) === "whole" ? "base" : "whole" };
  const at = wrapIndex(EXPORT_FORMATS.indexOf(form.format), by, EXPORT_FORMATS.length);
  return withFormat(form, EXPORT_FORMATS[at] ?? form.format);
}

/** Returns the form with another format; the extension of the name follows. */
function withFormat(form: ExportForm, format: Format): ExportForm {
  const ending = `.${form.format}`;
  const { text } = form.name;
  const name = text.endsWith(ending) ? textField(`${text.slice(0, -ending.length)}.${format}`) : form.name;
  return { ...form, format, name };
}

/** Cells of the form. */
const WIDTH = 68;
/** Cells before the values: cursor, label and a gap. */
const LABEL = 12;

const TITLES: Readonly<Record<ExportField, string>> = {
  scope: "What",
  columns: "Columns",
  format: "Format",
  units: "Units",
  name: "File",
};

const UNITS = {
  whole: "human: whole units, UTC times",
  base: "of the API: base units, Unix times",
} as const;

function exportFormLines(form: ExportForm, width: number, unicode: boolean, cost: string): readonly TextLine[] {
  const [before, behind] = unicode ? ["‹ ", " ›"] : ["< ", " >"];
  const choice = (text: string, isOn: boolean): TextLine =>
    isOn
      ? [
          { ...span(before, "hotkey"), press: "left" },
          { ...span(text, "active"), press: "right" },
          { ...span(behind, "hotkey"), press: "right" },
        ]
      : [span(`  ${text}`)];
  const value: Readonly<Record<ExportField, (isOn: boolean) => TextLine>> = {
    scope: (on) => choice(selectedScope(form)?.label ?? "", on && form.scopes.length > 1),
    columns: (on) => choice(form.visibleColumnsOnly === true ? "visible columns" : "all fields", on),
    format: (on) => formatChoices(form, on),
    units: (on) => choice(UNITS[selectedUnits(form)], on),
    name: (on) => [span("  "), ...fieldLine(form.name, Math.max(8, width - LABEL - 2), on)],
  };
  return [
    ...visibleFields(form).map((name): TextLine => {
      const on = form.field === name;
      const sign = on ? (unicode ? "› " : "> ") : "  ";
      const line = [
        span(sign, "hotkey"),
        span(TITLES[name].padEnd(LABEL - 2), on ? "active" : "key"),
        ...value[name](on),
      ];
      return fitLine(line, width).map((one): Span => ({ hit: name, ...one }));
    }),
    textLine(""),
    textLine(selectedScope(form)?.scope === "all" ? cost : "Writes a new file in the working directory.", "note"),
  ];
}

function formatChoices(form: ExportForm, isOn: boolean): TextLine {
  const each = EXPORT_FORMATS.map((format): Span => {
    const isChosen = format === form.format;
    const text = isChosen ? `[${format}] ` : ` ${format}  `;
    return { ...span(text, isChosen ? (isOn ? "active" : undefined) : "note"), hit: format };
  });
  return [span(" "), ...each];
}

interface ExportRun {
  readonly controller: AbortController;
  readonly progress: LoadableList["progress"];
}

const UPDATE_MS = 100;

async function* readAll(
  { services }: Pick<Explorer, "services">,
  { endpoint, params }: EndpointRequest,
  signal: AbortSignal,
  report: (progress: LoadableList["progress"]) => void,
): AsyncGenerator<readonly Json[]> {
  const client = await services.client();
  let [progress, reportedAt] = [{ rows: 0, requests: 0, units: 0 }, 0];
  for await (const { rows, answer } of client.pages(endpoint, params, { all: true, signal })) {
    const isCharged = answer.age === undefined;
    progress = {
      rows: progress.rows + rows.length,
      requests: progress.requests + (isCharged ? 1 : 0),
      units: progress.units + (isCharged ? answer.request.cost : 0),
    };
    if (Date.now() - reportedAt >= UPDATE_MS) {
      reportedAt = Date.now();
      report(progress);
    }
    yield rows;
  }
}

function useExport({ route, subject = {} }: CurrentView) {
  const explorer = useExplorer();
  const { services, data, closePopup, toast } = explorer;
  // The answer when the form was opened is exported, even if the list is refreshed meanwhile.
  const [answer] = useState(() => subject.request && data.read(subject.request).answer);
  const [run, setRun] = useState<ExportRun>();
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(new InterruptedError()), []);
  const [form, setForm] = useState(() =>
    createExportForm(exportScopes(subject, answer), {
      baseName: suggestBaseName(route, subject, services.now()),
      columns: subject.columns !== undefined,
    }),
  );
  const save = async () => {
    const scope = selectedScope(form)?.scope;
    const { request } = subject;
    if (scope === undefined || current.current) return;
    const controller = new AbortController();
    current.current = controller;
    const report = (progress: LoadableList["progress"]) => setRun({ controller, progress });
    if (scope === "all") report({ rows: 0, requests: 0, units: 0 });
    const { visibleColumnsOnly = false, format } = form;
    const { ok, message } = await saveExport(
      explorer,
      {
        subject,
        answer,
        scope,
        format,
        units: selectedUnits(form),
        visibleColumnsOnly,
        now: services.now(),
        pages: request && (() => readAll(explorer, withoutPage(request), controller.signal, report)),
      },
      form.name.text.trim(),
    );
    current.current = undefined;
    setRun(undefined);
    if (!ok && controller.signal.aborted) return toast("Canceled: no file was written.", "warning");
    toast(message, ok ? "good" : "bad");
    if (ok) closePopup();
  };
  return { form, setForm, run, save };
}

/** The export form of the view that was on the screen when it was opened. */
export function ExportPopup() {
  const explorer = useExplorer();
  const { unicode, source, identity } = explorer.services;
  const [view] = useState(() => currentView(explorer));
  const { form, setForm, run, save } = useExport(view);
  const { waitingUntil } = useQuota();
  const now = useNow(1000, run !== undefined && waitingUntil !== undefined);
  const close = () => (run ? run.controller.abort(new InterruptedError()) : explorer.closePopup());
  const press = (key: string) => setForm((one) => pressKey(one, key));
  const isIdle = run === undefined;
  usePopupBindings(
    [
      { keys: ["enter"], label: "save", hint: 1, active: isIdle, run: () => void save() },
      { keys: ["esc"], label: isIdle ? "close" : "cancel", hint: 4, run: close },
      { keys: ["down", "up"], label: "next field", hint: 2, active: isIdle, run: press },
      { keys: ["right", "left"], label: "change", hint: 3, active: isIdle, run: press },
      { keys: EXPORT_FORM_KEYS, label: "edit", active: isIdle, run: press },
    ],
    {
      onText: (text) => isIdle && setForm((one) => enterText(one, text)),
      onPaste: (text) => isIdle && setForm((one) => enterText(one, text)),
    },
  );
  const width = Math.min(WIDTH, popupSpace(useBody()).width);
  const { request, total } = view.subject ?? {};
  const list = request && {
    endpoint: request.endpoint,
    progress: run?.progress ?? { rows: 0, requests: 0, units: 0 },
    maxRows: Number.POSITIVE_INFINITY,
    total,
    rate: identity.rate,
    chargesUnits: source.facts.chargesUnits,
    isWalk: source.supports(request.endpoint).isWalk,
  };
  if (list && run) {
    const options = { unicode, now, waitingUntil, hint: "", verb: "exported" };
    const lines = [progressLine(list, width, options), textLine("Canceling leaves no file.", "note")];
    return <Popup title="Export" lines={lines} width={width} />;
  }
  const lines = exportFormLines(form, width, unicode, list ? wholeCostText(list) : "");
  const onMouse = menuMouse<string>(
    (by) => press(by > 0 ? "down" : "up"),
    (hit) => setForm((one) => clickForm(one, hit)),
  );
  return <Popup title="Export" lines={lines} width={width} onMouse={onMouse} />;
}
