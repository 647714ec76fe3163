/** `solx skill`. */
import { outputOption } from "../options/option.ts";
import type { CommandDefinition } from "../run/command-definition.ts";

/** The command. */
export const SKILL: CommandDefinition = {
  name: "skill",
  summary: "Print or install a skill file for coding assistants",
  audience: "message",
  options: [
    outputOption("output format", ["json", "yaml"], "the file itself"),
    {
      flags: "--install <folder>",
      description: "write solx/SKILL.md into this folder of skills, replacing an older version",
    },
  ],
  examples: [
    ["Print the file", "solx skill"],
    ["Install it for one project", "solx skill --install .claude/skills"],
    ["Install it for all your projects", "solx skill --install ~/.claude/skills"],
    ["Write it anywhere else", "solx skill > SOLX.md"],
  ],
  run: async (context, { options }) => (await import("./skill.ts")).skill(context, options),
};
