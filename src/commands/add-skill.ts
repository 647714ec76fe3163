/** `solx skill`. */
import type { Command } from "commander";
import type { Frame } from "./frame.ts";

/** Adds the command to the program. */
export function addSkill(program: Command, _frame: Frame): void {
  program.command("skill").description("A skill file for coding assistants");
}
