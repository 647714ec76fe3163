/** The use of a key. */
import type { Queries } from "./query.ts";

/** Queries over what the caller's key has used. */
export const monitorQueries: Queries = {
  "v2-monitor-usage": ({ caller }) => ({ data: caller.usage() }),
};
