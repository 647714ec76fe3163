/** Paints lines. Colour is never the only signal: each role goes with a word or a sign. */
import { paintText, type ResolvedTheme, type Role, type Theme, toAscii } from "../../../output/index.ts";
import type { Span, TextLine } from "./text-line.ts";
import { type ColorRange, colorRange, fadeCodes, groundCodes } from "./tint.ts";

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
  const codesOf = createCodes(theme);
  const mark = hasGround(theme.styles.selected) ? (line: TextLine) => line : markRow(unicode ? "▌" : ">");
  const paint = (line: TextLine, surface?: Surface) =>
    mark(line)
      .map((one) => paintText(codesOf(one, surface), draw(one.text)))
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

/** Returns a function that returns the SGR parameters of a span on a surface. */
function createCodes({ styles, background }: ResolvedTheme): (span: Span, surface: Surface | undefined) => string {
  const tint = memoize((key) => {
    const [place, role, fade] = key.split(" ") as ["text" | "ground", Role, string];
    return (place === "text" ? fadeCodes : groundCodes)(styles[role], Number(fade), background);
  });
  const plain = memoize((key) => {
    const [surface, role] = key.split(" ") as [Surface | "", Role | ""];
    return codesOn(styles, surface || undefined, role || undefined);
  });
  const tinted = ({ role, fade = 0, ground, isInverse }: Span, below: Surface | undefined) =>
    joinCodes([
      below === undefined ? "" : styles[below],
      role === undefined ? "" : fade > 0 ? tint(`text ${role} ${fade}`) : styles[role],
      ground === undefined ? "" : tint(`ground ${ground.role} ${ground.fade ?? 0}`),
      isInverse ? INVERSE : "",
    ]);
  return (span, surface) => {
    const { role, cursor, fade = 0, ground, isInverse } = span;
    if (cursor === "caret") return INVERSE;
    const below = cursor === undefined ? surface : CURSORS[cursor];
    const isTinted = fade > 0 || ground !== undefined || isInverse === true;
    // On a surface that is inverse, all text has one colour.
    return isTinted && !(below && isInverted(styles[below]))
      ? tinted(span, below)
      : plain(`${below ?? ""} ${role ?? ""}`);
  };
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

/** Returns the codes of a style without its colours: bold, italic and underline. */
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

/** Returns a function that computes each result once. */
function memoize(compute: (key: string) => string): (key: string) => string {
  const known = new Map<string, string>();
  return (key) => {
    const result = known.get(key) ?? compute(key);
    known.set(key, result);
    return result;
  };
}
