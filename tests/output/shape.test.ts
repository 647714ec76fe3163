/** Shapes of entities from data, which a build has in place of schemas. */
import { expect, test } from "vitest";
import { type Shape, shapeFromData } from "../../src/catalogue/index.ts";
import { deriveShape, deriveShapeData, entities } from "../../src/catalogue/schemas.ts";

/** Entities may contain themselves: instructions have inner instructions. */
const MAX_DEPTH = 5;

const describeShape = ({ meta, fields, required, open, field }: Shape, depth = 0): object => ({
  meta,
  required,
  open,
  fields: depth < MAX_DEPTH ? fields.map((name) => [name, describeShape(field(name), depth + 1)]) : [],
});

const data = JSON.parse(JSON.stringify(deriveShapeData(entities)));

test.each(Object.entries(entities))("the shape of %s is the same from data as from its schema", (name, schema) => {
  expect(describeShape(shapeFromData(data, name) as Shape)).toEqual(describeShape(deriveShape(schema)));
});

test("a name without data has no shape", () => {
  expect(shapeFromData(data, "constructor")).toBeUndefined();
  expect(shapeFromData(data, "TokenMeta")?.field("constructor").open).toBe(true);
});
