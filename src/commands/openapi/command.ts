/** `solx openapi`. */
import { FAMILIES } from "../../catalogue/index.ts";
import { outputOption } from "../options/option.ts";
import type { CommandDefinition } from "../run/command-definition.ts";

/** The command. */
export const OPENAPI: CommandDefinition = {
  name: "openapi",
  summary: "Print the API as an OpenAPI 3.1 document",
  audience: "print",
  excludedFlags: ["--no-headers", "--sort-by", "--time"],
  options: [
    outputOption("output format", ["json", "yaml"], "json"),
    {
      flags: "--family <family>",
      description: `only one API family: ${FAMILIES.join("|")} (default: all)`,
      values: FAMILIES,
      isClosed: true,
    },
  ],
  examples: [
    ["The whole API", "solx openapi > api.json"],
    ["The v2 family, as YAML", "solx openapi --family v2 -o yaml > api.yaml"],
    ["Types for TypeScript", "solx openapi > api.json && npx openapi-typescript api.json -o api.d.ts"],
    ["The cost of each request", `solx openapi --jq '.paths[].get | [.operationId, ."x-cost".units]'`],
  ],
  run: async (context, { options }) => (await import("./openapi.ts")).openapi(context, options),
};
