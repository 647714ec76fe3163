import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeJson, escapeYaml, safeCell, safeLines, safeText, safeTsvCell } from "../../src/output/text/safe.ts";
import { textWidth } from "../../src/output/text/width.ts";
import { hostileText } from "./helpers.ts";

describe("safeText", () => {
  it("accepts long runs of NUL that are not padding", () => {
    expect(safeText(`${"\0".repeat(300_000)}x\0\0`)).toMatch(/^‹U\+0000›.*x$/);
  });

  it.each([
    ["clears the screen", "\u001b[2JUSDC", "‹U+001B›[2JUSDC"],
    ["writes the clipboard", "\u001b]52;c;ZXZpbA==\u0007", "‹U+001B›]52;c;ZXZpbA==‹U+0007›"],
    ["hides a link", "\u001b]8;;https://evil\u0007sol.io", "‹U+001B›]8;;https://evil‹U+0007›sol.io"],
    ["uses C1 controls", "\u009b31mred\u0090q\u009c", "‹U+009B›31mred‹U+0090›q‹U+009C›"],
    ["is padded with NUL", "USDC\0\0\0\0", "USDC"],
    ["has line breaks and tabs", "a\r\nb\tc\u2028d\u0085e", "a b c d e"],
    ["has backspaces", "good\b\b\b\bevil", "good‹U+0008›‹U+0008›‹U+0008›‹+1›evil"],
    ["turns the line around", "abc\u202efdp.exe", "abc‹U+202E›fdp.exe"],
    ["isolates", "a\u2066b\u2069c", "a‹U+2066›b‹U+2069›c"],
    ["has zero-width letters", "US\u200bDC", "US‹U+200B›DC"],
    ["has blank letters", "USDC\u2800", "USDC‹U+2800›"],
    ["has fillers", "USDC\u3164", "USDC‹U+3164›"],
    ["has joiners between Latin letters", "US\u200dDC", "US‹U+200D›DC"],
    ["smuggles tags", "hi\u{e0069}\u{e0067}\u{e006e}\u{e006f}", "hi‹U+E0069›‹U+E0067›‹U+E006E›‹+1›"],
    ["smuggles variation selectors", "😀\ufe01\ufe02\ufe03\ufe04", "😀‹U+FE01›‹U+FE02›‹U+FE03›‹+1›"],
    ["has half a surrogate pair", "a\ud800b", "a‹U+D800›b"],
    ["starts with a combining mark", "\u0301a", "◌\u0301a"],
  ])("prints text that %s", (_what, text, formatted) => {
    expect(safeText(text)).toBe(formatted);
  });

  it("limits combining marks", () => {
    expect(safeText(`Z${"\u0301".repeat(500)}algo`)).toBe(`Z${"\u0301".repeat(8)}algo`);
  });

  it.each([
    ["astronaut", "👩‍🚀"],
    ["family", "👨‍👩‍👧‍👦"],
    ["red heart", "❤️"],
    ["keycap", "1️⃣"],
    ["flags", "🇯🇵🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
    ["skin tone", "👍🏽"],
    ["Persian", "می‌خواهم"],
    ["Hindi", "क्‍ष"],
    ["Sinhala", "ශ්‍රී"],
    ["Thai", "สวัสดี"],
    ["Chinese", "葛󠄀城"],
    ["Arabic", "مرحبا"],
  ])("does not change %s", (_what, text) => {
    expect(safeText(text)).toBe(text);
  });

  it("is one safe line for any text, and idempotent", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const safe = safeText(text);
        expect(safe).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u);
        expect(safe).not.toMatch(/\p{M}{9}/u);
        expect(safeText(safe)).toBe(safe);
      }),
      { numRuns: 1000 },
    );
  });

  it("never hides a letter that is not padding", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        if (/[^\s\0]/u.test(text)) expect(textWidth(safeText(text))).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  it("preserves line breaks and tabs of text with several lines", () => {
    expect(safeLines("a\tb\n\u001b[2Jc\n")).toBe("a\tb\n‹U+001B›[2Jc\n");
  });
});

describe("safeCell", () => {
  it.each([
    ['=HYPERLINK("http://evil")', `'=HYPERLINK("http://evil")`],
    ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
    ["-1+2", "'-1+2"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ["\r=1", "'\r=1"],
    ["\tplain", "'\tplain"],
    ["  =1", "'  =1"],
    ["\u200b=1", "'\u200b=1"],
    ["＝1+2", "'＝1+2"],
    ["＋1", "'＋1"],
    ["－1", "'－1"],
    ["＠x", "'＠x"],
    ["-", "'-"],
  ])("defuses %j", (text, cell) => {
    expect(safeCell(text)).toBe(cell);
  });

  it.each(["-30", "+5", "-1.5e-7", "-.5", "1e5", "USDC", "a=b", "it's", ""])("does not change %j", (text) => {
    expect(safeCell(text)).toBe(text);
  });

  it("never lets a cell start like a formula", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const cell = safeCell(text);
        expect(/^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u.test(cell) && Number.isNaN(Number(cell))).toBe(false);
      }),
    );
  });
});

describe("safeTsvCell", () => {
  it("has no cell that leaves its line or column", () => {
    expect(safeTsvCell("a\tb\nc\rd\\e")).toBe("a\\tb\\nc\\rd\\\\e");
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(safeTsvCell(text)).not.toMatch(/[\t\n\r]/);
      }),
    );
  });
});

describe("escapeJson and escapeYaml", () => {
  it("escape what a terminal obeys and preserve the value", () => {
    expect(escapeJson('"\u009b\u202e\u{e0041}"')).toBe('"\\u009b\\u202e\\udb40\\udc41"');
    expect(escapeJson('"plain\u007f"')).toBe('"plain\\u007f"');
    expect(escapeYaml('"\u009b\u{e0041}"')).toBe('"\\u009B\\U000E0041"');
    fc.assert(
      fc.property(hostileText, (text) => {
        const json = escapeJson(JSON.stringify(text));
        expect(json).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]/u);
        expect(JSON.parse(json)).toBe(text);
      }),
    );
  });
});
