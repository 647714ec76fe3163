/** A page of the manual as data. Markdown, man pages, the terminal and the search index are made from it. */
import { allEndpoints } from "../../../catalogue/index.ts";
import type { Example } from "../../run/command-definition.ts";
import { TOPIC_NAMES } from "../topic-names.ts";

/** A term (a flag, a field, an exit code) and its definition. */
export type Definition = readonly [term: string, text: string];

/**
 * A block of a page. Texts use two marks: code between backticks, and `[[id]]` for a link to another page. The values
 * of the terms are code unless they contain a link.
 */
export type ContentBlock =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "items"; readonly items: readonly string[] }
  | { readonly kind: "terms"; readonly terms: readonly Definition[] }
  | { readonly kind: "examples"; readonly examples: readonly Example[] }
  | { readonly kind: "code"; readonly text: string };

/** Blocks under a heading; an empty title continues the text before it. */
export interface ManualSection {
  readonly title: string;
  readonly blocks: readonly ContentBlock[];
}

/** A page of the manual. */
export interface ManualPage {
  /** The name of its Markdown file, and of its man page after `solx-`: `account-transfer`, `exit-codes`. */
  readonly id: string;
  readonly kind: "endpoint" | "command" | "topic";
  /** The route of an endpoint, the full name of a command, or the title of a topic. */
  readonly title: string;
  /** The words to type after `solx`; empty for topics. */
  readonly command: string;
  /** The heading it is listed under in the index. */
  readonly group: string;
  /** One line without a full stop. */
  readonly summary: string;
  /** Other names it is found by. */
  readonly aliases: readonly string[];
  readonly sections: readonly ManualSection[];
  /** Ids of related pages. */
  readonly seeAlso: readonly string[];
}

/** A piece of a text with marks. */
export type InlineText =
  | { readonly kind: "plain"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "page"; readonly id: string };

/** Marks, and options and variables, which are code even without a mark. */
const MARKS = /`([^`]+)`|\[\[([\w-]+)\]\]|(?<![\w-])(--[a-z][\w-]*|SOLX_[A-Z0-9_]+\b)/g;

/** Splits a text at its marks. */
export function parseInlines(text: string): readonly InlineText[] {
  const pieces: InlineText[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    const [all, code, id, literal] = match;
    if (match.index > end) pieces.push({ kind: "plain", text: text.slice(end, match.index) });
    pieces.push(id === undefined ? { kind: "code", text: code ?? literal ?? "" } : { kind: "page", id });
    end = match.index + all.length;
  }
  if (end < text.length) pieces.push({ kind: "plain", text: text.slice(end) });
  return pieces;
}

/** Returns a text without marks; a link becomes the command that opens the page. */
export function plainText(text: string): string {
  return parseInlines(text)
    .map((piece) => (piece.kind === "page" ? commandLineOf(piece.id) : piece.text))
    .join("");
}

/** Returns the command of a page, or the command that prints a topic: `solx help times`. */
export function commandLineOf(id: string): string {
  if ((TOPIC_NAMES as readonly string[]).includes(id)) return `solx help ${id}`;
  const endpoint = allEndpoints.find(({ command }) => command.replaceAll(" ", "-") === id);
  // Commands that are not endpoints have no dash in their names.
  const words = endpoint?.command ?? (id === "solx" ? "" : id.replaceAll("-", " "));
  return `solx ${words}`.trim();
}

/** Returns a block as a JSON object, its texts without marks. */
export function blockObject(block: ContentBlock): Readonly<Record<string, unknown>> {
  switch (block.kind) {
    case "text":
      return { text: plainText(block.text) };
    case "items":
      return { items: block.items.map(plainText) };
    case "terms":
      return { terms: block.terms.map(([term, meaning]) => ({ term: plainText(term), text: plainText(meaning) })) };
    case "examples":
      return { examples: block.examples.map(([about, command]) => ({ about, command })) };
    case "code":
      return { code: block.text };
    default:
      return block satisfies never;
  }
}

/** Makes a paragraph. */
export const text = (content: string): ContentBlock => ({ kind: "text", text: content });
/** Makes a bulleted list. */
export const items = (...content: readonly string[]): ContentBlock => ({ kind: "items", items: content });
/** Makes a list of terms with their definitions. */
export const terms = (definitions: readonly Definition[]): ContentBlock => ({ kind: "terms", terms: definitions });
/** Makes a list of commands with comments. */
export const examples = (content: readonly Example[]): ContentBlock => ({ kind: "examples", examples: content });
/** Makes a block of preformatted lines. */
export const code = (content: string): ContentBlock => ({ kind: "code", text: content });

/** Makes a section of the blocks that have content. */
export function section(title: string, ...blocks: readonly ContentBlock[]): ManualSection {
  return { title, blocks: blocks.filter((block) => !isEmpty(block)) };
}

function isEmpty(block: ContentBlock): boolean {
  switch (block.kind) {
    case "text":
    case "code":
      return block.text === "";
    case "items":
      return block.items.length === 0;
    case "terms":
      return block.terms.length === 0;
    case "examples":
      return block.examples.length === 0;
    default:
      return block satisfies never;
  }
}

/** Removes sections without blocks. */
export function withoutEmptySections(sections: readonly ManualSection[]): readonly ManualSection[] {
  return sections.filter(({ blocks }) => blocks.length > 0);
}

/**
 * Makes a sentence of a short description: an initial capital and a full stop.
 * @param values values that can be typed: a description that starts with one of them is not capitalised
 */
export function sentence(description: string, values: readonly string[] = []): string {
  const plain = description.replace(/\.(\)?)$/, "$1");
  const [first = ""] = plain.split(/[\s,:]/);
  const isTyped = values.includes(first);
  return plain === "" ? "" : `${isTyped ? plain : plain.charAt(0).toUpperCase() + plain.slice(1)}.`;
}

/** Returns the sentence about the aliases of a command; empty when there are none. */
export function aliasText(aliases: readonly string[]): string {
  return aliases.length === 0 ? "" : `Aliases: ${aliases.map((alias) => `\`${alias}\``).join(", ")}`;
}
