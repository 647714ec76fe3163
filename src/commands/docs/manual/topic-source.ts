/** Reads the topics from `docs/topics/*.md`. The build replaces this module by its result. */
import { readFileSync } from "node:fs";
import { lexer, type Token, type Tokens } from "marked";
import type { Example } from "../../run/command-definition.ts";
import { TOPIC_NAMES, type TopicName } from "../topic-names.ts";
import { type ContentBlock, code, type Definition, examples, items, type ManualPage, terms, text } from "./page.ts";
import { TOPIC_TABLES } from "./topic-tables.ts";

const FOLDER = new URL("../../../../docs/topics/", import.meta.url);

/** Returns all topics, in the order of `TOPIC_NAMES`. */
export function readTopics(): readonly ManualPage[] {
  return TOPIC_NAMES.map((name) => parseTopic(name, readFileSync(new URL(`${name}.md`, FOLDER), "utf8")));
}

/**
 * Makes a page of a topic's Markdown: front matter with `summary`, `aliases` and `see`, a title, sections. A comment
 * `<!-- solx:name -->` stands for a table of `TOPIC_TABLES`.
 * @throws Error for Markdown that the manual does not support
 */
export function parseTopic(id: TopicName, source: string): ManualPage {
  const [, header = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  const fields = new Map(header.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  const list = (name: string) => fields.get(name)?.split(", ") ?? [];
  const sections: { title: string; blocks: ContentBlock[] }[] = [{ title: "", blocks: [] }];
  let title = "";
  for (const token of lexer(body)) {
    if (token.type === "space") continue;
    if (token.type === "heading" && token.depth === 1) title = inlineText(token.tokens);
    else if (token.type === "heading") sections.push({ title: inlineText(token.tokens), blocks: [] });
    else if (token.type === "html") addTables(sections, token.text, id);
    else sections.at(-1)?.blocks.push(contentBlock(token, id));
  }
  return {
    id,
    kind: "topic",
    title,
    command: "",
    group: "topics",
    summary: fields.get("summary") ?? "",
    aliases: list("aliases"),
    sections: sections.filter(({ blocks }) => blocks.length > 0),
    seeAlso: list("see"),
  };
}

/** Adds the sections of a placeholder; those without a title continue the current one. */
function addTables(sections: { title: string; blocks: ContentBlock[] }[], comment: string, id: string): void {
  const [, name = ""] = /^<!-- solx:([\w-]+) -->$/.exec(comment.trim()) ?? [];
  const tables = TOPIC_TABLES[name]?.();
  if (tables === undefined) throw new Error(`docs/topics/${id}.md: unknown placeholder ${comment.trim()}`);
  for (const { title, blocks } of tables) {
    if (title === "") sections.at(-1)?.blocks.push(...blocks);
    else sections.push({ title, blocks: [...blocks] });
  }
}

function contentBlock(token: Token, id: string): ContentBlock {
  switch (token.type) {
    case "paragraph":
      return text(inlineText(token.tokens));
    case "list":
      return items(...(token as Tokens.List).items.map((item) => inlineText(item.tokens)));
    case "table":
      return terms(
        (token as Tokens.Table).rows.map((cells): Definition => {
          const [term, meaning] = cells.map(({ tokens }) => inlineText(tokens));
          return [(term ?? "").replace(/^`([^`]*)`$/, "$1"), meaning ?? ""];
        }),
      );
    case "code":
      return token.lang === "sh" ? commandBlock(token.text) : code(token.text);
    default:
      throw new Error(`docs/topics/${id}.md: ${token.type} is not supported: ${token.raw}`);
  }
}

/** Makes examples of commands that follow comments; continued lines are joined. */
function commandBlock(source: string): ContentBlock {
  const lines = source
    .replace(/\s*\\\n\s*/g, " ")
    .split("\n")
    .filter(Boolean);
  const isPaired = lines.length % 2 === 0 && lines.every((line, index) => line.startsWith("# ") === (index % 2 === 0));
  if (!isPaired) throw new Error(`each command of a topic follows a comment of its own: ${source}`);
  return examples(
    lines.flatMap((line, index): Example[] => (index % 2 === 0 ? [[line.slice(2), lines[index + 1] ?? ""]] : [])),
  );
}

/** Returns inline Markdown with the marks of the manual: code in backticks, links to pages as `[[id]]`. */
function inlineText(tokens: readonly Token[] = []): string {
  return tokens
    .map((token) => {
      if (token.type === "codespan") return `\`${token.text}\``;
      if (token.type === "link") return `[[${/([\w-]+)\.md$/.exec(token.href)?.[1] ?? token.href}]]`;
      if (token.type === "escape") return token.text;
      return "tokens" in token && token.tokens ? inlineText(token.tokens) : token.raw;
    })
    .join("")
    .replace(/\s*\n\s*/g, " ");
}
