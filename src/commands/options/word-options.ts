/** Options whose value is a list of words: `--fail-on empty,incomplete` and `--batch unordered,inline`. */
import { UsageError } from "../../base/index.ts";
import type { GlobalOptions } from "./parsed-options.ts";

const OUTCOMES = ["empty", "incomplete"] as const;
const BATCH_MODES = ["unordered", "inline", "fail-fast"] as const;

/** Returns the outcomes at which a run fails, although it did what was asked. */
export const parseFailOn = ({ failOn }: GlobalOptions): ReadonlySet<(typeof OUTCOMES)[number]> =>
  parseWords("--fail-on", failOn, OUTCOMES);

/** Returns how a batch differs from rows in the order of the input that end with the failures. */
export const parseBatch = ({ batch }: GlobalOptions): ReadonlySet<(typeof BATCH_MODES)[number]> =>
  parseWords("--batch", batch, BATCH_MODES);

function parseWords<const W extends string>(flag: string, text = "", known: readonly W[]): ReadonlySet<W> {
  const words = text.split(",").filter((word) => word !== "");
  const unknown = words.find((word) => !known.some((one) => one === word));
  if (unknown === undefined) return new Set(words as W[]);
  throw new UsageError(`invalid value "${unknown}" for ${flag}: expected ${known.join(", ")}`);
}
