import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textWidth } from "../../../../src/output/text/width.ts";
import type { TextLine } from "../../../../src/ui/app/theme/text-line.ts";
import type { DayValue } from "../../../../src/ui/widgets/chart/series.ts";
import { partSign, stackedChart } from "../../../../src/ui/widgets/chart/stacked.ts";

const textOf = (line: TextLine) => line.map(({ text }) => text).join("");
const pointsOf = (values: readonly (number | undefined)[]): readonly DayValue[] =>
  values.map((value, at) => ({ day: 20_000 + at, value, exact: undefined }));
const OPTIONS = { width: 40, height: 12, unicode: true, colored: true, empty: "Nothing here." };
const ROLES = ["track", "good", "bad"] as const;
const draw = (parts: readonly (readonly (number | undefined)[])[], options: Partial<typeof OPTIONS> = {}) =>
  stackedChart(
    parts.map((values, at) => ({ role: ROLES[at] ?? "bar", points: pointsOf(values) })),
    { ...OPTIONS, ...options },
  );

/** Cells of each role. */
const cellsOf = (lines: readonly TextLine[]) =>
  Object.fromEntries(
    ROLES.map((role) => [
      role,
      lines
        .flatMap((line) => line.filter((one) => one.role === role))
        .reduce((sum, { text }) => sum + textWidth(text), 0),
    ]),
  );

describe("stacked bars", () => {
  it("fill exactly their size, whatever the values", () => {
    const value = fc.option(fc.double(), { nil: undefined });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(value, value, value), { maxLength: 120 }),
        fc.integer({ min: 1, max: 160 }),
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        fc.boolean(),
        (days, width, height, unicode, colored) => {
          const lines = draw(
            [0, 1, 2].map((part) => days.map((day) => day[part])),
            { width, height, unicode, colored },
          );
          expect(lines).toHaveLength(height);
          for (const line of lines) expect(textWidth(textOf(line))).toBe(width);
          if (!unicode) for (const line of lines) expect(textOf(line)).toMatch(/^[\x20-\x7e…]*$/);
        },
      ),
    );
  });

  it("give every part the area of its share, the first at the bottom", () => {
    const lines = draw([new Array(10).fill(50), new Array(10).fill(30), new Array(10).fill(20)], {
      height: 21,
      width: 60,
    });
    const { track = 0, good = 0, bad = 0 } = cellsOf(lines);
    expect(good / track).toBeCloseTo(0.6, 1);
    expect(bad / track).toBeCloseTo(0.4, 1);
    const roleAt = (y: number) => lines[y]?.find(({ role, text }) => role !== "frame" && text.trim() !== "")?.role;
    expect([roleAt(0), roleAt(19)]).toEqual(["bad", "track"]);
    expect(textOf(lines[0] ?? [])).toMatch(/^100 ┤/);
  });

  it("are averages of several days where there is no space for each", () => {
    const days = new Array(90).fill(10);
    const sum = stackedChart([{ role: "good", points: pointsOf(days) }], OPTIONS).map(textOf);
    const average = stackedChart([{ role: "good", points: pointsOf(days) }], { ...OPTIONS, isAverage: true }).map(
      textOf,
    );
    expect(sum[0]).toMatch(/^30 ┤/);
    expect(average[0]).toMatch(/^10\.0 ┤/);
  });

  it("distinguish parts without colours and in ASCII by the signs of the legend", () => {
    for (const options of [{ colored: false }, { unicode: false, colored: false }]) {
      const text = draw([new Array(5).fill(1), new Array(5).fill(1), new Array(5).fill(1)], options)
        .map(textOf)
        .join("\n");
      for (const at of [0, 1, 2]) expect(text).toContain(partSign(at, { ...OPTIONS, ...options }));
    }
  });

  it("say that there is nothing to draw", () => {
    expect(draw([[], []]).map(textOf).join("\n")).toContain("Nothing here.");
    expect(
      draw([[undefined], [undefined]])
        .map(textOf)
        .join("\n"),
    ).toContain("Nothing here.");
  });
});
