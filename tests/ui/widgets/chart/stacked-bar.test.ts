import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textWidth } from "../../../../src/output/text/width.ts";
import type { TextLine } from "../../../../src/ui/navigation/theme/text-line.ts";
import { shareText, stackedBar } from "../../../../src/ui/widgets/chart/one-line.ts";

const textOf = (line: TextLine | undefined) => (line ?? []).map(({ text }) => text).join("");
const OPTIONS = { width: 60, unicode: true, colors: "named" } as const;
const cellsOf = (line: TextLine | undefined) => (line ?? []).map(({ role, text }) => [role, textWidth(text)]);

describe("a stacked bar", () => {
  it("has exactly its width, with a cell for every segment, whatever the values", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double(), { maxLength: 20 }),
        fc.integer({ min: 8, max: 200 }),
        fc.boolean(),
        (values, width, unicode) => {
          const shares = values.map((value, at) => ({ label: `t${at}`, value }));
          const [bar, legend] = stackedBar(shares, { ...OPTIONS, width, unicode });
          const hasValues = values.some((value) => value > 0 && Number.isFinite(value));
          expect(bar !== undefined).toBe(hasValues);
          if (!bar) return;
          expect(textWidth(textOf(bar))).toBe(width);
          for (const { text } of bar) expect(text).not.toBe("");
          expect(legend).toBeDefined();
        },
      ),
    );
  });

  it("gives each value its share, the largest first, and the rest one segment", () => {
    const shares = [5, 50, 30, 9, 2, 2, 1, 0.5, 0.5].map((value, at) => ({ label: `T${at}`, value }));
    const [bar, legend] = stackedBar(shares, { ...OPTIONS, width: 100 });
    expect(cellsOf(bar)).toEqual([
      ...[
        ["series1", 50],
        ["series2", 30],
        ["series3", 9],
        ["series4", 5],
        ["series5", 2],
        ["series6", 2],
      ],
      ["track", 2],
    ]);
    expect(textOf(legend)).toBe("■ T1 50%  ■ T2 30%  ■ T3 9%  ■ T0 5%  ■ T4 2%  ■ T5 2%  ■ other 2%");
  });

  it("names fewer values where the legend has no space for more", () => {
    const shares = [40, 30, 20, 10].map((value, at) => ({ label: `Token${at}`, value }));
    const [, legend] = stackedBar(shares, { ...OPTIONS, width: 36 });
    expect(textOf(legend)).toBe("■ Token0 40%  ■ other 60%");
  });

  it("distinguishes segments without colours", () => {
    const shares = [3, 2].map((value, at) => ({ label: `T${at}`, value, text: `$${value}` }));
    const draw = (unicode: boolean) => stackedBar(shares, { width: 20, unicode, colors: "none" }).map(textOf);
    expect(draw(true)).toEqual(["████████████▒▒▒▒▒▒▒▒", "█ T0 $3  ▒ T1 $2"]);
    expect(draw(false)).toEqual(["############========", "# T0 $3  = T1 $2"]);
  });

  it("keeps the order of groups, of which the last is the rest", () => {
    const shares = [
      { label: "largest", value: 0.1 },
      { label: "top 10", value: 0.3, text: "40%" },
      { label: "others", value: 0.6 },
    ];
    const [bar, legend] = stackedBar(shares, { ...OPTIONS, width: 100, isOrdered: true });
    expect(cellsOf(bar)).toEqual([
      ["series1", 10],
      ["series2", 30],
      ["track", 60],
    ]);
    expect(textOf(legend)).toBe("■ largest 10%  ■ top 10 40%  ■ others 60%");
  });

  it("is empty without values", () => {
    expect(stackedBar([{ label: "SOL", value: 0 }], OPTIONS)).toEqual([]);
  });

  it.each([
    [0, "0%"],
    [0.00001, "<0.01%"],
    [0.0005, "0.05%"],
    [0.5209, "52.09%"],
    [0.99999, ">99.99%"],
    [1, "100%"],
  ])("formats %d as %s", (share, text) => {
    expect(shareText(share)).toBe(text);
  });
});
