/** `solx completion`. */
import type { Command } from "commander";
import type { Frame } from "./frame.ts";

/** Adds the command to the program. */
export function addCompletion(program: Command, _frame: Frame): void {
  program.command("completion").description("Completion for a shell");
}
