/** Popup for exporting a view to a file. */
import { useEffect, useRef, useState } from "react";
import { InterruptedError, type Json } from "../../base/index.ts";
import { EXPORT_FORMATS } from "../../output/index.ts";
import { useNow, useQuota } from "../data/hooks.ts";
import { withoutPage } from "../data/query.ts";
import { Popup, popupSpace } from "../frame/popup.tsx";
import { useBody } from "../frame/use-body.ts";
import { type Explorer, useBindings, useExplorer } from "../navigation/context.ts";
import type { EndpointRequest } from "../navigation/data-store.ts";
import { menuMouse } from "../navigation/pointer/menu.ts";
import { fitLine, type Span, span, type TextLine, textLine } from "../navigation/theme/text-line.ts";
import { type LoadableList, progressLine, wholeCostText } from "../widgets/list/loading.ts";
import { fieldLine } from "../widgets/text-field.ts";
import { type CurrentView, currentView, saveExport } from "./current-view.ts";
import { exportScopes, suggestBaseName } from "./export.ts";
import {
  clickForm,
  createExportForm,
  EXPORT_FORM_KEYS,
  type ExportField,
  type ExportForm,
  enterText,
  pressKey,
  selectedScope,
  selectedUnits,
  visibleFields,
} from "./export-form.ts";

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

/** Returns the lines of the form. @param cost what exporting all rows costs */
function exportFormLines(form: ExportForm, width: number, unicode: boolean, cost: string): readonly TextLine[] {
  const [before, behind] = unicode ? ["‹ ", " ›"] : ["< ", " >"];
  const choice = (text: string, on: boolean): TextLine =>
    on
      ? [
          { ...span(before, "hotkey"), press: "left" },
          { ...span(text, "active"), press: "right" },
          { ...span(behind, "hotkey"), press: "right" },
        ]
      : [span(`  ${text}`)];
  const value: Readonly<Record<ExportField, (on: boolean) => TextLine>> = {
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

function formatChoices(form: ExportForm, on: boolean): TextLine {
  const each = EXPORT_FORMATS.map((format): Span => {
    const isChosen = format === form.format;
    const text = isChosen ? `[${format}] ` : ` ${format}  `;
    return { ...span(text, isChosen ? (on ? "active" : undefined) : "note"), hit: format };
  });
  return [span(" "), ...each];
}

/** An export of all rows: how far it is, and how it is stopped. */
interface ExportRun {
  readonly controller: AbortController;
  readonly progress: LoadableList["progress"];
}

/** Milliseconds between two updates of the progress. */
const UPDATE_MS = 100;

/** Reads all rows of a list, reporting the progress. */
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

/** Returns what is read, and the function that saves the form. */
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
    const { ok, text } = await saveExport(
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
    toast(text, ok ? "good" : "bad");
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
  useBindings(
    "overlay",
    [
      { keys: ["enter"], label: "save", group: "data", hint: 1, active: isIdle, run: () => void save() },
      { keys: ["esc"], label: isIdle ? "close" : "cancel", group: "go", hint: 4, run: close },
      { keys: ["down", "up"], label: "next field", group: "move", hint: 2, active: isIdle, run: press },
      { keys: ["right", "left"], label: "change", group: "move", hint: 3, active: isIdle, run: press },
      { keys: EXPORT_FORM_KEYS, label: "edit", group: "move", active: isIdle, run: press },
    ],
    {
      modal: true,
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
