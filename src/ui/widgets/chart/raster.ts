/** A grid of dots, rendered as braille characters of 2 × 4 dots or, in ASCII, as one character per dot. */

/** How dots are rendered as characters. */
interface CellGrid {
  /** Dots per character. */
  readonly across: number;
  readonly down: number;
  readonly character: (dots: number) => string;
}

/** The bit of each dot of a braille character, by row and column. */
const BITS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const FIRST_BRAILLE = 0x28_00;

const BRAILLE: CellGrid = {
  across: 2,
  down: 4,
  character: (dots) => (dots === 0 ? " " : String.fromCodePoint(FIRST_BRAILLE + dots)),
};
const ASCII: CellGrid = { across: 1, down: 1, character: (dots) => (dots === 0 ? " " : "*") };

/** A grid to draw on; its size is in characters, its dots are counted from the bottom left. */
export interface Raster {
  /** Number of dots from left to right and from bottom to top. */
  readonly columns: number;
  readonly rows: number;
  /** Draws a straight line between two dots, both included. */
  line(fromX: number, fromY: number, toX: number, toY: number): void;
  /** Returns the lines from the top, each as many cells wide as the grid. */
  text(): readonly string[];
}

/** Creates an empty grid of `width` × `height` characters. */
export function createRaster(width: number, height: number, unicode: boolean): Raster {
  const grid = unicode ? BRAILLE : ASCII;
  const dots = new Uint8Array(width * height);
  const columns = width * grid.across;
  const rows = height * grid.down;
  const set = (x: number, y: number) => {
    if (x < 0 || x >= columns || y < 0 || y >= rows) return;
    const down = rows - 1 - y;
    const at = Math.floor(down / grid.down) * width + Math.floor(x / grid.across);
    dots[at] = (dots[at] ?? 0) | (BITS[down % grid.down]?.[x % grid.across] ?? 0);
  };
  return {
    columns,
    rows,
    line(fromX, fromY, toX, toY) {
      const steps = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY), 1);
      for (let step = 0; step <= steps; step += 1) {
        const share = step / steps;
        set(Math.round(fromX + (toX - fromX) * share), Math.round(fromY + (toY - fromY) * share));
      }
    },
    text: () =>
      Array.from({ length: height }, (_, row) =>
        Array.from(dots.subarray(row * width, (row + 1) * width), grid.character).join(""),
      ),
  };
}
