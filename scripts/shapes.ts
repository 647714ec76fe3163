/** The shapes of the catalogue's entities as data in the build. */
import type { Plugin } from "rolldown";
import { entities } from "../src/catalogue/schemas.ts";
import { shapeDataOf } from "../src/output/fields/schema.ts";

/** Replaces the module that derives shapes from schemas by data: tables need no zod, which takes long to load. */
export const shapesPlugin: Plugin = {
  name: "shapes",
  load: {
    filter: { id: /src[\\/]output[\\/]fields[\\/]entity-shapes\.ts$/ },
    handler: () =>
      [
        'import { shapeFromData } from "./shape.ts";',
        `const data = JSON.parse(${JSON.stringify(JSON.stringify(shapeDataOf(entities)))});`,
        "export const loadEntityShape = async (name) => shapeFromData(data, name);",
      ].join("\n"),
  },
};
