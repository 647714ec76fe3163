/** `solx doctor`. */
import type { Command } from "commander";
import type { Frame } from "./frame.ts";

/** Adds the command to the program. */
export function addDoctor(program: Command, _frame: Frame): void {
  program.command("doctor").description("What is well and what is not: versions, settings, key, network, terminal");
}
