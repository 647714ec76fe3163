/** `solx api`. */
import { FAMILIES } from "../../catalogue/index.ts";
import type { CommandDefinition } from "../run/command-definition.ts";

/** The command. */
export const API: CommandDefinition = {
  name: "api",
  summary: "Send a request to any path of the API",
  audience: "request",
  flags: [
    "--limit",
    "--all",
    "--envelope",
    "--fail-on",
    "--out",
    "--resume",
    "--force",
    "--dry-run",
    "--curl",
    "--yes",
  ],
  arguments: [{ name: "<path>", description: "path such as /account/detail, or a full URL of the API" }],
  options: [
    { flags: "--query <name=value>", description: "query parameter; repeatable", repeatable: true },
    {
      flags: "--family <family>",
      description: `API family: ${FAMILIES.join("|")} (default: the one that has the path, v2 otherwise)`,
      values: FAMILIES,
      isClosed: true,
    },
    { flags: "--raw", description: "print the response body unchanged" },
    { flags: "-i, --include", description: "print the status and headers of the response on stderr" },
  ],
  examples: [
    ["Parameters as the API names them", "solx api /token/search --query keyword=jup --query page_size=20"],
    ["Lists of values", "solx api /token/price/latest --query address[]=So11111111111111111111111111111111111111112"],
    ["All rows of a list", "solx api /token/search --query keyword=jup --all"],
    ["The legacy family", "solx api /block/last --family legacy --query limit=5"],
  ],
  details:
    "With --all or --limit, a path without a command is paged as its first answer shows: by cursor, by offset or by page.",
  run: async (context, { args: [path = ""], options }) => (await import("./api.ts")).api(context, path, options),
};
