/** The entity of rows that name the identifier that they answer, and may be failures. */
import * as z from "zod";

/** An entity with the identifier before its fields and, with `inline`, the error after them. */
export function entityWithInput({ shape }: Pick<z.ZodObject, "shape">, inline: boolean): z.ZodType {
  const anything = z.unknown().optional();
  const error = z.looseObject({ code: anything, message: anything, status: anything, retryable: anything });
  return z.looseObject({ input: z.string(), ...shape, ...(inline && { error: error.optional() }) });
}
