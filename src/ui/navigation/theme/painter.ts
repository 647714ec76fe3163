/** Paints lines. Colour is never the only signal: each role goes with a word or a sign. */
import {
  indexedColor,
  nearestIndex,
  paintText,
  type ResolvedTheme,
  type Rgb,
  type Role,
  type Theme,
  toAscii,
} from "../../../output/index.ts";
import type { Span, TextLine } from "./text-line.ts";

/** What lies below text: the roles that have a background. */
export type Surface = "popup" | "selected" | "cell";

/** Returns a line with its escape sequences, on a surface. */
export interface Painter {
  (line: TextLine, surface?: Surface): string;
  /** The colours that it draws. */
  readonly colors: ColorRange;
}

/** The surfaces of a cursor; the cursor in a text is always inverse, as in other programs. */
const CURSORS = { row: "selected", cell: "cell" } as const;
const INVERSE = "7";
/** Roles that are too faint for the ground of the selected cell: it has its own colour of text. */
const QUIET: ReadonlySet<Role | undefined> = new Set(["key", "missing", "note", "axis", "frame", "track", "grid"]);

/** Creates the painter of a theme; without `unicode`, signs are replaced by ASCII. */
export function createPainter(theme: ResolvedTheme, unicode = true): Painter {
  const draw = unicode ? (text: string) => text : toAscii;
  const codes = createCodes(theme);
  const mark = hasGround(theme.styles.selected) ? (line: TextLine) => line : markRow(unicode ? "▌" : ">");
  const paint = (line: TextLine, surface?: Surface) =>
    mark(line)
      .map((one) => paintText(codes(one, surface), draw(one.text)))
      .join("");
  return Object.assign(paint, { colors: colorRange(theme.styles.good) });
}

/**
 * Returns a function that marks the start of the selected row, for themes in which it has no ground: with a sign in its
 * margin, or without one by its first text in inverse.
 */
function markRow(sign: string): (line: TextLine) => TextLine {
  return (line) => {
    const at = line.findIndex(({ cursor, text }) => cursor === "row" && text !== "");
    const first = line[at];
    if (first === undefined) return line;
    const { text } = first;
    const start: Span = text.startsWith(" ")
      ? { ...first, text: sign, role: "hotkey" }
      : { ...first, text: text.trimEnd(), isInverse: true };
    return line.toSpliced(at, 1, start, { ...first, text: text.slice(start.text.length) });
  };
}

/** Returns a function that returns the SGR parameters of a span on a surface, each computed once. */
function createCodes(theme: ResolvedTheme): (span: Span, surface: Surface | undefined) => string {
  const known = new Map<string, string>();
  return (span, surface) => {
    const { role, cursor, fade, ground, isInverse } = span;
    if (cursor === "caret") return INVERSE;
    const below = cursor === undefined ? surface : CURSORS[cursor];
    const key = `${below} ${role} ${fade} ${ground?.role} ${ground?.fade} ${isInverse}`;
    const codes = known.get(key) ?? buildCodes(span, below, theme);
    known.set(key, codes);
    return codes;
  };
}

function buildCodes(
  { role, fade = 0, ground, isInverse }: Span,
  below: Surface | undefined,
  { styles, background }: ResolvedTheme,
): string {
  // On a surface that is inverse, all text has one colour.
  const isPlain = (fade <= 0 && ground === undefined && !isInverse) || (below && isInverted(styles[below]));
  if (isPlain) return codesOn(styles, below, role);
  return joinCodes([
    below === undefined ? "" : styles[below],
    role === undefined ? "" : fadeCodes(styles[role], fade, background),
    ground === undefined ? "" : groundCodes(styles[ground.role], ground.fade ?? 0, background),
    isInverse ? INVERSE : "",
  ]);
}

/** Returns the codes of a role on a surface: a role without a background has that of the surface. */
function codesOn(styles: Theme, surface: Surface | undefined, role: Role | undefined): string {
  const codes = role === undefined ? "" : styles[role];
  if (surface === undefined) return codes;
  const ground = styles[surface];
  const takesText = isInverted(ground) || (surface === "cell" && QUIET.has(role));
  return joinCodes([ground, takesText ? weightsOf(codes) : codes]);
}

const joinCodes = (codes: readonly string[]): string => codes.filter(Boolean).join(";");

const COLORS = /(?<=^|;)(?:[34]8;(?:2;\d+;\d+;\d+|5;\d+)|[349]\d|10\d)(?:;|$)/g;
const WEIGHTS: ReadonlySet<string> = new Set(["1", "3", "4"]);

function weightsOf(codes: string): string {
  return codes
    .replace(COLORS, "")
    .split(";")
    .filter((code) => WEIGHTS.has(code))
    .join(";");
}

const isInverted = (codes: string): boolean => codes.replace(COLORS, "").split(";").includes(INVERSE);

/** Returns whether text on a surface is recognized by what lies below it. */
const hasGround = (codes: string): boolean =>
  isInverted(codes) || (codes.match(COLORS) ?? []).some((color) => /^(?:4|10)/.test(color));

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
