/** What the cache keeps, as schemas for tables. */
import * as z from "zod";
import { KEPT_KINDS } from "../../catalogue/keep.ts";
import { f } from "../../catalogue/kinds.ts";

/** What is kept of one kind of data. */
export const CacheRow = z.looseObject({
  kind: f.enum("Kind of data", KEPT_KINDS),
  about: f.text("What is of this kind"),
  answers: f.count("Answers that are kept"),
  bytes: f.count("Size of their bodies in the file"),
  oldest: f.unixTime("When the oldest came").nullable(),
  newest: f.unixTime("When the newest came").nullable(),
  fresh: f.number("Seconds for which an answer is used again"),
});
