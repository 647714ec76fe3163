/**
 * Makes untrusted text safe. Anyone can write names, symbols, memos and logs: on a terminal they must not move the cursor,
 * open links, reorder a line or hide letters, and in a spreadsheet they must not become formulas. JSON needs only
 * {@link escapeJson}, which changes no value and escapes what a terminal would obey.
 */

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const LINE_BREAK = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;

/** Scripts in which zero-width joiners and non-joiners shape letters. */
const SHAPED = `
  Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati
  Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar
`
  .trim()
  .split(/\s+/)
  .map((script) => `\\p{Script=${script}}`)
  .join("");

/** Format characters that are visible before digits. */
const SIGNS = "\\u{600}-\\u{605}\\u{6DD}\\u{70F}\\u{890}\\u{891}\\u{8E2}\\u{110BD}\\u{110CD}";
/** A braille pattern without dots. */
const BLANK = "\\u{2800}";
const INVISIBLE = `[[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}${BLANK}]--[${SIGNS}]]`;

/** Invisible characters in their proper context: joiners between shaped letters, a variation selector after its base. */
const IN_PLACE = [
  `(?<=[${SHAPED}])[\\u{200C}\\u{200D}](?=[${SHAPED}])`,
  "(?<=\\p{Emoji})[\\u{FE0E}\\u{FE0F}]",
  "(?<=\\p{Script=Han})[\\u{FE00}-\\u{FE02}\\u{E0100}-\\u{E01EF}]",
  "(?<=\\p{Script=Mongolian})[\\u{180B}-\\u{180D}\\u{180F}]",
].join("|");

/** Text without any of these is safe. */
const SPECIAL = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{M}\p{Default_Ignorable_Code_Point}\u{2800}]/u;

let hiddenPattern: RegExp | undefined;

/** Returns the pattern of a valid emoji or a run of hidden characters. Compiling it takes longer than a short command. */
function getHiddenPattern(): RegExp {
  hiddenPattern ??= new RegExp(`\\p{RGI_Emoji}|((?:(?!${IN_PLACE})${INVISIBLE})+)`, "gv");
  return hiddenPattern;
}

const MARK_PILE = /(\p{M}{8})\p{M}+/gu;
const LEADING_MARK = /^\p{M}/u;
/** Hidden characters of one run that are printed; the others are counted. */
const MAX_NAMED = 3;

/**
 * Returns untrusted text as one safe line: NUL padding is removed, line breaks and tabs become spaces, characters that
 * are invisible or that a terminal obeys become `‹U+202E›`, and at most eight combining marks follow each other.
 * Joiners and selectors inside valid emoji and shaped scripts stay. Idempotent.
 */
export function safeText(text: string): string {
  if (PRINTABLE_ASCII.test(text) || !SPECIAL.test(text)) return text;
  let safe = trimNulPadding(text).replace(LINE_BREAK, " ");
  for (let before = ""; before !== safe; ) {
    before = safe;
    safe = safe
      .replace(getHiddenPattern(), (match, run?: string) => (run ? reveal(run) : match))
      .replace(MARK_PILE, "$1");
  }
  return LEADING_MARK.test(safe) ? `◌${safe}` : safe;
}

/** Removes NUL characters at the end; a pattern would take quadratic time on a long run of them. */
function trimNulPadding(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end -= 1;
  return text.slice(0, end);
}

/** Makes text of several lines safe, such as the output of jq: line breaks and tabs stay. */
export function safeLines(text: string): string {
  return text
    .split(/(\n|\t)/)
    .map((part) => (part === "\n" || part === "\t" ? part : safeText(part)))
    .join("");
}

function reveal(run: string): string {
  const hidden = [...run];
  const named = hidden.slice(0, MAX_NAMED).map((character) => `‹U+${hex(character, 4)}›`);
  const rest = hidden.length - named.length;
  return named.join("") + (rest > 0 ? `‹+${rest}›` : "");
}

function hex(character: string, digits: number): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(digits, "0");
}

/** What a terminal would obey, reorder or hide, what line readers take for a line break, and what YAML forbids. */
const UNSAFE =
  /[\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|\udb40[\udc00-\udc7f]/g;

/**
 * Escapes, inside JSON text, the characters that JSON allows raw but a terminal or a line reader obeys: C1 controls,
 * bidi controls, U+2028, zero-width and tag characters. The value stays the same.
 */
export function escapeJson(json: string): string {
  return isPlainAscii(json)
    ? json
    : json.replace(UNSAFE, (match) => match.replace(/[\s\S]/g, (unit) => `\\u${hex(unit, 4).toLowerCase()}`));
}

/** Whether a text is ASCII without DEL; cheaper than a pattern. */
function isPlainAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length && !text.includes("\u007f");
}

/** Escapes the same characters in YAML text in which every string is double-quoted; YAML has no surrogate escapes. */
export function escapeYaml(yaml: string): string {
  return yaml.replace(UNSAFE, (match) => (match.length > 1 ? `\\U${hex(match, 8)}` : `\\u${hex(match, 4)}`));
}

const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
const PLAIN_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

/**
 * Returns a text cell of a spreadsheet file: what a spreadsheet would run as a formula gets a leading `'`, signed numbers
 * stay numbers.
 */
export function safeCell(text: string): string {
  // Nearly every cell starts with a letter or a digit, and no formula does.
  if (isLetterOrDigit(text.charCodeAt(0))) return text;
  return FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}

/** Control characters that a terminal obeys, beside tabs and line breaks. */
const CONTROL = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f]/;
const ALL_CONTROLS = new RegExp(CONTROL, "g");

/**
 * Returns the text of a cell with control characters written as on a terminal, `‹U+001B›`: a file or pipe may end on one.
 * Tabs and line breaks stay.
 */
export function revealControls(text: string): string {
  return CONTROL.test(text) ? text.replace(ALL_CONTROLS, reveal) : text;
}

const TSV_ESCAPED = new RegExp(`[\\\\\t\n\r]|${CONTROL.source}`);
const ALL_TSV_ESCAPED = new RegExp(TSV_ESCAPED, "g");
const TSV_ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** Returns text on one line and in one cell of a TSV file: backslash, tab and line breaks are `\\`, `\t`, `\n`, `\r`. */
export const escapeTsv = (text: string): string => text.replace(/[\\\t\n\r]/g, (one) => TSV_ESCAPES[one] ?? one);

/**
 * Returns a cell of a TSV file: {@link safeCell}, with backslash, tab and line breaks written `\\`, `\t`, `\n`, `\r`, and
 * other control characters `\x1b`.
 */
export function safeTsvCell(text: string): string {
  const cell = safeCell(text);
  // Replacing nothing takes longer than the rest of a cell.
  return TSV_ESCAPED.test(cell)
    ? cell.replace(ALL_TSV_ESCAPED, (one) => TSV_ESCAPES[one] ?? `\\x${hex(one, 2).toLowerCase()}`)
    : cell;
}
