/** Schemas of the rows that single commands print. */
import { loadFields } from "../catalogue/index.ts";

type FieldModule = Awaited<ReturnType<typeof loadFields>>;
type Members = Parameters<FieldModule["builders"]["looseObject"]>[0];

/** Returns a function that loads the schema of rows: zod is loaded only for the formats that need it. */
export const rowSchema = (members: (f: FieldModule["f"]) => Members) => async () => {
  const { builders, f } = await loadFields();
  return builders.looseObject(members(f));
};
