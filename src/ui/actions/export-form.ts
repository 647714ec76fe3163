/** The form of an export, as state and what keys do to it. */
import { EDIT_KEYS, edited, inserted, type TextField, textField } from "../form/text-field.ts";
import { EXPORT_FORMATS, type ExportFormat, type ScopeChoice } from "./export.ts";
import { stepped } from "./menu.ts";

/** The lines of the form that can be changed. */
export type FormLine = "scope" | "columns" | "format" | "name";

/** The form. */
export interface ExportForm {
  readonly scopes: readonly ScopeChoice[];
  readonly scope: number;
  readonly format: ExportFormat;
  /** Only the columns on view; undefined where there is no choice. */
  readonly narrow: boolean | undefined;
  readonly name: TextField;
  readonly line: FormLine;
}

/** Begins a form; `stem` is the name of the file without its ending. */
export function exportForm(
  scopes: readonly ScopeChoice[],
  { stem, columns }: { readonly stem: string; readonly columns: boolean },
): ExportForm {
  // An object is no table.
  const isList = scopes.some(({ scope }) => scope === "view" || scope === "marked" || scope === "all");
  const format = isList ? "csv" : "json";
  return {
    scopes,
    scope: 0,
    format,
    narrow: columns ? true : undefined,
    name: textField(`${stem}.${format}`),
    line: "scope",
  };
}

/** The scope that is chosen. */
export function chosenScope({ scopes, scope }: ExportForm): ScopeChoice | undefined {
  return scopes[scope];
}

/** The lines that the form has now: some mean nothing for what is exported. */
export function linesOf(form: ExportForm): readonly FormLine[] {
  const scope = chosenScope(form)?.scope;
  const columns = form.narrow !== undefined && (scope === "view" || scope === "marked");
  return ["scope", ...(columns ? (["columns"] as const) : []), "format", "name"];
}

/** The keys that the form obeys, beside those that save and close it. */
export const FORM_KEYS: readonly string[] = [
  ...new Set(["up", "down", "tab", "shift+tab", "left", "right", ...EDIT_KEYS]),
];

/** The form after a key. */
export function pressed(form: ExportForm, key: string): ExportForm {
  const lines = linesOf(form);
  const move = (by: number): ExportForm => ({
    ...form,
    line: lines[stepped(Math.max(0, lines.indexOf(form.line)), by, lines.length)] ?? "scope",
  });
  if (key === "up" || key === "shift+tab") return move(-1);
  if (key === "down" || key === "tab") return move(1);
  if (form.line === "name") return { ...form, name: edited(form.name, key) };
  if (key === "left") return changed(form, -1);
  return key === "right" ? changed(form, 1) : form;
}

/** The form after text was typed or pasted: on the name it is put in, elsewhere a space changes the choice. */
export function typed(form: ExportForm, text: string): ExportForm {
  if (form.line === "name") return { ...form, name: inserted(form.name, text) };
  return text === " " ? changed(form, 1) : form;
}

/** The form with the next choice on the line of the cursor. */
function changed(form: ExportForm, by: number): ExportForm {
  if (form.line === "scope") return { ...form, scope: stepped(form.scope, by, form.scopes.length) };
  if (form.line === "columns") return { ...form, narrow: form.narrow !== true };
  const at = stepped(EXPORT_FORMATS.indexOf(form.format), by, EXPORT_FORMATS.length);
  return withFormat(form, EXPORT_FORMATS[at] ?? form.format);
}

/** The form with another format; the ending of the name goes with it. */
function withFormat(form: ExportForm, format: ExportFormat): ExportForm {
  const ending = `.${form.format}`;
  const { text } = form.name;
  const name = text.endsWith(ending) ? textField(`${text.slice(0, -ending.length)}.${format}`) : form.name;
  return { ...form, format, name };
}
