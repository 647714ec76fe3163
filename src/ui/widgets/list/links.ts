/** The links of a row. */
import { isArray, isObject, type Json, scalarText } from "../../../base/index.ts";
import type { Endpoint, Shape } from "../../../catalogue/index.ts";
import { headingOf, safeText, shapeAt, valueAt } from "../../../output/index.ts";
import type { Subject } from "../../navigation/context.ts";
import type { FieldLink } from "../../navigation/popups.ts";
import { isSameRoute, type Route, routeForValue } from "../../navigation/route.ts";
import { answerShape, kindOfValue } from "../cells.ts";
import { type CellTable, valueOfColumn } from "./table.ts";

const MAX_DEPTH = 4;
const MAX_LINKS = 40;

/** Returns the distinct routes that a value links to, nested values included. */
export function linksIn(value: Json | undefined, field: string, shape: Shape): readonly FieldLink[] {
  const links: FieldLink[] = [];
  collectLinks(value, field, shape, links, 0);
  return links;
}

function collectLinks(value: Json | undefined, field: string, shape: Shape, links: FieldLink[], depth: number): void {
  if (value === undefined || value === null || depth > MAX_DEPTH || links.length >= MAX_LINKS) return;
  if (isArray(value)) {
    for (const item of value) collectLinks(item, field, shape, links, depth + 1);
    return;
  }
  if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) collectLinks(inner, name, shape.field(name), links, depth + 1);
    return;
  }
  const plain = scalarText(value) ?? value;
  const route = routeForValue(plain, kindOfValue(plain, shape.meta), field.toLowerCase(), shape.meta);
  if (route && !links.some((link) => isSameRoute(link.route, route))) links.push({ field, route });
}

/** Returns the route of the cell of a view. */
export function routeOfCell({ cell, request }: Subject = {}): Route | undefined {
  const meta = cell && request && answerShape(request.endpoint).field(cell.field).meta;
  return cell && routeForValue(cell.value, cell.kind, cell.field, meta);
}

/** The links of a table. */
export interface LinkFinder {
  /** Returns the distinct routes that a cell links to. */
  cell(row: number, column: number): readonly FieldLink[];
  /** Returns the distinct routes that a row links to, its subject first. */
  row(row: number): readonly FieldLink[];
}

interface FieldLinkOptions {
  readonly endpoint?: Endpoint | undefined;
  readonly shape: Shape;
}

/** Creates a link finder with a cache per cell. */
export function createLinkFinder({ rows, columns }: CellTable, options: FieldLinkOptions): LinkFinder {
  const { shape } = options;
  const cache = new Map<string, readonly FieldLink[]>();
  const findLinks = (row: number, index: number) => {
    const column = columns[index];
    if (!column) return [];
    const { path, value } = valueOfColumn(rows[row] ?? null, column);
    const field = path.findLast((step) => typeof step === "string") ?? "";
    return linksIn(value, String(field), shapeAt(path, shape));
  };
  return {
    cell(row, column) {
      const key = `${row} ${column}`;
      const links = cache.get(key) ?? findLinks(row, column);
      cache.set(key, links);
      return links;
    },
    row: (row) => rowLinks(rows[row] ?? null, options),
  };
}

/** Returns the distinct routes that a row links to: its subject first, or else its transaction. */
export function rowLinks(row: Json, options: FieldLinkOptions): readonly FieldLink[] {
  const links = linksIn(row, "", options.shape);
  const subject = subjectLink(row, options);
  const isFirst = ({ route }: FieldLink) =>
    subject ? isSameRoute(route, subject.route) : route.kind === "entity" && route.entity === "transaction";
  return [...(subject ? [subject] : links.filter(isFirst)), ...links.filter((link) => !isFirst(link))];
}

function subjectLink(row: Json, { endpoint, shape }: FieldLinkOptions): FieldLink | undefined {
  const path = (endpoint?.subject ?? endpoint?.identity?.[0])?.split(".");
  return path && linksIn(valueAt(row, path), path.at(-1) ?? "", shapeAt(path, shape))[0];
}

/** Returns the display name of the field of a link. */
export function linkFieldLabel({ field }: FieldLink): string {
  return safeText(headingOf(field, undefined));
}
