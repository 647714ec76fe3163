/** Pages as manual pages, in the man macros that every `man` reads. */
import { exampleText } from "../../run/help.ts";
import { type Block, inlines, type Page } from "./page.ts";

/** The section of the manual: 1 has commands, 7 has the rest. */
export const manSection = ({ kind }: Pick<Page, "kind">): 1 | 7 => (kind === "topic" ? 7 : 1);

/** The name of a manual page: `solx`, `solx-account-transfer`. */
export const manName = (id: string): string => (id === "solx" ? id : `solx-${id}`);

const SPECIAL: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "^": "\\(ha",
  "~": "\\(ti",
  "`": "\\(ga",
  "'": "\\(aq",
  '"': "\\(dq",
};

/** Text that means nothing to roff. Hyphens of code must stay what can be copied. */
function escaped(text: string, isCode = false): string {
  const harmless = text
    .replace(/[\\^~`'"]/g, (character) => SPECIAL[character] ?? character)
    .replace(/[^\n -~]/gu, (character) => `\\[u${hex(character)}]`);
  return isCode ? harmless.replaceAll("-", "\\-") : harmless;
}

const hex = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");

/** Lines that begin with a dot would be requests. */
const lines = (text: string) => text.replace(/^(?=[.'])/gm, "\\&");

type Sections = ReadonlyMap<string, 1 | 7>;

function manReference(id: string, sections: Sections): string {
  return `\\fB${escaped(manName(id), true)}\\fR(${sections.get(id) ?? 1})`;
}

function manText(text: string, sections: Sections): string {
  return inlines(text)
    .map((piece) => {
      if (piece.kind === "plain") return escaped(piece.text);
      return piece.kind === "code" ? `\\fB${escaped(piece.text, true)}\\fR` : manReference(piece.id, sections);
    })
    .join("");
}

const term = (name: string, sections: Sections) =>
  name.includes("[[") ? manText(name, sections) : `\\fB${escaped(name, true)}\\fR`;

function manBlock(block: Block, sections: Sections): string {
  switch (block.kind) {
    case "text":
      return `.PP\n${lines(manText(block.text, sections))}`;
    case "items":
      return block.items.map((item) => `.IP \\(bu 2\n${lines(manText(item, sections))}`).join("\n");
    case "terms":
      return block.terms
        .map(([name, about]) => `.TP\n${lines(term(name, sections))}\n${lines(manText(about, sections) || "\\&")}`)
        .join("\n");
    case "examples":
      return literal(exampleText(block.examples).replace(/^ {2}/gm, ""));
    case "code":
      return literal(block.text);
    default:
      return block satisfies never;
  }
}

const literal = (text: string) => `.PP\n.RS 4\n.nf\n${lines(escaped(text, true))}\n.fi\n.RE`;

/** Headings that readers of manuals know by other words. */
const HEADINGS: Readonly<Record<string, string>> = { "": "DESCRIPTION", Command: "SYNOPSIS" };

/** A page for `man`. `all` has every page, to tell the section of those that it names. */
export function manPage(page: Page, all: readonly Page[], version: string): string {
  const sections: Sections = new Map(all.map((other) => [other.id, manSection(other)]));
  const name = manName(page.id);
  const body = page.sections.flatMap(({ title, blocks }) => [
    `.SH ${HEADINGS[title] ?? `"${escaped(title.toUpperCase())}"`}`,
    // Behind a heading a paragraph begins by itself.
    ...blocks.map((block, at) =>
      at === 0 ? manBlock(block, sections).replace(/^\.PP\n/, "") : manBlock(block, sections),
    ),
  ]);
  const see = page.see.map((id) => manReference(id, sections)).join(",\n");
  return `${[
    `.TH "${escaped(name.toUpperCase(), true)}" "${manSection(page)}" "" "solx ${escaped(version, true)}" "solx"`,
    ".SH NAME",
    `${escaped(name, true)} \\- ${escaped(page.summary)}`,
    ...body,
    ...(see === "" ? [] : [".SH SEE ALSO", see]),
  ].join("\n")}\n`;
}
