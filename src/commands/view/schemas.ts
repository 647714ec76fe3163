/** Schemas of the output of `solx view`. */
import * as z from "zod";
import { f } from "../../catalogue/schemas.ts";

/** A bookmark with its command. */
export const ViewRow = z.object({
  name: f.text("Name of the bookmark"),
  command: f.text("Command that prints what it shows"),
});
