/** What the lines of a detail share, and how its values read. No React here. */
import { parseDecimal } from "../../../base/decimal.ts";
import { isArray, isNumeric, isObject, type Json } from "../../../base/json.ts";
import type { Kind } from "../../../catalogue/kinds.ts";
import {
  type Cell,
  type Clock,
  clip,
  createShortener,
  formatValue,
  groupDigits,
  type Shorten,
} from "../../../output/index.ts";
import type { EntityKind } from "../../app/entity-pages.ts";
import type { Route } from "../../app/route.ts";
import { routeForValue } from "../../app/route-for.ts";
import type { Role, Span } from "../../app/theme/text-line.ts";
import { nodeKind, singleValue, type ValueNode } from "./value-tree.ts";

/** Names of identifiers, ready to be shown. */
export type Labels = ReadonlyMap<string, Cell>;

/** How a detail is drawn. */
export interface DrawOptions {
  readonly width: number;
  /** The most lines that one value may take. */
  readonly maxLines: number;
  /** Whether long values are broken into lines; else they are cut. */
  readonly wraps: boolean;
  /** Cells of JSON that are to the left of the window. */
  readonly scrollLeft: number;
  /** Whether sections stand apart. */
  readonly isSpaced: boolean;
  readonly unicode: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly timeZone: string | undefined;
  readonly shorten: Shorten;
  /** What identifiers are called. */
  readonly labels: Labels;
  /** What is searched for. */
  readonly query?: RegExp | undefined;
  /** What an address in a field called `address` is of. */
  readonly addressEntity?: EntityKind | undefined;
}

/** The clocks of a sheet: for the age of a moment, and for the moment itself. */
export function clocksOf({ now, timeZone }: Pick<DrawOptions, "now" | "timeZone">) {
  const clock = (style: Clock["style"]): Clock => ({ style, now, timeZone });
  return { relative: clock("relative"), local: clock("local"), iso: clock("iso") };
}

const TIME_KINDS: ReadonlySet<Kind | undefined> = new Set(["unixTime", "isoTime"]);

/** Whether a value is a moment. */
export function isTime(node: ValueNode): boolean {
  return TIME_KINDS.has(node.shape.meta?.kind);
}

/** Counts of days: their names do not say that they are. */
const DAY_COUNT = /^Days\b/;

/** A leaf as it reads where it is one of several. */
export function formatLeafBriefly(
  { value, shape, holder }: ValueNode,
  options: Pick<DrawOptions, "now" | "timeZone">,
): Cell {
  const cell = formatValue(value, shape.meta, holder, clocksOf(options).relative);
  const isDays = cell.numeric && shape.meta?.kind === "count" && DAY_COUNT.test(shape.meta.description);
  return isDays ? { ...cell, text: `${cell.text} ${cell.text === "1" ? "day" : "days"}` } : cell;
}

/** A leaf as it reads on its own: moments with both their age and their date. */
export function formatLeaf(node: ValueNode, options: Pick<DrawOptions, "now" | "timeZone">): Cell {
  const cell = formatLeafBriefly(node, options);
  if (!isTime(node) || cell.role === "missing") return cell;
  const date = formatValue(node.value, node.shape.meta, node.holder, clocksOf(options).local).text;
  // Ages beyond a month are dates already.
  return { text: /^\d{4}-/.test(cell.text) || date === cell.text ? date : `${cell.text} · ${date}` };
}

/** What a node leads to; undefined where it leads nowhere. */
export function routeOfNode(node: ValueNode, addressEntity: EntityKind | undefined): Route | undefined {
  return node.form === "leaf"
    ? routeForValue(singleValue(node.value), nodeKind(node), node.field, addressEntity)
    : undefined;
}

/** The look of a value. */
export function roleOfLeaf(node: ValueNode, cell: Cell, addressEntity: EntityKind | undefined): Role | undefined {
  if (cell.warning !== undefined) return "warning";
  return cell.role ?? (routeOfNode(node, addressEntity) ? "link" : undefined);
}

/** How many, with the word for it. */
export function countText(count: number, one: string, many: string): string {
  const number = parseDecimal(String(count));
  return `${number ? groupDigits(number) : count} ${count === 1 ? one : many}`;
}

/** Fields of what an answer tells beside its data of an identifier, the best name first. */
const NAME_FIELDS = ["token_symbol", "token_name", "account_label", "label", "name"];
const MAX_LABEL = 20;

/** The names that an answer gives beside its data: `metadata` of the envelope holds them by kind and identifier. */
export function labelsFrom(metadata: Json | undefined): Labels {
  const labels = new Map<string, Cell>();
  if (!isObject(metadata)) return labels;
  for (const kind of Object.values(metadata)) {
    if (!isObject(kind)) continue;
    for (const [id, about] of Object.entries(kind)) {
      const name = isObject(about)
        ? NAME_FIELDS.map((key) => about[key]).find((one) => typeof one === "string" && one !== "")
        : undefined;
      if (name === undefined || !IDENTIFIER.test(id)) continue;
      const cell = formatValue(name, { kind: "text", description: "" }, about, { style: "iso", now: 0 });
      labels.set(id, { ...cell, text: clip(cell.text, MAX_LABEL) });
    }
  }
  return labels;
}

/** What the one identifier of a cell is called. */
export function labelForCell({ ids }: Cell, { labels }: Pick<DrawOptions, "labels">): Cell | undefined {
  const [id, more] = ids ?? [];
  return id === undefined || more !== undefined ? undefined : labels.get(id);
}

/** Identifiers that are looked at for those that look alike. */
const MAX_IDS = 10_000;
const IDENTIFIER = /^[0-9A-Za-z]{32,128}$/;

/** A shortener that knows all identifiers of a value, so that no two of them have one short form. */
export function createValueShortener(value: Json): Shorten {
  const shorten = createShortener();
  let remaining = MAX_IDS;
  const collect = (one: Json) => {
    if (remaining <= 0) return;
    if (typeof one === "string") {
      if (!IDENTIFIER.test(one)) return;
      remaining -= 1;
      shorten(one);
    } else if (isArray(one)) one.forEach(collect);
    else if (isObject(one) && !isNumeric(one)) Object.values(one).forEach(collect);
  };
  collect(value);
  return shorten;
}

/** The pattern of what is searched for: the very text, in either case; undefined for none. */
export function searchPattern(query: string): RegExp | undefined {
  return query === "" ? undefined : new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
}

/** A piece of text with what is searched for marked in it. */
export function highlightMatches(text: string, role: Role | undefined, query: RegExp | undefined): readonly Span[] {
  if (query === undefined) return [{ text, role }];
  const spans: Span[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(query)) {
    if (index > end) spans.push({ text: text.slice(end, index), role });
    spans.push({ text: match, role: "found" });
    end = index + match.length;
  }
  if (end < text.length || spans.length === 0) spans.push({ text: text.slice(end), role });
  return spans;
}
