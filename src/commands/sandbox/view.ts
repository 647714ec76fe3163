/** What the sandbox keeps, as schemas for tables. */
import * as z from "zod";
import { f } from "../../catalogue/kinds.ts";

/** A ledger that is kept. */
export const LedgerRow = z.looseObject({
  seed: f.text("Which world it is").nullable(),
  size: f.number("How much data there is").nullable(),
  hostile: f.boolean("Whether its texts attack"),
  bytes: f.count("Size of the file"),
  path: f.text("The file"),
  rows: f.json("Rows of each table"),
});
