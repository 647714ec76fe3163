/** Pages as Markdown, for GitHub. */
import { exampleText } from "../../run/help.ts";
import { type Block, inlines, type Page } from "./page.ts";

/** The name of a page's file. */
export const markdownFile = (id: string): string => `${id}.md`;

/** What the text of a page means to Markdown, made harmless. */
function escaped(text: string): string {
  return text
    .replace(/[\\`*[\]~$|]/g, "\\$&")
    .replace(/(?<!\w)_|_(?!\w)/g, "\\_")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/^(\s*)([#+-]|\d+\.)(?=\s)/, "$1\\$2");
}

/** Code inside a line; in the cell of a table a bar needs a backslash even there. */
function inlineCode(text: string, inTable: boolean): string {
  const fence = text.includes("`") ? "``" : "`";
  const body = text.startsWith("`") || text.endsWith("`") ? ` ${text} ` : text;
  return fence + (inTable ? body.replaceAll("|", "\\|") : body) + fence;
}

function markdownText(text: string, titles: ReadonlyMap<string, string>, inTable = false): string {
  return inlines(text)
    .map((piece) => {
      if (piece.kind === "plain") return escaped(piece.text);
      if (piece.kind === "code") return inlineCode(piece.text, inTable);
      return link(piece.id, titles);
    })
    .join("");
}

const link = (id: string, titles: ReadonlyMap<string, string>) =>
  `[${escaped(titles.get(id) ?? id)}](${markdownFile(id)})`;

function markdownBlock(block: Block, titles: ReadonlyMap<string, string>): string {
  switch (block.kind) {
    case "text":
      return markdownText(block.text, titles);
    case "items":
      return block.items.map((item) => `- ${markdownText(item, titles)}`).join("\n");
    case "terms": {
      const [term, meaning] = block.heads;
      const rows = block.terms.map(([name, about]) => {
        const marked = name.includes("[[") ? markdownText(name, titles, true) : inlineCode(name, true);
        return `| ${marked} | ${markdownText(about, titles, true)} |`;
      });
      return [`| ${term} | ${meaning} |`, "| --- | --- |", ...rows].join("\n");
    }
    case "examples":
      return fenced(exampleText(block.examples).replace(/^ {2}/gm, ""));
    case "code":
      return fenced(block.text);
    default:
      return block satisfies never;
  }
}

/** A block of code; commands are coloured as those of a shell. */
function fenced(text: string): string {
  const language = /^(?:#|solx |curl )/.test(text) ? "sh" : "text";
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** A page as a file. `titles` has what other pages are called, by their ids. */
export function markdownPage(page: Page, titles: ReadonlyMap<string, string>): string {
  const head = page.command === "" ? page.summary : `solx ${page.command}`.trim();
  const about = page.command === "" ? "" : `${escaped(page.summary)}.`;
  const sections = page.sections.flatMap(({ title, blocks }) => [
    ...(title === "" ? [] : [`## ${escaped(title)}`]),
    ...blocks.map((block) => markdownBlock(block, titles)),
  ]);
  const see = [...page.see.map((id) => link(id, titles)), "[all pages](README.md)"];
  return `${[`# ${escaped(head)}`, about, ...sections, `See also: ${see.join(" · ")}`].filter(Boolean).join("\n\n")}\n`;
}

/** The page that leads to all others, by their groups. */
export function markdownIndex(pages: readonly Page[]): string {
  const groups = [...Map.groupBy(pages, ({ group }) => group)].map(([group, members]) => {
    const rows = members.map(({ id, title, command, summary }) => {
      const name = command === "" ? title : `solx ${command}`.trim();
      return `| [${escaped(name)}](${markdownFile(id)}) | ${escaped(summary)} |`;
    });
    return [`## ${escaped(group)}`, ["| page | what it is about |", "| --- | --- |", ...rows].join("\n")].join("\n\n");
  });
  const intro = [
    "# Reference",
    "Every command, every endpoint of the API and every topic. The same in the terminal: `solx docs <page>`,",
    "`solx docs --search <words>`, `solx help <topic>`, and as manual pages: `man solx`, `man solx-account-transfer`.",
  ].join("\n");
  return `${[intro.replace("\n", "\n\n"), ...groups].join("\n\n")}\n`;
}
