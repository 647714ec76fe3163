import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textWidth } from "../../../src/output/text/width.ts";
import { hintLine } from "../../../src/ui/app/footer.tsx";
import { ageText, breadcrumbs, type HeaderState, headerLine } from "../../../src/ui/app/header.tsx";
import { helpLines } from "../../../src/ui/app/help.tsx";
import type { Binding } from "../../../src/ui/app/keys/keymap.ts";
import { borderLines } from "../../../src/ui/app/popup.tsx";
import { fitLine, fitLines, joinEnds, lineWidth, span, type TextLine } from "../../../src/ui/app/theme/text-line.ts";
import { createPainter } from "../../../src/ui/app/theme/theme.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.stringMatching(/^[ -~]{0,20}$/),
  fc.constantFrom("漢字かな", "👨‍👩‍👧‍👦", "e\u0301", "한국어", "🇩🇪🇯🇵", "ｱｲｳ", ""),
);
// Rendered text has passed safeText, which leaves no control characters.
const harmless = text.map((one) => one.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ""));
const anyLine: fc.Arbitrary<TextLine> = fc.array(
  harmless.map((one) => span(one, "note")),
  { maxLength: 6 },
);
const width = fc.nat(120);
const textOf = (one: TextLine) => one.map((piece) => piece.text).join("");

describe("lines", () => {
  test("have exactly the requested width, whatever the content", () => {
    fc.assert(
      fc.property(anyLine, width, (one, size) => {
        expect(lineWidth(fitLine(one, size))).toBe(size);
      }),
    );
  });

  test("are whole where they fit, and marked where truncated", () => {
    fc.assert(
      fc.property(anyLine, fc.integer({ min: 1, max: 120 }), (one, size) => {
        const visible = textOf(fitLine(one, size));
        if (lineWidth(one) <= size) expect(visible.startsWith(textOf(one))).toBe(true);
        else expect(visible.trimEnd()).toMatch(/…$/);
      }),
    );
  });

  test("of a region have the requested number and width", () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 8 }), width, fc.nat(12), (lines, columns, rows) => {
        const visible = fitLines(lines, columns, rows);
        expect(visible).toHaveLength(rows);
        expect(visible.every((one) => lineWidth(one) === columns)).toBe(true);
      }),
    );
  });

  test("with two parts keep the right one", () => {
    fc.assert(
      fc.property(anyLine, anyLine, width, (left, right, size) => {
        const visible = joinEnds(left, right, size);
        expect(lineWidth(visible)).toBe(size);
        if (lineWidth(right) < size) expect(textOf(visible).endsWith(textOf(right))).toBe(true);
      }),
    );
  });

  test("have the same width in every colour scheme", () => {
    fc.assert(
      fc.property(anyLine, fc.constantFrom("none" as const, "dark" as const, "light" as const), (one, palette) => {
        expect(textWidth(createPainter(palette)(one))).toBe(lineWidth(one));
        expect(textWidth(createPainter(palette, false)(one))).toBe(lineWidth(one));
      }),
    );
  });

  test("of a popup never exceed the space", () => {
    fc.assert(
      fc.property(
        fc.array(anyLine, { maxLength: 30 }),
        harmless,
        fc.record({ width: fc.integer({ min: 10, max: 100 }), height: fc.integer({ min: 1, max: 40 }) }),
        fc.boolean(),
        (lines, title, size, unicode) => {
          const framed = borderLines({ title, lines, width: undefined, footer: title }, size, unicode);
          expect(framed.length).toBeLessThanOrEqual(size.height + 2);
          expect(new Set(framed.map(lineWidth)).size).toBe(1);
          expect(lineWidth(framed[0] ?? [])).toBeLessThanOrEqual(size.width + 4);
        },
      ),
    );
  });
});

const BINDINGS: readonly Binding[] = [
  ["j", "down", "move", 5],
  ["enter", "open", "data", 1],
  ["/", "filter", "data", 3],
  ["?", "help", "solx", 90],
  ["q", "quit", "solx", 99],
  ["ctrl+u", "half page up", "move", undefined],
].map(([key, label, group, hint]) => ({
  keys: [String(key)],
  label: String(label),
  group: group as Binding["group"],
  run: () => {},
  ...(label === "help" && { name: "solx.help" as const }),
  ...(hint === undefined ? {} : { hint: Number(hint) }),
}));

