/** Fields of CSV answers: text in every cell, whatever it stands for. */
import * as z from "zod";
import type { FieldMeta, Kind } from "../kinds.ts";

/** A cell of a CSV answer: text of the given kind. An empty one means that there is no value. */
export const cell = (
  kind: Kind,
  description: string,
  options: Omit<FieldMeta, "kind" | "description"> = {},
): z.ZodType<string> => z.string().meta({ kind, description, ...options });
