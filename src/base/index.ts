/** What every other module may use: exact numbers, errors, files, SQLite, time and text. Imports nothing of solx. */

export * from "./base58.ts";
export * from "./batches.ts";
export * from "./command-words.ts";
export * from "./decimal.ts";
export * from "./emitter.ts";
export * from "./errors.ts";
export * from "./files.ts";
export * from "./hints.ts";
export * from "./input-files.ts";
export * from "./json.ts";
export * from "./json-fields.ts";
export * from "./memory-budget.ts";
export * from "./program-files.ts";
export * from "./received-rows.ts";
export * from "./repeated-members.ts";
export * from "./sha256.ts";
export * from "./sqlite.ts";
export * from "./text.ts";
export * from "./time.ts";
