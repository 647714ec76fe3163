/** Tokens that use the symbol of a well-known one, and the mint of the token that a row describes. */
import { isObject, type Json } from "../../base/index.ts";
import { NATIVE_SOL, WELL_KNOWN_TOKENS, WRAPPED_SOL, wellKnownToken } from "../../catalogue/index.ts";

/** The mint that stands for a token in comparisons: SOL and its wrapped token are one. */
const comparable = (mint: string) => (mint === NATIVE_SOL ? WRAPPED_SOL : mint);

/** Returns whether a token uses the symbol of a well-known one without being it. */
export function isImpostor(mint: string, symbol: string): boolean {
  const genuine = wellKnownToken(symbol);
  return genuine !== undefined && comparable(genuine.mint) !== comparable(mint);
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
function spellingsOf(text: string): readonly string[] {
  const [first = "", ...parts] = text.split(I_OR_L);
  if (parts.length > MAX_I_OR_L) return [];
  return parts.reduce((before, part) => before.flatMap((start) => [`${start}I${part}`, `${start}L${part}`]), [first]);
}

/** A letter of any script. */
export const LETTER = /[\p{L}\p{Nl}]/u;
/** What is hidden in a symbol, and the form in which safe text displays it. */
const HIDDEN = /‹U\+[0-9A-F]+›|[\p{M}\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]/gu;

/**
 * Returns the well-known symbol that a symbol looks like without being it: that of `B0NK` and `ÚSDC`.
 * @param mayBeNumber whether digits alone are a number
 */
export function resembledSymbol(symbol: string, mayBeNumber: boolean): string | undefined {
  if (symbol.length > MAX_SYMBOL || wellKnownToken(symbol)) return undefined;
  const bare = symbol.normalize("NFKD").replace(HIDDEN, "");
  if (mayBeNumber && !LETTER.test(bare)) return undefined;
  // A `$` before a symbol is none of its letters, or an S.
  const plain = [bare, bare.replace(/^\$/, "")].map((text) =>
    TWINS.reduce((before, [twins, letter]) => before.replace(twins, letter), text),
  );
  return plain
    .flatMap(spellingsOf)
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
