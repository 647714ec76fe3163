/** Pages of the manual as text for a terminal. */
import { createPainter, type Theme } from "../../../output/index.ts";
import { definitionList, exampleText, indentText } from "../../run/help.ts";
import { type BlockForms, commandLineOf, formBlock, type ManualPage, plainText, sentence } from "./page.ts";

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
  const intro = [headingText(page.title, theme), indentText(sentence(page.summary), width, "")].join("\n");
  const forms = textForms(width);
  const sections = page.sections.map(({ title, blocks }) => {
    const body = blocks.map((block) => formBlock(block, forms)).join("\n\n");
    return title === "" ? body : `${headingText(title, theme)}\n${body}`;
  });
  const others = page.seeAlso.map(docsCommand).join(", ");
  const seeAlso = others === "" ? [] : [indentText(`See also: ${others}`, width, "  ", "")];
  return `${[intro, ...sections, ...seeAlso].join("\n\n")}\n`;
}

const docsCommand = (id: string) => commandLineOf(id).replace(/^solx (?!help )/, "solx docs ");

const textForms = (width: number): BlockForms<string> => ({
  text: (content) => indentText(plainText(content), width, "  "),
  items: (content) => content.map((item) => indentText(plainText(item), width, "    ", "  - ")).join("\n"),
  terms: (content) =>
    definitionList(
      content.map(([term, text]) => [plainText(term), plainText(text)]),
      width,
    ),
  examples: exampleText,
  code: (content) => content.replace(/^(?=.)/gm, "  "),
});
