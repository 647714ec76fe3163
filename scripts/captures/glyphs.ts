/** Lines, blocks and dots as shapes: fonts draw them with gaps, or in other widths than letters. */

/** The size of a cell in pixels. */
export const CELL = { width: 8.4, height: 18 } as const;

/** A filled rectangle in pixels, from the top left corner of a cell. */
interface Rect {
  x: number;
  readonly y: number;
  width: number;
  readonly height: number;
}

const { width: W, height: H } = CELL;
const THIN = 1;
const [MIDDLE_X, MIDDLE_Y] = [(W - THIN) / 2, (H - THIN) / 2];

/** The arms of a line from the middle of the cell. */
const ARMS = {
  left: { x: 0, y: MIDDLE_Y, width: MIDDLE_X + THIN, height: THIN },
  right: { x: MIDDLE_X, y: MIDDLE_Y, width: W - MIDDLE_X, height: THIN },
  up: { x: MIDDLE_X, y: 0, width: THIN, height: MIDDLE_Y + THIN },
  down: { x: MIDDLE_X, y: MIDDLE_Y, width: THIN, height: H - MIDDLE_Y },
} as const satisfies Record<string, Rect>;

const { left, right, up, down } = ARMS;
const JUNCTIONS: Readonly<Record<string, readonly Rect[]>> = {
  "─": [{ ...left, width: W }],
  "━": [{ ...left, y: MIDDLE_Y - THIN / 2, width: W, height: 2 * THIN }],
  "│": [{ ...up, height: H }],
  ...{ "┌": [right, down], "┐": [left, down], "└": [right, up], "┘": [left, up] },
  ...{ "├": [up, down, right], "┤": [up, down, left], "┬": [left, right, down], "┴": [left, right, up] },
  "┼": [left, right, up, down],
};

/** Round corners: the ends of a curve around the middle of the cell. */
const CORNERS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ...{ "╭": [W, H], "╮": [0, H], "╯": [0, 0], "╰": [W, 0] },
};

/** Columns and rows of the dots of braille patterns, by bit. */
const DOT_PLACES = [
  ...([
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 0],
  ] as const),
  ...([
    [1, 1],
    [1, 2],
    [0, 3],
    [1, 3],
  ] as const),
];
const DOT_SIZE = 1.8;

function brailleRects(pattern: number): readonly Rect[] {
  return DOT_PLACES.filter((_, bit) => (pattern >> bit) & 1).map(([column, row]) => ({
    x: ((column + 0.5) * W) / 2 - DOT_SIZE / 2,
    y: ((row + 0.5) * H) / 4 - DOT_SIZE / 2,
    ...{ width: DOT_SIZE, height: DOT_SIZE },
  }));
}

/** Returns the rectangles of a sign; a shade is a block. */
function rectsOf(sign: string): readonly Rect[] | undefined {
  const code = sign.codePointAt(0) ?? 0;
  // Lower blocks of one to eight eighths, then left blocks of seven to one.
  if (code >= 0x2581 && code <= 0x2588) {
    const height = (H * (code - 0x2580)) / 8;
    return [{ x: 0, y: H - height, width: W, height }];
  }
  if (code > 0x2588 && code <= 0x258f) return [{ x: 0, y: 0, width: (W * (0x2590 - code)) / 8, height: H }];
  if (code >= 0x2800 && code <= 0x28ff) return brailleRects(code - 0x2800);
  return sign === "░" ? [{ x: 0, y: 0, width: W, height: H }] : JUNCTIONS[sign];
}

/** Signs that are shapes, for classes of regular expressions. */
export const [LINES, BLOCKS, DOTS] = [
  Object.keys({ ...JUNCTIONS, ...CORNERS }).join(""),
  "\u2581-\u258F",
  "\u2800-\u28FF",
] as const;

const px = (value: number) => String(Math.round(value * 100) / 100);

/** Returns the path of signs from a column on. Rectangles that touch are one. */
export function shapePath(signs: string, column: number): string {
  const rects: Rect[] = [];
  for (const [at, sign] of [...signs].entries()) {
    for (const rect of rectsOf(sign) ?? []) {
      const x = (column + at) * W + rect.x;
      const last = rects.at(-1);
      const isNext = last && Math.abs(last.x + last.width - x) < 0.01;
      if (isNext && last.y === rect.y && last.height === rect.height) last.width += rect.width;
      else rects.push({ ...rect, x });
    }
  }
  return rects
    .map(({ x, y, width, height }) => `M${px(x)} ${px(y)}h${px(width)}v${px(height)}h${px(-width)}z`)
    .join("");
}

/** Returns the path of the round corners among signs, to be stroked. */
export function cornerPath(signs: string, column: number): string {
  return [...signs]
    .map((sign, at) => {
      const corner = CORNERS[sign];
      if (!corner) return "";
      const [left, [x, y]] = [(column + at) * W, corner];
      return `M${px(left + W / 2)} ${y}Q${px(left + W / 2)} ${H / 2} ${px(left + x)} ${H / 2}`;
    })
    .join("");
}