describe("the footer", () => {
  test("shows the most important hints that fit, and always that of help", () => {
    const visible = textOf(hintLine(BINDINGS, 60, true));
    expect(visible).toMatch(/^Enter open {2}\/ filter {2}j down {2}q quit +\? help$/);
    const short = textOf(hintLine(BINDINGS, 24, true));
    expect(short).toMatch(/^Enter open +\? help$/);
    expect(textOf(hintLine(BINDINGS, 6, true))).toBe("? help");
  });
});

describe("help", () => {
  test("lists every key once, in columns that fit", () => {
    for (const size of [40, 80, 200]) {
      const lines = helpLines(BINDINGS, size, true);
      const all = lines.map(textOf).join("\n");
      for (const { label } of BINDINGS) expect(all.split(label)).toHaveLength(2);
      expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(size);
    }
  });
});

describe("the header", () => {
  const state: HeaderState = {
    crumbs: ["home", "token EPjF…Dt1v", "account 5Q54…e4j1", "transaction 4AU5…CC4f"],
    identity: { profile: "work", sandbox: false, hasKey: true, rate: { requests: 1000, seconds: 60 } },
    requests: { remaining: 987, limit: 1000 },
    units: { remaining: 9_845_000, limit: 150_000_000, at: 0 },
    waiting: undefined,
    spent: { requests: 12, units: 1200 },
    age: 42_000,
    isStale: false,
  };
  const visible = (columns: number, more: Partial<HeaderState> = {}) =>
    textOf(headerLine({ ...state, ...more }, columns, true));

  test("shows less in less space, but always the current page and the identity", () => {
    expect(visible(200)).toMatch(/home › token EPjF…Dt1v › account 5Q54…e4j1 › transaction 4AU5…CC4f/);
    expect(visible(200)).toMatch(
      /40s old {2}used 12 requests, 1.2K units {2}9.84M units left {2}987\/1000 requests in 60s/,
    );
    for (const columns of [60, 80, 120]) {
      expect(visible(columns)).toMatch(/transaction 4AU5…CC4f/);
      expect(visible(columns)).toMatch(/987/);
      expect(visible(columns)).toMatch(/work$/);
    }
    expect(visible(60, { waiting: 7 })).toMatch(/waiting 7s/);
  });

  test("the sandbox and a missing key are shown as words at every width", () => {
    for (const columns of [60, 80, 120, 200]) {
      expect(visible(columns, { identity: { ...state.identity, sandbox: true } })).toMatch(/SANDBOX/);
      expect(visible(columns, { identity: { ...state.identity, hasKey: false } })).toMatch(/no key/);
    }
  });

  test("is exactly as wide as the window", () => {
    const some = fc.record({
      crumbs: fc.array(harmless, { minLength: 1, maxLength: 12 }),
      identity: fc.record({
        profile: fc.option(harmless, { nil: undefined }),
        sandbox: fc.boolean(),
        hasKey: fc.boolean(),
        rate: fc.constant({ requests: 1000, seconds: 60 }),
      }),
      requests: fc.option(fc.record({ remaining: fc.nat(), limit: fc.nat() }), { nil: undefined }),
      units: fc.option(fc.record({ remaining: fc.nat(), limit: fc.nat(), at: fc.nat() }), { nil: undefined }),
      waiting: fc.option(fc.nat(), { nil: undefined }),
      spent: fc.record({ requests: fc.nat(), units: fc.nat() }),
      age: fc.option(fc.nat(), { nil: undefined }),
      isStale: fc.boolean(),
    });
    fc.assert(
      fc.property(some, fc.integer({ min: 60, max: 240 }), fc.boolean(), (head, columns, unicode) => {
        expect(lineWidth(headerLine(head, columns, unicode))).toBe(columns);
      }),
    );
  });

  test("breadcrumbs drop the oldest first, with a mark", () => {
    expect(textOf(breadcrumbs(state.crumbs, 50, true))).toBe("… › account 5Q54…e4j1 › transaction 4AU5…CC4f");
    expect(textOf(breadcrumbs(state.crumbs, 26, true))).toBe("… › transaction 4AU5…CC4f");
    expect(textOf(breadcrumbs(state.crumbs, 26, false))).toMatch(/^transaction|^\.\.\. >/);
  });

  test("ages change rarely", () => {
    expect([0, 9_999, 10_000, 19_999, 60_000, 3_599_999, 3_600_000, 90_000_000].map(ageText)).toEqual([
      "now",
      "now",
      "10s",
      "10s",
      "1m",
      "59m",
      "1h",
      "1d",
    ]);
  });
});
