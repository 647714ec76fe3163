/** A finding, as a schema for tables and documentation. */
import * as z from "zod";
import { f } from "../../catalogue/fields.ts";

/** A finding of `solx doctor`. */
export const FindingRow = z.object({
  area: f.text("What it is about: program, settings, files, key, network, budget, terminal, parts, drift"),
  check: f.text("Name of the check"),
  level: f.text("ok, note, warning or problem"),
  value: f.json("What was measured or read"),
  message: f.text("In words"),
  hint: f.text("What to do").nullable(),
});
