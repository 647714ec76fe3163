/** Names that imitate others: with letters that look like Latin ones, or with the symbol of a well-known token. */
import { WELL_KNOWN_TOKENS } from "../../catalogue/index.ts";
import { isImpostor, LETTER, resembledSymbol } from "./well-known-tokens.ts";

/** Scripts that may be mixed in one word: Latin and the East Asian ones. */
const COMPATIBLE = new Set(["Latin", "Han", "Hiragana", "Katakana", "Bopomofo", "Hangul"]);

/** Cyrillic, Greek and Armenian letters that look like Latin ones; a word of only these is suspicious. */
const LATIN_LOOKALIKES: Readonly<Record<string, ReadonlySet<string>>> = {
  Cyrillic: new Set("АВЕЅІЈКМНОРСТУХаеѕіјорсухԁһԛԝӏӀҮүԌԜ"),
  Greek: new Set("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυικϲϹϳ"),
  Armenian: new Set("ՍՏՕօսոհցզյքգա"),
};

/** Scripts that tokens hardly use and of which many letters look like Latin ones: any letter is suspicious. */
const RARE = ["Cherokee", "Lisu", "Coptic", "Deseret", "Osage", "Old_Italic", "Lycian", "Lydian", "Carian"];

const SCRIPTS = [
  ...COMPATIBLE,
  ...Object.keys(LATIN_LOOKALIKES),
  ...RARE,
  "Georgian",
  "Hebrew",
  "Arabic",
  "Devanagari",
  "Bengali",
  "Tamil",
  "Thai",
  "Myanmar",
  "Khmer",
  "Ethiopic",
];
let patterns: readonly (readonly [script: string, pattern: RegExp])[] | undefined;

const WORD = /[\p{L}\p{M}\p{Nl}\p{Nd}]+/gu;
const ASCII = /^[\x20-\x7e]*$/;
/** Below this code point are superscripts and ordinals (`ª`), which are not mistaken for letters. */
const FIRST_STYLED = 0x2000;

/**
 * Returns how a name imitates another, such as `mixes Latin and Cyrillic letters`; undefined when it does not.
 * @param mint the token with this name; a name without one, such as a label, may be that of a token
 */
export function detectLookalike(text: string, mint?: string): string | undefined {
  if (mint !== undefined && WELL_KNOWN_TOKENS.has(mint)) return undefined;
  if (mint !== undefined && isImpostor(mint, text)) return "belongs to another token";
  for (const [word] of ASCII.test(text) ? [] : text.matchAll(WORD)) {
    const reason = detectInWord([...word].filter((character) => LETTER.test(character)));
    if (reason) return reason;
  }
  // Without a mint, digits may be a number instead of letters.
  const resembled = resembledSymbol(text, mint === undefined);
  return resembled === undefined ? undefined : `looks like ${resembled}, ${mint === undefined ? "a" : "another"} token`;
}

function detectInWord(letters: readonly string[]): string | undefined {
  if (letters.some(isStyled)) return "has letters in a style that looks like plain ones";
  const scripts = [...new Set(letters.map(scriptOf))].filter((script) => script !== undefined);
  const rare = scripts.find((script) => RARE.includes(script));
  if (rare) return `has ${rare.replace("_", " ")} letters`;
  if (scripts.length > 1 && !scripts.every((script) => COMPATIBLE.has(script))) {
    return `mixes ${scripts.join(" and ")} letters`;
  }
  const [script = ""] = scripts;
  const twins = LATIN_LOOKALIKES[script];
  return twins && letters.every((letter) => twins.has(letter)) ? `has ${script} letters that look Latin` : undefined;
}

function scriptOf(letter: string): string | undefined {
  // Compiled for the first name that is not ASCII: most commands print none.
  patterns ??= SCRIPTS.map((name) => [name, new RegExp(`\\p{Script=${name}}`, "u")]);
  return patterns.find(([, pattern]) => pattern.test(letter))?.[0];
}

/** Latin letters of phonetic alphabets that look like small capitals. */
const SMALL_CAPITALS = new Set("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ");

/** Whether a letter is a small-capital, full-width, mathematical or Roman-numeral form of a plain one. */
function isStyled(letter: string): boolean {
  if (SMALL_CAPITALS.has(letter)) return true;
  return (letter.codePointAt(0) ?? 0) >= FIRST_STYLED && /^[A-Za-z]+$/.test(letter.normalize("NFKC"));
}
