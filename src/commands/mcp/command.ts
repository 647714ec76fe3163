/** `solx mcp`. */
import type { Command } from "commander";
import type { RunContext } from "../run/context.ts";
import { withExamples } from "../run/help.ts";

/** Adds the command to the program. */
export function addMcp(program: Command, context: RunContext): void {
  const command = program
    .command("mcp")
    .description("Serve the API to language models (Model Context Protocol) over standard input and output")
    .option("--max-rows <rows>", "the most rows that one result holds (default: 100; 1000 of chosen fields)")
    .option("--max-bytes <bytes>", "the largest result, in bytes; the rest follows by a cursor (default: 20000)")
    .option("--max-units <units>", "compute units that all calls may cost until the server ends (default: any)")
    .action(async (options) => (await import("./serve.ts")).serve(context, options));
  withExamples(command, [
    ["What an assistant starts; put it into the assistant's settings", "solx mcp"],
    ["Without a key, on made-up data", "solx mcp --sandbox"],
    ["With another profile, and no more than 20,000 compute units", "solx mcp --profile work --max-units 20000"],
  ]);
}
