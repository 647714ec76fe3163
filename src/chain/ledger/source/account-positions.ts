/**
 * The accounts of an instruction as text: a character for each, whose code is its position among the keys of the
 * transaction plus that of the digit 0.
 */

const ZERO = 48;

/** Returns the text of positions. */
export const encodePositions = (positions: readonly number[]): string => {
  let text = "";
  for (const position of positions) text += String.fromCharCode(ZERO + position);
  return text;
};

/** Returns the positions in a text. */
export const decodePositions = (text: string): readonly number[] =>
  Array.from(text, (character) => character.charCodeAt(0) - ZERO);
