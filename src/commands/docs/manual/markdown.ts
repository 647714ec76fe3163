/** Pages of the manual as Markdown. No line is longer than 120 characters. */
import { type BlockForms, formBlock, formTerm, formText, type InlineForms, type ManualPage, sentence } from "./page.ts";

const MAX_WIDTH = 120;

const markdownFileName = (id: string): string => `${id}.md`;

/** Returns the files of pages by name, the index included. */
export function createMarkdownFiles(pages: readonly ManualPage[]): ReadonlyMap<string, string> {
  const titles = new Map(pages.map((page) => [page.id, page.command === "" ? page.title : `solx ${page.command}`]));
  return new Map([
    ["README.md", markdownIndex(pages)],
    ...pages.map((page): [string, string] => [markdownFileName(page.id), markdownPage(page, titles)]),
  ]);
}

type TitlesById = ReadonlyMap<string, string>;

/** Escapes text that is to be read as it is. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*[\]~$|]/g, "\\$&")
    .replace(/(?<!\w)_|_(?!\w)/g, "\\_")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/^(\s*)([#+-]|\d+\.)(?=\s)/, "$1\\$2");
}

function codeSpan(text: string): string {
  const fence = text.includes("`") ? "``" : "`";
  return text.startsWith("`") || text.endsWith("`") ? `${fence} ${text} ${fence}` : fence + text + fence;
}

const inlineForms = (titles: TitlesById): InlineForms => ({
  plain: escapeMarkdown,
  code: codeSpan,
  page: (id) => link(id, titles),
});

const link = (id: string, titles: TitlesById) => `[${escapeMarkdown(titles.get(id) ?? id)}](${markdownFileName(id)})`;

/** Code spans and links, which stay on one line, and words. */
const UNBREAKABLE = /(?:``.*?``|`[^`]*`|\[[^\]]*\]\([^)]*\)|\\.|[^\s`[\\])+|[`[\\]/g;

/** Words that would start a block at the beginning of a line. */
const BLOCK_START = /^(?:[-+*#=]+|&gt;|\d{1,9}[.)])$/;

function wrapMarkdown(text: string, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.match(UNBREAKABLE) ?? []) {
    const isFull = line.length + 1 + word.length > MAX_WIDTH && line.trim() !== "";
    if (isFull) {
      // A word that would start a block takes the word before it along.
      const at = BLOCK_START.test(word) ? line.lastIndexOf(" ") : line.length;
      lines.push(line.slice(0, at));
      line = `${indent}${line.slice(at + 1)}${at < line.length ? " " : ""}${word}`;
    } else line += line === "" || line === indent ? word : ` ${word}`;
  }
  return [...lines, line].join("\n");
}

const listItem = (text: string) => wrapMarkdown(`- ${text}`, "  ");

const blockForms = (forms: InlineForms): BlockForms<string> => ({
  text: (content) => wrapMarkdown(formText(content, forms)),
  items: (content) => content.map((item) => listItem(formText(item, forms))).join("\n"),
  terms: (content) =>
    content
      .map(([term, text]) => listItem(`${formTerm(term, forms)}${text === "" ? "" : `: ${formText(text, forms)}`}`))
      .join("\n"),
  examples: (content) => {
    return fenced(content.map(([about, command]) => `# ${about}\n${wrapCommand(command)}`).join("\n\n"), "sh");
  },
  code: (content) => (/^(?:solx |curl )/.test(content) ? fenced(wrapCommand(content), "sh") : fenced(content, "text")),
});

const fenced = (text: string, language: string) => `\`\`\`${language}\n${text}\n\`\`\``;

/** Continues a long shell command on further lines: before a flag, an argument or a part of a URL. */
function wrapCommand(command: string): string {
  if (command.length <= MAX_WIDTH) return command;
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  const lines: string[] = [];
  let line = "";
  for (const [index, word] of words.entries()) {
    // A flag stays on the line of its value.
    const value = word.startsWith("-") ? (words[index + 1] ?? "").length + 1 : 0;
    if (line !== "" && line.length + word.length + value + 3 > MAX_WIDTH) {
      lines.push(line);
      line = `  ${wrapUrl(word)}`;
    } else line += line === "" ? word : ` ${word}`;
  }
  return [...lines, line].join(" \\\n");
}

/** Splits a quoted or plain URL that is too long for a line; the shell joins the parts. */
function wrapUrl(word: string): string {
  if (word.length + 4 <= MAX_WIDTH) return word;
  const quote = word.startsWith("'") ? "'" : "";
  const parts = word.replaceAll("'", "").split(quote ? /(?=[?&])/ : /(?<=[^/]\/)(?=[^/])/);
  const lines: string[] = [];
  let line = "";
  for (const part of parts) {
    if (line !== "" && line.length + part.length + 5 > MAX_WIDTH) {
      lines.push(line);
      line = part;
    } else line += part;
  }
  return [...lines, line].map((text) => quote + text + quote).join("\\\n");
}

function markdownPage(page: ManualPage, titles: TitlesById): string {
  const title = page.command === "" && page.kind === "topic" ? page.title : `solx ${page.command}`.trim();
  const inlines = inlineForms(titles);
  const forms = blockForms(inlines);
  const sections = page.sections.flatMap((section) => [
    ...(section.title === "" ? [] : [`## ${escapeMarkdown(section.title)}`]),
    ...section.blocks.map((block) => formBlock(block, forms)),
  ]);
  const seeAlso = [...page.seeAlso.map((id) => link(id, titles)), "[All pages](README.md)"];
  const blocks = [
    `# ${escapeMarkdown(title)}`,
    wrapMarkdown(formText(sentence(page.summary), inlines)),
    ...sections,
    "## See also",
    seeAlso.map((entry) => `- ${entry}`).join("\n"),
  ];
  return `${blocks.filter(Boolean).join("\n\n")}\n`;
}

/** Headings of the groups of pages; the others are those of the API, by their command. */
const GROUP_HEADINGS: Readonly<Record<string, string>> = { commands: "Commands", topics: "Help topics" };

function markdownIndex(pages: readonly ManualPage[]): string {
  const groups = [...Map.groupBy(pages, ({ group }) => group)].map(([group, members]) => {
    const entries = members.map(({ id, title, command, kind, summary }) => {
      const name = kind === "topic" ? title : `solx ${command}`.trim();
      return listItem(`[${escapeMarkdown(name)}](${markdownFileName(id)}): ${escapeMarkdown(sentence(summary))}`);
    });
    return [`## ${GROUP_HEADINGS[group] ?? `solx ${group}`}`, entries.join("\n")].join("\n\n");
  });
  const intro = [
    "# Reference",
    "Reference of all commands, API endpoints and help topics.",
    wrapMarkdown(
      "In the terminal: `solx docs <page>`, `solx docs --search <words>` and `solx help <topic>`. " +
        "As man pages: `man solx`, `man solx-account-transfer`.",
    ),
  ];
  return `${[...intro, ...groups].join("\n\n")}\n`;
}
