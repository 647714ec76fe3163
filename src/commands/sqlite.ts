/** SQLite, loaded without Node's remark that it is young. */
import { quietly } from "./young.ts";

/** Loads it. */
export function loadSqlite(): typeof import("node:sqlite") {
  return quietly(() => process.getBuiltinModule("node:sqlite"));
}
