/** Names that imitate others: with letters that look like Latin ones, or with the symbol of a well-known token. */

import { isObject, type Json } from "../base/index.ts";
import { WELL_KNOWN_TOKENS, wellKnownToken, wrapSol } from "./known-addresses.ts";
import { WRAPPED_SOL } from "./samples.ts";

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

const OTHER = "Georgian Hebrew Arabic Devanagari Bengali Tamil Thai Myanmar Khmer Ethiopic".split(" ");
const SCRIPTS = [...COMPATIBLE, ...Object.keys(LATIN_LOOKALIKES), ...RARE, ...OTHER];
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
  const scripts = [...new Set(letters.map(detectScript))].filter((script) => script !== undefined);
  const rare = scripts.find((script) => RARE.includes(script));
  if (rare) return `has ${rare.replace("_", " ")} letters`;
  if (scripts.length > 1 && !scripts.every((script) => COMPATIBLE.has(script))) {
    return `mixes ${scripts.join(" and ")} letters`;
  }
  const [script = ""] = scripts;
  const twins = LATIN_LOOKALIKES[script];
  return twins && letters.every((letter) => twins.has(letter)) ? `has ${script} letters that look Latin` : undefined;
}

function detectScript(letter: string): string | undefined {
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

/** Returns whether a token uses the symbol of a well-known one without being it. */
function isImpostor(mint: string, symbol: string): boolean {
  const genuine = wellKnownToken(symbol);
  return genuine !== undefined && wrapSol(genuine.mint) !== wrapSol(mint);
}

/** Returns the symbol of a token: answers call wrapped SOL `SOL` or `WSOL`; `SOL` is here the native token alone. */
export function distinctSymbol(symbol: string, mint: string | undefined): string {
  return mint === WRAPPED_SOL && /^w?sol$/i.test(symbol) ? (WELL_KNOWN_TOKENS.get(mint)?.symbol ?? symbol) : symbol;
}

/** Characters that look like a letter, by the letter. */
const TWINS: readonly (readonly [twins: RegExp, letter: string])[] = [
  [/0/g, "O"],
  [/[5$]/g, "S"],
];
/** Characters that look like an I or an L, or are one. */
const I_OR_L = /[1lI|!]/;
/** No well-known symbol has more letters I and L. */
const MAX_I_OR_L = 4;

/** Returns a text with I and L, in all combinations, in place of what may be either. */
function listSpellings(text: string): readonly string[] {
  const [first = "", ...parts] = text.split(I_OR_L);
  if (parts.length > MAX_I_OR_L) return [];
  return parts.reduce((before, part) => before.flatMap((start) => [`${start}I${part}`, `${start}L${part}`]), [first]);
}

/** A letter of any script. */
const LETTER = /[\p{L}\p{Nl}]/u;
/** What is hidden in a symbol, and the form in which safe text displays it. */
const HIDDEN = /‹U\+[0-9A-F]+›|[\p{M}\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]/gu;

/**
 * Returns the well-known symbol that a symbol looks like without being it: that of `B0NK` and `ÚSDC`.
 * @param mayBeNumber whether digits alone are a number
 */
function resembledSymbol(symbol: string, mayBeNumber: boolean): string | undefined {
  if (symbol.length > MAX_SYMBOL || wellKnownToken(symbol)) return undefined;
  const bare = symbol.normalize("NFKD").replace(HIDDEN, "");
  if (mayBeNumber && !LETTER.test(bare)) return undefined;
  // A `$` before a symbol is none of its letters, or an S.
  const plain = [bare, bare.replace(/^\$/, "")].map((text) =>
    TWINS.reduce((before, [twins, letter]) => before.replace(twins, letter), text),
  );
  return plain
    .flatMap(listSpellings)
    .map((form) => wellKnownToken(form)?.symbol)
    .find((genuine) => genuine !== undefined);
}

/** Longer texts are no symbols. */
const MAX_SYMBOL = 32;

/** The fields that hold the mint of the token that a row describes, in the spellings of all families. */
const MINT_FIELDS = ["token_address", "tokenAddress", "mintAddress", "TokenAddress", "mint"];

/**
 * Returns the mint of the token that an object describes; undefined where it is no token. In an object without a field
 * for it, `address` is the mint; beside such a field, it is a token account.
 */
export function tokenMintOf(value: Json | undefined): string | undefined {
  if (!isObject(value)) return undefined;
  const field = MINT_FIELDS.find((name) => Object.hasOwn(value, name));
  const mint = field === undefined ? Object.hasOwn(value, "symbol") && value.address : value[field];
  return typeof mint === "string" ? mint : undefined;
}
