/** Formats fields of answers as spans, by what the catalogue knows about them. */

import type * as z from "zod";
import { type Decimal, isObject, type Json, type JsonObject } from "../../base/index.ts";
import {
  type Endpoint,
  endpointByPath,
  type Family,
  type FieldMeta,
  isAddress,
  isSignature,
  type Kind,
  type Shape,
} from "../../catalogue/index.ts";
import { deriveShape, ENTITIES, fieldMeta } from "../../catalogue/schemas.ts";
import {
  type Cell,
  type Clock,
  entityRole,
  formatChange,
  formatValue,
  MISSING,
  NAME_ROLES,
  type NameOf,
  nameText,
  type Role,
  type ValueStyle,
  withRole,
} from "../../output/index.ts";
import type { QueryState } from "../navigation/data-store.ts";
import { shortId } from "../navigation/route.ts";
import type { Services } from "../navigation/services.ts";
import { fitLine, lineWidth, type Span, span, type TextLine } from "../navigation/theme/text-line.ts";

/** Returns the endpoint of a path. Throws when the catalogue has none, which is a mistake of the program. */
export function endpointAt(path: string, family: Family = "v2"): Endpoint {
  const endpoint = endpointByPath(family, path);
  if (!endpoint) throw new Error(`The catalogue has no ${path}.`);
  return endpoint;
}

/** Returns the shape of an endpoint's answer, of a list that of a row. */
export const answerShape = ({ returns }: Endpoint): Shape => deriveShape(ENTITIES[returns.entity]);

/** Returns the kind of a value; where the catalogue does not know it, the one that its form suggests. */
export function kindOfValue(value: Json | undefined, meta: FieldMeta | undefined): Kind | undefined {
  if (meta && meta.kind !== "json") return meta.kind;
  if (typeof value !== "string") return undefined;
  if (isSignature(value)) return "signature";
  return isAddress(value) ? "address" : undefined;
}

/** Returns the object of an answer; undefined before the answer has arrived and when it is no object. */
export function answerObject({ answer }: QueryState): JsonObject | undefined {
  return answer && isObject(answer.data) ? answer.data : undefined;
}

/** Returns the clock for the times of a page. */
export function relativeClock({ now, timeZone }: Services): Clock {
  return { style: "relative", now: now(), timeZone };
}

/** The schema of an entity of the catalogue. */
export interface EntitySchema {
  readonly shape: Readonly<Record<string, z.ZodType>>;
}

/** Returns the metadata of a field of an entity. */
export function fieldMetaOf({ shape }: EntitySchema, field: string): FieldMeta | undefined {
  const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
  return schema && fieldMeta(schema);
}

/** Formats a field of an object. */
export function formatField(
  entity: EntitySchema,
  object: JsonObject | undefined,
  field: string,
  clock: ValueStyle,
): Cell {
  if (!object) return MISSING;
  const meta = fieldMetaOf(entity, field);
  return withRole(formatValue(object[field], meta, object, clock), entityRole(field, meta));
}

/** Formats a value as a kind. */
export function formatAs(kind: FieldMeta["kind"], value: Json | undefined, clock: ValueStyle): Cell {
  return formatValue(value, { kind, description: "" }, undefined, clock);
}

/** Returns the clock for the Unix times of one column: ages when all of them are recent, otherwise dates for all. */
export function clockForColumn(times: readonly (Json | undefined)[], clock: Clock): Clock {
  const isAge = times
    .map((time) => formatAs("unixTime", time, clock))
    .filter(({ role }) => role !== "missing")
    .map(({ text }) => /^now$|^in | ago$/.test(text));
  return isAge.includes(true) && isAge.includes(false) ? { ...clock, style: "iso" } : clock;
}

/** Converts a cell to a span; cells with a warning have the role of a warning. */
export function cellSpan({ text, role, warning }: Cell): Span {
  return span(text, warning === undefined ? role : "warning");
}

/** Formats an identifier by its name, otherwise in short form. */
export function idSpan(id: string, nameOf: NameOf, role?: Role): Span {
  const name = nameOf(id);
  if (name === undefined) return { text: shortId(id), role, identifier: { id, role } };
  return span(nameText(name), name.warning === undefined ? NAME_ROLES[name.kind] : "warning");
}

const MIN_NAME = 12;

/**
 * Returns the name and the whole identifier of an entity in one line. A long name is cut before the identifier, since
 * anybody can choose a name and only the identifier is unique.
 */
export function titleLine(name: TextLine, id: string, width: number): TextLine {
  if (lineWidth(name) === 0) return [span(id)];
  const space = width - id.length - 2;
  const tail = space >= MIN_NAME ? id : shortId(id);
  return [
    ...fitLine(name, Math.min(lineWidth(name), Math.max(1, width - tail.length - 2))),
    span("  "),
    span(tail, "note"),
  ];
}

/** Formats a change in percent with a sign for its direction: `▲ 3.2%`, `▼ 0.4%`, `0%`. */
export function changeSpan(change: Decimal | undefined, unicode: boolean): Span {
  if (!change) return span(MISSING.text, "missing");
  if (change.digits === 0n) return span("0%");
  const text = formatChange(change, "brief");
  return span(unicode ? text : text.replace("▲ ", "+").replace("▼ ", "-"), change.negative ? "bad" : "good");
}

/**
 * Returns the change of a measure of trades between two windows; undefined where there were no trades before. The API has
 * zero there, for the volume too, which is never the same twice.
 */
export function tradeChange(change: Decimal | undefined, volumeChange: Decimal | undefined): Decimal | undefined {
  return change?.digits === 0n && volumeChange?.digits === 0n ? undefined : change;
}
