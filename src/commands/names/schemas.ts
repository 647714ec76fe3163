/** Schemas of the output of `solx names`. */
import * as z from "zod";
import { f } from "../../catalogue/schemas.ts";

/** A name with its address. */
export const NameRow = z.object({
  name: f.text("Your name of the address"),
  address: f.address("The address"),
});
