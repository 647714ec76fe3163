/** Text measured in terminal cells, by grapheme, and shortened to them. */
import stringWidth from "string-width";

/**
 * Characters of one cell that form no graphemes with each other: ASCII, Latin letters, punctuation, currency signs,
 * arrows, box drawing and blocks. Texts of them alone need no patterns, whose compilation takes longer than a command.
 */
const SINGLE_CELLS =
  /^[\x20-\x7e\xa1-\xac\xae-\u024f\u2010-\u2027\u2030-\u203a\u20a0-\u20bf\u2190-\u21ff\u2500-\u259f]*$/;

let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

/** Number of measured texts that are remembered: those of a few screens. */
const MAX_MEASURED = 5000;
const measured = new Map<string, number>();

/**
 * Returns the width of one line of text in terminal cells. Nearly all text has one cell per character, and a page has
 * thousands of cells; other texts are the same from frame to frame.
 */
export function textWidth(text: string): number {
  if (SINGLE_CELLS.test(text)) return text.length;
  const known = measured.get(text);
  if (known !== undefined) return known;
  if (measured.size >= MAX_MEASURED) measured.clear();
  const width = stringWidth(text);
  measured.set(text, width);
  return width;
}

/** Returns the start of a text, at most `max` cells wide, without splitting a grapheme. */
export function sliceWidth(text: string, max: number): string {
  if (SINGLE_CELLS.test(text)) return text.slice(0, Math.max(0, max));
  let width = 0;
  let end = 0;
  for (const { segment } of graphemes(text)) {
    width += textWidth(segment);
    if (width > max) return text.slice(0, end);
    end += segment.length;
  }
  return text;
}

/** Returns a text of at most `max` cells; a cut is marked with `mark`. */
export function clip(text: string, max: number, mark = "…"): string {
  if (sliceWidth(text, max) === text) return text;
  const available = max - textWidth(mark);
  return available >= 0 ? sliceWidth(text, available) + mark : sliceWidth(text, max);
}

/** Pads a text with spaces to `width` cells. */
export function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, width - textWidth(text)));
  return align === "left" ? text + space : space + text;
}

/** Wraps a text into lines of at most `width` cells, between words where possible. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (sliceWidth(rest, width) !== rest) {
    const line = breakPoint(rest, width);
    lines.push(clip(line.trimEnd(), width));
    rest = rest.slice(line.length).trimStart();
  }
  return rest === "" && lines.length > 0 ? lines : [...lines, rest];
}

/** Returns the first line of a text that is too long; at least one grapheme, so that wrapping ends. */
function breakPoint(text: string, width: number): string {
  const line = sliceWidth(text, width);
  if (line === "") return graphemes(text)[Symbol.iterator]().next().value?.segment ?? text;
  const space = text[line.length] === " " ? line.length : line.lastIndexOf(" ");
  return space > 0 ? line.slice(0, space) : line;
}

/** Returns both ends of an identifier with `…` between, at most `max` cells wide. */
export function truncateMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const tail = Math.floor((max - 1) / 2);
  return tail < 1 ? clip(text, max) : `${text.slice(0, max - 1 - tail)}…${text.slice(-tail)}`;
}

/** The minimum number of characters at each end. */
const MIN_END = 4;
/** Identifiers that are remembered; after that the memory starts over, so that it does not grow with the list. */
const MAX_REMEMBERED = 20_000;

/** Returns the short form of an identifier, distinct from those of all identifiers shortened so far. */
export type Shorten = (id: string) => string;

/**
 * Returns a shortener without memory. Shorten all identifiers of a page first, so that two similar ones both get a longer
 * form.
 */
export function createShortener(): Shorten {
  /** The only identifier with a form; null when several share it, which all have longer ones. */
  const owners = new Map<string, string | null>();
  let remembered = 0;
  return (id) => {
    if (remembered >= MAX_REMEMBERED) {
      owners.clear();
      remembered = 0;
    }
    for (let size = MIN_END; ; size += 1) {
      const form = keepEnds(id, size);
      const owner = owners.get(form);
      if (owner === id) return form;
      if (owner === undefined) {
        owners.set(form, id);
        remembered += 1;
        return form;
      }
      if (owner === null) continue;
      owners.set(form, null);
      owners.set(keepEnds(owner, size + 1), owner);
    }
  };
}

/** Returns both ends of an identifier with `…` between, or the whole where that is not longer. */
function keepEnds(id: string, size: number): string {
  return id.length <= 2 * size + 1 ? id : `${id.slice(0, size)}…${id.slice(-size)}`;
}
