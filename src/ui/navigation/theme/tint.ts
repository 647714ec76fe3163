/** Colours that are mixed with the background, and colours behind text, as SGR parameters. */
import { indexedColor, nearestIndex, type Rgb } from "../../../output/index.ts";

/** The colours that a theme can draw: none, the sixteen of the terminal, or mixtures. */
export type ColorRange = "none" | "named" | "mixed";

const MIXABLE = /(?:^|;)[34]8;(?:2;(\d+);(\d+);(\d+)|5;(\d+))/;
const NAMED = /(?:^|;)([39])([0-7])(?=;|$)/;
/** SGR parameters of half brightness. */
const DIM = "2";
/** From this fading on, a named colour is no longer drawn behind text. */
const MAX_NAMED_FADE = 0.5;

/** Returns the range of a style. */
export function colorRange(codes: string): ColorRange {
  if (MIXABLE.test(codes)) return "mixed";
  return NAMED.test(codes) ? "named" : "none";
}

/** Returns the style of text whose colour fades into the background by a fraction. */
export function fadeCodes(codes: string, fade: number, background: Rgb): string {
  if (fade <= 0) return codes;
  return mixedCodes(codes, fade, background, 38) ?? (NAMED.test(codes) ? `${DIM};${codes}` : codes);
}

/** Returns the style of a background in the colour of a style; empty without one. */
export function groundCodes(codes: string, fade: number, background: Rgb): string {
  const mixed = mixedCodes(codes, fade, background, 48);
  if (mixed !== undefined) return mixed;
  const [, bright, digit] = NAMED.exec(codes) ?? [];
  return digit === undefined || fade > MAX_NAMED_FADE ? "" : `${bright === "9" ? "10" : "4"}${digit}`;
}

function mixedCodes(codes: string, fade: number, background: Rgb, ground: 38 | 48): string | undefined {
  const [, red, green, blue, index] = MIXABLE.exec(codes) ?? [];
  if (red === undefined && index === undefined) return undefined;
  const color: Rgb = index === undefined ? [Number(red), Number(green), Number(blue)] : indexedColor(Number(index));
  const [mixedRed, mixedGreen, mixedBlue] = color.map((part, at) =>
    Math.round(part + ((background[at] ?? 0) - part) * fade),
  ) as unknown as Rgb;
  return index === undefined
    ? `${ground};2;${mixedRed};${mixedGreen};${mixedBlue}`
    : `${ground};5;${nearestIndex([mixedRed, mixedGreen, mixedBlue])}`;
}
