/** The fields that a call asks for. */
import type { Json } from "../../base/json.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { shapeOf } from "../../output/fields/schema.ts";
import { selectFields } from "../../output/fields/selection.ts";
import { UNKNOWN_SHAPE } from "../../output/fields/shape.ts";

/** What fields are chosen of. */
export interface Chosen {
  readonly fields: readonly string[] | undefined;
  /** What the values are answers of, where the catalogue knows it. */
  readonly endpoint?: Endpoint;
  /** Whether the fields were found in earlier values. */
  readonly isKnown?: boolean;
}

/**
 * The chosen fields of values; all of them where none are chosen.
 * @throws UsageError for a field that neither the catalogue nor the answer knows
 */
export async function chosen(values: readonly Json[], { fields, endpoint, isKnown }: Chosen): Promise<readonly Json[]> {
  if (fields === undefined) return values;
  const entities = endpoint && (await import("../../catalogue/entities/index.ts"));
  const shape = endpoint && entities ? shapeOf(entities[endpoint.returns.entity]) : UNKNOWN_SHAPE;
  const selection = await selectFields({ fields: [...fields] }, shape, values, { isKnown: isKnown === true });
  return selection ? values.map((value) => selection.pick(value)) : values;
}
