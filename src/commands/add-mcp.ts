/** `solx mcp`. */
import type { Command } from "commander";
import type { Frame } from "./frame.ts";

/** Adds the command to the program. */
export function addMcp(program: Command, _frame: Frame): void {
  program.command("mcp").description("Serve the API to language models over standard input and output");
}
