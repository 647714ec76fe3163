/** A page of the manual as data. Markdown, man pages, the terminal and the search index are made from it. */
import { capitalize } from "../../../base/index.ts";
import { allEndpoints } from "../../../catalogue/index.ts";
import type { Example } from "../../run/command-definition.ts";
import { TOPIC_NAMES } from "../topic-names.ts";

/** A term (a flag, a field, an exit code) and its definition. */
export type Definition = readonly [term: string, text: string];

/**
 * What the kinds of blocks contain. Texts use two marks: code between backticks, and `[[id]]` for a link to another
 * page. The values of the terms are code unless they contain a link.
 */
interface BlockContents {
  readonly text: string;
  readonly items: readonly string[];
  readonly terms: readonly Definition[];
  readonly examples: readonly Example[];
  readonly code: string;
}

/** A block of a page. */
export type ContentBlock = {
  readonly [Kind in keyof BlockContents]: { readonly kind: Kind; readonly content: BlockContents[Kind] };
}[keyof BlockContents];

/** The form that each kind of block has in a rendering of pages. */
export type BlockForms<Form> = { readonly [Kind in keyof BlockContents]: (content: BlockContents[Kind]) => Form };

/** Returns the form of a block. */
export function formBlock<Form>({ kind, content }: ContentBlock, forms: BlockForms<Form>): Form {
  return (forms[kind] as (content: ContentBlock["content"]) => Form)(content);
}

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
  readonly aliases: readonly string[];
  readonly sections: readonly ManualSection[];
  readonly seeAlso: readonly string[];
}

/** A piece of a text with marks; the text of a link is the id of the page. */
export interface InlineText {
  readonly kind: "plain" | "code" | "page";
  readonly text: string;
}

/** The form that each kind of piece has in a rendering of pages. */
export type InlineForms = Readonly<Record<InlineText["kind"], (text: string) => string>>;

/** Marks, and options and variables, which are code even without a mark. */
const MARKS = /`([^`]+)`|\[\[([\w-]+)\]\]|(?<![\w-])(--[a-z][\w-]*|SOLX_[A-Z0-9_]+\b)/g;

/** Splits a text at its marks. */
export function parseInlines(text: string): readonly InlineText[] {
  const pieces: InlineText[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    const [all, code, id, literal] = match;
    if (match.index > end) pieces.push({ kind: "plain", text: text.slice(end, match.index) });
    pieces.push(id === undefined ? { kind: "code", text: code ?? literal ?? "" } : { kind: "page", text: id });
    end = match.index + all.length;
  }
  if (end < text.length) pieces.push({ kind: "plain", text: text.slice(end) });
  return pieces;
}

/** Returns a text with its pieces in their forms. */
export const formText = (marked: string, forms: InlineForms): string =>
  parseInlines(marked)
    .map(({ kind, text }) => forms[kind](text))
    .join("");

/** Returns a term in its form: it is code unless it contains a link. */
export const formTerm = (term: string, forms: InlineForms): string =>
  term.includes("[[") ? formText(term, forms) : forms.code(term);

const PLAIN_FORMS: InlineForms = { plain: String, code: String, page: (id) => commandLineOf(id) };

/** Returns a text without marks; a link becomes the command that opens the page. */
export const plainText = (marked: string): string => formText(marked, PLAIN_FORMS);

/** Returns the command of a page, or the command that prints a topic: `solx help times`. */
export function commandLineOf(id: string): string {
  if ((TOPIC_NAMES as readonly string[]).includes(id)) return `solx help ${id}`;
  const endpoint = allEndpoints.find(({ command }) => command.replaceAll(" ", "-") === id);
  // Commands that are not endpoints have no dash in their names.
  const words = endpoint?.command ?? (id === "solx" ? "" : id.replaceAll("-", " "));
  return `solx ${words}`.trim();
}

/** Blocks as JSON objects, their texts without marks. */
export const JSON_FORMS: BlockForms<Readonly<Record<string, unknown>>> = {
  text: (content) => ({ text: plainText(content) }),
  items: (content) => ({ items: content.map(plainText) }),
  terms: (content) => ({
    terms: content.map(([term, meaning]) => ({ term: plainText(term), text: plainText(meaning) })),
  }),
  examples: (content) => ({ examples: content.map(([about, command]) => ({ about, command })) }),
  code: (content) => ({ code: content }),
};

/** Makes a paragraph. */
export const text = (content: string): ContentBlock => ({ kind: "text", content });
/** Makes a bulleted list. */
export const items = (...content: readonly string[]): ContentBlock => ({ kind: "items", content });
/** Makes a list of terms with their definitions. */
export const terms = (content: readonly Definition[]): ContentBlock => ({ kind: "terms", content });
/** Makes a list of commands with comments. */
export const examples = (content: readonly Example[]): ContentBlock => ({ kind: "examples", content });
/** Makes a block of preformatted lines. */
export const code = (content: string): ContentBlock => ({ kind: "code", content });

/** Makes a section of the blocks that have content. */
export function section(title: string, ...blocks: readonly ContentBlock[]): ManualSection {
  return { title, blocks: blocks.filter(({ content }) => content.length > 0) };
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
  return plain === "" ? "" : `${isTyped ? plain : capitalize(plain)}.`;
}

/** Returns the sentence about the aliases of a command; empty when there are none. */
export function aliasText(aliases: readonly string[]): string {
  return aliases.length === 0 ? "" : `Aliases: ${aliases.map((alias) => `\`${alias}\``).join(", ")}`;
}
