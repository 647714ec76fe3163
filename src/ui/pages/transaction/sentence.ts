/** Sentences with links, from templates: `{name}` is a piece, `[…]` is left out where one of its pieces is missing. */
import { span } from "../../app/theme/text-line.ts";
import type { LinkSpan } from "../../widgets/tree/rows.ts";

/** The pieces that a template may name; undefined for what is not known. */
export type Named = (name: string) => readonly LinkSpan[] | undefined;

/** What stands for a missing piece outside of brackets. */
const UNKNOWN = span("?", "missing");

/** Fills in a template. */
export function sentence(template: string, named: Named): readonly LinkSpan[] {
  return template
    .split(/(\[[^\]]*\])/)
    .flatMap((part) => (part.startsWith("[") ? optional(part.slice(1, -1), named) : filled(part, named)))
    .filter(({ text }) => text !== "");
}

function optional(template: string, named: Named): readonly LinkSpan[] {
  const all = [...template.matchAll(/\{(\w+)\}/g)].every(([, name = ""]) => named(name) !== undefined);
  return all ? filled(template, named) : [];
}

function filled(template: string, named: Named): readonly LinkSpan[] {
  // Every other part is what was between the braces.
  return template.split(/\{(\w+)\}/).flatMap((part, at) => (at % 2 === 0 ? [span(part)] : (named(part) ?? [UNKNOWN])));
}
