/** `solx skill`. */
import type { Command } from "commander";
import type { RunContext } from "../run/context.ts";
import { withExamples } from "../run/help.ts";

/** Adds the command to the program. */
export function addSkill(program: Command, context: RunContext): void {
  const command = program
    .command("skill")
    .description("A skill file for coding assistants: how to use solx, and what it can do")
    .option("--install <folder>", "write it into this folder of skills, as solx/SKILL.md, replacing an older one")
    .action(async (options) => (await import("./skill.ts")).skill(context, options));
  withExamples(command, [
    ["Read it", "solx skill"],
    ["For one project, where assistants look", "solx skill --install .claude/skills"],
    ["For all projects of yours", "solx skill --install ~/.claude/skills"],
    ["Anywhere else", "solx skill > SOLX.md"],
  ]);
}
