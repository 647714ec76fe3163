/** The popup that exports a view to a file. */

import { useEffect, useRef, useState } from "react";
import { InterruptedError, type Json } from "../../base/index.ts";
import { oneOf, type ParameterValues, text } from "../../catalogue/index.ts";
import { EXPORT_FORMATS, type Format } from "../../output/index.ts";
import { useNow, useQuota } from "../data/hooks.ts";
import { withoutPage } from "../data/query.ts";
import { Form } from "../form/form.tsx";
import type { FormField } from "../form/form-fields.ts";
import { inputParams } from "../form/form-state.ts";
import { Popup, popupSpace, useBody } from "../frame/popup.tsx";
import { type Explorer, useExplorer, usePopupBindings } from "../navigation/context.ts";
import type { EndpointRequest } from "../navigation/data-store.ts";
import { textLine } from "../navigation/theme/text-line.ts";
import { type LoadableList, progressLine, wholeCostText } from "../widgets/list/loading.ts";
import { currentView } from "./current-view.ts";
import {
  type ExportScope,
  type ExportUnits,
  exportScopes,
  type ScopeChoice,
  saveExport,
  suggestBaseName,
} from "./export.ts";

const choice = (name: string, about: string, values: readonly (readonly [string | boolean, string])[]): FormField => ({
  name,
  label: name,
  param: oneOf([], about, { required: true }),
  options: values.map(([value, label]) => ({ value, label })),
});

/** Returns the fields of an export, and their values at first: an object is no table. */
export function exportForm(
  scopes: readonly ScopeChoice[],
  { baseName, columns }: { readonly baseName: string; readonly columns: boolean },
): { readonly fields: readonly FormField[]; readonly params: ParameterValues } {
  const isList = scopes.some(({ scope }) => scope === "view" || scope === "marked" || scope === "all");
  const [first] = scopes;
  return {
    fields: [
      choice(
        "what",
        "What is written",
        scopes.map(({ scope, label }) => [scope, label]),
      ),
      ...(columns
        ? [
            choice("columns", "The fields of the rows; a whole response has all of them", [
              [true, "visible columns"],
              [false, "all fields"],
            ]),
          ]
        : []),
      choice(
        "format",
        "The format of the file",
        EXPORT_FORMATS.map((format) => [format, format]),
      ),
      {
        ...choice("units", "The units of amounts and times", [
          ["whole", "human: whole units, UTC times"],
          ["base", "of the API: base units, Unix times"],
        ]),
        param: oneOf([], "The units of amounts and times", { default: "human in CSV and TSV, of the API in others" }),
      },
      { name: "file", label: "file", param: text("The name of a new file in the working directory"), options: [] },
    ],
    params: { what: first?.scope, columns: true, format: isList ? "csv" : "json", file: baseName },
  };
}

interface ExportChoice {
  readonly scope: ExportScope;
  readonly visibleColumnsOnly: boolean;
  readonly format: Format;
  readonly units: ExportUnits;
  /** With the ending of the format, unless a format's ending was typed. */
  readonly file: string;
}

/** Returns what was chosen: whole units for spreadsheets, those of the API for programs, unless chosen otherwise. */
export function exportChoice(params: ParameterValues): ExportChoice {
  const { what = "view", columns = false, format = "csv", units, file = "solx" } = params;
  const isSheet = format === "csv" || format === "tsv";
  const hasEnding = EXPORT_FORMATS.some((one) => String(file).endsWith(`.${one}`));
  return {
    scope: what as ExportScope,
    visibleColumnsOnly: columns === true,
    format: format as Format,
    units: (units as ExportUnits | undefined) ?? (isSheet ? "whole" : "base"),
    file: hasEnding ? String(file) : `${String(file)}.${String(format)}`,
  };
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

/** The export form of the view that was on the screen when it was opened. */
export function ExportPopup() {
  const explorer = useExplorer();
  const { services, data, closePopup, toast } = explorer;
  const { unicode, source, identity } = services;
  const [{ route, subject = {} }] = useState(() => currentView(explorer));
  const { request, total } = subject;
  // The answer when the form was opened is exported, even if the list is refreshed meanwhile.
  const [answer] = useState(() => request && data.read(request).answer);
  const [form, setForm] = useState(() =>
    exportForm(exportScopes(subject, answer), {
      baseName: suggestBaseName(route, subject, services.now()),
      columns: subject.columns !== undefined,
    }),
  );
  const [run, setRun] = useState<ExportRun>();
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(new InterruptedError()), []);
  const save = async (params: ParameterValues) => {
    if (current.current) return;
    setForm((before) => ({ ...before, params }));
    const { file, ...chosen } = exportChoice(params);
    const controller = new AbortController();
    current.current = controller;
    const report = (progress: LoadableList["progress"]) => setRun({ controller, progress });
    if (chosen.scope === "all") report({ rows: 0, requests: 0, units: 0 });
    const pages = request && (() => readAll(explorer, withoutPage(request), controller.signal, report));
    const { ok, message } = await saveExport(
      explorer,
      { subject, answer, ...chosen, now: services.now(), pages },
      file,
    );
    current.current = undefined;
    setRun(undefined);
    if (!ok && controller.signal.aborted) return toast("Canceled: no file was written.", "warning");
    toast(message, ok ? "good" : "bad");
    if (ok) closePopup();
  };
  const list: LoadableList | undefined = request && {
    endpoint: request.endpoint,
    progress: run?.progress ?? { rows: 0, requests: 0, units: 0 },
    maxRows: Number.POSITIVE_INFINITY,
    total,
    rate: identity.rate,
    chargesUnits: source.facts.chargesUnits,
    isWalk: source.supports(request.endpoint).isWalk,
  };
  if (list && run) return <ExportProgress run={run} list={list} unicode={unicode} />;
  return (
    <Form
      title="Export"
      fields={form.fields}
      params={form.params}
      label="save"
      onApply={(state) => void save(inputParams(state))}
      notes={(params) => {
        const { scope, file } = exportChoice(params);
        return [textLine(scope === "all" && list ? wholeCostText(list) : `Writes ${file}`, "note")];
      }}
    />
  );
}

interface ExportProgressProps {
  readonly run: ExportRun;
  readonly list: LoadableList;
  readonly unicode: boolean;
}

function ExportProgress({ run, list, unicode }: ExportProgressProps) {
  const { waitingUntil } = useQuota();
  const now = useNow(1000, waitingUntil !== undefined);
  const cancel = () => run.controller.abort(new InterruptedError());
  usePopupBindings([{ keys: ["esc", "ctrl+c"], label: "cancel", hint: 1, run: cancel }]);
  const width = Math.min(PROGRESS_WIDTH, popupSpace(useBody()).width);
  const options = { unicode, now, waitingUntil, hint: "", verb: "exported" };
  const lines = [progressLine(list, width, options), textLine("Canceling leaves no file.", "note")];
  return <Popup title="Export" lines={lines} width={width} />;
}

/** Cells of the progress. */
const PROGRESS_WIDTH = 68;
