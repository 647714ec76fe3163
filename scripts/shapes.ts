/** The shapes of the catalogue's entities as data in the build. */
import type { Plugin } from "rolldown";
import { deriveShapeData, entities } from "../src/catalogue/schemas.ts";

const DATA = "\0entity-shapes-data";

/**
 * Replaces the module that derives shapes from schemas by data in a separate file: tables need no zod, which takes
 * long to load, and other commands load neither.
 */
export const shapesPlugin: Plugin = {
  name: "shapes",
  resolveId: (id) => (id === DATA ? id : undefined),
  load(id) {
    if (id === DATA) return `export default JSON.parse(${JSON.stringify(JSON.stringify(deriveShapeData(entities)))});`;
    if (!/src[\\/]catalogue[\\/]entity-shapes\.ts$/.test(id)) return undefined;
    return [
      'import { shapeFromData } from "./shape.ts";',
      "export async function loadEntityShape(name) {",
      `  return shapeFromData((await import(${JSON.stringify(DATA)})).default, name);`,
      "}",
    ].join("\n");
  },
};
