/** Formatting of the values of a detail view, and the options its lines share. No React here. */
import { isArray, isNumeric, isObject, type Json } from "../../../base/index.ts";
import type { Kind } from "../../../catalogue/index.ts";
import {
  type Cell,
  type Clock,
  createShortener,
  entityRole,
  formatValue,
  type IdentifierUse,
  type Namer,
  type Shorten,
} from "../../../output/index.ts";
import { entityPage } from "../../navigation/entity-pages.ts";
import { type Route, routeForValue } from "../../navigation/route.ts";
import type { Role, Span } from "../../navigation/theme/text-line.ts";
import { nodeKind, singleValue, type ValueNode } from "./value-tree.ts";

/** How a detail view is drawn. */
export interface DrawOptions {
  readonly width: number;
  /** Maximum number of lines of one value. */
  readonly maxLines: number;
  /** Whether long values are wrapped instead of cut. */
  readonly wraps: boolean;
  /** Columns of JSON scrolled off to the left. */
  readonly scrollLeft: number;
  /** Whether sections are separated by an empty line. */
  readonly isSpaced: boolean;
  readonly unicode: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly timeZone: string | undefined;
  readonly shorten: Shorten;
  readonly namer: Namer;
  readonly query?: RegExp | undefined;
}

/** Options that change styles but no heights, so that measured heights stay valid. */
export type LiveOptions = Pick<DrawOptions, "query" | "now">;

/** Returns the clocks for ages and for dates. */
export function clocksOf({ now, timeZone }: Pick<DrawOptions, "now" | "timeZone">) {
  const clock = (style: Clock["style"]): Clock => ({ style, now, timeZone });
  return { relative: clock("relative"), local: clock("local"), iso: clock("iso") };
}

const TIME_KINDS: ReadonlySet<Kind | undefined> = new Set(["unixTime", "isoTime"]);

/** Returns whether a value is a time. */
export function isTime(node: ValueNode): boolean {
  return TIME_KINDS.has(node.shape.meta?.kind);
}

/** Counts of days, whose names do not contain the unit. */
const DAY_COUNT = /^Days\b/;

/** Formats a leaf as one of several values in a line. */
export function formatLeafBriefly(
  { value, shape, holder }: ValueNode,
  options: Pick<DrawOptions, "now" | "timeZone">,
): Cell {
  const cell = formatValue(value, shape.meta, holder, clocksOf(options).relative);
  const isDays = cell.numeric && shape.meta?.kind === "count" && DAY_COUNT.test(shape.meta.description);
  return isDays ? { ...cell, text: `${cell.text} ${cell.text === "1" ? "day" : "days"}` } : cell;
}

/** Formats a leaf on its own: times with both age and date. */
export function formatLeaf(node: ValueNode, options: Pick<DrawOptions, "now" | "timeZone">): Cell {
  const cell = formatLeafBriefly(node, options);
  if (!isTime(node) || cell.role === "missing") return cell;
  const date = formatValue(node.value, node.shape.meta, node.holder, clocksOf(options).local).text;
  // Times older than a month are formatted as dates already.
  return { text: /^\d{4}-/.test(cell.text) || date === cell.text ? date : `${cell.text} · ${date}` };
}

/** Returns the route of a node; undefined when it has none. */
export function routeOfNode(node: ValueNode): Route | undefined {
  return node.form === "leaf"
    ? routeForValue(singleValue(node.value), nodeKind(node), node.field, node.shape.meta)
    : undefined;
}

/** Returns the role of a leaf. */
export function roleOfLeaf(node: ValueNode, cell: Cell): Role | undefined {
  if (cell.warning !== undefined) return "warning";
  const route = routeOfNode(node);
  const linkRole = route?.kind === "entity" ? entityPage(route.entity).role : route && "link";
  return cell.role ?? linkRole ?? entityRole(node.field, node.shape.meta);
}

/** Returns the name of the only identifier of a leaf; undefined where a field beside it is the name. */
export function nameOfLeaf({ holder }: ValueNode, { ids }: Cell, { namer }: Pick<DrawOptions, "namer">) {
  const [id, more] = ids ?? [];
  const name = id === undefined || more !== undefined ? undefined : namer(id);
  const beside = holder !== undefined && isObject(holder) ? Object.values(holder) : [];
  const isBeside = beside.some((one) => typeof one === "string" && one.toLowerCase() === name?.text.toLowerCase());
  return isBeside ? undefined : name;
}

/** Returns the only identifier of a leaf, if it has no name. */
export function unnamedIdentifier(
  node: ValueNode,
  cell: Cell,
  options: Pick<DrawOptions, "namer">,
): IdentifierUse | undefined {
  const [id, more] = cell.ids ?? [];
  if (id === undefined || more !== undefined || nameOfLeaf(node, cell, options)) return undefined;
  return { id, role: roleOfLeaf(node, cell) };
}

/** Returns identifiers by their names, or in short form, as one text. */
export function idsText(ids: readonly string[], { namer, shorten }: Pick<DrawOptions, "namer" | "shorten">): string {
  return ids.map((id) => namer(id)?.text ?? shorten(id)).join(", ");
}

/** Maximum number of identifiers that are checked for collisions. */
const MAX_IDS = 10_000;
const IDENTIFIER = /^[0-9A-Za-z]{32,128}$/;

/** Creates a shortener that knows all identifiers of a value, so that no two of them have the same short form. */
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

/** Returns the pattern of a query: its literal text, case-insensitive; undefined for an empty one. */
export function searchPattern(query: string): RegExp | undefined {
  return query === "" ? undefined : new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
}

/** Splits a text into spans with the matches of the query highlighted. */
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
