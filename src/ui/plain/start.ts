/** Starts the explorer in plain lines. */
export { createDataStore } from "../data/query-store.ts";
export { runPlainExplorer } from "./session.ts";
