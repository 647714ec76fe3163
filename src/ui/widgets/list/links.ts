/** The links of a row. */
import { isArray, isNumeric, isObject, type Json, numericText } from "../../../base/index.ts";
import { type Endpoint, type FieldMeta, isAddress, isSignature, type Kind } from "../../../catalogue/index.ts";
import { headingOf, type Shape, safeText, shapeAt, valueAt } from "../../../output/index.ts";
import type { EntityKind } from "../../navigation/entity-pages.ts";
import type { FieldLink } from "../../navigation/popups.ts";
import { isSameRoute, type Route, routeForValue } from "../../navigation/route.ts";
import { type CellTable, valueOfColumn } from "./table.ts";

const MAX_DEPTH = 4;
const MAX_LINKS = 40;

/** Returns the distinct routes that a value links to, nested values included. */
export function linksIn(
  value: Json | undefined,
  field: string,
  shape: Shape,
  addressEntity?: EntityKind,
): readonly FieldLink[] {
  const links: FieldLink[] = [];
  collectLinks(value, field, shape, { links, addressEntity, depth: 0 });
  return links;
}

interface LinkSearch {
  readonly links: FieldLink[];
  readonly addressEntity: EntityKind | undefined;
  readonly depth: number;
}

function collectLinks(value: Json | undefined, field: string, shape: Shape, search: LinkSearch): void {
  const { links, addressEntity, depth } = search;
  if (value === undefined || value === null || depth > MAX_DEPTH || links.length >= MAX_LINKS) return;
  const inside = { ...search, depth: depth + 1 };
  if (isArray(value)) {
    for (const item of value) collectLinks(item, field, shape, inside);
    return;
  }
  if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) collectLinks(inner, name, shape.field(name), inside);
    return;
  }
  const route = routeOfValue(value, field, shape.meta, addressEntity);
  if (route && !links.some((link) => isSameRoute(link.route, route))) links.push({ field, route });
}

function routeOfValue(
  value: Json,
  field: string,
  meta: FieldMeta | undefined,
  addressEntity?: EntityKind,
): Route | undefined {
  const plain = isNumeric(value) ? numericText(value) : value;
  return routeForValue(plain, kindOfValue(plain, meta), field.toLowerCase(), addressEntity ?? describedEntity(meta));
}

/** Fields that the catalogue does not know are recognised by their format. */
function kindOfValue(value: Json, meta: FieldMeta | undefined): Kind | undefined {
  if (meta && meta.kind !== "json") return meta.kind;
  if (typeof value !== "string") return undefined;
  if (isSignature(value)) return "signature";
  return isAddress(value) ? "address" : undefined;
}

/** Returns the entity of an address, according to the description of the field. */
function describedEntity(meta: FieldMeta | undefined): EntityKind {
  const about = meta?.description ?? "";
  if (/^(the )?mint\b/i.test(about)) return "token";
  return /^(the )?(pool|market)\b/i.test(about) ? "market" : "account";
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
  /** The entity of a field called `address`. */
  readonly addressEntity?: EntityKind | undefined;
}

/** Creates a link finder with a cache per cell. */
export function createLinkFinder({ rows, columns }: CellTable, options: FieldLinkOptions): LinkFinder {
  const { shape, addressEntity } = options;
  const cache = new Map<string, readonly FieldLink[]>();
  const findLinks = (row: number, index: number) => {
    const column = columns[index];
    if (!column) return [];
    const { path, value } = valueOfColumn(rows[row] ?? null, column);
    const field = path.findLast((step) => typeof step === "string") ?? "";
    return linksIn(value, String(field), shapeAt(path, shape), addressEntity);
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
  const links = linksIn(row, "", options.shape, options.addressEntity);
  const subject = subjectLink(row, options);
  const isFirst = ({ route }: FieldLink) =>
    subject ? isSameRoute(route, subject.route) : route.kind === "entity" && route.entity === "transaction";
  return [...(subject ? [subject] : links.filter(isFirst)), ...links.filter((link) => !isFirst(link))];
}

function subjectLink(row: Json, { endpoint, shape, addressEntity }: FieldLinkOptions): FieldLink | undefined {
  const path = (endpoint?.subject ?? endpoint?.identity?.[0])?.split(".");
  return path && linksIn(valueAt(row, path), path.at(-1) ?? "", shapeAt(path, shape), addressEntity)[0];
}

/** Returns the display name of the field of a link. */
export function linkFieldLabel({ field }: FieldLink): string {
  return safeText(headingOf(field, undefined));
}
