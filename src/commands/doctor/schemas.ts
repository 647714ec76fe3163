/** Schema of the rows of `solx doctor`, for tables and documentation. */
import * as z from "zod";
import { f } from "../../catalogue/schemas.ts";

/** A finding of `solx doctor`. */
export const FindingRow = z.object({
  area: f.text("Area: program, settings, files, key, network, budget, terminal, parts, drift"),
  check: f.text("Name of the check"),
  level: f.text("ok, note, warning or problem"),
  value: f.json("Measured value"),
  message: f.text("Message"),
  hint: f.text("How to fix it").nullable(),
});
