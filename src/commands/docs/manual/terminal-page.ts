/** Pages of the manual as text for a terminal. */
import { createPainter, type Theme } from "../../../output/index.ts";
import { exampleText } from "../../run/help.ts";
import {
  type BlockForms,
  commandLineOf,
  type Definition,
  formBlock,
  type ManualPage,
  plainText,
  sentence,
} from "./page.ts";

/** How a page is laid out. */
export interface TerminalPageOptions {
  /** Columns of the terminal. */
  readonly width: number;
  readonly theme?: Theme | undefined;
}

/** Returns text as a heading, or the text itself without a theme. */
export const headingText = (text: string, theme: Theme | undefined): string => createPainter(theme)("heading", text);

/** Returns a page as text that ends with a line break. */
export function terminalPage(page: ManualPage, { width, theme }: TerminalPageOptions): string {
  const intro = [headingText(page.title, theme), wrap(sentence(page.summary), 0, 0, width)].join("\n");
  const forms = textForms(width);
  const sections = page.sections.map(({ title, blocks }) => {
    const body = blocks.map((block) => formBlock(block, forms)).join("\n\n");
    return title === "" ? body : `${headingText(title, theme)}\n${body}`;
  });
  const seeAlso = page.seeAlso.length === 0 ? [] : [`See also: ${page.seeAlso.map(docsCommand).join(", ")}`];
  return `${[intro, ...sections, ...seeAlso.map((line) => wrap(line, 0, 2, width))].join("\n\n")}\n`;
}

const docsCommand = (id: string) => commandLineOf(id).replace(/^solx (?!help )/, "solx docs ");

const textForms = (width: number): BlockForms<string> => ({
  text: (content) => wrap(plainText(content), 2, 2, width),
  items: (content) => content.map((item) => wrap(`- ${plainText(item)}`, 2, 4, width)).join("\n"),
  terms: (content) => {
    const definitions = content.map(([term, text]): Definition => [plainText(term), plainText(text)]);
    return definitionList(definitions, width);
  },
  examples: exampleText,
  code: (content) => content.replace(/^(?=.)/gm, "  "),
});

/** Returns terms in one column and their texts, wrapped, in the other. */
export function definitionList(definitions: readonly Definition[], width: number): string {
  const column = Math.min(34, Math.max(0, ...definitions.map(([term]) => term.length)) + 2);
  return definitions
    .map(([term, text]) => {
      if (text === "") return `  ${term}`;
      const body = wrap(text, column + 2, column + 2, width);
      return term.length + 2 <= column + 1 ? `  ${term}${body.slice(term.length + 2)}` : `  ${term}\n${body}`;
    })
    .join("\n");
}

/** Breaks text at spaces; the first line and the others have different indents. */
function wrap(text: string, first: number, rest: number, width: number): string {
  const columns = Math.max(30, width);
  const lines: string[] = [];
  let line = " ".repeat(first);
  for (const word of text.split(/\s+/)) {
    if (line.trim() !== "" && line.length + word.length > columns) {
      lines.push(line.trimEnd());
      line = " ".repeat(rest);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join("\n");
}
