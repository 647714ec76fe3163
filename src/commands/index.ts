/** The commands of solx. */
export { run } from "./run/run.ts";
