/** Values of answers as pieces of lines, by what the catalogue knows of their fields. */

import type * as z from "zod";
import { isObject, type Json, type JsonObject } from "../../base/json.ts";
import { groupThousands } from "../../base/text.ts";
import type { Endpoint, Family } from "../../catalogue/endpoint.ts";
import { fieldMeta } from "../../catalogue/fields.ts";
import { endpointByPath } from "../../catalogue/index.ts";
import type { FieldMeta } from "../../catalogue/kinds.ts";
import { type Cell, type Clock, formatValue, MISSING } from "../../output/index.ts";
import { shortId } from "../app/route.ts";
import type { Services } from "../app/services.ts";
import { fitLine, lineWidth, type Span, span, type TextLine } from "../app/theme/text-line.ts";
import type { QueryState } from "../data/store.ts";

/** The endpoint of a path that a screen is made for. */
export function endpointAt(path: string, family: Family = "v2"): Endpoint {
  const endpoint = endpointByPath(family, path);
  if (!endpoint) throw new Error(`The catalogue has no ${path}.`);
  return endpoint;
}

/** The object of an answer; undefined before it is there, and where it is none. */
export function answerObject({ answer }: QueryState): JsonObject | undefined {
  return answer && isObject(answer.data) ? answer.data : undefined;
}

/** The clock that a screen's times are shown by. */
export function relativeClock({ now, timeZone }: Services): Clock {
  return { style: "relative", now: now(), timeZone };
}

/** An entity of the catalogue. */
export interface EntitySchema {
  readonly shape: Readonly<Record<string, z.ZodType>>;
}

/** What is known of a field of an entity. */
export function fieldMetaOf({ shape }: EntitySchema, field: string): FieldMeta | undefined {
  const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
  return schema && fieldMeta(schema);
}

/** A field of an object of the entity, ready to be shown. */
export function formatField(entity: EntitySchema, object: JsonObject | undefined, field: string, clock: Clock): Cell {
  return object ? formatValue(object[field], fieldMetaOf(entity, field), object, clock) : MISSING;
}

/** A value of a kind, ready to be shown. */
export function formatAs(kind: FieldMeta["kind"], value: Json | undefined, clock: Clock): Cell {
  return formatValue(value, { kind, description: "" }, undefined, clock);
}

/** The clock for the Unix times of one column: ages where all of them are recent, else moments for all. */
export function clockForColumn(times: readonly (Json | undefined)[], clock: Clock): Clock {
  const isAge = times
    .map((time) => formatAs("unixTime", time, clock))
    .filter(({ role }) => role !== "missing")
    .map(({ text }) => /^now$|^in | ago$/.test(text));
  return isAge.includes(true) && isAge.includes(false) ? { ...clock, style: "iso" } : clock;
}

/** A cell as a piece of a line; what warns is seen to warn. */
export function cellSpan({ text, role, warning }: Cell): Span {
  return span(text, warning === undefined ? role : "warning");
}

/** The narrowest name beside an identifier. */
const MIN_NAME = 12;

/**
 * What a thing is called and its whole identifier, in one line: a long name gives way to it, since names are anybody's
 * and the identifier tells things apart.
 */
export function titleLine(name: TextLine, id: string, width: number): TextLine {
  if (lineWidth(name) === 0) return [span(id)];
  const room = width - id.length - 2;
  const tail = room >= MIN_NAME ? id : shortId(id);
  return [
    ...fitLine(name, Math.min(lineWidth(name), Math.max(1, width - tail.length - 2))),
    span("  "),
    span(tail, "note"),
  ];
}

/** A count that the program made: `1,234`. */
export function countText(count: number): string {
  return groupThousands(count);
}
