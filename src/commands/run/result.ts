/** What a command about solx itself gives: it never prints. */
import type { Json } from "../../base/json.ts";
import type { DisplayOptions } from "./context.ts";

/** An object, a list of rows or a plain value, how to show it, and what the user should know beside it. */
export interface Result {
  readonly value: Json;
  readonly shown: DisplayOptions;
  readonly notes: readonly string[];
}
