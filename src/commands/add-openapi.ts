/** `solx openapi`. */
import type { Command } from "commander";
import type { Frame } from "./frame.ts";

/** Adds the command to the program. */
export function addOpenapi(program: Command, _frame: Frame): void {
  program.command("openapi").description("The API as an OpenAPI document");
}
