/** Numbers of a column below each other: their marks, decimal points and units are aligned. */
import { textWidth } from "../text/width.ts";
import type { Cell } from "../values/cell.ts";

/** The parts of a formatted number: direction, whole digits with sign and currency, fraction with letter, unit. */
const PARTS = /^((?:[▲▼] )?)([\\~<>+$-]*[\d,]+)((?:\.\d+)?(?:[KMBTQ]|e-?\d+)?%?)( .*)?$/;

/** The widths of the parts of the numbers of a column; without a fourth one, units follow their numbers. */
export type NumberWidths = readonly [direction: number, whole: number, fraction: number, unit?: number];

function partsOf({ text, numeric, role }: Cell): readonly string[] | undefined {
  if (role === "missing") return ["", text, "", ""];
  const [, direction = "", whole = "", fraction = "", unit = ""] = (numeric && PARTS.exec(text)) || [];
  return whole === "" ? undefined : [direction, whole, fraction, unit];
}

/** Returns the widths of the parts of the numbers in cells; undefined when there is nothing to align. */
export function measureNumbers(cells: readonly Cell[]): NumberWidths | undefined {
  const numbers = cells.filter(({ numeric }) => numeric).flatMap((cell) => [partsOf(cell) ?? []]);
  const widest = (size: (parts: readonly string[]) => number) =>
    numbers.reduce((most, one) => Math.max(most, size(one)), 0);
  const widthOf = (parts: readonly string[], at: number) => textWidth(parts[at] ?? "");
  const [direction, whole, fraction, unit] = [0, 1, 2, 3].map((at) => widest((parts) => widthOf(parts, at))) as [
    number,
    number,
    number,
    number,
  ];
  if (direction + fraction + unit === 0) return undefined;
  const isColumn = numbers.every((parts) => parts[3] !== "");
  return isColumn
    ? [direction, whole, fraction, unit]
    : [direction, whole, widest((parts) => widthOf(parts, 2) + widthOf(parts, 3))];
}

/** Returns a cell whose number is padded to the widths of its column. */
export function alignNumber<C extends Cell>(cell: C, widths: NumberWidths | undefined): C {
  const parts = widths && partsOf(cell);
  if (!parts) return cell;
  const [direction = "", whole = "", fraction = "", unit = ""] = parts;
  const space = (width: number, text: string) => " ".repeat(Math.max(0, width - textWidth(text)));
  const [directionWidth, wholeWidth, fractionWidth, unitWidth] = widths;
  const end =
    unitWidth === undefined
      ? fraction + unit + space(fractionWidth, fraction + unit)
      : fraction + space(fractionWidth, fraction) + unit + space(unitWidth, unit);
  return { ...cell, text: direction + space(directionWidth, direction) + space(wholeWidth, whole) + whole + end };
}
