/** Sentences with links from templates: `{name}` inserts spans, `[…]` is omitted when one of its names is unknown. */
import { span } from "../../app/theme/text-line.ts";
import type { LinkSpan } from "../../widgets/tree/rows.ts";

/** Returns the spans of a name in a template; undefined when unknown. */
export type SpansByName = (name: string) => readonly LinkSpan[] | undefined;

/** Stands for an unknown name outside of brackets. */
const UNKNOWN = span("?", "missing");

/** Fills in a template. */
export function sentence(template: string, spansOf: SpansByName): readonly LinkSpan[] {
  return template
    .split(/(\[[^\]]*\])/)
    .flatMap((part) => (part.startsWith("[") ? optionalPart(part.slice(1, -1), spansOf) : fillTemplate(part, spansOf)))
    .filter(({ text }) => text !== "");
}

function optionalPart(template: string, spansOf: SpansByName): readonly LinkSpan[] {
  const all = [...template.matchAll(/\{(\w+)\}/g)].every(([, name = ""]) => spansOf(name) !== undefined);
  return all ? fillTemplate(template, spansOf) : [];
}

function fillTemplate(template: string, spansOf: SpansByName): readonly LinkSpan[] {
  // Every other part is a name.
  return template
    .split(/\{(\w+)\}/)
    .flatMap((part, at) => (at % 2 === 0 ? [span(part)] : (spansOf(part) ?? [UNKNOWN])));
}
