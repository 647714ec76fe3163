/** `solx openapi`. */
import { type Command, Option } from "commander";
import { FAMILIES } from "../../catalogue/constants.ts";
import type { RunContext } from "../run/context.ts";
import { withChoices, withExamples } from "../run/help.ts";

/** Adds the command to the program. */
export function addOpenapi(program: Command, context: RunContext): void {
  const command = program
    .command("openapi")
    .description("The API as an OpenAPI 3.1 document for code generators and other tools: JSON, or YAML with -o yaml")
    .addOption(
      withChoices(new Option("--family <family>", `one family alone: ${FAMILIES.join(", ")} (default: all)`), FAMILIES),
    )
    .action(async (options) => (await import("./openapi.ts")).openapi(context, options));
  withExamples(command, [
    ["The whole API", "solx openapi > api.json"],
    ["The newer family, as YAML", "solx openapi --family v2 -o yaml > api.yaml"],
    ["Types for TypeScript", "solx openapi > api.json && npx openapi-typescript api.json -o api.d.ts"],
    ["What calls cost", `solx openapi --jq '.paths[].get | [.operationId, ."x-compute-units".units]'`],
  ]);
}
