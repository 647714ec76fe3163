import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolveTheme } from "../../../src/output/index.ts";
import { textWidth } from "../../../src/output/text/width.ts";
import { breadcrumbs, type HeaderState, headerLine } from "../../../src/ui/app/header.tsx";
import { hintLine } from "../../../src/ui/frame/hints.ts";
import { borderLines } from "../../../src/ui/frame/popup.tsx";
import { ACTION_NAMES, ACTIONS } from "../../../src/ui/navigation/keys/actions.ts";
import { bindAction } from "../../../src/ui/navigation/keys/bindings.ts";
import type { Binding } from "../../../src/ui/navigation/keys/keymap.ts";
import { createPainter } from "../../../src/ui/navigation/theme/painter.ts";
import {
  fitLine,
  fitLines,
  joinEnds,
  lineWidth,
  span,
  type TextLine,
} from "../../../src/ui/navigation/theme/text-line.ts";
import { filterHelp, helpEntries } from "../../../src/ui/palette/keys.ts";
import { paletteLines } from "../../../src/ui/palette/palette-lines.ts";
import { textField } from "../../../src/ui/widgets/text-field.ts";

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
      fc.property(anyLine, fc.constantFrom("none" as const, "dark" as const, "light" as const), (one, colorScheme) => {
        const theme = resolveTheme({ theme: "auto", colorScheme, depth: 24 });
        expect(textWidth(createPainter(theme)(one))).toBe(lineWidth(one));
        expect(textWidth(createPainter(theme, false)(one, "popup"))).toBe(lineWidth(one));
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
          const footer = [span(title)];
          const framed = borderLines({ title, lines, width: undefined, footer }, size, unicode);
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

test("a popup that nearly fills the page fills it", () => {
  const widthOf = (inside: number) => {
    const framed = borderLines(
      { title: "Keys", lines: [[]], width: inside, footer: [] },
      { width: 76, height: 5 },
      true,
    );
    return lineWidth(framed[0] ?? []);
  };
  expect([75, 76, 90].map(widthOf)).toEqual([80, 80, 80]);
  expect(widthOf(60)).toBe(64);
});

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
  test("lists every key once, in groups, and the mouse", () => {
    const entries = helpEntries(BINDINGS, true);
    for (const { label } of BINDINGS) expect(entries.filter(({ title }) => title === label)).toHaveLength(1);
    const groups = entries.map(({ kind }) => kind);
    expect(groups.filter((group, at) => group !== groups[at - 1])).toEqual([...new Set(groups)]);
    expect(groups.at(-1)).toBe("mouse");
  });

  test("every key has words that a window of 80 columns shows in full", () => {
    const bindings = ACTION_NAMES.map((name): Binding => bindAction(name, "a typical label.", () => {}));
    const candidates = helpEntries(bindings, true);
    const view = { field: textField(""), placeholder: "", messages: [], candidates, selected: 0 };
    const lines = paletteLines(view, { width: 76, height: 200 }, true).map(textOf).join("\n");
    for (const { about } of candidates) expect(lines).toContain(about);
    for (const name of ACTION_NAMES) expect(ACTIONS[name].description).toMatch(/ /);
  });

  test("entries are found by words and by their key", () => {
    const labels = (text: string) => filterHelp(helpEntries(BINDINGS, true), text).map(({ title }) => title);
    expect(labels("select text")).toEqual(["select text"]);
    expect(labels("q")[0]).toBe("quit");
    expect(labels("no such thing")).toEqual([]);
  });
});

describe("the header", () => {
  const crumbs = (...texts: readonly string[]) => texts.map((one) => ({ text: one }));
  const state: HeaderState = {
    crumbs: crumbs("home", "JUP", "account 5Q54…e4j1", "transaction 4AU5…CC4f"),
    identity: { profile: "work", isSandbox: false, hasKey: true },
    requests: { remaining: 987, limit: 1000 },
    units: { remaining: 98_450_000, limit: 150_000_000, at: 0 },
    waiting: undefined,
    spent: { requests: 12, units: 1200 },
    age: 42_000,
    isStale: false,
  };
  const visible = (columns: number, more: Partial<HeaderState> = {}) =>
    textOf(headerLine({ ...state, ...more }, columns, true));

  test("shows what is left as one gauge, which gives way to the names of the last two pages", () => {
    expect(visible(120)).toMatch(
      /^solx home › JUP › account 5Q54…e4j1 › transaction 4AU5…CC4f +42s ago {2}█+.*98.45M units {2}work$/,
    );
    expect(visible(80)).toMatch(
      /^solx … › account 5Q54…e4j1 › transaction 4AU5…CC4f +42s ago {2}98\.45M units {2}work$/,
    );
    expect(visible(60)).toMatch(/^solx … › account 5Q54…e4j1 › transaction 4AU5…CC4f +work$/);
    expect(visible(60, { waiting: 7 })).toMatch(/waiting 7s/);
  });

  test("shows requests while these are scarcer than units, and what is scarce at every width", () => {
    const scarce = { remaining: 30, limit: 1000 };
    for (const columns of [60, 80, 120]) {
      expect(visible(columns, { requests: scarce })).toContain("30 requests");
      expect(visible(columns, { units: { remaining: 100, limit: 1000, at: 0 } })).toContain("100 units");
    }
    expect(visible(120, { units: undefined })).toContain("987 requests");
    expect(visible(120, { node: "mainnet" })).toMatch(/42s ago {2}12 calls {2}node mainnet$/);
  });

  test("shows the age of data once, and that it is stale at every width", () => {
    for (const columns of [60, 80, 120]) expect(visible(columns, { isStale: true })).toMatch(/ stale 42s /);
    expect(visible(120)).not.toContain("stale");
  });

  test("the sandbox and a missing key are shown as words at every width", () => {
    for (const columns of [60, 80, 120, 200]) {
      expect(visible(columns, { identity: { ...state.identity, isSandbox: true } })).toMatch(/ sandbox $/);
      expect(visible(columns, { identity: { ...state.identity, hasKey: false } })).toMatch(/no key/);
    }
  });

  test("is exactly as wide as the window", () => {
    const some = fc.record({
      crumbs: fc.array(fc.record({ text: harmless }), { minLength: 1, maxLength: 12 }),
      identity: fc.record({
        profile: fc.option(harmless, { nil: undefined }),
        isSandbox: fc.boolean(),
        hasKey: fc.boolean(),
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
});
