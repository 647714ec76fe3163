import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDecimal } from "../../src/base/decimal.ts";
import { alignNumber, measureNumbers } from "../../src/output/table/columns.ts";
import { textWidth } from "../../src/output/text/width.ts";
import { type Cell, MISSING } from "../../src/output/values/cell.ts";
import { formatAmount, formatChange, formatPercent, formatSol, formatUsd } from "../../src/output/values/number.ts";
import { numberText } from "./helpers.ts";

const cellsOf = (texts: readonly string[]): readonly Cell[] =>
  texts.map((text) => (text === "-" ? MISSING : { text, numeric: true }));
const align = (...texts: readonly string[]) => {
  const cells = cellsOf(texts);
  const widths = measureNumbers(cells);
  return cells.map((cell) => alignNumber(cell, widths).text);
};

describe("numbers of a column", () => {
  it.each([
    [
      ["$137.1", "$1.00", "$0.00001998", "-"],
      ["$137.1       ", "  $1.00      ", "  $0.00001998", "   -         "],
    ],
    [
      ["▲ 0.61%", "▼ 16.71%", "0%", "▼ <0.01%"],
      ["▲  0.61%", "▼ 16.71%", "   0%   ", "▼ <0.01%"],
    ],
    [
      ["46.35M SOL", "0.4483 JUP", "12.5 USDC"],
      ["46.35M SOL ", "0.4483 JUP ", "  12.5 USDC"],
    ],
    [
      ["1.588", "5 base units"],
      ["1.588       ", "5 base units"],
    ],
    [
      ["595", "1,234", "12.35K"],
      ["   595", " 1,234", "12.35K"],
    ],
    [
      ["$470.0M", "$5.842B", "-"],
      ["$470.0M", "$5.842B", "      -"],
    ],
    [
      ["595", "1,234"],
      ["595", "1,234"],
    ],
  ])("%j are aligned", (texts, aligned) => {
    expect(align(...texts)).toEqual(aligned);
  });

  it("stay as they are among texts", () => {
    expect(alignNumber({ text: "soon", elastic: true }, measureNumbers(cellsOf(["1.5", "20"]))).text).toBe("soon");
  });

  it("only gain spaces, have one width, and their points are below each other unless their letters differ", () => {
    const formats = [formatAmount, formatUsd, formatPercent, formatChange, formatSol];
    const anyFormat = fc.constantFrom(...formats);
    const style = fc.constantFrom("brief" as const, "full" as const);
    fc.assert(
      fc.property(
        fc.array(numberText, { minLength: 1, maxLength: 8 }),
        anyFormat,
        style,
        (numbers, format, numberStyle) => {
          const texts = numbers.map((text) =>
            format(parseDecimal(text) ?? { negative: false, digits: 0n, scale: 0 }, numberStyle),
          );
          const aligned = align(...texts);
          expect(aligned.map((text) => text.replaceAll(" ", ""))).toEqual(
            texts.map((text) => text.replaceAll(" ", "")),
          );
          const points = aligned.flatMap((text) => (/\d\./.test(text) ? [text.search(/\d\./)] : []));
          const letters = new Set(texts.map((text) => /[KMBTQ](?=%| |$)/.exec(text)?.[0]));
          if (letters.size === 1) expect(new Set(points).size).toBeLessThanOrEqual(1);
          if (points.length > 0) expect(new Set(aligned.map(textWidth)).size).toBe(1);
        },
      ),
    );
  });
});
