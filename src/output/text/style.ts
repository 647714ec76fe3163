/** Parses styles such as `cyan bold` into SGR parameters. */

/** Colour depth of a terminal in bits: 16 colours, 256 colours, or true colour. */
export type ColorDepth = 4 | 8 | 24;

const COLORS: readonly string[] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const WEIGHTS: Readonly<Record<string, string>> = { bold: "1", dim: "2", italic: "3", underline: "4", inverse: "7" };
const BRIGHT = "bright-";
const HEX = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i;

/** SGR codes of the first plain colour, the first bright colour, and of an indexed colour. */
const GROUND = {
  fore: { plain: 30, bright: 90, indexed: 38 },
  back: { plain: 40, bright: 100, indexed: 48 },
} as const;
type Ground = keyof typeof GROUND;

/**
 * Returns the SGR parameters of a style such as `cyan`, `bright-black bold`, `#88c0d0`, `208 underline` or
 * `black on-yellow`; `plain` is empty. Undefined when a word is unknown.
 * @param depth the terminal's depth: other colours are replaced by the nearest supported one
 */
export function parseStyle(style: string, depth: ColorDepth): string | undefined {
  const words = style.toLowerCase().split(/\s+/).filter(Boolean);
  const codes = words.map((word) => (word === "plain" ? "" : codeOfWord(word, depth)));
  return words.length === 0 || codes.includes(undefined) ? undefined : codes.filter(Boolean).join(";");
}

function codeOfWord(word: string, depth: ColorDepth): string | undefined {
  const weight = Object.hasOwn(WEIGHTS, word) ? WEIGHTS[word] : undefined;
  if (weight !== undefined) return weight;
  const [ground, colour]: [Ground, string] = word.startsWith("on-") ? ["back", word.slice(3)] : ["fore", word];
  return namedCode(colour, ground) ?? numberCode(colour, ground, depth) ?? hexCode(colour, ground, depth);
}

function namedCode(colour: string, ground: Ground): string | undefined {
  const isBright = colour.startsWith(BRIGHT);
  const at = COLORS.indexOf(isBright ? colour.slice(BRIGHT.length) : colour);
  if (at < 0) return undefined;
  return String((isBright ? GROUND[ground].bright : GROUND[ground].plain) + at);
}

function numberCode(colour: string, ground: Ground, depth: ColorDepth): string | undefined {
  if (!/^\d{1,3}$/.test(colour) || Number(colour) > 255) return undefined;
  return depth === 4
    ? nearestOfSixteen(indexedColor(Number(colour)), ground)
    : `${GROUND[ground].indexed};5;${Number(colour)}`;
}

/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

function hexCode(colour: string, ground: Ground, depth: ColorDepth): string | undefined {
  const rgb = parseHex(colour);
  if (rgb === undefined) return undefined;
  if (depth === 24) return `${GROUND[ground].indexed};2;${rgb.join(";")}`;
  return depth === 4 ? nearestOfSixteen(rgb, ground) : `${GROUND[ground].indexed};5;${nearestIndex(rgb)}`;
}

/** Parses `#rrggbb`; undefined for anything else. */
export function parseHex(colour: string): Rgb | undefined {
  const [, red, green, blue] = (HEX.exec(colour) ?? []).map((part) => Number.parseInt(part, 16));
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue];
}

/** Formats a colour as `#rrggbb`; parts beyond the range are limited to it. */
export function formatHex(rgb: readonly number[]): string {
  const digits = rgb.map((part) =>
    Math.round(Math.max(0, Math.min(part, 255)))
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${digits.join("")}`;
}

/** Returns the nearest of the 256 colours that every terminal draws alike. */
export function nearestIndex(rgb: Rgb): number {
  const indices = Array.from({ length: 240 }, (_, at) => at + 16);
  return nearestColor(rgb, indices.map(indexedColor)) + 16;
}

/** Returns one of the 16 colours as most terminals have it: a bit each for red, green, blue and brightness. */
function baseColor(index: number): Rgb {
  const [off, on] = index < 8 ? [0, 170] : [85, 255];
  return [index & 1 ? on : off, index & 2 ? on : off, index & 4 ? on : off];
}

function nearestOfSixteen(rgb: Rgb, ground: Ground): string {
  const at = nearestColor(
    rgb,
    Array.from({ length: 16 }, (_, at) => baseColor(at)),
  );
  return String((at < 8 ? GROUND[ground].plain : GROUND[ground].bright - 8) + at);
}

const STEPS = [0, 95, 135, 175, 215, 255];

/** Returns the RGB value of one of the 256 colours: 16 base colours, a 6×6×6 cube, and greys. */
export function indexedColor(index: number): Rgb {
  if (index < 16) return baseColor(index);
  if (index >= 232) return [8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10];
  const at = index - 16;
  return [STEPS[Math.floor(at / 36)] ?? 0, STEPS[Math.floor(at / 6) % 6] ?? 0, STEPS[at % 6] ?? 0];
}

function nearestColor(target: Rgb, known: readonly Rgb[]): number {
  const distance = (one: Rgb) => one.reduce((sum, part, at) => sum + (part - (target[at] ?? 0)) ** 2, 0);
  return known.reduce((best, one, at) => (distance(one) < distance(known[best] ?? [0, 0, 0]) ? at : best), 0);
}
