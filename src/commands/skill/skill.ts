/** `solx skill`: prints or installs the skill file. */

import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createFolder, expandTypedPath, replaceFile, SolxError, UsageError } from "../../base/index.ts";
import { isTable } from "../../output/index.ts";
import type { RunContext } from "../run/context.ts";
import { SKILL_DESCRIPTION, SKILL_NAME, skillText } from "./text.ts";

/** The options of the command. */
export interface SkillOptions {
  /** The folder for skills of an assistant. */
  readonly install?: string;
}

/** Prints the skill file, or an object with JSON or YAML output; with `install`, writes the file instead. */
export async function skill(context: RunContext, { install }: SkillOptions): Promise<void> {
  const text = skillText(context.io.version);
  if (install !== undefined) return installSkill(context, expandTypedPath(install, context.io.env), text);
  const isExplicit = (await context.session.settings()).get("output") !== undefined;
  if (!isExplicit || isTable(await context.printer.format())) return context.printer.printText(text);
  await context.printer.printObject({
    name: SKILL_NAME,
    description: SKILL_DESCRIPTION,
    version: context.io.version,
    text,
  });
}

async function installSkill(context: RunContext, folder: string, text: string): Promise<void> {
  if (folder.trim() === "") throw new UsageError("flag needs a value: --install <folder>");
  const path = join(resolve(folder), SKILL_NAME, "SKILL.md");
  const previous = readIfExists(path);
  if (previous !== undefined && !previous.startsWith(`---\nname: ${SKILL_NAME}\n`)) {
    throw new UsageError(`${path} already exists and is not a skill file of solx`, {
      hint: "Remove it, or redirect the output to another file with >.",
    });
  }
  try {
    createFolder(join(resolve(folder), SKILL_NAME));
    writeFileSync(`${path}.partial`, text);
    await replaceFile(`${path}.partial`, path);
  } catch (cause) {
    throw writeError(path, cause);
  }
  const state = previous === undefined ? "written" : previous === text ? "unchanged" : "replaced";
  await context.printer.printObject({ file: path, state });
}

/** Returns the content of a file; undefined if it does not exist. */
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
  return new SolxError("unexpected", `cannot write ${path}: ${code ?? message}`, {
    hint: "Use a writable folder, or redirect the output to a file with >.",
    cause,
  });
}
