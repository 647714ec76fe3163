/** Schemas of the output of `solx alias`. */
import * as z from "zod";
import { f } from "../../catalogue/schemas.ts";

/** An alias with its command line. */
export const AliasRow = z.object({
  name: f.text("Name of the alias"),
  command: f.text("Arguments after solx that it stands for"),
});
