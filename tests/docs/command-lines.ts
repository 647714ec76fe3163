/** The command lines of the documentation: of Markdown files, of the topics and of the examples in help. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { manualPages } from "../../src/commands/docs/manual/generate.ts";
import { SKILL_NAME, skillText } from "../../src/commands/skill/skill.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A line as it would be typed, and the page that it is on. */
export interface DocumentedLine {
  readonly page: string;
  readonly line: string;
  /** The exit code that a comment behind the line promises. */
  readonly exitCode: number;
}

/** Returns the lines with `solx` in the code blocks of the Markdown files for users, in their order. */
export function markdownLines(): readonly DocumentedLine[] {
  const guides = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  const files = ["README.md", "SECURITY.md", "examples/README.md", ...guides.map((name) => `docs/${name}`)];
  return files.flatMap((page) => blockLines(readFileSync(join(ROOT, page), "utf8")).map((line) => toLine(page, line)));
}

/** Returns the lines of the examples of commands and topics, and of the skill file. */
export function helpLines(): readonly DocumentedLine[] {
  const examples = manualPages().flatMap(({ id, sections }) =>
    sections.flatMap(({ blocks }) =>
      blocks.flatMap((block) =>
        block.kind === "examples" ? block.content.map(([, command]) => toLine(id, command)) : [],
      ),
    ),
  );
  const skill = skillText("1.2.3").split("\n").filter(isCommand);
  return [...examples, ...skill.map((line) => toLine(SKILL_NAME, line))];
}

/** Returns the code spans with a command in the text of the Markdown files for users. */
export function inlineLines(): readonly DocumentedLine[] {
  const guides = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", "SECURITY.md", "CONTRIBUTING.md", ...guides.map((name) => `docs/${name}`)].flatMap((page) => {
    const prose = readFileSync(join(ROOT, page), "utf8").replace(/^```[\s\S]*?^```$/gm, "");
    return [...prose.matchAll(/`(solx [^`]+)`/g)].map(([, line = ""]) => toLine(page, line.replace(/\s+/g, " ")));
  });
}

const isCommand = (line: string) => /^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:.*\| *)?solx(?: |$)/.test(line);

function toLine(page: string, text: string): DocumentedLine {
  const [, command = "", comment = ""] = /^(?:\$ )?((?:'[^']*'|"[^"]*"|[^'"])*?)(?:\s+#\s(.*))?$/.exec(text) ?? [];
  return { page, line: command.trim(), exitCode: Number(/(?:^|: )exit code (\d+)$/.exec(comment)?.[1] ?? 0) };
}

/** Returns the commands in fenced blocks for a shell and in indented blocks; a `\` joins lines. */
function blockLines(text: string): readonly string[] {
  const fenced = [...text.matchAll(/^```(?:sh|console)\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  const indented = text.replace(/^```[\s\S]*?^```$/gm, "").match(/^(?: {4}.*\n)+/gm) ?? [];
  return [...indented.map((block) => block.replace(/^ {4,}/gm, "")), ...fenced].flatMap((block) =>
    block
      .replace(/\\\n\s*/g, "")
      .split("\n")
      .filter(isCommand),
  );
}
