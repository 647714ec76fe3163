import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { safeText } from "../../src/output/text/safe.ts";
import { clip, pad, sliceWidth, textWidth, truncateMiddle, wrap } from "../../src/output/text/width.ts";
import { hostileText } from "./helpers.ts";

const line = hostileText.map(safeText);
const width = fc.integer({ min: 0, max: 40 });

describe("clip", () => {
  it("is never wider than the maximum, and marks a cut", () => {
    fc.assert(
      fc.property(line, width, (text, max) => {
        const clipped = clip(text, max);
        expect(textWidth(clipped)).toBeLessThanOrEqual(max);
        if (clipped !== text && max > 0) expect(clipped.endsWith("…")).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["日本語", 4, "日…"],
    ["日本語", 5, "日本…"],
    ["日本語", 6, "日本語"],
    ["日本", 1, "…"],
    ["👩‍🚀👩‍🚀", 3, "👩‍🚀…"],
    ["🇯🇵🇩🇪", 2, "…"],
    ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
    ["abc", 0, ""],
    ["abc", -5, ""],
  ])("cuts %s to %i cells between graphemes", (text, max, clipped) => {
    expect(clip(text, max)).toBe(clipped);
  });
});

describe("pad", () => {
  it("fills to the width in cells", () => {
    fc.assert(
      fc.property(line, width, fc.constantFrom("left" as const, "right" as const), (text, size, align) => {
        expect(textWidth(pad(clip(text, size), size, align))).toBe(size);
      }),
    );
  });
});

describe("wrap", () => {
  it("limits every line to the width and loses no letter", () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 2, max: 40 }), (text, size) => {
        const lines = wrap(text, size);
        for (const part of lines) expect(textWidth(part)).toBeLessThanOrEqual(size);
        fc.pre([...new Intl.Segmenter().segment(text)].every(({ segment }) => textWidth(segment) <= size));
        expect(lines.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      }),
      { numRuns: 500 },
    );
  });

  it("ends where nothing fits", () => {
    expect(wrap("日本語", 1)).toEqual(["…", "…", "…"]);
  });

  it("breaks between words", () => {
    expect(wrap("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
    expect(wrap("", 10)).toEqual([""]);
  });
});

describe("sliceWidth and truncateMiddle", () => {
  it("sliceWidth returns the start of the text", () => {
    fc.assert(
      fc.property(line, width, (text, max) => {
        expect(text.startsWith(sliceWidth(text, max))).toBe(true);
      }),
    );
  });

  it("truncateMiddle has both ends and a mark", () => {
    expect(truncateMiddle("5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1", 11)).toBe("5Q544…ge4j1");
    expect(truncateMiddle("short", 11)).toBe("short");
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9A-Z]{32,44}$/), fc.integer({ min: 0, max: 31 }), (id, max) => {
        const short = truncateMiddle(id, max);
        expect(short.length).toBeLessThanOrEqual(max);
        if (max > 0) expect(short).toContain("…");
      }),
    );
  });
});

it("measures as string-width does", () => {
  const textOf = (code: number) => String.fromCharCode(code);
  for (let code = 0x20; code <= 0x26ff; code += 1)
    expect(textWidth(textOf(code)), String(code)).toBe(stringWidth(textOf(code)));
  // Latin letters, punctuation, arrows, box drawing and blocks, which nearly all texts consist of.
  const ranges = [
    [0x20, 0x7e],
    [0xa0, 0x24f],
    [0x2010, 0x203a],
    [0x20a0, 0x20bf],
    [0x2190, 0x21ff],
    [0x2500, 0x259f],
  ] as const;
  const character = fc.oneof(...ranges.map(([min, max]) => fc.integer({ min, max }).map(textOf)));
  fc.assert(
    fc.property(fc.string({ unit: character }), (text) => {
      expect(textWidth(text)).toBe(stringWidth(text));
    }),
    { numRuns: 1000 },
  );
});
