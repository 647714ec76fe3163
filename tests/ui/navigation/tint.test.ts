import { describe, expect, test } from "vitest";
import { resolveTheme, type Theme } from "../../../src/output/index.ts";
import { colorRange, createPainter, fadeCodes, groundCodes } from "../../../src/ui/navigation/theme/painter.ts";

const BLACK = [0, 0, 0] as const;
const named = resolveTheme({ theme: "terminal", colorScheme: "dark", depth: 4 });
const themeWith = (styles: Partial<Theme>) => ({ styles: { ...named.styles, ...styles }, background: BLACK });

describe("a fading colour", () => {
  test.each([
    ["38;2;100;200;50", 0.5, "38;2;50;100;25", "48;2;50;100;25"],
    ["1;38;2;100;200;50", 0, "1;38;2;100;200;50", "48;2;100;200;50"],
    ["38;5;46", 0.65, "38;5;22", "48;5;22"],
    ["32", 0.4, "2;32", "42"],
    ["1;92", 0.8, "2;1;92", ""],
    ["1;4", 0.5, "1;4", ""],
    ["", 0.5, "", ""],
  ])("of %j by %d is %j, and behind text %j", (codes, fade, text, ground) => {
    expect(fadeCodes(codes, fade, BLACK)).toBe(text);
    expect(groundCodes(codes, fade, BLACK)).toBe(ground);
  });

  test("says whether it can be mixed", () => {
    expect(["38;2;1;2;3", "1;38;5;20", "32", "1;97", "1;4", ""].map(colorRange)).toEqual([
      ...["mixed", "mixed", "named", "named", "none", "none"],
    ]);
    expect(createPainter(themeWith({ good: "38;2;1;2;3" })).colors).toBe("mixed");
    expect(createPainter(resolveTheme({ theme: "mono", colorScheme: "dark", depth: 24 })).colors).toBe("none");
  });

  test("is painted with what is behind it", () => {
    const paint = createPainter(themeWith({ good: "38;2;100;100;100" }));
    expect(paint([{ text: "x", role: "good", fade: 0.5, ground: { role: "good", fade: 0.9 } }])).toBe(
      "\u001B[38;2;50;50;50;48;2;10;10;10mx\u001B[0m",
    );
    expect(paint([{ text: "▃", role: "bad", isInverse: true }])).toBe("\u001B[31;7m▃\u001B[0m");
  });
});
