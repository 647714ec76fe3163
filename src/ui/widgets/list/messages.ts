/** The messages of a list without rows, and its prompt. */
import { type Endpoint, isAddress, isSignature, positionalOf } from "../../../catalogue/index.ts";
import { createShortener, type Shorten, safeText, wrap } from "../../../output/index.ts";
import type { EndpointRequest } from "../../navigation/data-store.ts";
import { formatKeyHints, type KeyLabels } from "../../navigation/keys/key-hints.ts";
import { span, type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import { NO_MATCHES } from "../filter.ts";
import { requestChips } from "./filters/chips.ts";
import type { ListState } from "./reducer.ts";
import type { RowsState } from "./rows.ts";

const MAX_VALUE = 60;
const MARGIN = "  ";

/** The parameters that are no filters of the user, and what the rows are called. */
interface EmptyListOptions {
  readonly presetParams: readonly string[];
  readonly noun: string | undefined;
}

/** Returns the message for an answer without rows: `No transfers of EPjF…Dt1v with these filters · F edit filters` */
export function noRowsLines(
  { endpoint, params }: EndpointRequest,
  { presetParams, noun = rowNoun(endpoint) }: EmptyListOptions,
  width: number,
  keyOf: KeyLabels,
): readonly TextLine[] {
  const [identifier = ""] = positionalOf(endpoint) ?? [];
  const of = params[identifier] == null ? "" : ` of ${valueText(params[identifier])}`;
  const hasFilters = requestChips({ endpoint, params }, presetParams).length > 0;
  const hint = formatKeyHints(
    keyOf,
    hasFilters
      ? [
          ["list.unfilter-all", "remove filters"],
          ["list.form", "edit filters"],
        ]
      : [["view.refresh", "refresh"]],
  );
  const message = `No ${noun}${of}${hasFilters ? " with these filters" : ""}`;
  const sentence = safeText(hint === "" ? message : `${message} · ${hint}`);
  return [
    textLine(""),
    ...wrap(sentence, Math.max(1, width - 2 * MARGIN.length)).map((part) => textLine(MARGIN + part)),
  ];
}

/** The subject of a summary: `Token accounts` of `Token accounts of a wallet`. */
const NOUN =
  /^(?:Latest |Newest |Richest |Top |Several )?([\w' -]+?)(?=$|:|,? (?:of|on|into|out|that|with|by|as|active)\b)/;

/** Returns what the rows of an endpoint are called, in the plural when its summary says so. */
function rowNoun({ summary, command }: Endpoint): string {
  const noun = NOUN.exec(summary)?.[1];
  if (noun !== undefined) return noun.replace(/^[A-Z](?=[a-z]*\b)/, (letter) => letter.toLowerCase());
  const last = command.split(" ").at(-1) ?? "";
  return last.endsWith("s") ? last.replaceAll("-", " ") : "rows";
}

/** Returns the message for a page after the last one. */
export function noSuchPageLines(page: number, keyOf: KeyLabels): readonly TextLine[] {
  const hints = formatKeyHints(keyOf, [
    ["list.previous-page", "previous page"],
    ["list.jump", "jump to page"],
  ]);
  return [
    textLine(""),
    textLine(`${MARGIN}Page ${page} does not exist: the list ends before it.`),
    textLine(""),
    textLine(MARGIN + hints, "note"),
  ];
}

function valueText(value: unknown, shorten: Shorten = createShortener()): string {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items
    .map(String)
    .map((text) => (isAddress(text) || isSignature(text) ? shorten(text) : safeText(text)).slice(0, MAX_VALUE))
    .join(", ");
}

/** Returns the message for filters without matches. @param scope the rows that were filtered: `this page` */
export function noMatchLines(
  { filter, cellFilters }: Pick<RowsState, "filter" | "cellFilters">,
  scope: string,
  keyOf: KeyLabels,
): readonly TextLine[] {
  const hints = formatKeyHints(keyOf, [
    ...(filter === "" ? [] : [["view.cancel", "clear filter"] as const]),
    ...(cellFilters.length === 0 ? [] : [["list.unfilter-all", "remove filters"] as const]),
    ["list.load", "load more"],
  ]);
  const text = filter === "" ? [] : [span(": "), span(safeText(filter), "active")];
  return [[], [span(`${MARGIN}${NO_MATCHES}`), ...text, span(` (${scope}).`)], textLine(MARGIN + hints, "note")];
}

/** Returns the line in which a filter or a page number is typed. @param scope the rows that are filtered */
export function promptLine({ prompt, rows }: ListState, scope: string): TextLine {
  if (prompt?.kind === "page") {
    return [span("page ", "hotkey"), span(prompt.text), span(" ", "found")];
  }
  return [
    span("/", "hotkey"),
    span(safeText(rows.filter)),
    span(" ", "found"),
    span(`  ${scope}: text, ~regex, !not`, "note"),
  ];
}
