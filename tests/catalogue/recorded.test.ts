/** Recorded answers of the API, where available: the entities have every field of them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Json } from "../../src/base/json.ts";
import type { Endpoint } from "../../src/catalogue/endpoint.ts";
import { unknownFields, unwrapSchema } from "../../src/catalogue/fields.ts";
import { endpointByPath, endpoints, recordOf, returnsList } from "../../src/catalogue/index.ts";
import { findRows } from "../../src/client/answer/decode.ts";

const entities = await import("../../src/catalogue/entities/index.ts");

interface Recording {
  readonly endpoint: string;
  readonly family: Endpoint["family"];
  readonly status: number;
  readonly body?:
    | { readonly data?: unknown; readonly metadata?: { readonly tokens?: Record<string, unknown> } }
    | string;
  readonly body_text?: string;
  readonly fragment?: unknown;
}

const folder = new URL("../../../shared/recorded/", import.meta.url);
const recordings = (existsSync(folder) ? readdirSync(folder) : [])
  .map((file) => [file, JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Recording] as const)
  .flatMap(([file, recording]) => {
    const endpoint = endpointByPath(recording.family, recording.endpoint);
    return endpoint && recording.status === 200 ? [[file, recording, endpoint] as const] : [];
  });

const entityOf = (endpoint: Endpoint): z.ZodObject => entities[endpoint.returns.entity] as unknown as z.ZodObject;

function check(schema: z.ZodType, value: unknown): void {
  expect(schema.safeParse(value).error?.issues ?? []).toEqual([]);
  expect(unknownFields(schema, value)).toEqual([]);
}

/** Returns the entity and everything in it that is an entity or a list of them. */
function partsOf(schema: z.ZodType): readonly z.ZodType[] {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodArray) return partsOf(inner.element as z.ZodType);
  return inner instanceof z.ZodObject ? [inner, ...(Object.values(inner.shape) as z.ZodType[]).flatMap(partsOf)] : [];
}

const structured = recordings.filter(([, { body }]) => typeof body === "object" && body.data !== undefined);
const tables = recordings.filter(([, { body, body_text }]) => typeof body === "string" || body_text !== undefined);
const fragments = recordings.filter(([, { fragment }]) => typeof fragment === "object");

describe.skipIf(recordings.length === 0)("recorded answers", () => {
  it("cover most of the v2 family", () => {
    const covered = new Set(recordings.map(([, , { route }]) => route));
    expect(covered.size).toBeGreaterThan(endpoints.filter(({ family }) => family === "v2").length / 2);
  });

  it.each(structured)("%s: rows match the entity", (_file, { body }, endpoint) => {
    const data = (body as { data: Json }).data;
    const rows = returnsList(endpoint)
      ? (findRows(data, endpoint.returns.at, true)?.rows ?? [])
      : [recordOf(endpoint, data)];
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) check(entityOf(endpoint), row);
  });

  it.each(structured)("%s: tokens beside the data match the entity", (_file, { body }) => {
    const tokens = typeof body === "object" ? Object.values(body.metadata?.tokens ?? {}) : [];
    for (const token of tokens) check(entities.TokenLabel, token);
  });

  it.each(tables)("%s: the CSV header matches the entity", (_file, { body, body_text }, endpoint) => {
    const [header = ""] = String(body_text ?? body).split("\n");
    const known = Object.keys(entityOf(endpoint).shape);
    expect(header.split(",").map((name) => name.trim())).toEqual(known);
  });

  it.each(fragments)("%s: the fragment matches a part of the entity", (_file, { fragment }, endpoint) => {
    const matches = partsOf(entityOf(endpoint)).filter(
      (part) => part.safeParse(fragment).success && unknownFields(part, fragment).length === 0,
    );
    expect(matches).not.toEqual([]);
  });
});
