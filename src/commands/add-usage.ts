/** `solx usage`. */
import type { Command } from "commander";
import type { Frame } from "./frame.ts";

/** Adds the command to the program. */
export function addUsage(program: Command, _frame: Frame): void {
  program.command("usage").description("What the key has used, what is left, and how long it lasts");
}
