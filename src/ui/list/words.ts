/** What a list says where there are no rows to show, and while something is typed. */
import { positionalOf } from "../../catalogue/index.ts";
import { safeText } from "../../output/safe.ts";
import type { Request } from "../data/store.ts";
import { type Line, line, span } from "../frame/line.ts";
import { shortId } from "../frame/place.ts";
import type { ListState } from "./reducer.ts";

const LONGEST_VALUE = 60;

/** That an answer has no rows, what was asked, and what may help. */
export function emptyWords({ endpoint, params }: Request): readonly Line[] {
  const [own] = positionalOf(endpoint) ?? [];
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== null);
  const asked = given.map(([name, value]) => `${name} ${valueText(value)}`);
  const hasFilters = given.some(([name]) => name !== own);
  return [
    line("  No rows: the API has none for what was asked."),
    line(`  ${endpoint.summary}${asked.length > 0 ? `: ${asked.join(", ")}` : ""}`, "note"),
    line(""),
    line(hasFilters ? "  F changes the filters · r asks again" : "  r asks again", "note"),
  ];
}

function valueText(value: unknown): string {
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => shortId(String(item)).slice(0, LONGEST_VALUE)).join(", ");
}

/** That the filter leaves no row. */
export function noMatchWords(filter: string): readonly Line[] {
  return [
    [],
    [span("  No row of this page matches "), span(safeText(filter), "active"), span(".")],
    line("  Esc clears the filter; F asks the API for other rows.", "note"),
  ];
}

/** The line in which the filter or the number of a page is typed. */
export function promptLine({ prompt, filter }: ListState): Line {
  if (prompt?.kind === "page") {
    return [
      span("page ", "hotkey"),
      span(prompt.text),
      span(" ", "found"),
      span("  Enter goes there, Esc stays", "note"),
    ];
  }
  return [
    span("/", "hotkey"),
    span(safeText(filter)),
    span(" ", "found"),
    span("  this page: text, ~regex, !not · Enter keeps, Esc clears", "note"),
  ];
}
