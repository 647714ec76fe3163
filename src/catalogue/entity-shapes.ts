/** Shapes of the catalogue's entities. A build has their data in place of this module, so that tables load no zod. */
import type { EntityName } from "./endpoint.ts";
import type { Shape } from "./shape.ts";

/** Returns the shape of an entity. */
export async function loadEntityShape(name: EntityName): Promise<Shape> {
  const [{ deriveShape }, { [name]: entity }] = await Promise.all([
    import("./derive-shape.ts"),
    import("./entities/index.ts"),
  ]);
  return deriveShape(entity);
}
