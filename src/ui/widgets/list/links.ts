/** What a row leads to. */
import { isArray, isNumeric, isObject, type Json, numericText } from "../../../base/json.ts";
import type { FieldMeta, Kind } from "../../../catalogue/kinds.ts";
import { isAddress, isSignature } from "../../../catalogue/validate.ts";
import { type Shape, shapeAt } from "../../../output/fields/shape.ts";
import { safeText } from "../../../output/text/safe.ts";
import { type EntityKind, isSameRoute, type Route, routeTitle } from "../../app/route.ts";
import { routeForValue } from "../../app/route-for.ts";
import { type Table, valueIn } from "./table.ts";

/** A place that a row leads to, and the field that names it. */
export interface RowLink {
  readonly field: string;
  readonly place: Route;
}

/** Fields inside fields that are looked at, and links that a menu can hold. */
const DEEPEST = 4;
const MOST_LINKS = 40;

/** The distinct places that a value leads to, those inside it included. */
export function linksIn(value: Json | undefined, field: string, shape: Shape, own?: EntityKind): readonly RowLink[] {
  const found: RowLink[] = [];
  collect(value, field, shape, { found, own, depth: 0 });
  return found;
}

interface Search {
  readonly found: RowLink[];
  readonly own: EntityKind | undefined;
  readonly depth: number;
}

function collect(value: Json | undefined, field: string, shape: Shape, search: Search): void {
  const { found, own, depth } = search;
  if (value === undefined || value === null || depth > DEEPEST || found.length >= MOST_LINKS) return;
  const inside = { ...search, depth: depth + 1 };
  if (isArray(value)) {
    for (const item of value) collect(item, field, shape, inside);
    return;
  }
  if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) collect(inner, name, shape.field(name), inside);
    return;
  }
  const place = placeIn(value, field, shape.meta, own);
  if (place && !found.some((link) => isSameRoute(link.place, place))) found.push({ field, place });
}

/** The place that a plain value leads to. */
function placeIn(value: Json, field: string, meta: FieldMeta | undefined, own?: EntityKind): Route | undefined {
  const plain = isNumeric(value) ? numericText(value) : value;
  return routeForValue(plain, kindIn(plain, meta), field.toLowerCase(), own ?? ownThing(meta));
}

/** Fields that the catalogue does not know are told by their form. */
function kindIn(value: Json, meta: FieldMeta | undefined): Kind | undefined {
  if (meta && meta.kind !== "json") return meta.kind;
  if (typeof value !== "string") return undefined;
  if (isSignature(value)) return "signature";
  return isAddress(value) ? "address" : undefined;
}

/** What an address is of, by the catalogue's words for the field. */
function ownThing(meta: FieldMeta | undefined): EntityKind {
  const about = meta?.description ?? "";
  if (/^(the )?mint\b/i.test(about)) return "token";
  return /^(the )?(pool|market)\b/i.test(about) ? "market" : "account";
}

/** The links of a table. */
export interface LinkFinder {
  /** The distinct places that a cell leads to. */
  cell(row: number, column: number): readonly RowLink[];
  /** The distinct places that a row leads to, the transaction first: an event is about it. */
  row(row: number): readonly RowLink[];
}

/** Finds the links of a table, each once. */
export function createLinkFinder({ rows, columns }: Table, shape: Shape, own: EntityKind | undefined): LinkFinder {
  const known = new Map<string, readonly RowLink[]>();
  const find = (row: number, index: number) => {
    const column = columns[index];
    if (!column) return [];
    const { path, value } = valueIn(rows[row] ?? null, column);
    const field = path.findLast((step) => typeof step === "string") ?? "";
    return linksIn(value, String(field), shapeAt(path, shape), own);
  };
  return {
    cell(row, column) {
      const key = `${row} ${column}`;
      const links = known.get(key) ?? find(row, column);
      known.set(key, links);
      return links;
    },
    row: (row) => rowLinks(rows[row] ?? null, shape, own),
  };
}

/** The distinct places that a row leads to, the transaction first: an event is about it. */
export function rowLinks(row: Json, shape: Shape, own?: EntityKind): readonly RowLink[] {
  const links = linksIn(row, "", shape, own);
  const isTransaction = ({ place }: RowLink) => place.kind === "thing" && place.entity === "transaction";
  return [...links.filter(isTransaction), ...links.filter((link) => !isTransaction(link))];
}

/** A link as an item of a menu. */
export function linkTitle({ place }: RowLink): string {
  return routeTitle(place);
}

/** The field of a link as people read it. */
export function linkField({ field }: RowLink): string {
  return safeText(field.replaceAll("_", " "));
}
