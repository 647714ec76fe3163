/** State of the export form. */

import { EXPORT_FORMATS, type Format } from "../../output/index.ts";
import { EDIT_KEYS, editField, insertText, type TextField, textField } from "../widgets/text-field.ts";
import { wrapIndex } from "../widgets/viewport.ts";
import type { ExportUnits, ScopeChoice } from "./export.ts";

/** The fields of the form. */
export type ExportField = "scope" | "columns" | "format" | "units" | "name";

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

/** Returns the selected scope. */
export function selectedScope({ scopes, scope }: ExportForm): ScopeChoice | undefined {
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
export const EXPORT_FORM_KEYS: readonly string[] = [
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

/** Returns the form after a click on a field or on a format. */
export function clickForm(form: ExportForm, hit: string): ExportForm {
  const format = EXPORT_FORMATS.find((one) => one === hit);
  if (format) return withFormat({ ...form, field: "format" }, format);
  return { ...form, field: visibleFields(form).find((field) => field === hit) ?? form.field };
}

/** Returns the form with another choice in the current field. */
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
