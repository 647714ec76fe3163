/** `solx skill`: prints the skill file, or puts it where an assistant looks for it. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createFolder, SolxError, UsageError } from "../../base/index.ts";

import type { RunContext } from "../run/context.ts";
import { SKILL_DESCRIPTION, SKILL_NAME, skillText } from "./text.ts";

/** The options of the command. */
export interface SkillOptions {
  /** The folder of an assistant's skills. */
  readonly install?: string;
}

/** Prints the file, as an object where JSON or YAML was asked for; with `install` writes it instead. */
export async function skill(context: RunContext, { install }: SkillOptions): Promise<void> {
  const text = skillText(context.io.version);
  if (install !== undefined) return installSkill(context, install, text);
  const isExplicit = context.globals.json || (await context.settings()).get("output") !== undefined;
  if (!isExplicit || (await context.format()) === "table") return context.printText(text);
  await context.printObject({ name: SKILL_NAME, description: SKILL_DESCRIPTION, version: context.io.version, text });
}

async function installSkill(context: RunContext, folder: string, text: string): Promise<void> {
  if (folder.trim() === "") throw new UsageError("--install needs the folder of an assistant's skills.");
  const path = join(resolve(folder), SKILL_NAME, "SKILL.md");
  const previous = readIfExists(path);
  if (previous !== undefined && !previous.startsWith(`---\nname: ${SKILL_NAME}\n`)) {
    throw new UsageError(`${path} is another file: it is kept.`, {
      hint: "Remove it first, or send the skill elsewhere with >.",
    });
  }
  try {
    createFolder(join(resolve(folder), SKILL_NAME));
    writeFileSync(`${path}.partial`, text);
    renameSync(`${path}.partial`, path);
  } catch (cause) {
    throw writeError(path, cause);
  }
  const state = previous === undefined ? "written" : previous === text ? "as it was" : "replaced";
  await context.printObject({ file: path, state });
}

/** What a file holds; undefined where there is none. */
function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw writeError(path, cause);
  }
}

function writeError(path: string, cause: unknown): SolxError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new SolxError("unexpected", `${path} cannot be written: ${code ?? message}.`, {
    hint: "Give a folder that you can write to, or send the skill to a file with >.",
    cause,
  });
}
