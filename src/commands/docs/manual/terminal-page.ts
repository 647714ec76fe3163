/** Pages as text for a terminal. */
import { exampleText } from "../../run/help.ts";
import { type Block, type Page, plainText, type Term, typedFor } from "./page.ts";

/** How a page is shown. */
export interface TextOptions {
  /** Cells of a line. */
  readonly width: number;
  readonly color: boolean;
}

/** A text that stands out where there is colour. */
export const bold = (text: string, color: boolean): string => (color ? `\u001b[1m${text}\u001b[22m` : text);

/** A page as text; it ends with a line break. */
export function textPage(page: Page, options: TextOptions): string {
  const { width, color } = options;
  const intro = [bold(page.title, color), wrap(`${page.summary}.`, 0, 0, width)];
  const sections = page.sections.map(({ title, blocks }) => {
    const body = blocks.map((block) => textBlock(block, width)).join("\n\n");
    return title === "" ? body : `${bold(title, color)}\n${body}`;
  });
  const see = page.see.length === 0 ? [] : [`See also: ${page.see.map(reading).join(", ")}`];
  return `${[intro.join("\n"), ...sections, ...see.map((line) => wrap(line, 0, 2, width))].join("\n\n")}\n`;
}

/** What is typed to read a page. */
const reading = (id: string) => typedFor(id).replace(/^solx (?!help )/, "solx docs ");

function textBlock(block: Block, width: number): string {
  switch (block.kind) {
    case "text":
      return wrap(plainText(block.text), 2, 2, width);
    case "items":
      return block.items.map((item) => wrap(`- ${plainText(item)}`, 2, 4, width)).join("\n");
    case "terms":
      return definitions(
        block.terms.map(([term, text]): Term => [plainText(term), plainText(text)]),
        width,
      );
    case "examples":
      return exampleText(block.examples);
    case "code":
      return block.text.replace(/^(?=.)/gm, "  ");
    default:
      return block satisfies never;
  }
}

/** Terms in one column, their texts wrapped in the other. */
export function definitions(rows: readonly Term[], width: number): string {
  const column = Math.min(34, Math.max(0, ...rows.map(([term]) => term.length)) + 2);
  return rows
    .map(([term, text]) => {
      const body = wrap(text, column + 2, column + 2, width);
      return term.length + 2 <= column + 1 ? `  ${term}${body.slice(term.length + 2)}` : `  ${term}\n${body}`;
    })
    .join("\n");
}

/** Breaks text at spaces; the first line and the others have their own indents. */
function wrap(text: string, first: number, rest: number, width: number): string {
  const room = Math.max(30, width);
  const lines: string[] = [];
  let line = " ".repeat(first);
  for (const word of text.split(/\s+/)) {
    if (line.trim() !== "" && line.length + word.length > room) {
      lines.push(line.trimEnd());
      line = " ".repeat(rest);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join("\n");
}
