/** A page of the reference, as data: Markdown, manual pages, the terminal and the search all read this. */
import { endpoints } from "../../../catalogue/index.ts";
import type { Example } from "../../run/help.ts";
import { TOPIC_NAMES } from "../../run/topic-names.ts";

/** A term and what it is. */
export type Term = readonly [term: string, text: string];

/**
 * A piece of a page. Texts are marked as in Markdown, by two means alone: `code` between backticks, and `[[id]]` for
 * another page.
 */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "items"; readonly items: readonly string[] }
  | { readonly kind: "terms"; readonly heads: Term; readonly terms: readonly Term[] }
  | { readonly kind: "examples"; readonly examples: readonly Example[] }
  | { readonly kind: "code"; readonly text: string };

/** Blocks under a heading. */
export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** A page. */
export interface Page {
  /** The name of its file, and after `solx-` of its manual page: `account-transfer`, `exit-codes`. */
  readonly id: string;
  readonly kind: "endpoint" | "command" | "topic";
  /** What its first line says: the route, the command, or what the topic is called. */
  readonly title: string;
  /** The words to type after `solx`; empty for topics. */
  readonly command: string;
  /** The heading that it stands under in the index. */
  readonly group: string;
  /** One line, no full stop. */
  readonly summary: string;
  /** Other words that mean it. */
  readonly aliases: readonly string[];
  readonly sections: readonly Section[];
  /** Other pages to read, by their ids. */
  readonly see: readonly string[];
}

/** A piece of a text. */
export type Inline =
  | { readonly kind: "plain"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "page"; readonly id: string };

/** What a person types is code also where nobody marked it: options and variables. */
const MARKS = /`([^`]+)`|\[\[([\w-]+)\]\]|(?<![\w-])(--[a-z][\w-]*|SOLX_[A-Z_]+\b)/g;

/** The pieces of a text. */
export function inlines(text: string): readonly Inline[] {
  const pieces: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    const [all, code, id, typed] = match;
    if (match.index > end) pieces.push({ kind: "plain", text: text.slice(end, match.index) });
    pieces.push(id === undefined ? { kind: "code", text: code ?? typed ?? "" } : { kind: "page", id });
    end = match.index + all.length;
  }
  if (end < text.length) pieces.push({ kind: "plain", text: text.slice(end) });
  return pieces;
}

/** A text without its marks; other pages by what to type for them. */
export function plainText(text: string): string {
  return inlines(text)
    .map((piece) => (piece.kind === "page" ? typedFor(piece.id) : piece.text))
    .join("");
}

/** What is typed for a page: `solx help times`, or the command itself. */
export function typedFor(id: string): string {
  if ((TOPIC_NAMES as readonly string[]).includes(id)) return `solx help ${id}`;
  const endpoint = endpoints.find(({ command }) => command.replaceAll(" ", "-") === id);
  // Other commands have no dash in their names.
  const words = endpoint?.command ?? (id === "solx" ? "" : id.replaceAll("-", " "));
  return `solx ${words}`.trim();
}

/** A block for machines, its texts without marks. */
export function blockObject(block: Block): Readonly<Record<string, unknown>> {
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

/** A text block. */
export const text = (content: string): Block => ({ kind: "text", text: content });
/** A list of remarks. */
export const items = (...content: readonly string[]): Block => ({ kind: "items", items: content });
/** Terms and what they are, under two headings. */
export const terms = (heads: Term, rows: readonly Term[]): Block => ({ kind: "terms", heads, terms: rows });
/** Commands to copy. */
export const examples = (content: readonly Example[]): Block => ({ kind: "examples", examples: content });
/** Lines as they are. */
export const code = (content: string): Block => ({ kind: "code", text: content });

/** A section; undefined when it would be empty. */
export function section(title: string, ...blocks: readonly Block[]): Section {
  return { title, blocks: blocks.filter((block) => !isEmpty(block)) };
}

function isEmpty(block: Block): boolean {
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

/** Sections that say something. */
export function filled(sections: readonly Section[]): readonly Section[] {
  return sections.filter(({ blocks }) => blocks.length > 0);
}
