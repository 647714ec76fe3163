/** The form of an export, as state and what keys do to it. */

import { EXPORT_FORMATS, type Format } from "../../output/index.ts";
import { EDIT_KEYS, editField, insertText, type TextField, textField } from "../form/text-field.ts";
import type { ScopeChoice } from "./export.ts";
import { stepIndex } from "./menu.ts";

/** The lines of the form that can be changed. */
export type ExportField = "scope" | "columns" | "format" | "name";

/** The form. */
export interface ExportForm {
  readonly scopes: readonly ScopeChoice[];
  readonly scope: number;
  readonly format: Format;
  /** Only the columns on view; undefined where there is no choice. */
  readonly visibleColumnsOnly: boolean | undefined;
  readonly name: TextField;
  readonly field: ExportField;
}

/** Begins a form; `stem` is the name of the file without its ending. */
export function createExportForm(
  scopes: readonly ScopeChoice[],
  { baseName, columns }: { readonly baseName: string; readonly columns: boolean },
): ExportForm {
  // An object is no table.
  const isList = scopes.some(({ scope }) => scope === "view" || scope === "marked" || scope === "all");
  const format = isList ? "csv" : "json";
  return {
    scopes,
    scope: 0,
    format,
    visibleColumnsOnly: columns ? true : undefined,
    name: textField(`${baseName}.${format}`),
    field: "scope",
  };
}

/** The scope that is chosen. */
export function selectedScope({ scopes, scope }: ExportForm): ScopeChoice | undefined {
  return scopes[scope];
}

/** The lines that the form has now: some mean nothing for what is exported. */
export function visibleFields(form: ExportForm): readonly ExportField[] {
  const scope = selectedScope(form)?.scope;
  const columns = form.visibleColumnsOnly !== undefined && (scope === "view" || scope === "marked");
  return ["scope", ...(columns ? (["columns"] as const) : []), "format", "name"];
}

/** The keys that the form obeys, beside those that save and close it. */
export const EXPORT_FORM_KEYS: readonly string[] = [
  ...new Set(["up", "down", "tab", "shift+tab", "left", "right", ...EDIT_KEYS]),
];

/** The form after a key. */
export function pressKey(form: ExportForm, key: string): ExportForm {
  const fields = visibleFields(form);
  const move = (by: number): ExportForm => ({
    ...form,
    field: fields[stepIndex(Math.max(0, fields.indexOf(form.field)), by, fields.length)] ?? "scope",
  });
  if (key === "up" || key === "shift+tab") return move(-1);
  if (key === "down" || key === "tab") return move(1);
  if (form.field === "name") return { ...form, name: editField(form.name, key) };
  if (key === "left") return selectNext(form, -1);
  return key === "right" ? selectNext(form, 1) : form;
}

/** The form after text was typed or pasted: on the name it is put in, elsewhere a space changes the choice. */
export function enterText(form: ExportForm, text: string): ExportForm {
  if (form.field === "name") return { ...form, name: insertText(form.name, text) };
  return text === " " ? selectNext(form, 1) : form;
}

/** The form with the next choice on the line of the cursor. */
function selectNext(form: ExportForm, by: number): ExportForm {
  if (form.field === "scope") return { ...form, scope: stepIndex(form.scope, by, form.scopes.length) };
  if (form.field === "columns") return { ...form, visibleColumnsOnly: form.visibleColumnsOnly !== true };
  const at = stepIndex(EXPORT_FORMATS.indexOf(form.format), by, EXPORT_FORMATS.length);
  return withFormat(form, EXPORT_FORMATS[at] ?? form.format);
}

/** The form with another format; the ending of the name goes with it. */
function withFormat(form: ExportForm, format: Format): ExportForm {
  const ending = `.${form.format}`;
  const { text } = form.name;
  const name = text.endsWith(ending) ? textField(`${text.slice(0, -ending.length)}.${format}`) : form.name;
  return { ...form, format, name };
}
