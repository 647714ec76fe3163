/** Pages of the manual in the man macros, which every `man` reads. */
import { exampleText } from "../../run/help.ts";
import { type BlockForms, formBlock, formTerm, formText, type InlineForms, type ManualPage } from "./page.ts";

/** Returns the section of a man page: 1 for commands, 7 for topics. */
export const manSection = ({ kind }: Pick<ManualPage, "kind">): 1 | 7 => (kind === "topic" ? 7 : 1);

/** Returns the name of a man page: `solx`, `solx-account-transfer`. */
export const manPageName = (id: string): string => (id === "solx" ? id : `solx-${id}`);

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "^": "\\(ha",
  "~": "\\(ti",
  "`": "\\(ga",
  "'": "\\(aq",
  '"': "\\(dq",
};

/** Escapes text for roff. Hyphens of code stay hyphens, so that it can be copied. */
function escapeRoff(text: string, isCode = false): string {
  const escaped = text
    .replace(/[\\^~`'"]/g, (character) => ESCAPES[character] ?? character)
    .replace(/[^\n -~]/gu, (character) => `\\[u${codePoint(character)}]`);
  return isCode ? escaped.replaceAll("-", "\\-") : escaped;
}

const codePoint = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");

/** Protects lines that start with a dot or a quote, which would be requests. */
const protectLines = (text: string) => text.replace(/^(?=[.'])/gm, "\\&");

/** Fills lines of at most 80 bytes, as style checkers of man pages want them. */
const fillLines = (text: string) => protectLines(text.replace(/(.{1,78})(?: +|$)/gm, "$1\n").trimEnd());

type SectionsById = ReadonlyMap<string, 1 | 7>;

function manReference(id: string, sections: SectionsById): string {
  return `${bold(manPageName(id))}(${sections.get(id) ?? 1})`;
}

const bold = (text: string) => `\\fB${escapeRoff(text, true)}\\fR`;

const preformatted = (text: string) => `.PP\n.RS 4\n.nf\n${protectLines(escapeRoff(text, true))}\n.fi\n.RE`;

const blockForms = (forms: InlineForms): BlockForms<string> => ({
  text: (content) => `.PP\n${fillLines(formText(content, forms))}`,
  items: (content) => content.map((item) => `.IP \\(bu 2\n${fillLines(formText(item, forms))}`).join("\n"),
  terms: (content) =>
    content
      .map(([term, text]) => {
        const definition = formText(text, forms) || "\\&";
        return `.TP\n${protectLines(formTerm(term, forms))}\n${fillLines(definition)}`;
      })
      .join("\n"),
  examples: (content) => preformatted(exampleText(content).replace(/^ {2}/gm, "")),
  code: preformatted,
});

/** Headings by the names that man pages use. */
const HEADINGS: Readonly<Record<string, string>> = { "": "DESCRIPTION", Usage: "SYNOPSIS" };

/** A version of the program, with its date as `2026-11-23`. */
export interface DatedVersion {
  readonly version: string;
  readonly date: string;
}

/** Returns a page as roff. `pages` has all pages: references state their section. */
export function manPage(page: ManualPage, pages: readonly ManualPage[], { version, date }: DatedVersion): string {
  const sections: SectionsById = new Map(pages.map((other) => [other.id, manSection(other)]));
  const reference = (id: string) => manReference(id, sections);
  const forms = blockForms({ plain: (text) => escapeRoff(text), code: bold, page: reference });
  const name = manPageName(page.id);
  const body = page.sections.flatMap(({ title, blocks }) => [
    `.SH ${HEADINGS[title] ?? `"${escapeRoff(title.toUpperCase())}"`}`,
    // A heading starts a paragraph by itself.
    ...blocks.map((block, index) => formBlock(block, forms).replace(index === 0 ? /^\.PP\n/ : /^$/, "")),
  ]);
  const seeAlso = page.seeAlso.map(reference).join(",\n");
  return `${[
    `.TH "${escapeRoff(name.toUpperCase(), true)}" "${manSection(page)}" "${date}" "solx ${escapeRoff(version, true)}" "solx"`,
    ".SH NAME",
    fillLines(`${escapeRoff(name, true)} \\- ${escapeRoff(page.summary)}`),
    ...body,
    ...(seeAlso === "" ? [] : [".SH SEE ALSO", seeAlso]),
  ].join("\n")}\n`;
}
