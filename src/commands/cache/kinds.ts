/** What `solx cache` counts and clears. */
import { CACHE_KIND_NAMES } from "../../catalogue/index.ts";

/** The kind of the names that were collected from answers, in another file. */
export const NAMES = "names";

/** The kinds of cached answers, and names. */
export const STORED_KINDS = [...CACHE_KIND_NAMES, NAMES] as const;
